package mtp

import (
	"fmt"
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
	of   uint32
}

// A fill brings one thing on chip: by a DMA read of table memory, or from the
// second level. It exists from being asked for until those go on who wait.
type fill struct {
	key    fillKey
	place  uint32 // among those under way; none: no DMA read was free yet
	next   uint32 // in its row of the index
	oldest waiter // the others stand behind it
	newest uint32 // of those; none: it is alone
	queue  uint8
	moved  bool // another queue has taken the waiters over
	near   bool // from the second level
	stale  bool // what it brings changed after it had left (M3)
	entry  tpt.Entry
	line   [lineEntries]uint64
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

// fetcher is the fetch engine: it reads tables in host memory and lets those
// go on who wait. Fetches of the same thing are shared.
type fetcher struct {
	unit    *Unit
	bus     *pcie.Bus
	client  pcie.ClientID
	work    sim.HandlerID
	port    sim.Time // when the second level is free
	fills   fills
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
	backlog    sim.Ring[uint32] // oldest first; nobody gets ahead of it
}

func (f *fetcher) init(u *Unit, name string, bus *pcie.Bus) {
	f.unit, f.bus = u, bus
	f.client = bus.Client(name+".fetch", f)
	f.work = u.engine.Register(name+".fetch", f)
	f.queues[ofTables].most, f.queues[ofContexts].most, f.queues[ofEngine].most = u.params.Fills, u.params.ContextFills, 2
	f.fills.init()
}

func (f *fetcher) idle() bool {
	for i := range f.queues {
		if f.queues[i].backlog.Len() > 0 {
			return false
		}
	}
	return f.fills.busy == 0
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
	w.next = none
	coming, asked := f.fills.find(key)
	switch n := f.queue(key, w); {
	case coming != nil:
		f.join(coming, w)
	case f.copy(now, key, w):
	case asked == nil:
		f.hold(now, f.unit.kinds[key.kind].holds[0])
		f.ask(now, key, n, w, none)
	case asked.queue == n:
		f.join(asked, w)
	default: // the engine does not wait for the turn of others
		f.join(asked, w)
		asked.moved = true
		f.unit.stall(now, queued(asked.queue), true)
		f.fills.unlink(asked)
		f.ask(now, key, n, asked.oldest, asked.newest)
	}
}

// join makes w the last of those who wait for a fill.
func (f *fetcher) join(fl *fill, w waiter) {
	id := f.waiters.Get()
	*f.waiters.At(id) = w
	if fl.newest == none {
		fl.oldest.next = id
	} else {
		f.waiters.At(fl.newest).next = id
	}
	fl.newest = id
}

// ask gives a new fill a DMA read of a queue, or puts it into its backlog.
func (f *fetcher) ask(now sim.Time, key fillKey, n uint8, oldest waiter, newest uint32) {
	id, fl := f.fills.add(key, oldest, newest)
	fl.queue = n
	if q := &f.queues[n]; q.busy < q.most && q.backlog.Len() == 0 {
		f.read(now, q, id, fl)
	} else {
		q.backlog.Push(id)
		f.unit.stall(now, queued(n), false)
	}
}

// start gives the DMA reads that are free to the backlog.
func (f *fetcher) start(now sim.Time, q *fetchQueue) {
	for q.busy < q.most && q.backlog.Len() > 0 {
		id := q.backlog.Pop()
		if fl := f.fills.At(id); !fl.moved {
			f.unit.stall(now, queued(fl.queue), true)
			f.read(now, q, id, fl)
		} else {
			f.fills.Put(id)
		}
	}
}

// read begins the DMA read of a fill.
func (f *fetcher) read(now sim.Time, q *fetchQueue, id uint32, fl *fill) {
	q.busy++
	f.fills.begin(id, fl)
	f.tell(fl.key.kind, false)
	addr, size := f.place(fl.key)
	f.bus.Read(now, pcie.Request{Addr: addr, Len: size, Client: f.client, Handle: id, Class: pcie.Fetch})
}

// place returns where in host memory a key's bytes stand.
func (f *fetcher) place(key fillKey) (addr uint64, n uint32) {
	l := &f.unit.layout
	switch key.kind {
	case fillMPT:
		return l.MPT + uint64(key.of)*tpt.EntryBytes, tpt.EntryBytes
	case fillMTT:
		return l.MTT + uint64(key.of)*lineBytes, lineBytes
	case fillQPC:
		return l.QPC + uint64(key.of)*uint64(l.QPCBytes), l.QPCBytes
	}
	panic("mtp: unknown fill")
}

// Served takes the copy at the instant at which host memory is read.
func (f *fetcher) Served(_ sim.Time, handle, offset, _ uint32) {
	if offset > 0 {
		return // a context in several pieces: its value stays with the adapter
	}
	switch fl := f.fills.At(handle); fl.key.kind {
	case fillMPT:
		fl.entry = f.unit.table.Entry(ib.Index(fl.key.of))
	case fillMTT:
		f.unit.table.Pages(fl.key.of*lineEntries, fl.line[:])
	case fillQPC:
	}
}

// distrust marks the fills under way of entries that a change touched (M3).
func (f *fetcher) distrust(r *tpt.Result) {
	for _, id := range f.fills.under {
		if id == none {
			continue
		}
		if fl := f.fills.At(id); fl.key.kind == fillMPT {
			i := ib.Index(fl.key.of)
			fl.stale = fl.stale || slices.Contains(r.Touched[:], i) || slices.Contains(r.Also, i)
		}
	}
}

// distrustLines marks the fills under way of the lines from one to another.
func (f *fetcher) distrustLines(from, to uint32) {
	for _, id := range f.fills.under {
		if id == none {
			continue
		}
		if fl := f.fills.At(id); fl.key.kind == fillMTT {
			fl.stale = fl.stale || from <= fl.key.of && fl.key.of <= to
		}
	}
}

// Serves reports whether a client of the bus is the unit itself, which reads
// entries, translations and contexts, and writes back what it has changed.
func (u *Unit) Serves(client pcie.ClientID) bool {
	return client == u.fetch.client || client == u.changes.client
}

// Fetching returns in words what a read of the unit brings: the entry, line or
// context. It answers while the read is under way.
func (u *Unit) Fetching(client pcie.ClientID, handle uint32) string {
	if client != u.fetch.client {
		return "write-back"
	}
	key := u.fetch.fills.At(handle).key
	switch key.kind {
	case fillMPT:
		return fmt.Sprintf("MPT entry %#x", key.of)
	case fillMTT:
		return fmt.Sprintf("MTT entries %#x", key.of*lineEntries)
	case fillQPC:
		return fmt.Sprintf("context of queue pair %#x", key.of)
	}
	panic("mtp: unknown fill")
}
