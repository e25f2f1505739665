package lang

import (
	"math"
	"math/bits"

	"hcasim/sim"
)

// A burden is how much declarations and steps come to.
type burden struct{ ops, packets, entries, fills uint64 }

func (l *burden) add(m burden, times uint64) {
	l.ops = saturated(l.ops, m.ops, times)
	l.packets = saturated(l.packets, m.packets, times)
	l.entries = saturated(l.entries, m.entries, times)
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

// kept reports whether what fills memory is kept byte for byte.
func (d *Data) kept() bool { return d != nil && d.Kind != DataFill }

func (m *RegMR) burden() (sum burden) {
	if m.Fill.kept() && !m.Buf.Given() && m.Addr == nil {
		sum.fills = uint64(valueOr(m.Length, 0)) // without one it is a mistake
	}
	return sum
}

// Depths of queues that say none: what host.queue has unless a profile or the
// file says otherwise. A limit need not know better.
const (
	UsualWRs  = 128  // requests of a send or receive queue
	UsualCQEs = 1024 // completions
)

func (q *QP) burden() burden {
	return burden{entries: uint64(valueOr(q.SQ, UsualWRs)) + uint64(valueOr(q.RQ, UsualWRs))}
}

func (q *CreateCQ) burden() burden { return burden{entries: uint64(valueOr(q.Depth, UsualCQEs))} }

func (q *CreateSRQ) burden() burden { return burden{entries: uint64(valueOr(q.MaxWR, UsualWRs))} }

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
	case interface{ burden() burden }: // verbs that make something
		sum = a.burden()
		sum.ops = 1
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
