package mtp

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A store of any shape holds what was filled last or nothing, and never what was
// dropped; what the near level holds the far one holds too, and what a fill says
// it has evicted is on chip no more.
func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		c := Caches{MPT: small(uint32(draw("entries", 1, 4))), MTT: small(2), QPC: small(2)}
		c.shape(shapes[draw("shape", 0, 2)], uint32(draw("shared", 1, 6)))
		if c.MPT.Far.Entries > 0 {
			c.MPT.Entries = 1
		}
		var near *tpt.Cache
		if n := c.Near; n.Entries > 0 {
			near = newCache(n, 1)
		}
		parts := uint32(draw("parts", 1, 3))
		var s store[ib.Index, int]
		var other store[ib.QPN, int]
		s.init(fillMPT, parts, c.MPT, near, 1)
		other.init(fillQPC, 1, c.QPC, near, 2)
		held := map[ib.Index]int{}
		for n := range draw("steps", 1, 60) {
			k, part := ib.Index(draw("key", 0, 6)), uint32(draw("part", 0, int(parts)-1))
			switch draw("what", 0, 6) {
			case 0, 1:
				held[k] = n
				if old, was := s.Fill(k, &n); was {
					delete(held, old)
				}
			case 2:
				s.Near(k, part)
			case 3:
				delete(held, k)
				s.Drop(k)
			case 4:
				other.Fill(ib.QPN(k), &n)
			case 5:
				if draw("all", 0, 5) == 0 {
					clear(held)
					s.Clear()
				}
			}
			for k := range ib.Index(7) {
				v, on := held[k]
				for part := range parts {
					got := s.here(k, part)
					if got != nil && (!on || *got != v) || got == nil && on && !s.levels() {
						t.Fatalf("%d, part %d: near %v, want %d, %v", k, part, got, v, on)
					}
					if got != s.LookupPart(k, part) {
						t.Fatalf("%d, part %d: looked up it is another", k, part)
					}
				}
				if s.levels() && (s.base.Peek(uint32(k)) != none) != on {
					t.Fatalf("%d: far in line %d, want %v", k, s.base.Peek(uint32(k)), on)
				}
			}
		}
	})
}

// leveled returns a world of n regions, their entries all in a second level and
// not in the first, and their keys.
func leveled(t testing.TB, n uint64, change func(s *setup)) (w *world, keys []ib.Key) {
	s := defaults()
	s.params.Depth = 64
	s.caches.MPT, s.caches.MTT, s.caches.QPC = small(64), small(64), small(64)
	s.caches.MPT.Refill = 40
	s.caches.shape("two", 0)
	change(&s)
	w = newWorld(t, s)
	for i := range n {
		k := w.region((i+1)<<20, 8).Key
		keys = append(keys, k)
		w.unit.mpt.Fill(k.Index(), w.entry(k.Index()))
		l := w.entry(k.Index()).MTT / lineEntries
		w.unit.mtt.Fill(mttLine(l), w.unit.lineNow(l))
	}
	w.unit.mpt.away()
	return w, keys
}

// Refills go through one port: one after another, each as long as it takes alone.
// So does the work on what comes from host memory, where there is a port; else it
// is done on all at once.
func TestPort(t *testing.T) {
	w, keys := leveled(t, 6, func(*setup) {})
	var at []sim.Time
	w.unit.Judgements.Watch(func(j Judgement) { at = append(at, j.At) })
	for i, k := range keys {
		w.unit.Submit(0, w.client, w.unit.Stream(), uint32(i), ask(k, uint64(i+1)<<20, 64))
	}
	w.finish()
	for i, got := range at {
		if want := w.clock.Edge(w.unit.params.MPTLatency + sim.Cycles(i+1)*40); got != want {
			t.Errorf("refill %d has come at %v, want %v", i, got, want)
		}
	}
	if len(at) != len(keys) {
		t.Errorf("%d of %d judged", len(at), len(keys))
	}
	for _, shape := range []string{"one", "two"} {
		var work [2]sim.Time // without, and with
		for with := range work {
			w, keys := leveled(t, 6, func(s *setup) {
				s.caches.MPT.Work = sim.Cycles(with) * 300
				if shape == "one" {
					s.caches.MPT.Far.Entries = 0
				}
			})
			w.unit.mpt.Clear()
			w.unit.Judgements.Watch(func(j Judgement) { work[with] = j.At })
			for i, k := range keys {
				w.unit.Submit(0, w.client, w.unit.Stream(), uint32(i), ask(k, uint64(i+1)<<20, 64))
			}
			w.finish()
		}
		// Those in front are read while the first is worked on.
		took, one := work[1].Sub(work[0]), 300*sim.Nanosecond
		if shape == "one" && (took < one || took > one+sim.Nanosecond) || shape == "two" && (took < 5*one || took > 6*one+sim.Nanosecond) {
			t.Errorf("%s: work of 300 cycles on each of six made the last %v later", shape, took)
		}
	}
}

