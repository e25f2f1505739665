package mtp

import (
	"slices"

	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// lineEntries is the number of translation entries in one line of the MTT
// cache: 64 bytes of 8.
const lineEntries = 8

// lineBytes is what one fetch of translation entries reads.
const lineBytes = lineEntries * tpt.MTTBytes

type mttLine uint32

type fillKind uint8

const (
	fillMPT fillKind = iota
	fillMTT
	fillQPC
)

// A fillKey names what a fetch brings: an entry, a line of translation
// entries, a context.
type fillKey struct {
	kind fillKind
	of   uint64
}

// A fill brings one thing on chip: by a DMA read of table memory, or from the
// second level.
type fill struct {
	key        fillKey
	busy       bool
	near       bool // from the second level
	queue      uint8
	stale      bool // what it brings changed after it had left (M3)
	entry      tpt.Entry
	line       [lineEntries]uint64
	head, tail uint32 // waiters, oldest first
}

type waitKind uint8

const (
	waitEntry   waitKind = iota // an access for its entry
	waitPages                   // an access for its pages
	waitChange                  // the table unit for an entry it changes
	waitContext                 // a context client
)

// A waiter is one who cannot go on before a fill.
type waiter struct {
	kind waitKind
	id   uint32 // access, or the context client's handle
	who  uint8  // context client
	next uint32
}

// A want is something that no fill was free for, and those who wait for it: none
// if another queue has brought it meanwhile.
type want struct {
	key        fillKey
	queue      uint8
	head, tail uint32 // waiters, oldest first
}

// fetcher is the fetch engine: it reads tables in host memory and lets those
// go on who wait. Fetches of the same thing are shared.
type fetcher struct {
	unit    *Unit
	bus     *pcie.Bus
	client  pcie.ClientID
	work    sim.HandlerID
	port    sim.Time // when the second level is free
	fills   []fill
	busy    int // fills under way
	waiters sim.Pool[waiter]
	queues  [3]fetchQueue
}

// The queues of fetches.
const (
	ofTables   = iota
	ofContexts // if they have fills of their own
	ofEngine   // contexts that the packet engine waits for, one a side
)

// A fetchQueue is those who share a number of DMA reads.
type fetchQueue struct {
	most, busy uint32
	backlog    sim.Ring[want] // oldest first; nobody gets ahead of it
}

func (f *fetcher) init(u *Unit, name string, bus *pcie.Bus) {
	f.unit, f.bus = u, bus
	f.client = bus.Client(name+".fetch", f)
	f.work = u.engine.Register(name+".fetch", f)
	f.queues[ofTables].most, f.queues[ofContexts].most, f.queues[ofEngine].most = u.params.Fills, u.params.ContextFills, 2
	f.fills = make([]fill, u.params.Fills+u.params.ContextFills)
}

func (f *fetcher) idle() bool {
	for i := range f.queues {
		if f.queues[i].backlog.Len() > 0 {
			return false
		}
	}
	return f.busy == 0
}

// queue returns where a waiter waits for a DMA read.
func (f *fetcher) queue(key fillKey, w waiter) uint8 {
	switch {
	case w.kind == waitContext && f.unit.contexts[w.who].blocks:
		return ofEngine
	case key.kind == fillQPC && f.queues[ofContexts].most > 0:
		return ofContexts
	default:
		return ofTables
	}
}

// await makes w wait for key: with those who do already, for a new fill, or
// in the backlog.
func (f *fetcher) await(now sim.Time, key fillKey, w waiter) {
	id := f.waiters.Get()
	w.next = none
	*f.waiters.At(id) = w
	for i := range f.fills {
		if fl := &f.fills[i]; fl.busy && fl.key == key && !fl.stale {
			f.append(&fl.tail, id)
			return
		}
	}
	if f.copy(now, key, id) {
		return
	}
	n := f.queue(key, w)
	q := &f.queues[n]
	x := f.wanted(key)
	if x != nil && x.queue == n {
		f.append(&x.tail, id)
		return
	}
	next := want{key, n, id, id}
	if x != nil { // the engine does not wait for the turn of others
		next.head, x.head = x.head, none
		f.append(&x.tail, id)
	} else {
		f.hold(now, key.kind, 0)
	}
	q.backlog.Push(next)
	f.start(now, n)
}

// wanted returns what stands for key in the backlogs, or nil.
func (f *fetcher) wanted(key fillKey) *want {
	for n := range f.queues {
		q := &f.queues[n]
		for i := range q.backlog.Len() {
			if x := q.backlog.At(i); x.key == key && x.head != none {
				return x
			}
		}
	}
	return nil
}

// begin gives a fill a place.
func (f *fetcher) begin(fl fill) (place uint32) {
	f.busy++
	for i := range f.fills {
		if !f.fills[i].busy {
			f.fills[i] = fl
			return uint32(i)
		}
	}
	f.fills = append(f.fills, fl)
	return uint32(len(f.fills) - 1)
}

func (f *fetcher) append(tail *uint32, id uint32) {
	f.waiters.At(*tail).next = id
	*tail = id
}

// start gives the DMA reads that are free to the backlog.
func (f *fetcher) start(now sim.Time, n uint8) {
	q := &f.queues[n]
	for q.backlog.Len() > 0 && q.busy < q.most {
		x := q.backlog.Pop()
		if x.head == none {
			continue
		}
		q.busy++
		place := f.begin(fill{key: x.key, busy: true, queue: n, head: x.head, tail: x.tail})
		addr, size := f.place(x.key)
		f.bus.Read(now, pcie.Request{Addr: addr, Len: size, Client: f.client, Handle: place, Class: pcie.Fetch})
	}
}

// place returns where in host memory a key's bytes stand.
func (f *fetcher) place(key fillKey) (addr uint64, n uint32) {
	l := &f.unit.layout
	switch key.kind {
	case fillMPT:
		return l.MPT + key.of*tpt.EntryBytes, tpt.EntryBytes
	case fillMTT:
		return l.MTT + key.of*lineBytes, lineBytes
	case fillQPC:
		return l.QPC + key.of*uint64(l.QPCBytes), l.QPCBytes
	}
	panic("mtp: unknown fill")
}

// Served takes the copy at the instant at which host memory is read.
func (f *fetcher) Served(_ sim.Time, handle, offset, _ uint32) {
	if offset > 0 {
		return // a context in several pieces: its value stays with the adapter
	}
	fl := &f.fills[handle]
	switch fl.key.kind {
	case fillMPT:
		fl.entry = f.unit.table.Entry(ib.Index(fl.key.of))
	case fillMTT:
		for i := range fl.line {
			fl.line[i] = f.unit.table.Page(uint32(fl.key.of)*lineEntries + uint32(i))
		}
	case fillQPC:
	}
}

// Done ends a DMA read. What it brought may have to be worked on.
func (f *fetcher) Done(now sim.Time, handle uint32, ok bool) {
	if !ok {
		panic("mtp: the IOMMU refused a table fetch")
	}
	u := f.unit
	kind := f.fills[handle].key.kind
	work := [...]sim.Cycles{fillMPT: u.mpt.work, fillMTT: u.mtt.work, fillQPC: u.qpc.work}[kind]
	levels := [...]bool{fillMPT: u.mpt.far != nil, fillMTT: u.mtt.far != nil, fillQPC: u.qpc.far != nil}[kind]
	switch {
	case work == 0:
		f.Fire(now, handle)
	case levels:
		u.engine.At(f.through(now, work), f.work, handle)
	default:
		u.engine.At(u.clock.After(now, work), f.work, handle)
	}
}

// Fire ends a fill: its waiters go on, and the next of the backlog starts.
func (f *fetcher) Fire(now sim.Time, handle uint32) {
	fl := f.fills[handle]
	f.fills[handle].busy = false
	f.busy--
	if !fl.near {
		f.queues[fl.queue].busy--
		f.start(now, fl.queue)
	}
	if !fl.stale {
		f.keep(now, &fl)
	}
	for id := fl.head; id != none; {
		w := *f.waiters.At(id)
		f.waiters.Put(id)
		id = w.next
		f.wake(now, w, &fl)
	}
	f.unit.resume(now)
}

// keep puts the copy into its cache. An evicted context is written back.
func (f *fetcher) keep(now sim.Time, fl *fill) {
	u := f.unit
	switch fl.key.kind {
	case fillMPT:
		u.mpt.Fill(ib.Index(fl.key.of), fl.entry)
	case fillMTT:
		u.mtt.Fill(mttLine(fl.key.of), fl.line)
	case fillQPC:
		if old, evicted := u.qpc.Fill(ib.QPN(fl.key.of), struct{}{}); evicted {
			u.changes.writeContext(now, old)
		}
	}
}

// wake lets one waiter go on with what the fill brought, or ask again.
func (f *fetcher) wake(now sim.Time, w waiter, fl *fill) {
	u := f.unit
	switch w.kind {
	case waitEntry:
		if fl.stale {
			f.await(now, fl.key, w)
			return
		}
		u.parked--
		u.judge(now, u.accesses.At(w.id), fl.entry)
	case waitPages:
		if fl.stale {
			f.await(now, fl.key, w)
			return
		}
		u.parked--
		u.paging--
		a := u.accesses.At(w.id)
		from := a.first + uint32(a.found)
		u.takePages(a, &fl.line)
		for at := from; at < a.first+uint32(a.found); at++ {
			u.mtt.Near(mttLine(at/lineEntries), at%lineEntries)
		}
		u.findPages(now, a)
	case waitChange:
		u.changes.fetched(now)
	case waitContext:
		u.contexts[w.who].ContextReady(now, w.id)
	}
}

// distrust marks the fills under way of entries that a change touched (M3).
func (f *fetcher) distrust(r *tpt.Result) {
	for i := range f.fills {
		if fl := &f.fills[i]; fl.busy && fl.key.kind == fillMPT {
			i := ib.Index(fl.key.of)
			fl.stale = fl.stale || slices.Contains(r.Touched[:], i) || slices.Contains(r.Also, i)
		}
	}
}

// distrustLines marks the fills under way of the lines from one to another.
func (f *fetcher) distrustLines(from, to uint32) {
	for i := range f.fills {
		if fl := &f.fills[i]; fl.busy && fl.key.kind == fillMTT {
			l := uint32(fl.key.of)
			fl.stale = fl.stale || from <= l && l <= to
		}
	}
}
