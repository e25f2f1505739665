package tpt

import (
	"testing"

	"hcasim/ib"
)

// noRereg applies a rereg that must be refused so, changing nothing.
func (b *bench) noRereg(c Command, result ib.ReregResult, errno ib.Errno, rule string) {
	b.t.Helper()
	c.Op = ReregMR
	if r := b.no(c, rule); r.Rereg != result || r.Errno != errno {
		b.t.Errorf("by %s: result %d, errno %d, want %d, %d", rule, r.Rereg, r.Errno, result, errno)
	}
}

// RER-3 to RER-6, RER-12, ACC-17, ACC-18: what a rereg refuses.
func TestReregRefusals(t *testing.T) {
	b := newBench(t, SpecVariant())
	mr := b.mr.Index()
	shared := b.ok(Command{Op: RegShared, PD: b.pd, Index: mr, Access: rr}).Index
	fast, _ := b.fastReg(b.pd, lw)
	readOnly := b.reg(b.pd, rr, 0x900000, 64).Index()
	move := func(alter func(c *Command)) Command {
		c := Command{Index: mr, Rereg: ib.ReregTranslation, VA: 0x300000, Length: 4096, PageShift: 12, Pages: b.pages(1)}
		alter(&c)
		return c
	}
	for _, c := range []struct {
		result ib.ReregResult
		errno  ib.Errno
		rule   string
		cmd    Command
	}{
		{-1, ib.EINVAL, "RER-3", Command{Index: mr, Rereg: 8}},
		{-1, ib.EINVAL, "RER-3", move(func(c *Command) { c.Length = 0 })}, // TLIF-14
		{-1, ib.EINVAL, "RER-3", move(func(c *Command) { c.VA = 0 })},
		{-1, ib.EINVAL, "RER-3", Command{Index: mr, Rereg: ib.ReregPD, PD: b.pd, Access: lw}}, // TLIF-16
		{-1, ib.EINVAL, "RER-3", Command{Index: shared, Rereg: ib.ReregAccess}},
		{-4, ib.ENOENT, "DER-5", Command{Index: 999, Rereg: ib.ReregAccess}},
		{-4, ib.EINVAL, "RER-12", Command{Index: fast.Index(), Rereg: ib.ReregAccess}},
		{-4, ib.EINVAL, "RER-4", Command{Index: mr}}, // TLIF-12
		{-4, ib.EINVAL, "RER-5", Command{Index: mr, Rereg: ib.ReregAccess, Access: rw}},
		{-4, ib.EINVAL, "RER-5", Command{Index: mr, Rereg: ib.ReregAccess, Access: 0x800}},
		{-4, ib.ENOENT, "PD-1", Command{Index: mr, Rereg: ib.ReregPD, PD: 99}},
		{-4, ib.EACCES, "ACC-18", Command{Index: readOnly, Rereg: ib.ReregAccess, Access: lw}}, // TLIF-24
		{-4, ib.EINVAL, "ACC-11", move(func(c *Command) { c.VA = ^uint64(0) - 4095 })},
		{-4, ib.EINVAL, "ACC-10", move(func(c *Command) { c.First = 1 })},
		{-4, ib.EINVAL, "MR-8", move(func(c *Command) { c.Pages = b.pages(2) })},
		{-4, ib.EFAULT, "ACC-12", move(func(c *Command) { c.Pages[0] = NoPage })},
		{-4, ib.ENOMEM, "ACC-14", move(func(c *Command) { c.Length, c.Pages = 1<<40, nil; c.Access, c.Rereg = ib.OnDemand, 5 })},
	} {
		b.noRereg(c.cmd, c.result, c.errno, c.rule)
	}
	b.ok(b.bind(b.window(b.pd, 1), rr, 0x200000, 64))
	b.noRereg(Command{Index: mr, Rereg: ib.ReregAccess, Access: lw}, -4, ib.EBUSY, "RER-6") // TLIF-17
	b.expect("after all that", b.remote(b.mr, b.qp, rw, 0x200000, 8192), OK)
}

