package hca_test

import (
	"fmt"
	"testing"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
)

// executions returns the instants at which a side executes requests.
func (p *pair) executions(side int) *[]sim.Time {
	at := &[]sim.Time{}
	p.sides[side].Executed.Watch(func(e hca.Execution) {
		if !e.Answer {
			*at = append(*at, e.At)
		}
	})
	return at
}

// every returns the mean distance of the events from one to another, in
// thousandths of a cycle of 1 GHz.
func every(at []sim.Time, from, to int) sim.Interval {
	return sim.Interval(at[to].Sub(at[from])) / sim.Interval(to-from)
}

// near reports whether two intervals differ by no more than some edges
// over n: of the way from the engine to where it is seen.
func near(got, want sim.Interval, n int) bool {
	slack := sim.PerCycle*10/sim.Interval(n) + 1
	return got <= want+slack && want <= got+slack
}

// Both hosts keep requests in flight, as many as the engines are busy with. A shared engine takes turns, so one
// message in and one out take the sum of their gaps, with its fractions, on both
// hosts alike; of two engines the slower one counts. Acknowledgements, which
// wait for nobody, starve neither.
func TestEngineRate(t *testing.T) {
	const from, to = 700, 1400
	for _, engine := range []string{"split", "shared"} {
		for _, gaps := range [][2]sim.Interval{{147_300, 161_950}, {161_950, 147_300}, {250_000, 120_125}, {300_000, 20_125}, {20_125, 300_000}} {
			for _, op := range []ib.WROpcode{ib.WRSend, ib.WRRDMAWrite} {
				s := defaults()
				s.depth, s.attr.Timeout = 2048, 0
				for i := range s.hca {
					h := &s.hca[i]
					h.Engine, h.PacketGap, h.Schedule = engine, 0, 0
					h.Gap.SendSend, h.Gap.SendWrite, h.Gap.ReceiveSend, h.Gap.ReceiveWrite = gaps[0], gaps[0], gaps[1], gaps[1]
				}
				p := newPair(t, s)
				at := [2]*[]sim.Time{p.executions(0), p.executions(1)}
				for side := range 2 {
					p.receive(side, 0, 1500, 0, 8)
				}
				p.Run(sim.Time(0).Add(50 * sim.Microsecond))
				for side, x := range p.sides {
					next := func() { p.post(side, 0, op, 0, 8, 1024) }
					x.Retired.Watch(func(r *hca.Retirement) {
						if !r.Recv && x.posted[0] < 1500 {
							p.later(func(sim.Time) { next() })
						}
					})
					// Acknowledgements take turns too: at first more requests go out than
					// come in; that evens out, the sooner the fewer are in flight.
					for range 32 {
						next()
					}
				}
				p.finish()
				want := max(gaps[0], gaps[1])
				if engine == "shared" {
					want = gaps[0] + gaps[1]
				}
				for side := range 2 {
					p.all("request", p.statuses(side, 0), 1500, ib.Success)
					got := every(*at[side], from, to)
					// WRITEs of two hosts in step run out and come in bunches for long.
					swings := engine == "shared" && op == ib.WRRDMAWrite && got > want-want/50 && got < want+want/50
					if !near(got, want, to-from) && !swings {
						t.Errorf("%s %v, gaps %v: side %d has one each %v cycles, want %v", engine, op, gaps, side, got, want)
					}
				}
			}
		}
	}
}

