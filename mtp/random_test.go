package mtp

import (
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// Random streams of accesses and changes over small caches: every access is
// resolved once, in the order of its stream (M2), under block in the order of
// them all; changes are applied and done in order (M4); nothing is incoherent
// and the unit ends idle; each context that is awaited comes once.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.params.Miss = rapid.SampledFrom([]string{"overlap", "block"}).Draw(t, "miss")
		s.params.Depth = uint32(draw("depth", 1, 4))
		s.params.Fills = uint32(draw("fills", 1, 4))
		s.params.MPTInterval, s.params.MPTLatency = sim.Cycles(draw("interval", 1, 3)), sim.Cycles(draw("mpt", 1, 9))
		s.params.MTTLatency = sim.Cycles(draw("mtt", 1, 9))
		s.params.ChangeCycles = sim.Cycles(draw("change", 1, 500))
		s.caches.Renew = draw("renew", 0, 1) == 1
		s.caches.MPT, s.caches.MTT = small(uint32(draw("mpt cache", 1, 4))), small(uint32(draw("mtt cache", 1, 3)))
		levels(t, &s)
		s.latency = sim.Duration(draw("latency", 0, 1000)) * sim.Nanosecond
		w := newWorld(t, s)
		r := newRun(w)
		for i := range draw("steps", 1, 60) {
			at := sim.Time(draw("at", 0, 4000)) * sim.Time(sim.Nanosecond)
			switch draw("kind", 0, 6) {
			case 0:
				r.change(at, draw("change", 0, 4))
			case 5, 6:
				r.context(at, draw("side", 0, 1), ib.QPN(draw("qpn", 1, 5)))
			default:
				r.access(at, uint32(i), draw("stream", 0, 3), draw("key", 0, 3), draw("hold", 0, 300))
			}
		}
		w.finish()
		r.check(s.params.Miss == "block")
	})
}

// levels draws a second level, first levels of few entries, and who waits how for
// what.
func levels(t *rapid.T, s *setup) {
	draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	s.params.Contexts = rapid.SampledFrom([]string{"overlap", "receive", "block"}).Draw(t, "contexts")
	s.params.ContextFills = uint32(draw("context fills", 0, 2))
	s.caches.QPC = small(uint32(draw("qpc cache", 1, 3)))
	s.caches.shape(shapes[draw("shape", 0, 2)], uint32(draw("shared", 1, 6)))
	for _, p := range []*CacheParams{&s.caches.QPC, &s.caches.MPT, &s.caches.MTT} {
		p.Work = sim.Cycles(draw("work", 0, 60))
		if p.Far.Entries > 0 {
			p.Refill = sim.Cycles(draw("refill", 1, 200))
			p.Entries = uint32(draw("near", 1, int(p.Entries)))
		}
	}
}

// A randomRun is a world under random load.
type randomRun struct {
	w       *world
	regions [2]tpt.Result
	window  ib.Index
	streams [4]StreamID
	asked   map[StreamID][]uint32
	order   []uint32
	holds   map[uint32]sim.Duration
	changes uint32
	clients [2]uint8 // of contexts
	ready   map[uint32]int
	awaited uint32
}

// ContextReady counts.
func (r *randomRun) ContextReady(_ sim.Time, handle uint32) { r.ready[handle]++ }

// context asks for one.
func (r *randomRun) context(at sim.Time, side int, qpn ib.QPN) {
	r.w.later(at, func(now sim.Time) {
		if r.w.unit.Context(now, r.clients[side], qpn, r.awaited) != Here {
			r.awaited++
		}
	})
}

func newRun(w *world) *randomRun {
	r := &randomRun{w: w, asked: map[StreamID][]uint32{}, holds: map[uint32]sim.Duration{}, ready: map[uint32]int{}}
	r.clients = [2]uint8{w.unit.ContextClient(r, false), w.unit.ContextClient(r, true)}
	r.regions = [2]tpt.Result{w.region(1<<20, 20), w.region(2<<20, 3)}
	r.window = w.window(ib.MWType1).Index
	for i := range r.streams {
		r.streams[i] = w.unit.Stream()
	}
	w.release = func(now sim.Time, a *Access) {
		entry := a.Entry
		id, key := a.ID, a.Key
		w.later(now.Add(r.holds[a.Handle]), func(now sim.Time) {
			w.watch.Landed(now, key, &entry)
			w.unit.Release(now, id)
		})
	}
	return r
}

// key returns the current key of one of the entries.
func (r *randomRun) key(which int) (k ib.Key, va uint64) {
	i, va := r.regions[0].Index, uint64(1<<20)
	switch which {
	case 1:
		i, va = r.regions[1].Index, 2<<20
	case 2:
		i = r.window
	case 3:
		va += 15*4096 + 4000 // two lines
	}
	return ib.MakeKey(i, r.w.table.Entry(i).KeyByte), va
}

func (r *randomRun) access(at sim.Time, handle uint32, stream, which, hold int) {
	r.holds[handle] = sim.Duration(hold) * sim.Nanosecond
	r.w.later(at, func(now sim.Time) {
		k, va := r.key(which)
		s := r.streams[stream]
		r.asked[s] = append(r.asked[s], handle)
		r.order = append(r.order, handle)
		r.w.unit.Submit(now, r.w.client, s, handle, ask(k, va, 200))
	})
}

func (r *randomRun) change(at sim.Time, which int) {
	r.w.later(at, func(now sim.Time) {
		c := *rebind(r.window, r.regions[0].Key)
		switch which {
		case 1:
			c.Length = 0 // unbind
		case 2:
			c = regionOf(2<<20, 3)
			c.Op, c.Index, c.Rereg, c.Access = tpt.ReregMR, r.regions[1].Index, ib.ReregTranslation, 0
		case 3:
			c = tpt.Command{Op: tpt.ReregMR, Index: r.regions[1].Index, Rereg: ib.ReregAccess, Access: all}
		case 4:
			c = regionOf(3<<20, 5)
		}
		r.w.unit.Change(now, r.w, r.changes, &c)
		r.changes++
	})
}

// check holds the answers to the promises.
func (r *randomRun) check(block bool) {
	w := r.w
	var got []uint32
	streams := map[StreamID][]uint32{}
	for _, g := range w.got {
		got = append(got, g.handle)
		streams[g.a.stream] = append(streams[g.a.stream], g.handle)
	}
	for s, want := range r.asked {
		if !same(streams[s], want) {
			w.t.Errorf("stream %d: resolved %v, asked %v", s, streams[s], want)
		}
	}
	if block && !same(got, r.order) {
		w.t.Errorf("block: resolved %v, asked %v", got, r.order)
	}
	for i := range r.awaited {
		if r.ready[i] != 1 {
			w.t.Errorf("a context was awaited once and came %d times", r.ready[i])
		}
	}
	if len(w.changed) != int(r.changes) {
		w.t.Errorf("%d of %d changes done", len(w.changed), r.changes)
	}
}

func same(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
