package mtp

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"

	"pgregory.net/rapid"
)

// The search can fail: with an invalidation that leaves out what it should do,
// it finds worlds in which a dead key works.
func TestInterleavingsFindFaults(t *testing.T) {
	for _, invalidate := range []string{"lazy", "keep_fills"} {
		found := [len(shapes)]complaints{}
		for _, at := range []sim.Cycles{0, 700, 1300} {
			for _, second := range []sim.Cycles{700, 2000, 2500, 4000} {
				for bits := range 2 * len(shapes) {
					r := race{change: "dereg", work: 2500, second: second, changes: at, back: 1200 * sim.Nanosecond, warm: true, crowded: bits&1 != 0, shape: shapes[bits>>1]}
					r.run(&found[bits>>1], invalidate)
				}
			}
		}
		for i, f := range found {
			if f.n == 0 {
				t.Errorf("%s, %s: nothing found", invalidate, shapes[i])
			}
		}
	}
}

// complaints counts what would fail a test.
type complaints struct {
	rapid.TB
	n int
}

func (c *complaints) Helper()               {}
func (c *complaints) Error(...any)          { c.n++ }
func (c *complaints) Errorf(string, ...any) { c.n++ }
func (c *complaints) Fatal(...any)          { c.n++ }
func (c *complaints) Fatalf(string, ...any) { c.n++ }

// A race is one way in which two accesses and one change may meet.
type race struct {
	change  string
	work    sim.Cycles // of the table unit
	first   sim.Cycles // instants of the two accesses and of the change
	second  sim.Cycles
	changes sim.Cycles
	back    sim.Duration // how long a fill is on its way back after memory was read
	hold    sim.Duration // how long a client takes from a grant to its release
	warm    bool         // entry and line are on chip at the beginning
	crowded bool         // caches of one entry, and the accesses are of two
	shape   string       // of the caches
}

