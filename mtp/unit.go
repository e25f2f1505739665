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
	mptStage *sim.Pipe[uint32]
	mttStage *sim.Pipe[uint32]

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
}

// A client's asks wait here until the arbiter lets them in.
type client struct {
	target Client
	weight uint32 // turns in a row
	asks   sim.Ring[uint32]
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

// Client registers a client. Lower numbers go first under arbiter: priority;
// weight is how many turns in a row it has under arbiter: weighted, at least 1.
func (u *Unit) Client(name string, c Client, weight uint32) ClientID {
	if !u.weighted {
		weight = 1
	}
	if len(u.clients) == 0 {
		u.left = weight
	}
	u.clients = append(u.clients, client{target: c, weight: weight})
	return ClientID(len(u.clients) - 1)
}

// Stream opens a new order of accesses.
func (u *Unit) Stream() StreamID {
	u.streams = append(u.streams, stream{none, none})
	return StreamID(len(u.streams) - 1)
}

// Submit asks for an access. It never refuses: a client asks for no more than
// it has buffers for.
func (u *Unit) Submit(now sim.Time, c ClientID, s StreamID, handle uint32, ask *tpt.Access) {
	id := u.accesses.Get()
	a := u.accesses.At(id)
	a.Access = *ask
	a.ID, a.Handle, a.client, a.stream, a.next = id, handle, c, s, none
	a.Fault, a.N, a.MPTHit, a.MTTHit, a.pages, a.found, a.resolved = tpt.OK, 0, false, false, 0, 0, false
	if st := &u.streams[s]; st.tail == none {
		st.head, st.tail = id, id
	} else {
		u.accesses.At(st.tail).next = id
		st.tail = id
	}
	if u.waiting == 0 && u.mptStage.Send(now, id) {
		u.took(c)
		return
	}
	u.clients[c].asks.Push(id)
	if u.waiting++; u.waiting > 1 { // or else it was refused just now
		u.admit(now)
	}
}

// admit lets asks into the pipeline while it has room, as the arbiter says.
func (u *Unit) admit(now sim.Time) {
	for u.waiting > 0 {
		c := u.choose()
		if !u.mptStage.Send(now, *u.clients[c].asks.Peek()) {
			return
		}
		u.clients[c].asks.Pop()
		u.waiting--
		u.took(c)
	}
}

// took counts a turn of a client.
func (u *Unit) took(c ClientID) {
	if u.turn != c || u.left == 0 {
		u.turn, u.left = c, 1
		if u.weighted {
			u.left = u.clients[c].weight
		}
	}
	u.left--
}

// choose returns the client that goes next, of those who ask.
func (u *Unit) choose() ClientID {
	n := ClientID(len(u.clients))
	c := u.turn
	if u.priority {
		c = 0
	} else if u.left == 0 { // it comes last again
		c++
	}
	for {
		if c >= n {
			c = 0
		}
		if u.clients[c].asks.Len() > 0 {
			return c
		}
		c++
	}
}

// lookUp makes the key stage: the entry is found on chip or awaited.
func (u *Unit) lookUp(name string) {
	p := sim.PipeParams{Latency: u.params.MPTLatency, Interval: u.params.MPTInterval, Depth: int(u.params.Depth)}
	u.mptStage = sim.NewPipe(u.engine, name+".mpt", u.clock, p, func(now sim.Time, id uint32) bool {
		if u.judged.Len() > 0 {
			return false // the stage behind is full; forward resumes
		}
		a := u.accesses.At(id)
		if a.Judge.Length == 0 && a.Need&ib.RemoteAtomic == 0 {
			u.judge(now, a, &noEntry)
			return true
		}
		if u.block && u.parked > 0 {
			return false
		}
		line := u.mpt.find(uint32(a.index()), 0)
		if line == none {
			u.awaitEntry(now, a)
			return true
		}
		u.mpt.hit(line)
		a.MPTHit = true
		u.judge(now, a, &u.mpt.copies[line])
		return true
	})
	u.mptStage.OnRoom(u.admit)
}

// awaitEntry has the entry of an access fetched, if there can be one.
func (u *Unit) awaitEntry(now sim.Time, a *Access) {
	index := a.index()
	if !u.table.Holds(index) { // beyond the table: nothing to fetch
		u.judge(now, a, &noEntry)
		return
	}
	u.parked++
	u.fetch.await(now, fillKey{fillMPT, uint32(index)}, waiter{kind: waitEntry, id: a.ID})
}

// noEntry is what judges where the key is not looked at, or names nothing.
var noEntry tpt.Entry

// judge decides the access by the copy e and sends it on, fault and all.
func (u *Unit) judge(now sim.Time, a *Access, e *tpt.Entry) {
	a.Entry, a.Judged = *e, now
	if a.Fault = e.Judge(&a.Access); a.Fault == tpt.OK {
		a.epoch = u.changes.enter()
		if a.Move.Length > 0 {
			first, n := e.Span(a.Move)
			if n > MaxPieces {
				panic("mtp: an access touches more pages than it has pieces")
			}
			a.first, a.pages = first, uint8(n)
		}
	}
	if u.Judgements.On() {
		u.Judgements.Emit(Judgement{now, a})
	}
	if u.judged.Len() > 0 || !u.mttStage.Send(now, a.ID) {
		u.judged.Push(a.ID)
	}
}

// forward moves judged accesses into the MTT stage as it gets room, then
// resumes the stage in front.
func (u *Unit) forward(now sim.Time) {
	for u.judged.Len() > 0 {
		if !u.mttStage.Send(now, *u.judged.Peek()) {
			return
		}
		u.judged.Pop()
	}
	u.resume(now)
}

// resume lets the stages go on that nothing holds any more.
func (u *Unit) resume(now sim.Time) {
	if u.mttStage.Stalled() && u.paging == 0 {
		u.mttStage.Resume(now)
	}
	if u.mptStage.Stalled() && u.judged.Len() == 0 && (!u.block || u.parked == 0) {
		u.mptStage.Resume(now)
	}
}

// translate makes the page stage: pages are found on chip or awaited.
func (u *Unit) translate(name string) {
	p := sim.PipeParams{Latency: u.params.MTTLatency, Interval: 1, Depth: int(u.params.Depth)}
	u.mttStage = sim.NewPipe(u.engine, name+".mtt", u.clock, p, func(now sim.Time, id uint32) bool {
		if u.block && u.paging > 0 {
			return false
		}
		a := u.accesses.At(id)
		a.MTTHit = true
		u.findPages(now, a)
		return true
	})
	u.mttStage.OnRoom(u.forward)
}

// findPages looks up the pages that are still missing. It leaves the access
// with a fill when one is not on chip. A page that is absent is a fault, and no
// page behind it is looked for: there never was one, or it went with its region
// while the access was on its way, and then the fault is that of a dead key
// (REM-8).
func (u *Unit) findPages(now sim.Time, a *Access) {
	for a.found < a.pages && a.Fault == tpt.OK {
		at := a.first + uint32(a.found)
		line := u.mtt.find(at/lineEntries, at%lineEntries)
		if line == none {
			u.awaitPages(now, a)
			return
		}
		u.mtt.hit(line)
		a.take(&u.mtt.copies[line])
	}
	granted := true
	switch a.Fault {
	case tpt.OK:
		a.cut()
	case tpt.NoTranslation:
		u.noPage(now, a)
	default:
		granted = false // as it was judged
	}
	if granted && u.Translations.On() {
		u.Translations.Emit(Judgement{now, a})
	}
	a.Translated = now
	a.resolved = true
	if st := &u.streams[a.stream]; st.head == a.ID {
		u.release(now, st, a)
	}
}

// awaitPages has the next pages of an access fetched.
func (u *Unit) awaitPages(now sim.Time, a *Access) {
	a.MTTHit = false
	u.parked++
	u.paging++
	u.fetch.await(now, fillKey{fillMTT, (a.first + uint32(a.found)) / lineEntries}, waiter{kind: waitPages, id: a.ID})
}

// noPage ends an access that was granted and finds a page absent.
func (u *Unit) noPage(now sim.Time, a *Access) {
	if !u.table.Is(a.index(), &a.Entry) {
		a.Fault = tpt.NotValid
	}
	u.changes.leave(a.epoch)
	u.changes.ended(now)
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
