package lang

import (
	"hcasim/ib"
	"hcasim/sim"
)

// Traffic is a load: requests without end, or so many, from some queue pairs
// of one host.
type Traffic struct {
	Pos Pos `yaml:"-"`

	// QP that post; an array posts from each of its elements. By default the
	// host's first. Those of UD send to their peer, without an address handle.
	QP []Ref `yaml:"qp" kind:"qp"`
	// Mix has the opcodes with their weights.
	Mix Shares `yaml:"mix"`
	// Opcode of all requests, in the place of Mix.
	Opcode *ib.WROpcode `yaml:"opcode"`
	// Flags are send_flags besides SIGNALED, such as INLINE.
	Flags *ib.SendFlags `yaml:"send_flags"`
	// Mode is stream, where requests are posted as depth or rate say, or
	// pingpong, where each side answers the other, as perftest measures latency.
	Mode string `yaml:"mode" enum:"stream,pingpong"`
	// RecvDepth is how many receives the peer keeps posted for SENDs; by default
	// twice Depth.
	RecvDepth *uint32 `yaml:"recv_depth" min:"1" max:"32768"`
	// Size of the requests.
	Size Sizes `yaml:"size"`
	// Target is where at the peer; for BIND_MW the windows of this host.
	Target Pattern `yaml:"target"`
	// Source is where at this host; for BIND_MW the regions.
	Source Pattern `yaml:"source"`
	// Depth is how many requests each queue pair keeps in flight; 16.
	Depth *uint32 `yaml:"depth" min:"1" max:"32768"`
	// Window is how many requests are in flight over all queue pairs, each posted
	// on the one that Pick says; in the place of Depth.
	Window *uint32 `yaml:"window" min:"1" max:"1048576"`
	// Rate offers load instead: requests or bits of payload per second, over all
	// queue pairs, by the mean size. A request that finds Depth in flight or its
	// send queue full waits for its turn, and its latency counts from its arrival.
	Rate *Quantity `yaml:"rate"`
	// Arrival is how the requests of a rate are spaced: even (constant), or
	// exponential (poisson); even.
	Arrival string `yaml:"arrival" enum:"even,constant,exponential,poisson"`
	// Pick chooses the queue pair of the next batch, of a rate or a window:
	// sequential, in their order, or uniform, drawn at random. Sequential of a
	// rate, uniform of a window.
	Pick string `yaml:"pick" enum:"sequential,uniform"`
	// Batch is how many are posted with one doorbell; 1.
	Batch *uint32 `yaml:"batch" min:"1" max:"1024"`
	// Turn is what the program does between a completion and the request that
	// follows it, where one thread polls and posts by turns; by default one
	// posts and another polls.
	Turn *sim.Duration `yaml:"turn"`
	// SignalEvery asks for a completion of each n-th; 1.
	SignalEvery *uint32 `yaml:"signal_every" min:"1" max:"32768"`
	// Count is the number of requests measured.
	Count *Count `yaml:"count"`
	// Time is how long is measured, in the place of Count.
	Time *sim.Duration `yaml:"time"`
	// Warmup is what goes before and is not measured.
	Warmup *Warmup `yaml:"warmup"`
	// Add is what atomics add.
	Add *uint64 `yaml:"add"`
}

// Shares is a mapping from opcodes to weights.
type Shares []Share

// A Share is one opcode of a mix and its weight.
type Share struct {
	Pos    Pos
	Opcode ib.WROpcode
	Weight uint64
}

// A Count is a number of requests: 1000, 10k, 10M.
type Count uint64

// Warmup is a number of requests or a time.
type Warmup struct {
	// Count is how many requests.
	Count *Count `yaml:"count"`
	// Time is how long.
	Time *sim.Duration `yaml:"time"`
}

// A SizeKind is how sizes are drawn.
type SizeKind uint8

// The kinds of sizes.
const (
	SizeFixed   SizeKind = iota // Values[0]; 64 bytes if there is none
	SizeList                    // Values in turn
	SizeUniform                 // from Values[0] to Values[1], in steps of Step
	SizeChoice                  // Values by Weights
	SizeCDF                     // by a distribution, Points
)

// Sizes are the lengths of the requests of a traffic: 64B, [64B, 4KiB],
// {uniform: [64B, 4KiB], step: 64B}, {choice: {64B: 9, 4KiB: 1}}, {cdf: web.cdf}
// or {cdf: [[64, 0.5], [4096, 1]]}.
type Sizes struct {
	Pos     Pos
	Kind    SizeKind
	Values  []sim.Bytes
	Weights []uint64
	Step    sim.Bytes
	Points  Points
	Stairs  bool // only the sizes of points occur, none between two
}

// A Pattern is how a traffic walks over memory: which object, and where in it.
type Pattern struct {
	Pos Pos `yaml:"-"`

	// Of are regions, windows, or arrays of them; by default the first.
	Of []Ref `yaml:"of" kind:"mr" short:"true"`
	// Pick chooses among them; sequential.
	Pick string `yaml:"pick" enum:"sequential,uniform,zipf,stride"`
	// PickStride is how many objects further the next one is.
	PickStride *uint32 `yaml:"pick_stride" min:"1"`
	// Walk chooses the offset within the object; sequential.
	Walk string `yaml:"walk" enum:"fixed,sequential,uniform,zipf,stride"`
	// Stride in bytes of walk: stride; also the grain of the others, by
	// default the request's size.
	Stride *sim.Bytes `yaml:"stride" bare:"true"`
	// Theta of zipf in thousandths; 990.
	Theta *uint32 `yaml:"theta" min:"1" max:"5000"`
	// Offset of the first place.
	Offset Offset `yaml:"offset"`
}
