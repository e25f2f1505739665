package tpt

import (
	"slices"

	"hcasim/ib"
)

// pagesOf returns how many pages of 1<<shift bytes a buffer of length > 0
// bytes touches whose first byte lies first bytes into a page, and whether the
// numbers make sense at all (MR-8).
func pagesOf(first, length uint64, shift uint8) (n uint64, ok bool) {
	if shift < 12 || shift > 30 || first>>shift != 0 || length-1 > NoPage-first {
		return 0, false
	}
	return (first+length-1)>>shift + 1, true
}

// layout returns how many translation entries the region that c describes
// needs, and refuses a page list that does not fit it.
func (t *Table) layout(c *Command, access ib.AccessFlags) (uint32, ib.Errno, string) {
	n, ok := pagesOf(c.First, c.Length, c.PageShift)
	onDemand := access&ib.OnDemand != 0
	switch {
	case !ok, c.pages() != n && !(onDemand && c.pages() == 0):
		return 0, ib.EINVAL, "MR-8"
	case n > uint64(t.limits.MTT):
		return 0, ib.ENOMEM, "ACC-14"
	}
	if !onDemand && slices.Contains(c.Pages, NoPage) {
		return 0, ib.EFAULT, "ACC-12"
	}
	return uint32(n), ib.OK, ""
}

// regMR makes a region of pages that the driver has pinned.
func (t *Table) regMR(c *Command) Result {
	if errno, rule := CheckRegister(c.Access, c.VA, c.Length, c.First); errno != ib.OK {
		return refuse(errno, rule)
	}
	if c.Access&ib.OnDemand != 0 && !t.variant.ODP {
		return refuse(ib.EOPNOTSUPP, "ACC-6")
	}
	if t.domains.get(c.PD) == nil {
		return refuse(ib.ENOENT, "PD-1")
	}
	n, errno, rule := t.layout(c, c.Access)
	if errno != ib.OK {
		return refuse(errno, rule)
	}
	if t.mrs >= t.limits.MR || !t.room(c.Key) {
		return refuse(ib.ENOMEM, "ACC-14")
	}
	run, ok := t.mtt.take(n)
	if !ok {
		return refuse(ib.ENOMEM, "ACC-14")
	}
	t.mtt.slab.write(run, c)
	i := t.addRegion(Entry{
		Kind: Region, PageShift: c.PageShift, Rights: c.Access & knownAccess, PD: c.PD,
		MTT: run, Pages: n, Start: start(c, c.Access), Length: c.Length, First: c.First,
	}, c)
	t.books.at(i).room = n
	t.books.at(i).writable = c.Writable || c.Access&ib.LocalWrite != 0
	return t.made(i, run, n)
}

// start returns the first address of the region that c describes (ACC-9).
func start(c *Command, access ib.AccessFlags) uint64 {
	if access&ib.ZeroBased != 0 {
		return 0
	}
	return c.VA
}

// regShared makes a region over the pages of another: own keys, own rights.
func (t *Table) regShared(c *Command) Result {
	if errno, rule := checkAccess(c.Access); errno != ib.OK {
		return refuse(errno, rule)
	}
	from, fromBook := t.at(c.Index)
	switch {
	case from == nil || !from.Kind.IsRegion():
		return refuse(ib.ENOENT, "DER-5")
	case from.Kind == FastReg: // its translation is not fixed until dereg
		return refuse(ib.EINVAL, "MR-2")
	case from.State != Valid:
		return refuse(ib.EINVAL, "RER-7")
	case t.domains.get(c.PD) == nil:
		return refuse(ib.ENOENT, "PD-1")
	case c.Access&ib.LocalWrite != 0 && !fromBook.writable:
		return refuse(ib.EACCES, "ACC-18")
	case c.Access&ib.ZeroBased != 0 && from.First&(basePage-1) != 0:
		return refuse(ib.EINVAL, "ACC-10")
	case t.mrs >= t.limits.MR || !t.room(0):
		return refuse(ib.ENOMEM, "ACC-14")
	}
	e := *from
	book := *fromBook
	e.Kind, e.KeyByte, e.PD = Shared, 0, c.PD
	e.Rights = c.Access&knownAccess&^ib.OnDemand | from.Rights&(ib.ZeroBased|ib.OnDemand)
	if e.Rights&ib.ZeroBased != 0 {
		e.Start = 0
	}
	t.mtt.share(e.MTT)
	i := t.addRegion(e, c)
	t.books.at(i).room, t.books.at(i).writable = book.room, book.writable
	return t.made(i, 0, 0)
}