// Each kind of packet keeps the engine as long as its gap says, that of the side
// which it keeps longer; payload that comes or is asked for counts by the byte
// and by the cell behind the first.
func TestGaps(t *testing.T) {
	const n, from, to = 200, 100, 190
	for _, c := range []struct {
		op     ib.WROpcode
		length uint64
		send   func(g *hca.GapParams) *sim.Interval
		recv   func(g *hca.GapParams) *sim.Interval
	}{
		{ib.WRRDMAWrite, 8, func(g *hca.GapParams) *sim.Interval { return &g.SendWrite }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveWrite }},
		{ib.WRRDMAWrite, 257, func(g *hca.GapParams) *sim.Interval { return &g.SendWrite }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveWrite }},
		{ib.WRRDMAWrite, 1024, func(g *hca.GapParams) *sim.Interval { return &g.SendWrite }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveWrite }},
		{ib.WRRDMAWriteWithImm, 8, func(g *hca.GapParams) *sim.Interval { return &g.SendWrite }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveWrite }},
		{ib.WRSend, 0, func(g *hca.GapParams) *sim.Interval { return &g.SendSend }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveSend }},
		{ib.WRSend, 256, func(g *hca.GapParams) *sim.Interval { return &g.SendSend }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveSend }},
		{ib.WRRDMARead, 64, func(g *hca.GapParams) *sim.Interval { return &g.SendRead }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveRead }},
		{ib.WRRDMARead, 600, func(g *hca.GapParams) *sim.Interval { return &g.SendRead }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveRead }},
		{ib.WRAtomicFetchAndAdd, 8, func(g *hca.GapParams) *sim.Interval { return &g.SendAtomic }, func(g *hca.GapParams) *sim.Interval { return &g.ReceiveAtomic }},
	} {
		for _, engine := range []string{"split", "shared"} {
			for _, sends := range []bool{true, false} {
				s := defaults()
				s.qps, s.attr.MaxRdAtomic, s.attr.MaxDestRdAtomic, s.attr.Timeout = 20, 16, 16, 0
				s.hca[0].Engine, s.hca[1].Engine = engine, engine
				want := sim.Interval(400_700)
				if sends {
					*c.send(&s.hca[0].Gap) = want
				} else {
					*c.recv(&s.hca[1].Gap) = want
					s.hca[1].Gap.ReceiveByte, s.hca[1].Gap.ReceiveCell = 37, 9_400
					bytes := c.length
					if c.op == ib.WRAtomicFetchAndAdd {
						bytes = 0 // its word is in its header
					}
					want += 37*sim.Interval(bytes) + 9_400*sim.Interval((max(bytes, 1)-1)/256)
				}
				// An acknowledgement takes its turn between two that are sent.
				if sends && engine == "shared" {
					want += s.hca[0].PacketGap
				}
				p := newPair(t, s)
				at := p.executions(1)
				for q := range s.qps {
					p.receive(1, q, n/s.qps, 0, 1024)
				}
				p.Run(sim.Time(0).Add(50 * sim.Microsecond))
				for i := range n {
					p.post(0, i%s.qps, c.op, 1024, c.length, 8*uint64(i))
				}
				p.finish()
				if got := every(*at, from, to); !near(got, want, to-from) {
					t.Errorf("%s %v of %d, sender %v: one each %v cycles, want %v", engine, c.op, c.length, sends, got, want)
				}
			}
		}
	}
}

