package tpt

import (
	"testing"

	"hcasim/ib"
)

const (
	lw = ib.LocalWrite
	rw = ib.RemoteWrite
	rr = ib.RemoteRead
	ra = ib.RemoteAtomic
	mb = ib.MWBind
	zb = ib.ZeroBased
)

// 2.1: what may be registered. The rows are those of TREG.
func TestCheckRegister(t *testing.T) {
	for _, c := range []struct {
		access            ib.AccessFlags
		va, length, first uint64
		errno             ib.Errno
		rule              string
	}{
		{0, 0x1000, 1, 0, ib.OK, ""}, // ACC-2
		{lw, 0x1000, 4096, 0, ib.OK, ""},
		{rr, 0x1000, 4096, 0, ib.OK, ""},
		{rw, 0x1000, 4096, 0, ib.EINVAL, "ACC-1"},
		{ra, 0x1000, 4096, 0, ib.EINVAL, "ACC-1"},
		{lw | rw, 0x1000, 4096, 0, ib.OK, ""}, // ACC-3
		{lw | ra, 0x1000, 4096, 0, ib.OK, ""},
		{mb, 0x1000, 4096, 0, ib.OK, ""},
		{rr | mb, 0x1000, 4096, 0, ib.OK, ""},
		{lw | 0x800, 0x1000, 4096, 0, ib.EINVAL, "ACC-5"},
		{lw | 0x40000000, 0x1000, 4096, 0, ib.EINVAL, "ACC-5"},
		{lw | 0x200000, 0x1000, 4096, 0, ib.OK, ""},
		{lw | ib.RelaxedOrdering, 0x1000, 4096, 0, ib.OK, ""},
		{lw | ib.FlushGlobal, 0x1000, 4096, 0, ib.EOPNOTSUPP, "ACC-7"},
		{ib.FlushPersistent, 0x1000, 4096, 0, ib.EOPNOTSUPP, "ACC-7"},
		{lw, 0x1000, 0, 0, ib.EINVAL, "ACC-11"},
		{lw, ^uint64(0) - 4095, 8192, 0, ib.EINVAL, "ACC-11"},
		{lw, ^uint64(0) - 4095, 4096, 0, ib.EINVAL, "ACC-11"}, // the sum is 2^64
		{lw, ^uint64(0) - 4095, 4095, 0, ib.OK, ""},
		{zb | rr, 0x1234, 64, 0, ib.OK, ""}, // its address space starts at 0
		{zb | rr, 0, 64, 0x10, ib.EINVAL, "ACC-10"},
		{rr, 0x1010, 64, 0x10, ib.OK, ""},
		{rr, 0x1010, 64, 0x2010, ib.OK, ""}, // the offset within a page of 64 KiB
		{rr, 0x1010, 64, 0x20, ib.EINVAL, "ACC-10"},
	} {
		errno, rule := CheckRegister(c.access, c.va, c.length, c.first)
		if errno != c.errno || rule != c.rule {
			t.Errorf("access %#x at %#x+%#x, first %#x: %d by %q, want %d by %q", c.access, c.va, c.length, c.first, errno, rule, c.errno, c.rule)
		}
	}
}

// RegMR asks the same, and what needs the tables.
func TestRegMRRefusals(t *testing.T) {
	b := newBench(t, SpecVariant())
	good := func() Command {
		return Command{Op: RegMR, PD: b.pd, Access: lw, VA: 0x5010, Length: 8192, First: 0x10, PageShift: 12, Pages: b.pages(3)}
	}
	for _, c := range []struct {
		rule  string
		errno ib.Errno
		alter func(c *Command)
	}{
		{"ACC-1", ib.EINVAL, func(c *Command) { c.Access = rw }},
		{"ACC-11", ib.EINVAL, func(c *Command) { c.Length = 0 }},
		{"PD-1", ib.ENOENT, func(c *Command) { c.PD = 99 }},
		{"PD-1", ib.ENOENT, func(c *Command) { c.PD = 0 }},
		{"MR-8", ib.EINVAL, func(c *Command) { c.Pages = c.Pages[:2] }},
		{"MR-8", ib.EINVAL, func(c *Command) { c.PageShift = 11 }},
		{"MR-8", ib.EINVAL, func(c *Command) { c.PageShift = 31 }},
		{"MR-8", ib.EINVAL, func(c *Command) { c.First += 4096 }},
		{"ACC-12", ib.EFAULT, func(c *Command) { c.Pages[2] = NoPage }},
	} {
		cmd := good()
		c.alter(&cmd)
		if r := b.no(cmd, c.rule); r.Errno != c.errno {
			t.Errorf("by %s: errno %d, want %d", c.rule, r.Errno, c.errno)
		}
	}
	b.ok(good())

	v := SpecVariant()
	v.ODP = false
	without := newBench(t, v) // TREG-14
	without.no(Command{Op: RegMR, PD: without.pd, Access: onDemandRead, VA: 0x1000, Length: 64, PageShift: 12, Pages: without.pages(1)}, "ACC-6")
}

