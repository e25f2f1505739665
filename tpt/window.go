package tpt

import "hcasim/ib"

// allocMW makes a window that is bound to nothing.
func (t *Table) allocMW(c *Command) Result {
	kind := Window1
	if c.MWType == ib.MWType2 {
		kind = t.variant.MW2Flavor // MW-1
	}
	switch {
	case c.MWType != ib.MWType1 && c.MWType != ib.MWType2:
		return refuse(ib.EINVAL, "MW-12")
	case t.domains.get(c.PD) == nil:
		return refuse(ib.ENOENT, "PD-1")
	case t.mws >= t.limits.MW || !t.room(0):
		return refuse(ib.ENOMEM, "ACC-14")
	}
	state, _ := Next(kind, Absent, AllocMW)
	t.domains.list[c.PD].users++
	t.mws++
	return t.made(t.add(Entry{Kind: kind, State: state, PD: c.PD}), 0, 0)
}

// deallocMW ends a window, bound or not (DER-7).
func (t *Table) deallocMW(c *Command) Result {
	e, _ := t.at(c.Index)
	if e == nil || !e.Kind.IsWindow() {
		return refuse(ib.ENOENT, "DER-5")
	}
	r := Result{Index: c.Index, OldKey: t.key(c.Index), Touched: [2]ib.Index{c.Index}}
	t.release(c.Index, Free)
	t.domains.list[e.PD].users--
	t.mws--
	t.remove(c.Index)
	return r
}

// attach enters window w, which e describes, in the books of its region and
// of its queue pair.
func (t *Table) attach(w ib.Index, e *Entry) {
	region, window := t.books.at(e.Region), t.books.at(w)
	window.prev, window.next = 0, region.next
	if region.next != 0 {
		t.books.at(region.next).prev = w
	}
	region.next = w
	region.bound++
	if e.Kind == Window2A {
		t.domains.hold(e.QPN)
	}
}

// detach takes window w out of the books of its region, if it has one.
func (t *Table) detach(w ib.Index) {
	e, window := t.entries.at(w), t.books.at(w)
	if e.Region == 0 {
		return
	}
	region := t.books.at(e.Region)
	if window.prev != 0 {
		t.books.at(window.prev).next = window.next
	} else {
		region.next = window.next
	}
	if window.next != 0 {
		t.books.at(window.next).prev = window.prev
	}
	region.bound--
	*window = book{}
}

// release takes everything from window w but its index, domain and key byte,
// and leaves it in the given state.
func (t *Table) release(w ib.Index, state State) {
	t.detach(w)
	e := t.entries.at(w)
	if e.Kind == Window2A && e.QPN != 0 {
		*t.domains.bound.at(ib.Index(e.QPN))--
	}
	*e = Entry{Kind: e.Kind, State: state, KeyByte: e.KeyByte, PD: e.PD}
}

// orphan takes window w's region from it: it grants nothing, but remembers
// the queue pair that may invalidate it.
func (t *Table) orphan(w ib.Index) {
	t.detach(w)
	e := t.entries.at(w)
	state, _ := Next(e.Kind, e.State, Orphan)
	*e = Entry{Kind: e.Kind, State: state, KeyByte: e.KeyByte, PD: e.PD, QPN: e.QPN}
	t.also = append(t.also, w)
}

func (t *Table) orphanAll(region *book) {
	for region.bound > 0 {
		t.orphan(region.next)
	}
}

// follow brings the windows of region r, which was as old says, in line with
// what it is now. One whose bytes the region no longer covers is orphaned.
func (t *Table) follow(r ib.Index, old *Entry) {
	e := t.entries.at(r)
	for w, next := t.books.at(r).next, ib.Index(0); w != 0; w = next {
		next = t.books.at(w).next
		window := t.entries.at(w)
		was := *window
		// Where the window's first byte lies, in the words of the region's keys.
		at := old.Start + (window.First - old.First)
		switch {
		case t.variant.MWRangeOfMR && window.Rights&ib.ZeroBased == 0:
			window.Start, window.Length, at = e.Start, e.Length, e.Start
		case window.Length == 0: // bound beyond its region (bind_range_check: off)
			at = e.Start
		case !e.covers(at, window.Length):
			t.orphan(w)
			continue
		}
		window.MTT, window.Pages, window.PageShift = e.MTT, e.Pages, e.PageShift
		window.First = e.Offset(at)
		window.Rights = window.Rights&windowAccess | e.Rights&carried
		if *window != was {
			t.also = append(t.also, w)
		}
	}
}
