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
	// Output is the size of each file of the result; 16GiB.
	Output *sim.Bytes `yaml:"output" min:"1"`
}

// The limits of files that say none.
const (
	MaxSteps   = 200_000
	MaxOps     = 100_000_000
	MaxPackets = 1_000_000_000
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
type burden struct{ ops, packets uint64 }

func (l *burden) add(m burden, times uint64) {
	l.ops = saturated(l.ops, m.ops, times)
	l.packets = saturated(l.packets, m.packets, times)
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
	var all burden
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
				c.at(s.Ops[i].Pos, 1, fmt.Sprintf("the steps come to %s %s up to here, more than %s", howMany(one.is), one.what, howMany(one.most)),
					fmt.Sprintf("run: {limits: {%s: …}} allows more", one.field))
			}
		}
	}
}

// howMany writes a count with its thousands apart.
func howMany(n uint64) string {
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
			sum.add(c.allOf(a.Rounds[0]), a.Times)
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
		sum.add(burden{1, c.packetsOf(a.QP, a.Size.mean())}, n)
	case *PostSend:
		for i := range a.WRs {
			packets := uint64(1)
			if length := c.lengthOf(&a.WRs[i]); length != nil {
				packets = c.packetsOf([]Ref{a.QP}, *length)
			}
			sum.add(burden{1, packets}, 1)
		}
	case *DMA:
		sum.add(burden{1, 1}, countOr(a.Count, 0))
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
