package tpt

import "hcasim/ib"

// carried are the flags of a region that describe how its memory is reached,
// and so hold for its windows too.
const carried = ib.OnDemand | ib.RelaxedOrdering

// bindMW ties a window to a range of a region, or a type 1 window to nothing.
func (t *Table) bindMW(c *Command) Result {
	if rule, f := t.checkBind(c); rule != "" {
		return refuseWork(ib.MWBindErr, rule, f)
	}
	e := t.entries.at(c.Window)
	r := Result{Index: c.Window, Touched: [2]ib.Index{c.Window}}
	if e.State == Valid {
		r.OldKey = t.key(c.Window)
	}
	op, keyByte := BindMW, c.NewByte // KEY-6
	if e.Kind == Window1 {
		keyByte = t.nextByte(e.KeyByte) // KEY-5
		if c.Length == 0 {
			op = Unbind
		}
	}
	state, _ := Next(e.Kind, e.State, op)
	t.release(c.Window, state)
	e.KeyByte = keyByte
	if op == BindMW {
		t.bind(c, e)
	}
	r.Key = t.key(c.Window)
	r.RKey = ib.RKey(r.Key)
	return r
}

// checkBind asks every question of a bind, in the order of the rules, and
// names the one that refuses.
func (t *Table) checkBind(c *Command) (rule string, f Fault) {
	w, _ := t.at(c.Window)
	if w == nil || !w.Kind.IsWindow() {
		return "KEY-1", BadIndex
	}
	type1 := w.Kind == Window1
	unbind := type1 && c.Length == 0
	// What the verb or the post should have refused already.
	switch {
	case !type1 && c.MWType == ib.MWType1, unbind && c.NoRegion && c.VA != 0,
		type1 && c.NoRegion && !unbind:
		return "POST-3", OK
	case type1 && c.MWType == ib.MWType2:
		return "POST-4", OK
	case c.Access&^windowAccess != 0:
		return "BND-7", OK
	case type1 && c.Access&ib.ZeroBased != 0:
		return "BND-8", OK
	}
	if _, allowed := Next(w.Kind, w.State, BindMW); !allowed {
		return "BIN-3", NotValid
	}
	if unbind {
		if w.PD != c.PD {
			return "BIN-5", PDMismatch
		}
		return "", OK
	}
	return t.checkBindRegion(c, w)
}

// checkBindRegion asks what concerns the region.
func (t *Table) checkBindRegion(c *Command, w *Entry) (rule string, f Fault) {
	if c.NoRegion {
		return "BIN-4", OK
	}
	e, _ := t.at(c.Region.Index())
	switch {
	case e == nil:
		return "KEY-1", BadIndex
	case !e.Kind.IsRegion():
		return "KEY-11", BadIndex
	case e.KeyByte != c.Region.Byte():
		return "KEY-2", BadKey
	case e.State == Free:
		return "MR-4", NotValid
	case e.State != Valid:
		return "RER-7", NotValid
	case w.PD != c.PD, e.PD != c.PD:
		return "BIN-5", PDMismatch
	case c.Length == 0:
		return "BIN-4", OK
	case e.Rights&ib.ZeroBased != 0:
		return "BND-9", OK
	case e.Rights&ib.MWBind == 0:
		return "BND-1", NoRight
	case c.Access&writes != 0 && e.Rights&ib.LocalWrite == 0:
		return "BND-2", NoRight
	case t.variant.BindRangeCheck && !e.covers(c.VA, c.Length):
		return "BND-6", OutOfRange
	}
	return "", OK
}

// nextByte returns a key byte other than b.
func (t *Table) nextByte(b uint8) uint8 {
	if t.variant.MW1KeyRandom {
		return b + 1 + uint8(t.random.Uint64()%255)
	}
	return b + 1
}

// bind fills window e from a bind that all checks allow.
func (t *Table) bind(c *Command, e *Entry) {
	region := t.Entry(c.Region.Index())
	e.Rights = c.Access | region.Rights&carried
	e.Region = c.Region.Index()
	if e.Kind.Type2() {
		e.QPN = c.QPN
	}
	low, length := t.judged(c, &region)
	e.Start, e.Length = low, length
	if c.Access&ib.ZeroBased != 0 {
		e.Start -= c.VA // MW-8
	}
	if length == 0 { // not a byte of the region
		low = region.Start
	}
	e.MTT, e.Pages, e.PageShift, e.First = region.MTT, region.Pages, region.PageShift, region.Offset(low)
	t.attach(c.Window, e)
}

// judged returns the range, in the words of the region's keys, that accesses
// through a new window are judged by: the window's, as far as the region
// reaches (bind_range_check: off leaves it to the access to fault), or the
// region's (mw_range: mr; from the window's first byte on where that is
// address zero, since no address lies before it). One that covers no byte of
// its region is none at all, at the address that was asked for.
func (t *Table) judged(c *Command, region *Entry) (low, length uint64) {
	end := region.Start + region.Length // does not wrap (ACC-11)
	low, high := c.VA, c.VA+c.Length
	if high < low {
		high = end
	}
	if t.variant.MWRangeOfMR {
		high = end
		if c.Access&ib.ZeroBased == 0 {
			low = region.Start
		}
	}
	low, high = max(low, region.Start), min(high, end)
	if low >= high {
		return c.VA, 0
	}
	return low, high - low
}
