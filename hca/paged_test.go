package hca_test

import (
	"testing"

	"pgregory.net/rapid"

	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/tpt"
)

// On-demand memory whose pages come when they are asked for and go again at any
// time, under load in both directions: everything ends well and every byte is
// where it belongs. A page that goes is taken from the adapter first, and by
// then nothing that found it before is under way (M5).
func TestPagesComeAndGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.paged, s.attr.PathMTU, s.attr.Timeout = true, 256, 0
		one := mtp.CacheParams{Entries: uint32(draw("cache", 1, 4)), Ways: 1, Replace: "lru"}
		for i := range s.hca {
			s.hca[i].Cache.MPT, s.hca[i].Cache.MTT = one, one
		}
		quirks(t, &s)
		s.host[1].PCIe.ReadLatency = sim.Duration(draw("read", 0, 2000)) * sim.Nanosecond
		s.host[1].PCIe.WriteLatency = sim.Duration(draw("write", 0, 2000)) * sim.Nanosecond
		p := newPair(t, s)
		m := newModel(p)
		came := 0
		for _, x := range p.sides {
			x.Unit.Changes.Watch(func(c mtp.Changed) {
				if c.Done && c.Command.Op == tpt.SetPages && c.Command.Pages[0] != tpt.NoPage {
					came++
				}
			})
		}
		for range draw("requests", 1, 20) {
			m.step(draw("side", 0, 1), 0, draw("what", 0, 4), draw("length", 1, 3000))
		}
		for range draw("withdrawals", 0, 6) {
			p.Run(p.Now().Add(sim.Duration(draw("after", 0, 60)) * sim.Microsecond))
			x := p.sides[draw("of", 0, 1)]
			va := x.base() + uint64(draw("page", 0, 3))*4096
			x.host.Withdraw(p.Now(), x.proc, va, 8192, func(sim.Time) { x.proc.PageOut(va, 8192) })
		}
		p.finish()
		m.check()
		if came == 0 {
			t.Errorf("no page was asked for")
		}
	})
}