// TestInterleavings puts lookups, fills, a change and its fence into all orders
// that a grid of instants reaches: once the change is done nothing is judged by
// anything but the truth, nothing that was granted before is still under way,
// and the watcher is content.
func TestInterleavings(t *testing.T) {
	grid := []sim.Cycles{0, 9, 30, 300, 700, 1300, 2000}
	orders := map[string]int{}
	worlds := 0
	for _, change := range []string{"invalidate", "bind", "rebind", "dereg", "rereg", "move"} {
		for bits := range 4 * len(shapes) {
			if bits > 4 && bits&1 == 0 {
				continue // what is not on chip is in no level of it
			}
			for _, back := range []sim.Duration{0, 1200 * sim.Nanosecond} {
				for _, hold := range []sim.Duration{0, 900 * sim.Nanosecond} {
					for _, second := range grid {
						for _, changes := range grid {
							for _, work := range []sim.Cycles{10, 2500} {
								r := race{change, work, 4, second, changes, back, hold, bits&1 != 0, bits&2 != 0, shapes[bits>>2]}
								orders[r.run(t, "exact")]++
								worlds++
								if t.Failed() {
									t.Fatalf("%+v", r)
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d worlds, %d different orders", worlds, len(orders))
	if len(orders) < 100 {
		t.Errorf("%d different orders: the grid reaches too few", len(orders))
	}
}

// usual are the defaults, read once.
var usual = defaults()

// run plays the race and returns the order of what happened.
func (r race) run(t rapid.TB, invalidate string) string {
	s := usual
	s.params.ChangeCycles = r.work
	s.device.ReadOverhead, s.caches.Invalidate = r.back, invalidate
	n := uint32(8)
	if r.crowded {
		n = 1
	}
	s.caches.MPT, s.caches.MTT, s.caches.QPC = small(n), small(n), small(1)
	s.caches.shape(r.shape, n)
	w := newWorld(t, s)
	mr := w.region(1<<20, 2)
	key, other, c := w.victim(r.change, mr)
	if r.warm {
		w.unit.mpt.Fill(key.Index(), w.entry(key.Index()))
		w.unit.mtt.Fill(0, w.unit.lineNow(0))
	}
	var story strings.Builder
	done := sim.Never
	before := map[uint32]bool{} // accesses granted before the change was applied
	w.unit.Changes.Watch(func(ch Changed) {
		fmt.Fprintf(&story, "%v ", map[bool]string{false: "applied", true: "done"}[ch.Done])
		if ch.Done {
			done = ch.At
			for _, i := range ch.Result.Touched {
				w.watch.Visible(i)
			}
		}
	})
	w.unit.Judgements.Watch(func(j Judgement) {
		a := j.Access
		fmt.Fprintf(&story, "judged%d ", a.Handle)
		if a.Fault == tpt.OK && a.epoch == 0 {
			before[a.Handle] = true
		}
		if a.MPTHit {
			story.WriteString("hit ")
		}
		if truth := tpt.Check(w.table.Entry(a.index()), a.Access); j.At >= done && a.Fault != truth {
			t.Errorf("judged %v at %v, after the change was done at %v: the truth is %v", a.Fault, j.At, done, truth)
		}
	})
	w.release = func(now sim.Time, a *Access) {
		entry, id, key, handle := a.Entry, a.ID, a.Key, a.Handle
		w.later(now.Add(r.hold), func(now sim.Time) {
			fmt.Fprintf(&story, "released%d ", handle)
			if before[handle] && done != sim.Never {
				t.Errorf("access %d, judged before the change, was released after it was done at %v", handle, done)
			}
			w.watch.Landed(now, key, &entry)
			w.unit.Release(now, id)
		})
	}
	w.onRead = func() { story.WriteString("read ") }
	keys := [2]ib.Key{key, key}
	if r.crowded {
		keys[0] = other
	}
	for i, at := range [2]sim.Cycles{r.first, r.second} {
		w.later(w.clock.Edge(at), func(now sim.Time) {
			fmt.Fprintf(&story, "asked%d ", i)
			w.unit.Submit(now, w.client, w.unit.Stream(), uint32(i), ask(keys[i], 1<<20, 64))
		})
	}
	w.later(w.clock.Edge(r.changes), func(now sim.Time) {
		story.WriteString("change ")
		w.unit.Change(now, w, 0, &c)
	})
	w.finish()
	if len(w.got) != 2 || len(w.changed) != 1 || !w.changed[0].result.Done() {
		t.Errorf("%d accesses resolved, %d changes: %+v", len(w.got), len(w.changed), w.changed)
	}
	return story.String()
}

// lineNow is a line as the table has it.
func (u *Unit) lineNow(l uint32) *[lineEntries]uint64 {
	var line [lineEntries]uint64
	for i := range line {
		line[i] = u.table.Page(l*lineEntries + uint32(i))
	}
	return &line
}

// victim makes the entry whose key the accesses bear, and the change that
// kills it, or gives it life.
func (w *world) victim(change string, mr tpt.Result) (key, other ib.Key, c tpt.Command) {
	second := w.region(2<<20, 2)
	switch change {
	case "invalidate":
		win := w.window(ib.MWType2).Index
		key = w.apply(bind(win, ib.MWType2, mr.Key, 1<<20, 8192)).Key
		return key, mr.Key, tpt.Command{Op: tpt.LocalInv, Key: key, PD: 1, QPN: 1}
	case "bind":
		win := w.window(ib.MWType2).Index
		return ib.MakeKey(win, 0x77), mr.Key, bind(win, ib.MWType2, mr.Key, 1<<20, 8192)
	case "rebind":
		win := w.window(ib.MWType1).Index
		key = w.apply(*rebind(win, mr.Key)).Key
		return key, mr.Key, *rebind(win, mr.Key)
	case "dereg":
		return mr.Key, second.Key, tpt.Command{Op: tpt.DeregMR, Index: mr.Index}
	case "rereg":
		return mr.Key, second.Key, tpt.Command{Op: tpt.ReregMR, Index: mr.Index, Rereg: ib.ReregAccess, Access: ib.LocalWrite}
	default: // move: other pages
		c = regionOf(1<<20, 2)
		c.Pages = []uint64{0x77000, 0x79000}
		c.Op, c.Index, c.Rereg, c.Access = tpt.ReregMR, mr.Index, ib.ReregTranslation, 0
		return mr.Key, second.Key, c
	}
}
