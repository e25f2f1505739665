package mtp

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"

	"pgregory.net/rapid"
)

// Where the tables of a world stand in its memory.
const (
	mptBase = 1 << 40
	mttBase = 2 << 40
	qpcBase = 3 << 40
)

// A world is a unit on a real bus before a memory of fixed latency, with a
// client that writes down what it is told.
type world struct {
	*sim.Engine
	t       rapid.TB
	unit    *Unit
	table   *tpt.Table
	bus     *pcie.Bus
	watch   *Coherence
	clock   sim.Clock
	latency sim.Duration // of the memory
	reads   map[uint64]int
	busiest int // most fills seen under way
	onRead  func()

	client  ClientID
	got     []resolved
	changed []doneChange
	// release, if set, is told of every grant and must see to Release.
	release func(now sim.Time, a *Access)
}

// resolved is an answer of the unit.
type resolved struct {
	at     sim.Time
	handle uint32
	a      Access
}

type doneChange struct {
	at     sim.Time
	handle uint32
	result tpt.Result
}

// setup is what a world is made of.
type setup struct {
	clock   sim.Hertz
	params  Params
	caches  Caches
	device  pcie.DeviceParams
	variant tpt.Variant
	latency sim.Duration
}

func defaults() (s setup) {
	sim.SetDefaults(&s.params)
	sim.SetDefaults(&s.caches)
	s.device = pcie.DefaultDeviceParams()
	s.variant = tpt.SpecVariant()
	s.clock, s.latency = sim.Hertz(1_000_000_000), 50*sim.Nanosecond
	return s
}

// small returns a cache of n entries, each in a set of its own.
func small(n uint32) CacheParams { return CacheParams{Entries: n, Ways: 1, Replace: "lru"} }

func newWorld(t rapid.TB, s setup) *world {
	w := &world{Engine: sim.NewEngine(), t: t, clock: sim.NewClock(s.clock), latency: s.latency}
	w.bus = pcie.New(w.Engine, "pcie", pcie.DefaultHostParams(), s.device, w, nil)
	w.table = tpt.NewTable(tpt.Limits{MR: 512, MW: 512, MTT: 1 << 16, QP: 64, SRQ: 4, PD: 4}, s.variant, 1)
	l := Layout{MPT: mptBase, MTT: mttBase, QPC: qpcBase, QPCBytes: 256}
	w.unit = New(w.Engine, "mtp", w.clock, s.params, s.caches, l, w.bus, w.table, 1)
	w.watch = Watch(w.unit, "mtp")
	w.client = w.unit.Client("test", w, 1)
	for range 2 {
		w.apply(tpt.Command{Op: tpt.AllocPD})
	}
	for n := range ib.QPN(2) {
		w.apply(tpt.Command{Op: tpt.CreateQP, PD: 1, QPN: n + 1})
	}
	return w
}

// Access is the memory. It counts the reads of each address.
func (w *world) Access(now sim.Time, addr uint64, _ uint32, write bool) (sim.Time, bool) {
	if !write && w.onRead != nil {
		w.onRead()
	}
	if !write && w.reads != nil {
		w.reads[addr]++
		w.busiest = max(w.busiest, w.unit.fetch.fills.busy)
	}
	return now.Add(w.latency), true
}

// Resolved writes an answer down.
func (w *world) Resolved(now sim.Time, handle uint32, a *Access) {
	w.got = append(w.got, resolved{now, handle, *a})
	switch {
	case a.Fault != tpt.OK:
	case w.release != nil:
		w.release(now, a)
	default:
		w.unit.Release(now, a.ID)
	}
}

// Changed writes the end of a change down.
func (w *world) Wanted(uint32) bool { return true }

func (w *world) Changed(now sim.Time, handle uint32, r *tpt.Result) {
	w.changed = append(w.changed, doneChange{now, handle, *r})
}

// Fire submits what was planned for an instant: see later.
type plan func(now sim.Time)

func (p plan) Fire(now sim.Time, _ uint32) { p(now) }

// later has f called at an instant.
func (w *world) later(at sim.Time, f func(now sim.Time)) { w.At(at, w.Register("plan", plan(f)), 0) }

// apply changes the table at once, as if it had always been so.
func (w *world) apply(c tpt.Command) tpt.Result {
	w.t.Helper()
	r := w.table.Apply(&c)
	if !r.Done() {
		w.t.Fatalf("%v: errno %v, status %v by %s", c.Op, r.Errno, r.Status, r.Rule)
	}
	return r
}

// finish runs to the end, and holds the unit to ending idle and coherent.
func (w *world) finish() {
	w.t.Helper()
	w.Run(sim.Never)
	if !w.unit.Idle() {
		w.t.Error("the unit is not idle at the end")
	}
	for _, line := range w.watch.Broken() {
		w.t.Error(line)
	}
}

const (
	all = ib.LocalWrite | ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic | ib.MWBind
	rw  = ib.RemoteWrite
)

// region registers pages pages of 4 KiB at va, each of them somewhere else.
func (w *world) region(va uint64, pages int) tpt.Result {
	return w.apply(regionOf(va, pages))
}

func regionOf(va uint64, pages int) tpt.Command {
	c := tpt.Command{Op: tpt.RegMR, PD: 1, Access: all, VA: va, Length: uint64(pages) * 4096, PageShift: 12, Writable: true}
	for i := range pages {
		c.Pages = append(c.Pages, va<<8+uint64(2*i)<<12)
	}
	return c
}

// entry is the entry at an index as it is now.
func (w *world) entry(i ib.Index) *tpt.Entry {
	e := w.table.Entry(i)
	return &e
}

// window allocates a window; bind makes the command that ties it to the whole
// of a region.
func (w *world) window(t ib.MWType) tpt.Result {
	return w.apply(tpt.Command{Op: tpt.AllocMW, PD: 1, MWType: t})
}

func bind(win ib.Index, t ib.MWType, region ib.Key, va, n uint64) tpt.Command {
	return tpt.Command{Op: tpt.BindMW, PD: 1, QPN: 1, MWType: t, Window: win, Region: region, VA: va, Length: n, Access: rw, NewByte: 0x77}
}

// ask is a WRITE of a peer to n bytes at va.
func ask(k ib.Key, va, n uint64) *tpt.Access {
	r := tpt.Range{VA: va, Length: n}
	return &tpt.Access{Key: k, PD: 1, QPN: 1, Need: rw, Remote: true, Judge: r, Move: r}
}

// fetch is what one read of table memory takes on an idle bus.
func (w *world) fetch() sim.Duration { return w.bus.Link().UnloadedRead(64) + w.latency }