// ACC-14: each limit holds, and what a refusal left can be used.
func TestLimits(t *testing.T) {
	tb := NewTable(Limits{MR: 2, MW: 1, MTT: 8, QP: 1, SRQ: 1, PD: 2}, SpecVariant(), 1)
	b := &bench{Table: tb, t: t}
	b.pd = b.ok(Command{Op: AllocPD}).PD
	b.pd2 = b.ok(Command{Op: AllocPD}).PD
	full := func(c Command) {
		t.Helper()
		if r := b.no(c, "ACC-14"); r.Errno != ib.ENOMEM {
			t.Errorf("%v: errno %d, want ENOMEM", c.Op, r.Errno)
		}
	}
	full(Command{Op: AllocPD})
	b.ok(Command{Op: CreateQP, PD: b.pd, QPN: 1})
	full(Command{Op: CreateQP, PD: b.pd, QPN: 2})
	b.ok(Command{Op: CreateSRQ, PD: b.pd, SRQN: 1})
	full(Command{Op: CreateSRQ, PD: b.pd, SRQN: 2})
	b.window(b.pd, 1)
	full(Command{Op: AllocMW, PD: b.pd, MWType: 1})
	reg := func(n int) Command {
		return Command{Op: RegMR, PD: b.pd, VA: 0x1000, Length: uint64(n) * 4096, PageShift: 12, Pages: b.pages(n)}
	}
	first := b.ok(reg(5))
	full(reg(4))
	full(reg(9))
	full(Command{Op: AllocMR, PD: b.pd, MaxPages: 4})
	b.ok(reg(3))
	full(reg(1))
	b.ok(Command{Op: DeregMR, Index: first.Index})
	full(reg(6))
	b.ok(Command{Op: AllocMR, PD: b.pd, MaxPages: 5})
	if got, want := tb.Usage(), (Usage{MR: 2, MW: 1, MTT: 8, QP: 1, SRQ: 1, PD: 2}); got != want {
		t.Errorf("in use: %+v, want %+v", got, want)
	}
	if tb.Holds(0) || !tb.Holds(3) || tb.Holds(4) {
		t.Error("the protection table is as large as regions and windows together, without index 0")
	}
}

// ACC-9, TREG-20: a zero-based region starts at 0.
func TestZeroBasedRegion(t *testing.T) {
	b := newBench(t, SpecVariant())
	pages := b.pages(1)
	key := b.ok(Command{Op: RegMR, PD: b.pd, Access: lw | rw | zb, VA: 0x9000, Length: 64, PageShift: 12, Pages: pages}).Key
	b.expect("its first bytes", b.remote(key, b.qp, rw, 0, 64), OK)
	b.expect("its real address", b.remote(key, b.qp, rw, 0x9000, 64), OutOfRange)
	Walk(b.Entry(key.Index()), b, Range{0, 64}, func(p Piece) bool {
		if p != (Piece{pages[0], 64}) {
			t.Errorf("address 0 lies at %+v, its page at %#x", p, pages[0])
		}
		return true
	})
}