// allocMR makes a fast-register region that stands for nothing yet.
func (t *Table) allocMR(c *Command) Result {
	switch {
	case t.domains.get(c.PD) == nil:
		return refuse(ib.ENOENT, "PD-1")
	case c.MaxPages == 0:
		return refuse(ib.EINVAL, "MR-5")
	case t.mrs >= t.limits.MR || !t.room(c.Key):
		return refuse(ib.ENOMEM, "ACC-14")
	}
	run, ok := t.mtt.take(c.MaxPages)
	if !ok {
		return refuse(ib.ENOMEM, "ACC-14")
	}
	t.mtt.slab.reserve(run, c.MaxPages) // work requests allocate nothing
	i := t.addRegion(Entry{Kind: FastReg, PD: c.PD, MTT: run}, c)
	t.books.at(i).room = c.MaxPages
	return t.made(i, run, c.MaxPages)
}

// addRegion enters a region that all checks allow, by the key asked for or by
// the next one.
func (t *Table) addRegion(e Entry, c *Command) ib.Index {
	e.State, _ = Next(e.Kind, Absent, c.Op)
	t.domains.list[e.PD].users++
	t.mrs++
	if c.Key != 0 && c.Op != RegShared {
		return t.put(e, c.Key)
	}
	return t.add(e)
}

// made is the answer to a command that made the object at i.
func (t *Table) made(i ib.Index, run, n uint32) Result {
	return Result{Index: i, Key: t.key(i), RKey: t.rkey(i), Touched: [2]ib.Index{i}, MTT: run, MTTCount: n}
}

// deregMR ends a region of any kind in any state.
func (t *Table) deregMR(c *Command) Result {
	e, b := t.at(c.Index)
	if e == nil || !e.Kind.IsRegion() {
		return refuse(ib.ENOENT, "DER-5")
	}
	if b.bound > 0 {
		switch t.variant.DeregBound {
		case "orphan":
		case "einval":
			return refuse(ib.EINVAL, "DER-1")
		default:
			return refuse(ib.EBUSY, "DER-1")
		}
	}
	t.also = nil
	t.orphanAll(b)
	r := Result{
		Index: c.Index, OldKey: t.key(c.Index), Touched: [2]ib.Index{c.Index}, Also: t.also,
		MTT: e.MTT, MTTCount: b.room,
	}
	t.mtt.give(e.MTT, b.room)
	t.domains.list[e.PD].users--
	t.mrs--
	t.remove(c.Index)
	return r
}

// setPages makes pages of an on-demand region present, or absent. c.VA is any
// address within the first of them.
func (t *Table) setPages(c *Command) Result {
	e, _ := t.at(c.Index)
	switch {
	case e == nil || !e.Kind.IsRegion():
		return refuse(ib.ENOENT, "DER-5")
	case e.Rights&ib.OnDemand == 0 || e.State != Valid:
		return refuse(ib.EINVAL, "MR-2")
	case !e.covers(c.VA, 1):
		return refuse(ib.EINVAL, "MR-9")
	}
	page := uint32(e.Offset(c.VA) >> e.PageShift)
	if uint64(page)+uint64(len(c.Pages)) > uint64(e.Pages) {
		return refuse(ib.EINVAL, "MR-8")
	}
	t.mtt.slab.put(e.MTT+page, c.Pages)
	return Result{Index: c.Index, Key: t.key(c.Index), MTT: e.MTT + page, MTTCount: uint32(len(c.Pages))}
}
