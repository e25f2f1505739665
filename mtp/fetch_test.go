package mtp

import (
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// All accesses that miss one entry share one read of it, and one of its pages;
// with few fills at once as well, when most of them wait in the backlog.
func TestSharedFills(t *testing.T) {
	for _, fills := range []uint32{1, 2, 3, 32} {
		s := defaults()
		s.params.Fills = fills
		w := newWorld(t, s)
		w.reads = map[uint64]int{}
		var keys []ib.Key
		for i := range uint64(10) {
			keys = append(keys, w.region((i+1)<<20, 8).Key) // a line of pages each
		}
		for i := range uint32(100) {
			k := i * 7 % 10
			w.unit.Submit(0, w.client, w.unit.Stream(), i, ask(keys[k], uint64(k+1)<<20, 64))
		}
		w.finish()
		if len(w.got) != 100 {
			t.Errorf("%d fills: %d of 100 accesses resolved", fills, len(w.got))
		}
		if w.busiest != int(min(fills, 10)) {
			t.Errorf("%d fills: %d were under way at once", fills, w.busiest)
		}
		for addr, n := range w.reads {
			if n != 1 {
				t.Errorf("%d fills: %#x was read %d times", fills, addr, n)
			}
		}
		if len(w.reads) != 20 {
			t.Errorf("%d fills: %d places were read, want 10 entries and 10 lines", fills, len(w.reads))
		}
	}
}

// The backlog is first come, first served: a fill that becomes free goes to
// who waits longest, not to who asks just then.
func TestBacklogInOrder(t *testing.T) {
	s := defaults()
	s.params.Fills, s.caches.MTT = 1, small(4)
	w := newWorld(t, s)
	var keys []ib.Key
	for i := range uint64(6) {
		keys = append(keys, w.region((i+1)<<20, 8).Key)
	}
	for i, k := range keys {
		w.unit.Submit(0, w.client, w.unit.Stream(), uint32(i), ask(k, uint64(i+1)<<20, 64))
	}
	var judged []ib.Index
	w.unit.Judgements.Watch(func(j Judgement) { judged = append(judged, j.Access.index()) })
	w.finish()
	for i := range judged {
		if judged[i] != keys[i].Index() {
			t.Fatalf("judged in the order %v, want that of %v", judged, keys)
		}
	}
	for i, g := range w.got { // six entries, then six lines, one read after another
		if want := sim.Time(0).Add(sim.Duration(7+i) * w.fetch()); g.at < want {
			t.Errorf("access %d at %v, before %v", i, g.at, want)
		}
	}
}

type contexts struct {
	w   *world
	got []uint32
	at  []sim.Time
}

func (c *contexts) ContextReady(now sim.Time, handle uint32) {
	c.got, c.at = append(c.got, handle), append(c.at, now)
}

// Those who wait for one context go on in the order in which they came, and
// contexts share the fills with entries.
func TestContextsInOrder(t *testing.T) {
	s := defaults()
	s.params.Fills, s.caches.QPC = 1, small(1)
	w := newWorld(t, s)
	c := &contexts{w: w}
	who := w.unit.ContextClient(c, true)
	w.reads = map[uint64]int{}
	key := w.region(1<<20, 1).Key
	w.unit.Submit(0, w.client, w.unit.Stream(), 0, ask(key, 1<<20, 8))
	w.Run(sim.Time(0).Add(20 * sim.Nanosecond)) // the entry takes the only fill
	for i, qpn := range []ib.QPN{16, 17, 16, 17, 16} {
		if w.unit.Context(w.Now(), who, qpn, uint32(i)) == Here {
			t.Fatal("a context was on chip that nobody has fetched")
		}
	}
	// One more of the first comes while the fill of the first is under way.
	at := sim.Time(0).Add(w.fetch() + 100*sim.Nanosecond)
	w.later(at, func(now sim.Time) { w.unit.Context(now, who, 16, 5) })
	w.finish()
	last := map[uint32]uint32{}
	for _, h := range c.got {
		queue := []uint32{0, 1, 0, 1, 0, 0}[h]
		if before, any := last[queue]; any && before > h {
			t.Errorf("contexts were ready in the order %v", c.got)
		}
		last[queue] = h
	}
	if len(c.got) != 6 {
		t.Errorf("ready: %v, want 6", c.got)
	}
	if n := w.reads[qpcBase+16*256]; n != 1 {
		t.Errorf("one context was read %d times", n)
	}
	if a, b := w.unit.Context(w.Now(), who, 17, 0), w.unit.Context(w.Now(), who, 16, 0); (a == Here) == (b == Here) {
		t.Error("a store of one context holds both or none")
	}
	w.Run(sim.Never)
	w.unit.ForgetContext(16)
	if w.unit.Context(w.Now(), who, 16, 0) == Here {
		t.Error("a forgotten context was still there")
	}
	w.finish()
}

// In the steady state an access allocates nothing, hit or miss, nor does a
// change.
func TestNoAllocations(t *testing.T) {
	w, run := accesses(t, 1024)
	_, miss := accesses(t, 1)
	mw := w.window(ib.MWType1)
	b := bind(mw.Index, ib.MWType1, ib.MakeKey(1, 0), 1<<20, 64)
	changes := func() {
		w.changed = w.changed[:0]
		w.unit.Change(w.Now(), w, 0, &b)
		w.Run(sim.Never)
	}
	for name, f := range map[string]func(){"hit": run, "miss": miss, "change": changes} {
		for range 300 {
			f()
		}
		if n := testing.AllocsPerRun(200, f); n != 0 {
			t.Errorf("%s: %v allocations a round of 16", name, n)
		}
	}
}

// accesses returns a world and a round of 16 accesses in it, each of them
// with its entry and its line to be found in caches of n.
func accesses(t testing.TB, n uint32) (*world, func()) {
	s := defaults()
	s.caches.MPT, s.caches.MTT = small(n), small(n)
	w := newWorld(t, s)
	w.unit.Judgements, w.unit.Translations, w.unit.Changes = sim.Probe[Judgement]{}, sim.Probe[Judgement]{}, sim.Probe[Changed]{}
	var keys [2]ib.Key
	for i := range keys {
		keys[i] = w.region(uint64(i+1)<<20, 8).Key
	}
	var streams [4]StreamID
	for i := range streams {
		streams[i] = w.unit.Stream()
	}
	return w, func() {
		w.got = w.got[:0]
		for i := range uint64(16) {
			w.unit.Submit(w.Now(), w.client, streams[i%4], 0, ask(keys[i%2], (i%2+1)<<20, 64))
		}
		w.Run(sim.Never)
	}
}

func benchmark(b *testing.B, n uint32) {
	w, round := accesses(b, n)
	b.ReportAllocs()
	for b.Loop() {
		round()
	}
	if w.got[0].a.Fault != tpt.OK || w.got[15].a.MPTHit != (n > 1) {
		b.Errorf("hit %v: %v", w.got[15].a.MPTHit, w.got[0].a.Fault)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(16*b.N), "ns/access")
}

func BenchmarkHit(b *testing.B)  { benchmark(b, 1024) }
func BenchmarkMiss(b *testing.B) { benchmark(b, 1) }
