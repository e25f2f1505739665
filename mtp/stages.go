package mtp

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

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
	u.stall(now, StallMPT, false)
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
		u.stall(now, StallPages, false)
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
		u.stall(now, StallPages, true)
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
	u.stall(now, StallMTT, false)
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
