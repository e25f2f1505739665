package mtp

import (
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// held is a client that keeps what it was granted until told.
type held struct {
	w   *world
	ids []uint32
}

func hold(w *world) *held {
	h := &held{w: w}
	w.release = func(_ sim.Time, a *Access) { h.ids = append(h.ids, a.ID) }
	return h
}

// letGo releases the oldest grant.
func (h *held) letGo(now sim.Time) {
	id := h.ids[0]
	h.ids = h.ids[1:]
	h.w.unit.Release(now, id)
}

// rebind makes the change that kills the current key of a type 1 window.
func rebind(win ib.Index, region ib.Key) *tpt.Command {
	c := bind(win, ib.MWType1, region, 1<<20, 4096)
	return &c
}

// An idle change takes the formula: its cycles after the entries are at hand,
// then its write-back.
func TestChangeLatency(t *testing.T) {
	s := defaults()
	w := newWorld(t, s)
	mr := w.region(1<<20, 1)
	win := w.window(ib.MWType1).Index
	for _, entries := range []sim.Duration{2, 0} { // to be fetched, then on chip
		start := w.Now().Add(10_003)
		w.later(start, func(now sim.Time) { w.unit.Change(now, w, 7, rebind(win, mr.Key)) })
		applied := sim.Time(0)
		w.unit.Changes.Watch(func(c Changed) {
			if !c.Done {
				applied = c.At
			}
		})
		w.finish()
		at := start
		if entries == 2 { // side by side on the bus: no sooner than one, no later than both
			if applied < w.clock.After(start.Add(w.fetch()), 10) || applied > w.clock.After(start.Add(2*w.fetch()), 10) {
				t.Errorf("two entries were fetched and the change applied after %v, one read takes %v", applied.Sub(start), w.fetch())
			}
		} else if want := w.clock.After(at, s.params.ChangeCycles); applied != want {
			t.Errorf("applied at %v, want %v", applied, want)
		}
		done := w.changed[len(w.changed)-1]
		if want := applied.Add(w.bus.Link().UnloadedWrite(tpt.EntryBytes) + w.latency); done.at != want || done.handle != 7 {
			t.Errorf("change %d done at %v, want %v", done.handle, done.at, want)
		}
		w.unit.mpt.Fill(win, w.entry(win)) // dropped by the change itself
	}
}

// A change is done only when the accesses judged before it are released, and
// does not wait for those judged after it (M5).
func TestFence(t *testing.T) {
	w := newWorld(t, defaults())
	mr := w.region(1<<20, 1)
	win := w.window(ib.MWType1).Index
	h := hold(w)
	stream := w.unit.Stream()
	w.unit.Submit(0, w.client, stream, 0, ask(mr.Key, 1<<20, 64))
	w.unit.Submit(0, w.client, stream, 1, ask(mr.Key, 1<<20, 64))
	w.Run(sim.Never)
	w.unit.Change(w.Now(), w, 0, rebind(win, mr.Key))
	w.Run(sim.Never)
	w.unit.Submit(w.Now(), w.client, stream, 2, ask(mr.Key, 1<<20, 64))
	w.Run(sim.Never)
	for left := 2; left >= 0; left-- {
		if done := len(w.changed) == 1; done != (left == 0) {
			t.Fatalf("done %v with %d accesses of before not released", done, left)
		}
		if left > 0 {
			h.letGo(w.Now())
		}
	}
	if w.unit.Idle() {
		t.Error("the unit is idle while an access is not released")
	}
	h.letGo(w.Now())
	w.finish()
}

// More changes than there are epochs, all behind one access: those that find
// no epoch wait, and all end in the order in which they came (M4). Then again
// with an access held in every epoch, so that epochs are used again.
func TestManyFences(t *testing.T) {
	for _, every := range []bool{false, true} {
		w := newWorld(t, defaults())
		mr := w.region(1<<20, 1)
		win := w.window(ib.MWType1).Index
		stream := w.unit.Stream()
		h := hold(w)
		submit := func() {
			w.unit.Submit(w.Now(), w.client, stream, 0, ask(mr.Key, 1<<20, 64))
			w.Run(sim.Never)
		}
		submit()
		applied := 0
		w.unit.Changes.Watch(func(c Changed) {
			if !c.Done {
				applied++
			}
		})
		const n = 3*epochs + 5
		for i := range uint32(n) {
			w.unit.Change(w.Now(), w, i, rebind(win, mr.Key))
			w.Run(sim.Never)
			if every {
				submit()
			}
		}
		if applied != epochs-1 || len(w.changed) != 0 {
			t.Errorf("every %v: %d changes applied behind one access and %d done, want %d and 0", every, applied, len(w.changed), epochs-1)
		}
		for released := 1; len(h.ids) > 0; released++ {
			h.letGo(w.Now())
			w.Run(sim.Never)
			if every && released < epochs && len(w.changed) != released {
				t.Fatalf("%d changes done after %d accesses were released", len(w.changed), released)
			}
		}
		w.finish()
		if len(w.changed) != n {
			t.Errorf("every %v: %d of %d changes done", every, len(w.changed), n)
		}
		for i, c := range w.changed {
			if c.handle != uint32(i) {
				t.Fatalf("every %v: change %d is done in place %d", every, c.handle, i)
			}
		}
	}
}

// Translation entries that a change gave back are not written while an access
// that was judged before may still use them (M6). One that still looks for its
// pages as they go finds none, never those of the next region.
func TestPagesOutliveTheirReaders(t *testing.T) {
	for _, waits := range []bool{false, true} { // for its pages, as the region dies
		w := newWorld(t, defaults())
		old := w.region(1<<20, 8)
		h := hold(w)
		w.unit.mpt.Fill(old.Index, w.entry(old.Index))
		first := w.table.Page(0)
		w.unit.Submit(0, w.client, w.unit.Stream(), 0, ask(old.Key, 1<<20, 64))
		if !waits {
			w.Run(sim.Never)
		}
		var applied []sim.Time
		w.unit.Changes.Watch(func(c Changed) {
			if !c.Done {
				applied = append(applied, c.At)
			}
		})
		dereg, reg := tpt.Command{Op: tpt.DeregMR, Index: old.Index}, regionOf(2<<20, 8)
		w.unit.Change(w.Now(), w, 0, &dereg)
		w.unit.Change(w.Now(), w, 1, &reg)
		w.Run(sim.Never)
		got := w.got[0].a
		switch {
		case waits && (applied[0] >= w.got[0].at || got.Fault != tpt.NotValid):
			t.Errorf("region gone at %v, access resolved at %v with %v", applied[0], w.got[0].at, got.Fault)
		case !waits && (got.Fault != tpt.OK || got.Pieces[0].Addr != first):
			t.Errorf("%v at %#x, want %#x", got.Fault, got.Pieces[0].Addr, first)
		case !waits && (len(applied) != 1 || w.table.Page(0) != tpt.NoPage):
			t.Errorf("%d changes applied, want 1: translation entries were written while an access used them", len(applied))
		}
		if !waits {
			h.letGo(w.Now())
		}
		w.finish()
		if len(w.changed) != 2 || w.table.Page(0) == first {
			t.Errorf("%d of 2 changes done, page %#x", len(w.changed), w.table.Page(0))
		}
	}
}

// A change that is refused, or changes nothing, has no fence.
func TestRefusedChange(t *testing.T) {
	w := newWorld(t, defaults())
	mr := w.region(1<<20, 1)
	h := hold(w)
	w.unit.Submit(0, w.client, w.unit.Stream(), 0, ask(mr.Key, 1<<20, 64))
	w.Run(sim.Never)
	for i, c := range []tpt.Command{
		{Op: tpt.LocalInv, Key: mr.Key, PD: 1, QPN: 1},               // INV-3
		{Op: tpt.LocalInv, Key: ib.MakeKey(1<<22, 0), PD: 1, QPN: 1}, // INV-2, beyond the table
		{Op: tpt.DeregMR, Index: 99},                                 // DER-5
		{Op: tpt.ReregMR, Index: mr.Index, Rereg: 0},                 // RER-4
		{Op: tpt.AllocPD}, // no entry of the table
	} {
		w.unit.Change(w.Now(), w, uint32(i), &c)
		w.Run(sim.Never)
		if len(w.changed) != i+1 {
			t.Errorf("%v waits for an access that it does not concern", c.Op)
		}
	}
	h.letGo(w.Now())
	w.finish()
}