// RER-1, RER-2, RER-10: each attribute alone, and all of them.
func TestRereg(t *testing.T) {
	b := newBench(t, SpecVariant())
	old, index := b.mr, b.mr.Index()
	r := b.ok(Command{Op: ReregMR, Index: index, Rereg: ib.ReregAccess, Access: lw | rr}) // TLIF-07
	if r.Key != old.Next() || r.OldKey != old || r.Touched[0] != index {
		t.Errorf("key %#x, %#x died, %v touched", r.Key, r.OldKey, r.Touched)
	}
	b.expect("the old key", b.remote(old, b.qp, rr, 0x200000, 64), BadKey)
	b.expect("READ", b.remote(r.Key, b.qp, rr, 0x200000, 8192), OK)
	b.expect("WRITE", b.remote(r.Key, b.qp, rw, 0x200000, 64), NoRight)

	r = b.ok(Command{Op: ReregMR, Index: index, Rereg: ib.ReregPD, PD: b.pd2}) // TLIF-09
	b.expect("through the old domain", b.remote(r.Key, b.qp, rr, 0x200000, 64), PDMismatch)
	b.expect("through the new domain", b.remote(r.Key, b.qp3, rr, 0x200000, 64), OK)

	pages := b.pages(1)
	before := b.Entry(index)
	r = b.ok(Command{Op: ReregMR, Index: index, Rereg: ib.ReregTranslation, VA: 0x300010, Length: 64, First: 0x10, PageShift: 12, Pages: pages}) // TLIF-10
	b.expect("the old range", b.remote(r.Key, b.qp3, rr, 0x200000, 64), OutOfRange)
	b.expect("the new range", b.remote(r.Key, b.qp3, rr, 0x300010, 64), OK)
	if r.MTT != before.MTT || r.MTTCount != 2 {
		t.Errorf("given back: %d entries from %d, they were 2 from %d", r.MTTCount, r.MTT, before.MTT)
	}
	Walk(b.Entry(index), b, Range{0x300010, 1}, func(p Piece) bool {
		if p.Addr != pages[0]+0x10 {
			t.Errorf("the byte lies at %#x", p.Addr)
		}
		return true
	})

	r = b.ok(Command{Op: ReregMR, Index: index, Rereg: 7, PD: b.pd, Access: lw | rw | zb, Length: 4096, PageShift: 12, Pages: b.pages(1)}) // TLIF-26
	b.expect("all three", b.remote(r.Key, b.qp, rw, 0, 4096), OK)
	b.ok(Command{Op: ReregMR, Index: index, Rereg: ib.ReregAccess, Access: rr}) // the range stays zero-based
	b.expect("still zero-based", b.remote(r.Key.Next(), b.qp, rr, 0, 4096), OK)
	b.ok(Command{Op: ReregMR, Index: index, Rereg: ib.ReregAccess, Access: lw}) // ACC-18: it was pinned writable
	if u := b.Usage(); u.MTT != 1 {
		t.Errorf("%d translation entries are in use", u.MTT)
	}
}

// RER-7, TLIF-18: after a device failure nothing works but dereg.
func TestReregDeviceFailure(t *testing.T) {
	b := newBench(t, SpecVariant())
	r := b.Apply(&Command{Op: ReregMR, Index: b.mr.Index(), Rereg: ib.ReregAccess, Access: lw, Fail: true})
	if r.Rereg != ib.ReregErrCmd || r.Errno == ib.OK || r.Rule != "RER-7" || r.OldKey != b.mr {
		t.Errorf("%+v", r)
	}
	b.expect("WRITE", b.remote(b.mr, b.qp, rw, 0x200000, 64), NotValid)
	b.no(b.bind(b.window(b.pd, 1), rr, 0x200000, 64), "RER-7")
	b.noRereg(Command{Index: b.mr.Index(), Rereg: ib.ReregAccess, Access: lw}, -4, ib.EINVAL, "RER-7")
	b.no(Command{Op: DeallocPD, PD: b.pd}, "PD-3")
	b.no(Command{Op: RegShared, PD: b.pd, Index: b.mr.Index()}, "RER-7")
	b.ok(Command{Op: DeregMR, Index: b.mr.Index()})
	if u := b.Usage(); u.MTT != 0 || u.MR != 0 {
		t.Errorf("left behind: %+v", u)
	}
}

// rereg_keys: keep and rereg_translation: off.
func TestVariantRereg(t *testing.T) {
	b := newBench(t, RXEVariant())
	r := b.ok(Command{Op: ReregMR, Index: b.mr.Index(), Rereg: ib.ReregAccess, Access: rr})
	if r.Key != b.mr || r.OldKey != 0 {
		t.Errorf("key %#x, want %#x still; %#x died", r.Key, b.mr, r.OldKey)
	}
	b.expect("WRITE", b.remote(b.mr, b.qp, rw, 0x200000, 64), NoRight)
	b.noRereg(Command{Index: b.mr.Index(), Rereg: 1, VA: 0x1000, Length: 1, PageShift: 12, Pages: b.pages(1)}, -4, ib.EOPNOTSUPP, "RER-1")
}

