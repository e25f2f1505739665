package perf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/sim"
)

// Options are those of perftest that mean something in a simulation, and ours.
// Zero stands for perftest's default; settle puts it in.
type Options struct {
	Test Test

	All        bool   // sizes from 2 B to 8 MiB
	Size       uint64 // bytes of a message
	Iterations uint64 // of each queue pair
	Duration   sim.Duration
	Margin     sim.Duration // before and after what is measured of Duration
	QPs        uint32
	TxDepth    uint32
	RxDepth    uint32
	MTU        uint32
	Inline     int64 // bytes; < 0: perftest's
	Connection string
	Outs       uint32 // READs and atomics of a queue pair outstanding
	PostList   uint32
	CQMod      uint32
	Timeout    int // of a queue pair; < 0: perftest's
	Both       bool
	Atomic     string
	WithImm    bool
	MRPerQP    bool
	ODP        bool
	HugePages  bool
	WarmUp     bool
	NoPeak     bool

	Gbits   bool
	Output  string // one figure alone: bandwidth, message_rate or latency
	Profile string
	Sets    []string // path=value over the scenario
	Library string   // folder of the user's own profiles
}

// The largest and the smallest that perftest takes.
const (
	mostSize       = 8 << 20
	leastIters     = 5
	mostIters      = 100_000_000
	mostDepth      = 15_000
	mostReceives   = 16_384
	mostQPs        = 16_384
	mostCQMod      = 1024
	mostInline     = 912
	mostInlineUD   = 884
	mostOuts       = 255
	quietReceives  = 16_000 // of those that nobody acknowledges
	moderatedUpTo  = 8192   // bytes
	cycle          = 4096   // bytes that small messages walk over
	line           = 64
	defaultProfile = "connectx5-like"
)

// settle puts perftest's defaults in the place of what was left out, and makes
// one option follow another as perftest does. The error has a line for each
// thing that is wrong.
func (o *Options) settle() error {
	if err := o.refuse(); err != nil {
		return err
	}
	bw := !o.Test.latency
	fill(&o.Profile, defaultProfile)
	fill(&o.Connection, "RC")
	fill(&o.QPs, 1)
	fill(&o.PostList, 1)
	fill(&o.Outs, 16)
	switch {
	case o.Test.verb == atomic:
		o.Size = 8
		fill(&o.Atomic, "FETCH_AND_ADD")
	case bw:
		fill(&o.Size, 65536)
	default:
		fill(&o.Size, 2)
	}
	switch {
	case o.Duration > 0:
		fill(&o.Margin, o.Duration/4)
		o.NoPeak = true
	case bw && o.Test.verb == write:
		fill(&o.Iterations, 5000)
	default:
		fill(&o.Iterations, 1000)
	}
	if o.Timeout < 0 {
		o.Timeout = 14
	}
	o.depths(bw)
	if o.Inline < 0 {
		o.Inline = o.inlined()
	}
	return nil
}

// depths settles queues and moderation.
func (o *Options) depths(bw bool) {
	most := uint32(mostReceives)
	if o.Duration == 0 {
		most = uint32(min(o.Iterations, mostReceives))
	}
	if bw {
		fill(&o.TxDepth, 128)
	} else {
		o.TxDepth = 1
	}
	if o.PostList > 1 && o.QPs > 1 {
		o.TxDepth = 128
	}
	o.TxDepth = max(min(o.TxDepth, most), o.PostList)
	if o.received() {
		if o.RxDepth == 0 && o.Connection != "RC" && o.Duration == 0 {
			o.RxDepth = min(most, quietReceives)
		}
		fill(&o.RxDepth, 512)
		o.RxDepth = min(o.RxDepth, most)
	}
	if o.PostList > 1 {
		o.CQMod = o.PostList
	}
	if o.CQMod == 0 {
		o.CQMod = 100
		if o.Size > moderatedUpTo && o.Connection != "UD" && !o.All {
			o.CQMod = 1
		}
	}
	o.CQMod = min(o.CQMod, o.TxDepth)
}

// inlined is up to which size perftest has the data in the request itself.
func (o *Options) inlined() int64 {
	switch {
	case !o.Test.latency:
		return 0
	case o.Test.verb == write:
		return 220
	case o.Test.verb == send && o.Connection == "UD":
		return 188
	case o.Test.verb == send:
		return 236
	}
	return 0
}

func fill[T comparable](to *T, value T) {
	var zero T
	if *to == zero {
		*to = value
	}
}

