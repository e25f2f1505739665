package mtp

import (
	"hcasim/ib"
	"hcasim/sim"
)

// Done ends a DMA read. What it brought may have to be worked on.
func (f *fetcher) Done(now sim.Time, handle uint32, ok bool) {
	if !ok {
		panic("mtp: the IOMMU refused a table fetch")
	}
	u := f.unit
	switch p := u.kinds[f.fills.At(handle).key.kind]; {
	case p.work == 0:
		f.Fire(now, handle)
	case p.levels():
		u.engine.At(f.through(now, p.work), f.work, handle)
	default:
		u.engine.At(u.clock.After(now, p.work), f.work, handle)
	}
}

// Fire ends a fill: its waiters go on, and the next of the backlog starts.
func (f *fetcher) Fire(now sim.Time, handle uint32) {
	fl := f.fills.At(handle)
	f.fills.end(fl)
	if !fl.near {
		q := &f.queues[fl.queue]
		if q.busy--; q.backlog.Len() > 0 {
			f.start(now, q)
		}
	}
	if !fl.stale {
		f.keep(now, fl)
	}
	w := fl.oldest
	f.wake(now, w, fl)
	for w.next != none {
		id := w.next
		w = *f.waiters.At(id)
		f.waiters.Put(id)
		f.wake(now, w, fl)
	}
	f.fills.Put(handle)
	f.unit.resume(now)
}

// keep puts the copy into its cache. An evicted context is written back.
func (f *fetcher) keep(now sim.Time, fl *fill) {
	u := f.unit
	switch fl.key.kind {
	case fillMPT:
		u.mpt.Fill(ib.Index(fl.key.of), &fl.entry)
	case fillMTT:
		u.mtt.Fill(mttLine(fl.key.of), &fl.line)
	case fillQPC:
		if old, evicted := u.qpc.Fill(ib.QPN(fl.key.of), &struct{}{}); evicted {
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
		u.stall(now, StallMPT, true)
		u.judge(now, u.accesses.At(w.id), &fl.entry)
	case waitPages:
		if fl.stale {
			f.await(now, fl.key, w)
			return
		}
		u.parked--
		u.paging--
		u.stall(now, StallMTT, true)
		a := u.accesses.At(w.id)
		from := a.first + uint32(a.found)
		a.take(&fl.line)
		for at := from; at < a.first+uint32(a.found); at++ {
			u.mtt.Near(mttLine(at/lineEntries), at%lineEntries)
		}
		u.findPages(now, a)
	case waitChange:
		u.changes.fetched(now)
	case waitContext:
		u.stall(now, StallQPC, true)
		u.contexts[w.who].ContextReady(now, w.id)
	}
}
