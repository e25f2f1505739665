package explore

// A mutation is a rule of tpt made wrong on purpose. In new, IT stands for
// "this mutation is in force", OLD for what stood there.
type mutation struct {
	what     string
	file     string
	old, new string
	steps    int // that it takes to find it
	kind     Kind
	set      [2]string // a switch that it needs, and its value
}

const (
	drop  = "(!IT && (OLD))"     // a condition that never holds
	skip  = "if !IT {\nOLD\n}"   // a statement that does nothing
	zero  = "(OLD) * unless(IT)" // a number that is 0
	loose = "(IT || OLD)"        // a condition that always holds
)

// mutations are what the search must find: every check that a rule asks for
// is left out once, and so is what a change has to do.
var mutations = []mutation{
	// Accesses.
	{what: "the key byte is not compared", file: "check.go", old: "e.KeyByte != a.Key.Byte()", new: drop, steps: 1, kind: Leak},
	{what: "the state is not looked at", file: "check.go", old: "e.State != Valid", new: drop, steps: 2, kind: Leak},
	{what: "the domain is not compared", file: "check.go", old: "e.Kind.in(guardsPD) && e.PD != a.PD", new: drop, steps: 1, kind: Leak},
	{what: "the domain of a type 1 window is not compared", file: "check.go", old: "e.Kind.in(guardsPD) &&", new: "(!IT || e.Kind != Window1) && OLD", steps: 3, kind: Leak},
	{what: "the domain of a type 2B window is not compared", file: "check.go", old: "e.Kind.in(guardsPD) &&", new: "(!IT || e.Kind != Window2B) && OLD", steps: 5, kind: Leak},
	{what: "the queue pair of a type 2 window is not compared", file: "check.go", old: "e.Kind.in(guardsQP) && e.QPN != a.QPN", new: drop, steps: 3, kind: Leak},
	{what: "rights are not looked at", file: "check.go", old: "e.Rights&a.Need != a.Need", new: drop, steps: 1, kind: Leak},
	{what: "rights of windows are not looked at", file: "check.go", old: "e.Rights&a.Need != a.Need", new: "(!IT || !e.Kind.IsWindow()) && OLD", steps: 3, kind: Leak},
	{what: "the range is not looked at", file: "check.go", old: "!e.covers(a.Judge.VA, n)", new: drop, steps: 1, kind: Leak},
	{what: "the range of a window is not looked at", file: "check.go", old: "!e.covers(a.Judge.VA, n)", new: "(!IT || !e.Kind.IsWindow()) && OLD", steps: 3, kind: Leak},
	{what: "only the first byte is looked at", file: "check.go", old: "n <= e.Length-offset", new: loose, steps: 1, kind: Leak},
	{what: "the last byte is lost", file: "check.go", old: "offset < e.Length", new: "(!IT || offset+1 < e.Length) && OLD", steps: 1, kind: Loss},
	{what: "a window's key opens local memory", file: "check.go", old: "e.Kind.in(windows) && !a.Remote", new: drop, steps: 3, kind: Leak},
	{what: "the key is looked at for no bytes", file: "check.go", old: "n == 0", new: drop, steps: 1, kind: Loss},
	{what: "bytes are counted from the region's first page", file: "walk.go", old: "return e.First + (va - e.Start)", new: "return e.First*unless(IT) + (va - e.Start)", steps: 3, kind: Leak},
	{what: "the second page is the first one", file: "walk.go", old: "return e.MTT + uint32(low), uint32(high-low) + 1", new: "return e.MTT + uint32(low*unless(IT)), uint32(high-low) + 1", steps: 1, kind: Leak},

	// Binding.
	{what: "a window is bound in spite of its domain", file: "bind.go", old: "w.PD != c.PD, e.PD != c.PD", new: "!IT && w.PD != c.PD, e.PD != c.PD", steps: 3, kind: Done},
	{what: "a window is bound to another domain's region", file: "bind.go", old: "e.PD != c.PD:", new: "!IT && OLD", steps: 3, kind: Done},
	{what: "a window is unbound in spite of its domain", file: "bind.go", old: "if w.PD != c.PD {", new: "if !IT && w.PD != c.PD {", steps: 4, kind: Done},
	{what: "a window is bound where no window may be", file: "bind.go", old: "e.Rights&ib.MWBind == 0", new: drop, steps: 4, kind: Done},
	{what: "a window may write where its owner may not", file: "bind.go", old: "c.Access&writes != 0 && e.Rights&ib.LocalWrite == 0", new: drop, steps: 3, kind: Done},
	{what: "a window is bound beyond its region", file: "bind.go", old: "t.variant.BindRangeCheck && !e.covers(c.VA, c.Length)", new: drop, steps: 3, kind: Done},
	{what: "a window is bound by a dead key of its region", file: "bind.go", old: "e.KeyByte != c.Region.Byte()", new: drop, steps: 4, kind: Done},
	{what: "a window is bound to a region that is not registered", file: "bind.go", old: "case e.State == Free:", new: "case IT && e.State == Free:\nreturn \"\", OK\nOLD", steps: 3, kind: Done},
	{what: "a window is bound to a region that broke", file: "bind.go", old: "case e.State != Valid:", new: "case !IT && e.State != Valid:", steps: 4, kind: Done},
	{what: "a bound type 2 window is bound anew", file: "bind.go", old: "!allowed", new: drop, steps: 4, kind: Done},
	{what: "a window has the range of its region", file: "bind.go", old: "if t.variant.MWRangeOfMR {\n\t\thigh", new: "if IT || t.variant.MWRangeOfMR {\n\t\thigh", steps: 3, kind: Leak},
	{what: "a window has the rights of its region", file: "bind.go", old: "e.Rights = c.Access | region.Rights&carried", new: "OLD\nif IT { e.Rights |= region.Rights }", steps: 3, kind: Leak},
	{what: "the queue pair of a bind is forgotten", file: "bind.go", old: "e.QPN = c.QPN", new: skip, steps: 3, kind: Loss},
	{what: "a type 1 window keeps its key", file: "bind.go", old: "return b + 1\n", new: "if IT { return b }\nreturn b + 1\n", steps: 2, kind: Done},
	{what: "an unbound window goes on granting", file: "bind.go", old: "if c.Length == 0 {\n\t\t\top = Unbind", new: "if IT && c.Length == 0 { return r }\nif c.Length == 0 {\n\t\t\top = Unbind", steps: 3, kind: Done},

	// Invalidating.
	{what: "invalidate does nothing", file: "invalidate.go", old: "t.release(i, state)", new: skip, steps: 4, kind: Leak},
	{what: "invalidate of a fast-register region does nothing", file: "invalidate.go", old: "*e = Entry{Kind: FastReg, State: state, KeyByte: e.KeyByte, PD: e.PD, MTT: e.MTT}", new: skip, steps: 3, kind: Leak},
	{what: "invalidate takes any key byte", file: "invalidate.go", old: "e.KeyByte != c.Key.Byte()", new: drop, steps: 4, kind: Done},
	{what: "a region is invalidated from another domain", file: "invalidate.go", old: "case e.PD != c.PD:", new: "case !IT && e.PD != c.PD:", steps: 2, kind: Done},
	{what: "a region is invalidated under its windows", file: "invalidate.go", old: "b.bound > 0", new: drop, steps: 5, kind: Done},
	{what: "a type 1 window is invalidated", file: "invalidate.go", old: "case !e.Kind.Type2():", new: "case IT && e.Kind == Window1:\nreturn \"\", OK\nOLD", steps: 2, kind: Done},
	{what: "a free window is invalidated", file: "invalidate.go", old: "if t.variant.InvFreeMW {", new: "if IT || t.variant.InvFreeMW {", steps: 2, kind: Done},
	{what: "a window is invalidated through another queue pair", file: "invalidate.go", old: "t.variant.Type2InvQPCheck && e.QPN != c.QPN", new: drop, steps: 4, kind: Done},
	{what: "a 2B window is invalidated from another domain", file: "invalidate.go", old: "t.variant.Type2InvQPCheck && e.Kind == Window2B && e.PD != c.PD", new: drop, steps: 6, kind: Done},

	// Fast registration.
	{what: "a region is fast-registered twice", file: "fastreg.go", old: "e.State != Free", new: drop, steps: 3, kind: Done},
	{what: "a region is fast-registered from another domain", file: "fastreg.go", old: "e.PD != c.PD", new: drop, steps: 2, kind: Done},
	{what: "pages of a fast registration are not written", file: "fastreg.go", old: "t.mtt.slab.put(e.MTT, c.Pages)", new: skip, steps: 2, kind: Leak},

	// Regions.
	{what: "remote write is granted without local write", file: "register.go", old: "access&writes != 0 && access&ib.LocalWrite == 0", new: drop, steps: 1, kind: Done},
	{what: "a region goes away under its windows", file: "region.go", old: "if b.bound > 0 {", new: "if !IT && b.bound > 0 {", steps: 4, kind: Done},
	{what: "orphans go on granting", file: "region.go", old: "t.orphanAll(b)", new: skip, steps: 4, kind: Leak, set: [2]string{"dereg_bound", "orphan"}},
	{what: "a region goes on granting after its end", file: "region.go", old: "t.remove(c.Index)", new: skip, steps: 2, kind: Leak},
	{what: "an index comes back under the same key", file: "table.go", old: "e.KeyByte = t.entries.at(i).KeyByte + 1", new: "e.KeyByte = t.entries.at(i).KeyByte + uint8(unless(IT))", steps: 3, kind: Done},
	{what: "a refused dereg orphans the windows", file: "region.go", old: "return refuse(ib.EBUSY, \"DER-1\")", new: "if IT { t.orphanAll(b) }\nOLD", steps: 4, kind: Changed},
	{what: "a window goes on granting after its end", file: "window.go", old: "t.remove(c.Index)", new: "if IT { e.State, e.Start, e.Length, e.Rights = Valid, 0x10000, 4096, ib.RemoteRead } else { OLD }", steps: 2, kind: Leak},
	{what: "windows are not counted out", file: "window.go", old: "region.bound--", new: "region.bound -= uint32(unless(IT))", steps: 5, kind: Refused},

	// Reregistration.
	{what: "a rereg keeps the key", file: "rereg.go", old: "e.KeyByte++ // RER-2", new: "if !IT { e.KeyByte++ }", steps: 2, kind: Done},
	{what: "a rereg keeps the rights", file: "rereg.go", old: "e.Rights = access & knownAccess", new: skip, steps: 2, kind: Leak},
	{what: "a rereg keeps the domain", file: "rereg.go", old: "e.PD = c.PD", new: skip, steps: 2, kind: Leak},
	{what: "a rereg keeps the pages", file: "rereg.go", old: "t.mtt.slab.write(run, c)", new: skip, steps: 2, kind: Leak},
	{what: "a rereg that failed leaves the region whole", file: "rereg.go", old: "e.State, _ = Next(e.Kind, e.State, Break)", new: skip, steps: 2, kind: Leak},
	{what: "a region is changed under its windows", file: "rereg.go", old: "b.bound > 0 && !t.variant.ReregBound", new: drop, steps: 4, kind: Done},
	{what: "a broken region is changed", file: "rereg.go", old: "case e.State != Valid:", new: "case !IT && e.State != Valid:", steps: 3, kind: Done},
	{what: "pages pinned for reading are written", file: "rereg.go", old: "access&ib.LocalWrite != 0 && !b.writable", new: drop, steps: 2, kind: Done},
	{what: "windows do not follow their region", file: "rereg.go", old: "t.follow(c.Index, &old)", new: skip, steps: 4, kind: Leak, set: [2]string{"rereg_bound", "allow"}},

	// Queue pairs.
	{what: "a 2A window does not hold its queue pair", file: "domain.go", old: "d.boundTo(c.QPN) > 0", new: drop, steps: 4, kind: Done, set: [2]string{"mw2_flavor", "2A"}},
}