// A request whose context is not on chip, and one of another queue pair right
// behind it whose context is: who waits, and how long. Queue pairs 0 and 2 share
// a place, 1 has one of its own.
func TestContextsWait(t *testing.T) {
	const refill = 333
	for _, engine := range []string{"split", "shared"} {
		for _, contexts := range []string{"overlap", "receive", "block"} {
			for _, missing := range []int{0, 1} { // the side
				for _, far := range []bool{false, true} {
					var at [2][]sim.Time // everything on chip, and not
					for i := range at {
						s := defaults()
						s.qps = 3
						for k := range s.hca {
							s.hca[k].Engine, s.hca[k].MTP.Contexts, s.hca[k].PacketGap, s.hca[k].Schedule = engine, contexts, 0, 0
						}
						if i == 1 {
							c := &s.hca[missing].Cache.QPC
							*c = mtp.CacheParams{Entries: 2, Ways: 1, Replace: "lru", Refill: refill}
							if far {
								c.Far = mtp.FarParams{Entries: 64, Ways: 1, Replace: "lru"}
							}
						}
						p := newPair(t, s)
						for _, q := range []int{0, 2, 1} {
							p.post(0, q, ib.WRRDMAWrite, 0, 8, 0)
							p.finish()
						}
						p.Run(sim.Time(0).Add(100 * sim.Microsecond))
						got := p.executions(1)
						p.post(0, 0, ib.WRRDMAWrite, 0, 8, 0)
						p.post(0, 1, ib.WRRDMAWrite, 0, 8, 0)
						var order [2]sim.Time
						p.sides[1].Executed.Watch(func(e hca.Execution) {
							if !e.Answer {
								order[e.QPN-0x10] = e.At
							}
						})
						p.finish()
						if len(*got) != 2 {
							t.Fatalf("%d executed", len(*got))
						}
						at[i] = order[:]
					}
					first, second := at[1][0].Sub(at[0][0]), at[1][1].Sub(at[0][1])
					what := fmt.Sprintf("%s %s, missing at %d, far %v: the one whose context is missing is %v later, the other %v", engine, contexts, missing, far, first, second)
					waits := contexts == "block" || contexts == "receive" && missing == 1 || far
					slack := sim.Duration(0)
					if missing == 0 {
						slack = 12 * sim.Nanosecond // requests are fetched over the same bus, now in another order
					}
					switch {
					case far && (first < refill*sim.Nanosecond || first > refill*sim.Nanosecond+slack):
						t.Errorf("%s: not by the refill", what)
					case !far && first < 300*sim.Nanosecond:
						t.Errorf("%s: not by a read", what)
					case waits != (second > slack):
						t.Errorf("%s: the other waits: want %v", what, waits)
					case waits && (second > first || second < first-100*sim.Nanosecond-slack):
						t.Errorf("%s: not for the first", what)
					}
				}
			}
		}
	}
}

// A queue pair is destroyed, reset or broken at any instant while an engine waits
// for its context: others go on, and the run ends empty.
func TestQueuePairGoesWhileEngineWaits(t *testing.T) {
	for bits := range 8 {
		engine, contexts, side := []string{"split", "shared"}[bits&1], []string{"receive", "block"}[bits>>1&1], bits>>2
		for how := range 3 { // destroyed, reset, in error
			for after := sim.Duration(0); after < 3*sim.Microsecond; after += 70 * sim.Nanosecond {
				s := defaults()
				s.qps, s.attr.RetryCnt = 3, 1
				for i := range s.hca {
					h := &s.hca[i]
					h.Engine, h.MTP.Contexts = engine, contexts
					h.Cache.QPC = mtp.CacheParams{Entries: 1, Ways: 1, Replace: "lru"}
					h.Gap.ReceiveWrite, h.Gap.SendWrite = 40_300, 20_700
				}
				p := newPair(t, s)
				for i := range uint64(6) {
					for q := range s.qps {
						p.post(0, q, ib.WRRDMAWrite, 8*i, 8, 8*i)
						p.post(1, q, ib.WRRDMARead, 4096+8*i, 8, 8*i)
					}
				}
				p.Run(sim.Time(0).Add(400*sim.Nanosecond + after))
				x := p.sides[side].HCA
				p.later(func(now sim.Time) {
					switch how {
					case 0:
						x.DestroyQP(now, 0x10)
					case 1:
						x.ModifyQP(now, 0x10, ib.MaskState, &ib.QPAttr{State: ib.Reset})
					case 2:
						x.ModifyQP(now, 0x10, ib.MaskState, &ib.QPAttr{State: ib.Err})
					}
				})
				p.finish()
				for side := range 2 {
					for q := 1; q < s.qps; q++ {
						p.all("request", p.statuses(side, q), 6, ib.Success)
					}
				}
				if t.Failed() {
					t.Fatalf("%s %s, side %d, how %d, %v", engine, contexts, side, how, after)
				}
			}
		}
	}
}

// plan is something that happens at an instant.
type plan func(now sim.Time)

// Fire does it.
func (p plan) Fire(now sim.Time, _ uint32) { p(now) }

// later has f called now, by the engine.
func (p *pair) later(f plan) { p.At(p.Now(), p.Register("plan", f), 0) }