// rereg_bound: allow. Windows follow their region as far as it still covers
// them; the others are orphans.
func TestVariantReregBound(t *testing.T) {
	v := SpecVariant()
	v.ReregBound = true
	b := newBench(t, v)
	low := b.ok(b.bind(b.window(b.pd, 2), rr|zb, 0x200000, 64)).Key
	high := b.ok(b.bind(b.window(b.pd, 1), rr, 0x201800, 64)).Key
	b.ok(Command{Op: ReregMR, Index: b.mr.Index(), Rereg: ib.ReregAccess, Access: lw | mb})
	b.expect("a window's rights are its own", b.remote(high, b.qp, rr, 0x201800, 64), OK) // MW-5

	pages := b.pages(1)
	r := b.ok(Command{Op: ReregMR, Index: b.mr.Index(), Rereg: ib.ReregTranslation, VA: 0x201000, Length: 4096, PageShift: 12, Pages: pages})
	if len(r.Also) != 2 {
		t.Errorf("the windows %v changed, want both", r.Also)
	}
	b.expect("the one still covered", b.remote(high, b.qp, rr, 0x201800, 64), OK)
	Walk(b.Entry(high.Index()), b, Range{0x201800, 1}, func(p Piece) bool {
		if p.Addr != pages[0]+0x800 {
			t.Errorf("its first byte lies at %#x, want %#x", p.Addr, pages[0]+0x800)
		}
		return true
	})
	b.expect("the one no longer covered", b.remote(low, b.qp, rr, 0, 64), NotValid)
	if n := b.Bound(b.mr.Index()); n != 1 {
		t.Errorf("%d windows bound, want 1", n)
	}
	b.mr = r.Key
	b.ok(Command{Op: LocalInv, PD: b.pd, QPN: b.qp, Key: low}) // an orphan can be invalidated by its queue pair
	b.ok(b.bind(low.Index(), rr, 0x201000, 64))
}

// dereg_bound: einval (TPRF-06) and orphan.
func TestVariantDeregBound(t *testing.T) {
	v := SpecVariant()
	v.DeregBound = "einval"
	b := newBench(t, v)
	b.ok(b.bind(b.window(b.pd, 1), rr, 0x200000, 64))
	if r := b.no(Command{Op: DeregMR, Index: b.mr.Index()}, "DER-1"); r.Errno != ib.EINVAL {
		t.Errorf("errno %d, want EINVAL", r.Errno)
	}

	for _, flavor := range []Kind{Window2A, Window2B} {
		v.DeregBound, v.MW2Flavor = "orphan", flavor
		b = newBench(t, v)
		w1, w2, w3 := b.window(b.pd, 1), b.window(b.pd, 2), b.window(b.pd, 2)
		key1 := b.ok(b.bind(w1, rr, 0x200000, 64)).Key
		key2 := b.ok(b.bind(w2, rr, 0x200000, 64)).Key
		key3 := b.ok(b.bind(w3, rr, 0x200000, 64)).Key
		if r := b.ok(Command{Op: DeregMR, Index: b.mr.Index()}); len(r.Also) != 3 {
			t.Errorf("the windows %v changed, want all three", r.Also)
		}
		b.expect("an orphan of type 1", b.remote(key1, b.qp, rr, 0x200000, 64), NotValid)
		b.expect("an orphan of type 2", b.remote(key2, b.qp, rr, 0x200000, 64), NotValid)
		b.mr = b.reg(b.pd, allRights, 0x200000, 8192) // the index is used again
		b.expect("still an orphan", b.remote(key2, b.qp, rr, 0x200000, 64), NotValid)
		b.no(b.bind(w2, rr, 0x200000, 64), "BIN-3")
		b.no(Command{Op: LocalInv, PD: b.pd, QPN: b.qp2, Key: key2}, "INV-4")
		b.ok(Command{Op: LocalInv, PD: b.pd, QPN: b.qp, Key: key2})
		b.ok(b.bind(w1, rr, 0x200000, 64))
		b.ok(Command{Op: DeallocMW, Index: key3.Index()})
		b.ok(Command{Op: DestroyQP, QPN: b.qp})
	}
}

// ACC-18: whether the pages are pinned writable is known from the pinning, and
// anew with every translation.
func TestReregWritable(t *testing.T) {
	for _, writable := range []bool{false, true} {
		b := newBench(t, SpecVariant())
		i := b.ok(Command{Op: RegMR, PD: b.pd, Access: rr, VA: 0x1000, Length: 64, PageShift: 12, Pages: b.pages(1), Writable: writable}).Index
		toWrite := Command{Op: ReregMR, Index: i, Rereg: ib.ReregAccess, Access: lw}
		move := Command{Op: ReregMR, Index: i, Rereg: ib.ReregTranslation | ib.ReregAccess, Access: rr, VA: 0x2000, Length: 64, PageShift: 12, Pages: b.pages(1)}
		for _, pinned := range []bool{writable, !writable, writable} {
			if c := toWrite; pinned {
				b.ok(c)
			} else {
				b.no(c, "ACC-18")
			}
			move.Writable = !pinned
			b.ok(move)
		}
	}
}
