package lang

import "hcasim/sim"

// An Address is a virtual address, 0 to 2^64-1, decimal or 0x.
type Address uint64

// An Offset is a distance in bytes from the first byte of something; it may
// be negative, to reach before it: 4096, 4KiB, -1.
type Offset int64

// A DataKind says how the bytes of a Data come about.
type DataKind uint8

// The kinds of data.
const (
	DataFill     DataKind = iota // every byte is Byte
	DataBytes                    // Bytes, repeated where it must fill more
	DataCounting                 // 0, 1, 2 … 255, 0 …
	DataRandom                   // from the seed
	DataU64                      // one 64-bit word, least significant byte first
	DataOf                       // what the object Of holds at Offset
)

// Data are bytes to write or to compare with, written as a byte (0xA5), a list
// of bytes, the words counting or random, {u64: 3}, {hex: 0011aaff},
// {text: hello}, or the name of an object.
type Data struct {
	Pos    Pos
	Kind   DataKind
	Byte   byte
	Bytes  []byte
	U64    uint64
	Of     Ref
	Offset Offset // DataOf: where in the object
}

// A Relation compares a figure with a bound.
type Relation string

// The relations.
const (
	Less      Relation = "<"
	LessEqual Relation = "<="
	Equal     Relation = "=="
	NotEqual  Relation = "!="
	MoreEqual Relation = ">="
	More      Relation = ">"
)

// A Unit is what a Quantity counts.
type Unit uint8

// The units of quantities.
const (
	Plain     Unit = iota // millionths of one
	UnitTime              // picoseconds
	UnitBytes             // bytes
	UnitRate              // bit/s
	UnitOps               // requests per second
)

// A Quantity is a number with its unit: 0.9, 3us, 4KiB, 100Gb/s, 5Mop/s.
type Quantity struct {
	Value uint64
	Unit  Unit
}

// Bounds are comparisons that must all hold: "<= 3us", ">= 10 x w1", a list of
// such, or {min: 1us, max: 3us}.
type Bounds []Bound

// A Bound is one comparison of a duration: with Value, or with Factor times
// the latency of step Of.
type Bound struct {
	Pos    Pos
	Op     Relation
	Value  sim.Duration
	Factor uint64 // millionths
	Of     string // id of a step
}

// A Delta is a number, or a change of the one that would be there: 7, +1, -1.
type Delta struct {
	Given    bool
	Relative bool
	Value    int64
}

// Apply returns what d makes of n.
func (d Delta) Apply(n int64) int64 {
	switch {
	case !d.Given:
		return n
	case d.Relative:
		return n + d.Value
	}
	return d.Value
}