// The engine is told of each miss once, of what the second level has and of what
// it has not, not of those who join a fetch, nor of hits.
func TestHolds(t *testing.T) {
	w, keys := leveled(t, 3, func(s *setup) {
		s.caches.MPT.Hold, s.caches.MPT.FetchHold = 1500, 7300
		s.caches.MTT.Hold, s.caches.MTT.FetchHold = 20, 90
		s.caches.QPC.Hold, s.caches.QPC.FetchHold = 3, 6
	})
	w.unit.mpt.Drop(keys[2].Index())
	w.unit.mtt.away()
	var told []sim.Interval
	w.unit.Hold = func(_ sim.Time, i sim.Interval) { told = append(told, i) }
	who := w.unit.ContextClient(&contexts{w: w}, true)
	round := func(want ...sim.Interval) {
		t.Helper()
		told = nil
		for i := range uint32(9) {
			w.unit.Submit(w.Now(), w.client, w.unit.Stream(), i, ask(keys[i%3], uint64(i%3+1)<<20, 64))
		}
		for range 2 {
			w.unit.Context(w.Now(), who, 5, 0)
		}
		w.finish()
		slices.Sort(told)
		if !slices.Equal(told, want) {
			t.Errorf("told of %v, want %v", told, want)
		}
	}
	round(6, 20, 20, 20, 1500, 1500, 7300)
	round()
	w.unit.qpc.away()
	w.unit.mpt.away()
	round(3, 1500, 1500, 1500)
}

// Contexts have fills of their own where context_fills says so, and share those
// of entries where not; the packet engine's never waits for any.
func TestContextFills(t *testing.T) {
	for _, own := range []uint32{0, 1, 3} {
		s := defaults()
		s.params.Fills, s.params.ContextFills, s.params.Contexts = 2, own, "receive"
		w := newWorld(t, s)
		w.reads = map[uint64]int{}
		out, in := &contexts{w: w}, &contexts{w: w}
		sends, takes := w.unit.ContextClient(out, false), w.unit.ContextClient(in, true)
		for i := range uint64(4) {
			w.unit.Submit(0, w.client, w.unit.Stream(), uint32(i), ask(w.region((i+1)<<20, 8).Key, (i+1)<<20, 64))
		}
		w.Run(sim.Time(0).Add(20 * sim.Nanosecond)) // the entries have both fills
		for n := range ib.QPN(5) {
			w.unit.Context(w.Now(), sends, n+16, uint32(n))
		}
		if got, want := uint32(w.unit.fetch.fills.busy), 2+own; got != want {
			t.Errorf("context_fills %d: %d fills under way, want %d", own, got, want)
		}
		start := w.Now()
		if w.unit.Context(start, takes, 20, 9) != Coming { // the last of them, too
			t.Errorf("the receiving engine does not wait")
		}
		if got, want := uint32(w.unit.fetch.fills.busy), 2+own+1; got != want {
			t.Errorf("context_fills %d: %d fills under way with the engine's, want %d", own, got, want)
		}
		w.finish()
		// Its read stands behind those that are on the bus already.
		if took := in.at[0].Sub(start); took > w.bus.Link().UnloadedRead(256)+w.latency+200*sim.Nanosecond {
			t.Errorf("context_fills %d: the engine has waited %v", own, took)
		}
		if i := slices.Index(out.got, 4); out.at[i] != in.at[0] {
			t.Errorf("context_fills %d: the engine has its context at %v, the queue that waits for it too at %v", own, in.at[0], out.at[i])
		}
		if len(out.got) != 5 || len(in.got) != 1 {
			t.Errorf("context_fills %d: %v and %v have come", own, out.got, in.got)
		}
		for addr, n := range w.reads {
			if n != 1 {
				t.Errorf("context_fills %d: %#x was read %d times", own, addr, n)
			}
		}
	}
}

// A near level that all share has a place for each entry, each context and each
// translation: not for each line of them.
func TestSharedCountsParts(t *testing.T) {
	for _, places := range []uint32{9, 8} {
		s := defaults()
		s.caches.MPT, s.caches.MTT, s.caches.QPC = small(64), small(64), small(64)
		s.caches.shape("shared", places)
		w := newWorld(t, s)
		key := w.region(1<<20, 8).Key // one entry and one line of eight
		again := func() (misses int) {
			for i := range uint64(8) {
				w.got = w.got[:0]
				w.unit.Submit(w.Now(), w.client, w.unit.Stream(), 0, ask(key, 1<<20+i*4096, 64))
				w.finish()
				if !w.got[0].a.MTTHit {
					misses++
				}
			}
			return misses
		}
		if first := again(); first != 8 {
			t.Errorf("%d places: %d translations missed at first, want 8", places, first)
		}
		// With one place too few the one used longest ago goes, which is the next.
		if second, want := again(), map[uint32]int{9: 0, 8: 8}[places]; second != want {
			t.Errorf("%d places: %d translations missed again, want %d", places, second, want)
		}
	}
}

// A change of a long run of pages takes these from the second level, and leaves
// there what it can, be the first level as small as it may.
func TestLongRunLeavesOthers(t *testing.T) {
	for _, shape := range shapes {
		s := defaults()
		s.caches.MPT, s.caches.MTT, s.caches.QPC = small(64), small(64), small(64)
		s.caches.shape(shape, 4)
		if shape != "one" {
			s.caches.MTT.Entries = 2
		}
		w := newWorld(t, s)
		long, kept := w.region(1<<20, 128), w.region(4<<20, 8) // 16 lines, and one behind them
		for l := range uint32(17) {
			w.unit.mtt.Fill(mttLine(l), w.unit.lineNow(l))
		}
		w.unit.Change(0, w, 0, &tpt.Command{Op: tpt.DeregMR, Index: long.Index})
		w.finish()
		for l := range mttLine(17) {
			on := w.unit.mtt.Far(l) != nil || w.unit.mtt.here(l, 0) != nil
			if want := l == mttLine(w.table.Entry(kept.Index).MTT/lineEntries); on != want {
				t.Errorf("%s: line %d is on chip: %v", shape, l, on)
			}
		}
	}
}
