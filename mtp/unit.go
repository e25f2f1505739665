package mtp

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// A Unit is the translation and protection pipeline of one adapter.
type Unit struct {
	accesses sim.Pool[Access]
	streams  []stream
	clients  []client
	waiting  int              // accesses that have not got into the pipeline
	turn     ClientID         // client whose turn it is
	left     uint32           // turns that it has left
	weighted bool             // clients have turns in a row
	priority bool             // the lowest client goes first, whosever turn it is
	block    bool             // accesses wait behind one that waits for a fill
	parked   int              // accesses that wait for a fill
	paging   int              // those of them that wait for pages
	judged   sim.Ring[uint32] // judged by a fill, waiting for room in the MTT stage
	mptStage *sim.Pipe
	mttStage *sim.Pipe

	mpt   store[ib.Index, tpt.Entry]
	mtt   store[mttLine, [lineEntries]uint64]
	qpc   store[ib.QPN, struct{}]
	kinds [3]*places

	engine *sim.Engine
	params Params
	caches Caches
	layout Layout
	table  *tpt.Table
	clock  sim.Clock

	fetch    fetcher
	changes  changer
	contexts []contextUser

	// Hold, if set, is told how long a miss keeps the packet engine.
	Hold func(now sim.Time, i sim.Interval)

	// Judgements reports every access as it is judged.
	Judgements sim.Probe[Judgement]
	// Translations reports every access whose pages have been found.
	Translations sim.Probe[Judgement]
	// Contexts reports every context as it is asked for.
	Contexts sim.Probe[ContextLookup]
	// Changes reports every change as it is applied and as it is done.
	Changes sim.Probe[Changed]
	// Fetches reports every fill as it begins.
	Fetches sim.Probe[Fetch]
	// Stalls reports those who begin and end to wait.
	Stalls sim.Probe[sim.Stall]
}

// New returns the unit of an adapter whose truth is table. Its fetches go
// through bus.
func New(e *sim.Engine, name string, clock sim.Clock, p Params, c Caches, l Layout, bus *pcie.Bus, table *tpt.Table, seed uint64) *Unit {
	u := &Unit{engine: e, params: p, caches: c, layout: l, table: table, clock: clock}
	u.weighted, u.priority, u.block = p.Arbiter == "weighted", p.Arbiter == "priority", p.Miss == "block"
	var near *tpt.Cache
	if c.Near.Entries > 0 {
		near = newCache(c.Near, seed+3)
	}
	u.mpt.init(fillMPT, 1, c.MPT, near, seed)
	u.mtt.init(fillMTT, lineEntries, c.MTT, near, seed+1)
	u.qpc.init(fillQPC, 1, c.QPC, near, seed+2)
	u.kinds = [...]*places{fillMPT: &u.mpt.places, fillMTT: &u.mtt.places, fillQPC: &u.qpc.places}
	u.lookUp(name)
	u.translate(name)
	u.fetch.init(u, name, bus)
	u.changes.init(u, name, bus)
	return u
}

// Stream opens a new order of accesses.
func (u *Unit) Stream() StreamID {
	u.streams = append(u.streams, stream{none, none})
	return StreamID(len(u.streams) - 1)
}

// release delivers the accesses at the front of a stream that are resolved; a is
// the first of them.
func (u *Unit) release(now sim.Time, st *stream, a *Access) {
	for {
		if st.head = a.next; st.head == none {
			st.tail = none
		}
		refused := a.Fault != tpt.OK
		u.clients[a.client].target.Resolved(now, a.Handle, a)
		if refused {
			u.accesses.Put(a.ID)
		}
		if st.head == none {
			return
		}
		if a = u.accesses.At(st.head); !a.resolved {
			return
		}
	}
}

// Release ends an access that was granted: its bytes have been read, or their
// writes are on their way in posted order.
func (u *Unit) Release(now sim.Time, id uint32) {
	u.changes.leave(u.accesses.At(id).epoch)
	u.accesses.Put(id)
	u.changes.ended(now)
}

// Idle reports whether nothing is under way.
func (u *Unit) Idle() bool {
	return u.accesses.Live() == 0 && u.fetch.idle() && u.changes.idle()
}