// 1.2, TLIF-25: a shared region has the pages of another, keys and rights of
// its own, and outlives it.
func TestShared(t *testing.T) {
	b := newBench(t, SpecVariant())
	shared := b.ok(Command{Op: RegShared, PD: b.pd2, Index: b.mr.Index(), Access: rr})
	if shared.Key.Index() == b.mr.Index() {
		t.Fatal("a shared region has an index of its own")
	}
	b.ok(Command{Op: DeregMR, Index: b.mr.Index()})
	b.expect("the region is gone", b.remote(b.mr, b.qp, rr, 0x200000, 64), BadIndex)
	b.expect("READ by the shared key", b.remote(shared.Key, b.qp3, rr, 0x200000, 8192), OK)
	b.expect("WRITE by the shared key", b.remote(shared.Key, b.qp3, rw, 0x200000, 64), NoRight)
	b.expect("READ from the first domain", b.remote(shared.Key, b.qp, rr, 0x200000, 64), PDMismatch)
	if f := Walk(b.Entry(shared.Index), b, Range{0x200000, 8192}, func(Piece) bool { return true }); f != OK {
		t.Errorf("its pages went with the first region: %v", f)
	}
	b.ok(Command{Op: DeregMR, Index: shared.Index})
	if n := b.Usage().MTT; n != 0 {
		t.Errorf("%d translation entries are left", n)
	}

	readOnly := b.reg(b.pd, rr, 0x5010, 64)
	b.no(Command{Op: RegShared, PD: b.pd, Index: readOnly.Index(), Access: lw}, "ACC-18")
	b.no(Command{Op: RegShared, PD: b.pd, Index: readOnly.Index(), Access: rr | zb}, "ACC-10")
	b.no(Command{Op: RegShared, PD: b.pd, Index: readOnly.Index(), Access: rw}, "ACC-1")
	b.no(Command{Op: RegShared, PD: 9, Index: readOnly.Index()}, "PD-1")
	b.no(Command{Op: RegShared, PD: b.pd, Index: 999}, "DER-5")
	b.no(Command{Op: RegShared, PD: b.pd, Index: b.window(b.pd, 1)}, "DER-5")
	fast := b.ok(Command{Op: AllocMR, PD: b.pd, MaxPages: 1})
	b.no(Command{Op: RegShared, PD: b.pd, Index: fast.Index}, "MR-2")
}

// MR-2: the pages of an on-demand region come and go; of others they do not.
func TestSetPages(t *testing.T) {
	b := newBench(t, SpecVariant())
	r := b.ok(Command{Op: RegMR, PD: b.pd, Access: onDemandRead, VA: 0x10800, Length: 8192, First: 0x800, PageShift: 12})
	e := b.Entry(r.Index)
	walk := func(va uint64) Fault {
		return Walk(e, b, Range{va, 1}, func(Piece) bool { return true })
	}
	if e.Pages != 3 || walk(0x10800) != NoTranslation {
		t.Fatalf("born with %d pages, the first: %v", e.Pages, walk(0x10800))
	}
	set := b.ok(Command{Op: SetPages, Index: r.Index, VA: 0x11fff, Pages: []uint64{0x7000, 0x8000}})
	if set.MTT != e.MTT+1 || set.MTTCount != 2 || b.Page(e.MTT+2) != 0x8000 {
		t.Errorf("changed %d entries from %d", set.MTTCount, set.MTT)
	}
	if walk(0x10fff) != NoTranslation || walk(0x11000) != OK || walk(0x127ff) != OK {
		t.Error("the second and the third page are there, and only they")
	}
	b.ok(Command{Op: SetPages, Index: r.Index, VA: 0x11000, Pages: []uint64{NoPage}})
	if walk(0x11000) != NoTranslation {
		t.Error("the second page has gone")
	}
	b.no(Command{Op: SetPages, Index: r.Index, VA: 0x12000, Pages: []uint64{0, 0}}, "MR-8")
	b.no(Command{Op: SetPages, Index: r.Index, VA: 0x12800, Pages: []uint64{0}}, "MR-9")
	b.no(Command{Op: SetPages, Index: b.mr.Index(), VA: 0x200000, Pages: []uint64{0}}, "MR-2")
	b.no(Command{Op: SetPages, Index: 99}, "DER-5")
}

// A region of huge pages takes as few translation entries.
func TestHugePages(t *testing.T) {
	b := newBench(t, SpecVariant())
	for _, c := range []struct {
		shift  uint8
		length uint64
		pages  uint32
	}{{12, 8192, 3}, {16, 1 << 16, 2}, {21, 4 << 20, 3}, {30, 1 << 30, 2}, {30, 1<<30 - 0x800, 1}} {
		first := uint64(0x800)
		r := b.ok(Command{
			Op: RegMR, PD: b.pd, Access: lw, VA: 0x40000800, Length: c.length, First: first,
			PageShift: c.shift, Pages: make([]uint64, c.pages),
		})
		if e := b.Entry(r.Index); e.Pages != c.pages || r.MTTCount != c.pages {
			t.Errorf("%d bytes in pages of 2^%d: %d translation entries, want %d", c.length, c.shift, e.Pages, c.pages)
		}
	}
}
