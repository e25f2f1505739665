package mtp

import (
	"fmt"
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// An access is judged at the cycle that the numbers say, and not one before;
// and so with its pages.
func TestNotACycleEarly(t *testing.T) {
	for _, clock := range []sim.Hertz{1_000_000_000, 644_531_250} {
		s := defaults()
		s.clock, s.params.MPTLatency, s.params.MTTLatency = clock, 7, 3
		w := newWorld(t, s)
		key := w.region(1<<20, 1).Key
		stream := w.unit.Stream()
		w.judgeBoth(stream, *ask(key, 1<<20, 8)) // fills both caches
		judged := 0
		w.unit.Judgements.Watch(func(Judgement) { judged++ })
		w.got = nil
		from := w.clock.Next(w.Now()) + 100
		w.later(w.clock.Edge(from), func(now sim.Time) { w.unit.Submit(now, w.client, stream, 0, ask(key, 1<<20, 8)) })
		for _, step := range []struct {
			at               sim.Time
			judged, resolved int
		}{
			{w.clock.Edge(from+7) - 1, 0, 0}, {w.clock.Edge(from + 7), 1, 0},
			{w.clock.Edge(from+10) - 1, 1, 0}, {w.clock.Edge(from + 10), 1, 1},
		} {
			w.Run(step.at)
			if judged != step.judged || len(w.got) != step.resolved {
				t.Errorf("%v: at %v judged %d resolved %d, want %d and %d", clock, step.at, judged, len(w.got), step.judged, step.resolved)
			}
		}
		w.finish()
	}
}

// warm returns a world whose one region is on chip, and its key.
func warm(t testing.TB, s setup) (*world, ib.Key) {
	w := newWorld(t, s)
	key := w.region(1<<20, 8).Key
	w.unit.Submit(0, w.client, w.unit.Stream(), 0, ask(key, 1<<20, 8))
	w.finish()
	w.got = nil
	return w, key
}

// Keys enter no faster than the interval.
func TestInterval(t *testing.T) {
	s := defaults()
	s.params.MPTInterval = 4
	w, key := warm(t, s)
	stream := w.unit.Stream()
	start := w.clock.After(w.Now(), 50)
	w.later(start, func(now sim.Time) {
		for i := range uint32(5) {
			w.unit.Submit(now, w.client, stream, i, ask(key, 1<<20, 8))
		}
	})
	w.finish()
	for i, g := range w.got {
		if want := w.clock.After(start, 10+4*sim.Cycles(i)); g.at != want {
			t.Errorf("access %d at %v, want %v", i, g.at, want)
		}
	}
}

// A full page stage stalls the key stage, and that the entrance: with depth d
// and a page stage of n cycles, d accesses go every n cycles.
func TestBackPressure(t *testing.T) {
	for _, depth := range []uint32{1, 2, 3} {
		s := defaults()
		s.params.Depth, s.params.MTTLatency = depth, 100
		w, key := warm(t, s)
		stream := w.unit.Stream()
		start := w.clock.After(w.Now(), 50)
		var judged []sim.Time
		w.unit.Judgements.Watch(func(j Judgement) { judged = append(judged, j.At) })
		stalled := false
		w.unit.Translations.Watch(func(Judgement) { stalled = stalled || w.unit.mptStage.Stalled() })
		w.later(start, func(now sim.Time) {
			for i := range uint32(30) {
				w.unit.Submit(now, w.client, stream, i, ask(key, 1<<20, 8))
			}
		})
		w.finish()
		if !stalled {
			t.Errorf("depth %d: the key stage never stalled", depth)
		}
		for i, g := range w.got {
			if g.handle != uint32(i) {
				t.Fatalf("depth %d: access %d resolved in place %d", depth, g.handle, i)
			}
			rounds := sim.Cycles(i) / sim.Cycles(depth)
			if low := w.clock.After(start, 5+100*(rounds+1)); g.at < low || g.at > low.Add(10*sim.Nanosecond) {
				t.Errorf("depth %d: access %d at %v, want %v", depth, i, g.at, low)
			}
		}
		if len(w.got) != 30 || len(judged) != 30 {
			t.Errorf("depth %d: %d judged, %d resolved of 30", depth, len(judged), len(w.got))
		}
		// One access more than the page stage holds is judged and waits.
		if n := len(judged); depth == 1 && judged[n-1].Sub(judged[0]) < 2700*sim.Nanosecond {
			t.Errorf("keys were judged ahead of a stalled stage: %v", judged)
		}
	}
}

// Under overlap a hit of another stream passes a miss, of its own stream never
// (M2). Under block nothing passes: neither one that waits for its entry nor
// one that waits for its pages.
func TestMissAndThoseBehind(t *testing.T) {
	for _, test := range []struct {
		miss    string
		pages   bool // the entry is on chip, the pages are not
		streams [3]int
		want    []uint32
	}{
		{"overlap", false, [3]int{0, 1, 1}, []uint32{1, 2, 0}},
		{"overlap", false, [3]int{0, 0, 1}, []uint32{2, 0, 1}},
		{"overlap", true, [3]int{0, 1, 0}, []uint32{1, 0, 2}},
		{"block", false, [3]int{0, 1, 2}, []uint32{0, 1, 2}},
		{"block", true, [3]int{0, 1, 2}, []uint32{0, 1, 2}},
	} {
		for _, gap := range []sim.Cycles{0, 1, 4, 5, 6, 10, 11} {
			s := defaults()
			s.params.Miss = test.miss
			w := newWorld(t, s)
			hot, cold := w.region(1<<20, 8).Key, w.region(2<<20, 8).Key
			streams := [3]StreamID{w.unit.Stream(), w.unit.Stream(), w.unit.Stream()}
			w.unit.Submit(0, w.client, streams[0], 0, ask(hot, 1<<20, 8))
			if test.pages {
				w.unit.Submit(0, w.client, streams[0], 0, ask(cold, 2<<20, 8))
			}
			w.finish()
			if test.pages {
				w.unit.mtt.Drop(mttLine(w.table.Entry(cold.Index()).MTT / lineEntries))
			}
			w.got = nil
			start := w.clock.After(w.Now(), 50)
			w.later(start, func(now sim.Time) { w.unit.Submit(now, w.client, streams[test.streams[0]], 0, ask(cold, 2<<20, 8)) })
			w.later(w.clock.After(start, gap), func(now sim.Time) {
				w.unit.Submit(now, w.client, streams[test.streams[1]], 1, ask(hot, 1<<20, 8))
				w.unit.Submit(now, w.client, streams[test.streams[2]], 2, ask(hot, 1<<20, 8))
			})
			w.finish()
			if got := w.order(); !slices.Equal(got, test.want) {
				t.Errorf("%s, pages %v, streams %v, %d cycles apart: order %v, want %v", test.miss, test.pages, test.streams, gap, got, test.want)
			}
		}
	}
}

// order returns the handles in the order of resolution.
func (w *world) order() (all []uint32) {
	for _, g := range w.got {
		all = append(all, g.handle)
	}
	return all
}

// The arbiter: in turn, lower clients first, or the second twice as often.
func TestArbiter(t *testing.T) {
	for name, want := range map[string][]uint32{
		"rr":       {0, 10, 20, 1, 11, 21, 2, 12, 22},
		"priority": {0, 1, 2, 10, 11, 12, 20, 21, 22},
		"weighted": {0, 10, 11, 20, 1, 12, 21, 2, 22},
	} {
		s := defaults()
		s.params.Arbiter, s.params.Depth, s.params.MPTInterval = name, 1, 20
		w, key := warm(t, s)
		clients := []ClientID{w.client, w.unit.Client("b", w, 2), w.unit.Client("c", w, 1)}
		stream := w.unit.Stream()
		w.later(w.clock.After(w.Now(), 50), func(now sim.Time) {
			// The pipeline is full before any of the three asks.
			w.unit.Submit(now, clients[0], stream, 99, ask(key, 1<<20, 8))
			w.unit.turn, w.unit.left = 0, 1
			for c := range clients {
				for i := range uint32(3) {
					w.unit.Submit(now, clients[c], w.unit.Stream(), uint32(c)*10+i, ask(key, 1<<20, 8))
				}
			}
		})
		w.finish()
		if got := w.order(); !slices.Equal(got[1:], want) {
			t.Errorf("%s: order %v, want %v", name, got[1:], want)
		}
	}
}

// A cache of a single line of translation entries serves accesses to two pages
// in two lines, and two streams that take it from each other.
func TestSingleLine(t *testing.T) {
	for _, miss := range []string{"overlap", "block"} {
		s := defaults()
		s.caches.MTT, s.caches.MPT, s.params.Miss = small(1), small(1), miss
		w := newWorld(t, s)
		w.region(1<<20, 7) // the next ones begin in the last entry of a line
		a, b := w.region(2<<20, 16), w.region(4<<20, 2)
		for i := range uint32(20) {
			for n, r := range []tpt.Result{a, b} {
				va := uint64(n+1) << 21
				w.unit.Submit(0, w.client, w.unit.Stream(), i, ask(r.Key, va+4000, 4000))
			}
		}
		w.finish()
		if len(w.got) != 40 {
			t.Errorf("%s: %d of 40 accesses resolved", miss, len(w.got))
		}
		for _, g := range w.got {
			if g.a.Fault != tpt.OK || g.a.N != 2 {
				t.Fatalf("%s: %v with %d pieces", miss, g.a.Fault, g.a.N)
			}
		}
	}
}

func (r resolved) String() string { return fmt.Sprintf("%d@%v", r.handle, r.at) }
