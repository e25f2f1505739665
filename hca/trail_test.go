package hca_test

import (
	"testing"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// An old packet comes again, and the peer says what it has by now, a request
// of long after included: the time of that one begins with its own doorbell.
func TestTrailOfItsOwn(t *testing.T) {
	s := defaults()
	s.attr.Timeout = 4 // 65.5 us
	p := newPair(t, s)
	p.link.AddFault(wire.Fault{Kind: wire.Delay, Count: 1, PPM: wire.Always, Delay: 145 * sim.Microsecond, Match: wire.Match{ByFrom: true, From: wire.A}})
	p.link.AddFault(wire.Fault{Kind: wire.Drop, Nth: 2, Count: 1, PPM: wire.Always, Match: wire.Match{ByFrom: true, From: wire.B}})
	var ends []hca.Retirement
	p.sides[0].Retired.Watch(func(r *hca.Retirement) { ends = append(ends, *r) })
	p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0)
	p.Run(sim.Time(0).Add(140 * sim.Microsecond))
	posted := p.Now()
	p.post(0, 0, ib.WRRDMAWrite, 0, 64, 64)
	p.finish()
	p.all("WRITE", p.statuses(0, 0), 2, ib.Success)
	switch end := ends[len(ends)-1]; {
	case end.At > posted.Add(60*sim.Microsecond):
		t.Errorf("it ended at %v, by its timer: the test misses its mark", end.At)
	case end.Trail.Start < posted:
		t.Errorf("posted at %v, its trail begins at %v", posted, end.Trail.Start)
	}
}
