package mtp

import (
	"strings"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// far returns a setup in which a fill is 5 us on its way back after host
// memory was read, and an invalidate takes 2 us after its entries are at hand:
// a fill can be overtaken by a change.
func far(invalidate string) setup {
	s := defaults()
	s.device.ReadOverhead = 5 * sim.Microsecond
	s.params.ChangeCycles = 2000
	s.caches.Invalidate, s.caches.MPT, s.caches.MTT = invalidate, small(1), small(4)
	return s
}

// reported says whether the watcher has spoken, and that it said what.
func (w *world) reported(what string) bool {
	w.t.Helper()
	for _, line := range w.watch.Broken() {
		if !strings.Contains(line, what) {
			w.t.Errorf("the watcher said %q, expected %q", line, what)
		}
	}
	return len(w.watch.Broken()) > 0
}

// A fill that left before its entry changed and lands after the change is
// neither used nor kept (M3, CACHE-2). With keep_fills, on purpose, it is, and
// the watcher says so.
func TestFillAfterInvalidate(t *testing.T) {
	for i, invalidate := range []string{"exact", "keep_fills", "exact", "keep_fills", "exact", "keep_fills"} {
		s := far(invalidate)
		s.caches.shape(shapes[i/2], 8)
		w := newWorld(t, s)
		mr := w.region(1<<20, 1)
		win := w.window(ib.MWType2).Index
		key := w.apply(bind(win, ib.MWType2, mr.Key, 1<<20, 4096)).Key
		stream, other := w.unit.Stream(), w.unit.Stream()

		w.unit.Submit(0, w.client, stream, 0, ask(key, 1<<20, 64))
		w.Run(sim.Never) // the entry of the window is on chip
		inv := tpt.Command{Op: tpt.LocalInv, Key: key, PD: 1, QPN: 1}
		start := w.Now().Add(sim.Microsecond)
		// The entry is at hand when the change begins, and evicted while it works.
		w.later(start, func(now sim.Time) {
			w.unit.Submit(now, w.client, other, 1, ask(mr.Key, 1<<20, 64))
		})
		w.later(start.Add(5200*sim.Nanosecond), func(now sim.Time) { w.unit.Change(now, w, 0, &inv) })
		applied, landed := sim.Never, 0
		w.unit.Changes.Watch(func(c Changed) {
			if !c.Done {
				applied = c.At
				if f, _ := w.unit.fetch.fills.find(fillKey{fillMPT, uint32(win)}); f != nil && f.entry.State == tpt.Valid {
					landed++ // read as it was before, and on its way
				}
			}
		})
		w.later(start.Add(5800*sim.Nanosecond), func(now sim.Time) { w.unit.Submit(now, w.client, stream, 2, ask(key, 1<<20, 64)) })
		w.Run(sim.Never)
		if landed != 1 {
			t.Fatalf("%s: no fill was under way as the change was applied at %v: the test misses its mark", invalidate, applied)
		}
		w.unit.Submit(w.Now(), w.client, stream, 3, ask(key, 1<<20, 64)) // is it kept?
		w.Run(sim.Never)
		granted := 0
		for _, g := range w.got[2:] {
			if g.a.Fault == tpt.OK {
				granted++
			}
		}
		switch reported := w.reported("granted by a copy that is out of date"); {
		case invalidate == "exact" && (granted > 0 || reported):
			t.Errorf("exact: %d of 2 accesses granted by a dead key, reported %v", granted, reported)
		case invalidate == "keep_fills" && (granted != 2 || !reported):
			t.Errorf("keep_fills: %d of 2 accesses granted by a dead key, reported %v", granted, reported)
		}
		if c := w.got[2]; invalidate == "exact" && c.a.Fault != tpt.NotValid {
			t.Errorf("the access that waited for the fill ends with %v", c.a.Fault)
		}
	}
}

// The same for pages: a line that was read before a neighbour's entries were
// written is neither used for them nor kept.
func TestLineAfterRegister(t *testing.T) {
	for i, invalidate := range []string{"exact", "keep_fills", "exact", "keep_fills", "exact", "keep_fills"} {
		for _, op := range []tpt.Op{tpt.RegMR, tpt.ReregMR, tpt.FastRegMR} {
			s := far(invalidate)
			s.caches.MPT = small(64)
			s.caches.shape(shapes[i/2], 64)
			s.params.ChangeCycles = 300
			w := newWorld(t, s)
			first := w.region(1<<20, 2) // entries 0 and 1 of line 0
			c := regionOf(2<<20, 2)
			switch op {
			case tpt.ReregMR:
				c.Op, c.Index, c.Rereg, c.Access = op, w.away(), ib.ReregTranslation, 0
				w.unit.mpt.Fill(c.Index, w.entry(c.Index))
			case tpt.FastRegMR:
				own := w.apply(tpt.Command{Op: tpt.AllocMR, PD: 1, MaxPages: 2})
				c.Op, c.Key = op, own.Key
				w.unit.mpt.Fill(own.Index, w.entry(own.Index))
			}
			stream := w.unit.Stream()
			w.unit.Submit(0, w.client, stream, 0, ask(first.Key, 1<<20, 64)) // fetches the entry, then line 0
			w.later(sim.Time(0).Add(5500*sim.Nanosecond), func(now sim.Time) { w.unit.Change(now, w, 0, &c) })
			busy := false
			w.unit.Changes.Watch(func(ch Changed) { busy = busy || !ch.Done && w.unit.fetch.fills.busy == 1 })
			w.Run(sim.Never)
			if r := w.changed[0].result; !busy || !r.Done() {
				t.Fatalf("%v: done %v by %s, fill under way %v: the test misses its mark", op, r.Done(), r.Rule, busy)
			}
			made := w.changed[0].result
			e := w.table.Entry(made.Index)
			if e.MTT/lineEntries != 0 {
				t.Fatalf("%v: translation entries at %d are not in the line of the first region's", op, e.MTT)
			}
			w.unit.Submit(w.Now(), w.client, stream, 1, ask(made.Key, 2<<20+4096, 64))
			w.Run(sim.Never)
			got, reported := w.got[1].a, w.reported("was sent to page")
			right := got.Fault == tpt.OK && got.Pieces[0].Addr == w.table.Page(e.MTT+1)
			if right != (invalidate == "exact") || reported == right {
				t.Errorf("%s, %v: %v at %#x, reported %v", invalidate, op, got.Fault, got.Pieces[0].Addr, reported)
			}
		}
	}
}

// away registers a region whose pages stand in other lines than the first.
func (w *world) away() ib.Index {
	rest := w.region(4<<20, 6) // of line 0
	i := w.region(3<<20, 16).Index
	w.apply(tpt.Command{Op: tpt.DeregMR, Index: rest.Index})
	return i
}

// A line on chip holds entries of several regions. A rereg that moves into it
// makes the copy stale, as does on-demand memory whose pages come and go.
func TestLineOnChip(t *testing.T) {
	for i, invalidate := range []string{"exact", "lazy", "exact", "lazy", "exact", "lazy"} {
		for _, op := range []tpt.Op{tpt.RegMR, tpt.ReregMR, tpt.SetPages} {
			s := defaults()
			s.caches.Invalidate = invalidate
			s.caches.shape(shapes[i/2], 64)
			w := newWorld(t, s)
			first := w.region(1<<20, 2)
			c := regionOf(2<<20, 2)
			switch op {
			case tpt.ReregMR:
				c.Op, c.Index, c.Rereg, c.Access = op, w.away(), ib.ReregTranslation, 0
			case tpt.SetPages:
				absent := c
				absent.Access |= ib.OnDemand
				absent.Pages = nil
				c.Op, c.Index = op, w.apply(absent).Index
			}
			stream := w.unit.Stream()
			w.unit.Submit(0, w.client, stream, 0, ask(first.Key, 1<<20, 64))
			w.Run(sim.Never)
			w.unit.Change(w.Now(), w, 0, &c)
			w.Run(sim.Never)
			made := w.changed[0].result
			if !made.Done() || w.table.Entry(made.Index).MTT/lineEntries != 0 {
				t.Fatalf("%v: by %s, at %d: the test misses its mark", op, made.Rule, w.table.Entry(made.Index).MTT)
			}
			w.unit.mpt.Clear() // it is the pages that this is about
			w.unit.Submit(w.Now(), w.client, stream, 1, ask(made.Key, 2<<20, 64))
			w.Run(sim.Never)
			got, reported := w.got[1].a, w.reported("was sent to page")
			right := got.Fault == tpt.OK && got.Pieces[0].Addr == c.Pages[0]
			if right != (invalidate == "exact") || right == reported {
				t.Errorf("%s, %v: %v at %#x, want %#x, reported %v", invalidate, op, got.Fault, got.Pieces[0].Addr, c.Pages[0], reported)
			}
		}
	}
}

// With lazy, on purpose, a copy on chip outlives its entry, and the watcher
// says so.
func TestLazy(t *testing.T) {
	for i, invalidate := range []string{"exact", "lazy", "exact", "lazy", "exact", "lazy"} {
		s := defaults()
		s.caches.Invalidate = invalidate
		s.caches.shape(shapes[i/2], 64)
		w := newWorld(t, s)
		mr := w.region(1<<20, 1)
		stream := w.unit.Stream()
		w.unit.Submit(0, w.client, stream, 0, ask(mr.Key, 1<<20, 64))
		w.Run(sim.Never)
		w.unit.Change(w.Now(), w, 0, &tpt.Command{Op: tpt.DeregMR, Index: mr.Index})
		w.Run(sim.Never)
		w.unit.Submit(w.Now(), w.client, stream, 1, ask(mr.Key, 1<<20, 64))
		w.Run(sim.Never)
		granted, reported := w.got[1].a.Fault == tpt.OK, w.reported("granted by a copy that is out of date")
		if lazy := invalidate == "lazy"; granted != lazy || reported != lazy {
			t.Errorf("%s: granted %v, reported %v", invalidate, granted, reported)
		}
	}
}
