package lang

import (
	"fmt"
	"math"
	"math/bits"

	"go.yaml.in/yaml/v4"

	"hcasim/sim"
)

// Limits bound what the numbers of a file may come to, so that one zero too many
// is a message and not a day of waiting, a full memory or a full disk. Whoever
// means it says more. Simulated time has run.until.
type Limits struct {
	// Steps that the file is written out to: those of loops with a var:, and
	// requests and completions that say times; 200k.
	Steps *Count `yaml:"steps"`
	// Ops are the verbs and requests that loops and loads come to, in their
	// warm-ups too; 100M.
	Ops *Count `yaml:"ops"`
	// Packets that their data is cut into; 1G.
	Packets *Count `yaml:"packets"`
	// Fills are the bytes that fill: writes of something else than one byte, which
	// this program keeps each; 1GiB.
	Fills *sim.Bytes `yaml:"fills" min:"1"`
	// Output is the size of each file of the result; 16GiB.
	Output *sim.Bytes `yaml:"output" min:"1"`
}

// The limits of files that say none.
const (
	MaxSteps   = 200_000
	MaxOps     = 100_000_000
	MaxPackets = 1_000_000_000
	MaxFills   = sim.Bytes(1 << 30)
	MaxOutput  = sim.Bytes(16 << 30)
)

// OutputOf returns how large a file of the result may be.
func (l *Limits) OutputOf() sim.Bytes {
	if l.Output != nil {
		return *l.Output
	}
	return MaxOutput
}

func countOr(c *Count, otherwise uint64) uint64 {
	if c != nil {
		return uint64(*c)
	}
	return otherwise
}

// limited takes run.limits.steps from the tree: it must be known before the
// first step is read. What is wrong with it is told when run: is read.
func (d *decoder) limited(root *yaml.Node) {
	n := root
	for _, word := range []string{"run", "limits", "steps"} {
		if n = find(n, word); n == nil {
			return
		}
	}
	if v, ok := parseCount(n.Value); ok && v > 0 && d.limit == 0 {
		d.limit = v
	}
}

// A burden is how much some steps come to.
type burden struct{ ops, packets, fills uint64 }

func (l *burden) add(m burden, times uint64) {
	l.ops = saturated(l.ops, m.ops, times)
	l.packets = saturated(l.packets, m.packets, times)
	l.fills = saturated(l.fills, m.fills, times)
}

// saturated is a + b*times, or as much as there can be.
func saturated(a, b, times uint64) uint64 {
	high, low := bits.Mul64(b, times)
	sum, carry := bits.Add64(a, low, 0)
	if high != 0 || carry != 0 {
		return math.MaxUint64
	}
	return sum
}

// limits notes steps that come to more than a run may, at the first step with
// which they do.
func (c *checker) limits(s *Scenario) {
	l := &s.Run.Limits
	all := burden{fills: c.declaredFills(l)}
	for i := range s.Ops {
		was := all
		all.add(c.comesTo(&s.Ops[i]), 1)
		for _, one := range []struct {
			was, is, most uint64
			what, field   string
		}{
			{was.ops, all.ops, countOr(l.Ops, MaxOps), "verbs and requests", "ops"},
			{was.packets, all.packets, countOr(l.Packets, MaxPackets), "packets", "packets"},
		} {
			if one.was <= one.most && one.is > one.most {
				c.at(s.Ops[i].Pos, 1, fmt.Sprintf("the steps come to %s %s up to here, more than %s", HowMany(one.is), one.what, HowMany(one.most)),
					fmt.Sprintf("run: {limits: {%s: …}} allows more", one.field))
			}
		}
		c.filled(s.Ops[i].Pos, was.fills, all.fills, l)
	}
}

// declaredFills counts what the memory of all hosts is filled with.
func (c *checker) declaredFills(l *Limits) (sum uint64) {
	add := func(at Pos, fill *Data, length, count uint64) {
		was := sum
		if fill.kept() {
			sum = saturated(sum, length, count)
		}
		c.filled(at, was, sum, l)
	}
	for i := range c.setup.Hosts {
		h := &c.setup.Hosts[i].Value
		for k := range h.Mem {
			add(h.Mem[k].Pos, h.Mem[k].Value.Fill, uint64(h.Mem[k].Value.Length), 1)
		}
		for k := range h.MR {
			m := &h.MR[k].Value
			count := uint64(1)
			if m.Count != nil {
				count = uint64(*m.Count)
			}
			add(h.MR[k].Pos, m.Fill, m.made(), count)
		}
	}
	return sum
}