// refuse returns what does not go together, all of it.
func (o *Options) refuse() error {
	var wrong []string
	say := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	between := func(option string, value, least, most uint64) {
		say(value != 0 && (value < least || value > most), "%s %d: wants %d to %d", option, value, least, most)
	}
	v, bw, name := o.Test.verb, !o.Test.latency, o.Test.Name
	between("-s", o.Size, 1, mostSize)
	between("-n", o.Iterations, leastIters, mostIters)
	between("-t", uint64(o.TxDepth), 1, mostDepth)
	between("-r", uint64(o.RxDepth), 1, mostReceives)
	between("-q", uint64(o.QPs), 1, mostQPs)
	between("-Q", uint64(o.CQMod), 1, mostCQMod)
	between("-l", uint64(o.PostList), 1, mostCQMod)
	between("-o", uint64(o.Outs), 1, mostOuts)
	say(o.MTU != 0 && !slices.Contains([]uint32{256, 512, 1024, 2048, 4096}, o.MTU), "-m %d: a path MTU is 256, 512, 1024, 2048 or 4096", o.MTU)
	for _, x := range []struct {
		option string
		said   bool
	}{
		{"-q", o.QPs > 1}, {"-b", o.Both}, {"-N", o.NoPeak}, {"-t", o.TxDepth != 0}, {"-l", o.PostList > 1}, {"-Q", o.CQMod != 0},
		{"--mr_per_qp", o.MRPerQP}, {"--report_gbits", o.Gbits},
	} {
		say(x.said && !bw, "%s is of bandwidth, and %s measures latency", x.option, name)
	}
	say(v == atomic && o.All, "-a: an atomic has 8 bytes, there are no other sizes")
	say(v == atomic && o.Size != 0 && o.Size != 8, "-s %d: an atomic has 8 bytes", o.Size)
	say(o.All && o.Size != 0, "-a is all sizes and -s one of them; leave out one of the two")
	say(v != atomic && o.Atomic != "", "-A is of atomic_bw and atomic_lat")
	say(o.Atomic != "" && o.Atomic != "FETCH_AND_ADD" && o.Atomic != "CMP_AND_SWAP", "-A %s: there are CMP_AND_SWAP and FETCH_AND_ADD", o.Atomic)
	say(o.Inline > 0 && (v == read || v == atomic), "-I: a READ or an atomic carries no data to be inlined")
	say(o.Inline > mostInline, "-I %d: wants 0 to %d", o.Inline, mostInline)
	say(o.Inline > mostInlineUD && o.Connection == "UD", "-I %d: over UD at most %d", o.Inline, mostInlineUD)
	say(o.Outs != 0 && v != read && v != atomic, "-o is of READs and atomics")
	say(o.RxDepth > 1 && v != send && !o.WithImm, "-r: a %s takes no receive", strings.TrimSuffix(strings.TrimSuffix(name, "_bw"), "_lat"))
	say(o.WithImm && v != write, "--write_with_imm is of write_bw and write_lat")
	say(o.ODP && v == atomic, "--odp: perftest has none with atomics")
	o.refuseConnection(say)
	say(o.Duration > 0 && o.All, "-D is of one size, -a of all; leave out one of the two")
	say(o.Duration > 0 && o.Iterations != 0, "-D and -n both say when it ends; leave out one of the two")
	say(o.Margin > 0 && o.Duration == 0, "-f is the margin of -D")
	say(o.Duration > 0 && 2*o.Margin >= o.Duration, "-f %s: two margins leave nothing of %s", o.Margin, o.Duration)
	outputs := []string{"latency"}
	if bw {
		outputs = []string{"bandwidth", "message_rate"}
	}
	say(o.Output != "" && !slices.Contains(outputs, o.Output), "--output %s: %s has %s", o.Output, name, strings.Join(outputs, ", "))
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "\n"))
}

func (o *Options) refuseConnection(say func(bool, string, ...any)) {
	v := o.Test.verb
	switch o.Connection {
	case "", "RC":
	case "UC":
		say(v == read || v == atomic, "-c UC: there are no READs and atomics over UC")
	case "UD":
		say(v != send, "-c UD: over UD there are SENDs only")
	case "XRC", "DC", "SRD", "RawEth":
		say(true, "-c %s is not modelled; there are RC, UC, UD", o.Connection)
	default:
		say(true, "-c %s: there are RC, UC, UD", o.Connection)
	}
}

// ParseSize reads a size as perftest does, 65536, 64K, 8M, or as we do, 64KiB.
func ParseSize(text string) (uint64, error) {
	number, factor := text, uint64(1)
	if s, k := strings.CutSuffix(text, "K"); k {
		number, factor = s, 1<<10
	} else if s, m := strings.CutSuffix(text, "M"); m {
		number, factor = s, 1<<20
	}
	if n, err := strconv.ParseUint(number, 0, 32); err == nil && n > 0 {
		return n * factor, nil
	}
	var b sim.Bytes
	if err := b.UnmarshalText([]byte(text)); err == nil && b > 0 {
		return uint64(b), nil
	}
	return 0, fmt.Errorf("%q is no size: bytes such as 65536, 64K, 8M or 64KiB", text)
}

// ParseDuration reads a duration as perftest does, in seconds, or with a unit:
// 2ms. A second of a simulated link is a long time to simulate.
func ParseDuration(text string) (sim.Duration, error) {
	if n, err := strconv.ParseUint(text, 10, 16); err == nil && n > 0 {
		return sim.Duration(n) * sim.Second, nil
	}
	var d sim.Duration
	if err := d.UnmarshalText([]byte(text)); err == nil && d > 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no duration: seconds such as 1, or 2ms", text)
}