// filled notes a fill with which all come to more than they may.
func (c *checker) filled(at Pos, was, is uint64, l *Limits) {
	most := MaxFills
	if l.Fills != nil {
		most = *l.Fills
	}
	if was <= uint64(most) && is > uint64(most) {
		c.at(at, 1, fmt.Sprintf("fills come to %s up to here, more than %s", sim.Bytes(is), most),
			"fill: 0xA5, or any one byte, takes no room; run: {limits: {fills: …}} allows more")
	}
}

// kept reports whether what fills memory is kept byte for byte.
func (d *Data) kept() bool { return d != nil && d.Kind != DataFill }

// made is the size of the buffer that a registration makes.
func (m *RegMR) made() uint64 {
	switch {
	case m.Buf.Given() || m.Addr != nil:
		return 0
	case m.Length == nil:
		return defaultBuffer
	}
	return uint64(*m.Length)
}

// defaultBuffer is the size of the buffer of a region that says none.
const defaultBuffer = 4096

// HowMany writes a count with its thousands apart; the greatest stands for all beyond.
func HowMany(n uint64) string {
	if n == math.MaxUint64 {
		return "2^64"
	}
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// comesTo counts what a step does. A load that ends by time is bounded by that.
func (c *checker) comesTo(s *Step) (sum burden) {
	switch a := s.Do.(type) {
	case *Loop:
		if a.Var == "" && len(a.Rounds) == 1 {
			round := c.allOf(a.Rounds[0])
			round.ops = max(1, round.ops) // one of nothing takes its time too
			sum.add(round, a.Times)
			return sum
		}
		for _, round := range a.Rounds {
			sum.add(c.allOf(round), 1)
		}
	case *Parallel:
		for _, branch := range a.Branches {
			sum.add(c.allOf(branch), 1)
		}
	case *Traffic:
		n := countOr(a.Count, 0)
		if a.Warmup != nil {
			n = saturated(n, countOr(a.Warmup.Count, 0), 1)
		}
		sum.add(burden{ops: 1, packets: c.packetsOf(a.QP, a.Size.mean())}, n)
	case *PostSend:
		for i := range a.WRs {
			packets := uint64(1)
			if length := c.lengthOf(&a.WRs[i]); length != nil {
				packets = c.packetsOf([]Ref{a.QP}, *length)
			}
			sum.add(burden{ops: 1, packets: packets}, 1)
		}
	case *DMA:
		sum.add(burden{ops: 1, packets: 1}, countOr(a.Count, 0))
	case *RegMR:
		sum.ops = 1
		if a.Fill.kept() {
			sum.fills = a.made()
		}
	default:
		sum.ops = 1
	}
	return sum
}

func (c *checker) allOf(steps []Step) (sum burden) {
	for i := range steps {
		sum.add(c.comesTo(&steps[i]), 1)
	}
	return sum
}

// packetsOf is how many packets a message has, by the path MTU of the first
// queue pair that posts it.
func (c *checker) packetsOf(qp []Ref, size sim.Bytes) uint64 {
	mtu := uint64(1024)
	if len(qp) > 0 {
		if h, found := c.setup.Hosts.Get(qp[0].Host); found {
			if q, found := h.QP.Get(qp[0].Name); found && q.MTU != nil && *q.MTU > 0 {
				mtu = uint64(*q.MTU)
			}
		}
	}
	return max(1, uint64(size)/mtu+min(1, uint64(size)%mtu))
}

// mean is about how large requests are: of points no less than it is.
func (s *Sizes) mean() sim.Bytes {
	var sum, parts uint64
	add := func(size sim.Bytes, weight uint64) {
		sum, parts = saturated(sum, uint64(size), weight), saturated(parts, weight, 1)
	}
	for i, v := range s.Values {
		if s.Kind == SizeChoice {
			add(v, s.Weights[i])
		} else {
			add(v, 1)
		}
	}
	const grain = 1000 // of shares, so that the sum of sizes fits
	share := uint64(0)
	for _, p := range s.Points {
		add(p.Size, (p.Share-min(share, p.Share))/(WholeShare/grain))
		share = p.Share
	}
	return sim.Bytes(sum / max(1, parts))
}
