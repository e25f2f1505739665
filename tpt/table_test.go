package tpt

import (
	"fmt"
	"testing"

	"hcasim/ib"
)

// PD-3, TLIF-04, TLIF-05: a domain is kept by everything that belongs to it.
func TestDomains(t *testing.T) {
	b := &bench{Table: NewTable(DefaultLimits(), SpecVariant(), 1), t: t}
	pd := b.ok(Command{Op: AllocPD}).PD
	for _, c := range []struct{ make, end Command }{
		{Command{Op: RegMR, VA: 0x1000, Length: 1, PageShift: 12, Pages: b.pages(1)}, Command{Op: DeregMR}},
		{Command{Op: AllocMR, MaxPages: 1}, Command{Op: DeregMR}},
		{Command{Op: AllocMW, MWType: 1}, Command{Op: DeallocMW}},
		{Command{Op: AllocMW, MWType: 2}, Command{Op: DeallocMW}},
		{Command{Op: CreateQP, QPN: 5}, Command{Op: DestroyQP, QPN: 5}},
		{Command{Op: CreateSRQ, SRQN: 5}, Command{Op: DestroySRQ, SRQN: 5}},
		{Command{Op: CreateAH}, Command{Op: DestroyAH}},
	} {
		c.make.PD, c.end.PD = pd, pd
		c.end.Index = b.ok(c.make).Index
		if r := b.no(Command{Op: DeallocPD, PD: pd}, "PD-3"); r.Errno != ib.EBUSY {
			t.Errorf("with a %v: errno %d", c.make.Op, r.Errno)
		}
		b.ok(c.end)
		rule := "DER-5"
		if c.end.Op == DestroyAH {
			rule = "PD-1"
		}
		if r := b.no(c.end, rule); r.Errno != ib.ENOENT { // DER-5, TLIF-06
			t.Errorf("%v twice: errno %d", c.end.Op, r.Errno)
		}
	}
	b.ok(Command{Op: DeallocPD, PD: pd})
	b.no(Command{Op: DeallocPD, PD: pd}, "PD-1")
	b.no(Command{Op: CreateQP, PD: pd, QPN: 6}, "PD-1")
	b.no(Command{Op: AllocMW, PD: pd, MWType: 1}, "PD-1")
	b.no(Command{Op: AllocMR, PD: pd, MaxPages: 1}, "PD-1")
	if again := b.ok(Command{Op: AllocPD}).PD; again != pd {
		t.Errorf("domain %d was free, %d was given", pd, again)
	}
	more := []ib.PDN{b.ok(Command{Op: AllocPD}).PD, b.ok(Command{Op: AllocPD}).PD}
	for _, n := range more {
		b.ok(Command{Op: DeallocPD, PD: n})
	}
	if x, y := b.ok(Command{Op: AllocPD}).PD, b.ok(Command{Op: AllocPD}).PD; x == y || x == pd || y == pd {
		t.Errorf("domains %d, %d and %d live at once", pd, x, y)
	}
	b.no(Command{Op: AllocMR, PD: pd}, "MR-5")             // no pages
	b.no(Command{Op: AllocMW, PD: pd, MWType: 3}, "MW-12") // TMW2-39
	b.no(Command{Op: CreateQP, PD: pd}, "QPD-5")
	b.no(Command{Op: CreateQP, PD: pd, QPN: 1 << 24}, "QPD-5")
	b.ok(Command{Op: CreateQP, PD: pd, QPN: 1 << 12})
	b.no(Command{Op: CreateQP, PD: pd, QPN: 1 << 12}, "QPD-5")
	b.ok(Command{})
}

// QPD-1 to QPD-3: a queue pair and the windows bound through it.
func TestDestroyQP(t *testing.T) {
	v := SpecVariant()
	v.MW2Flavor = Window2A
	a := newBench(t, v)
	key := a.ok(a.bind(a.window(a.pd, 2), rw, 0x200000, 64)).Key
	other := a.ok(a.bind(a.window(a.pd, 2), rw, 0x200000, 64)).Key
	a.no(Command{Op: DestroyQP, QPN: a.qp}, "QPD-3") // TMW2-23
	a.ok(Command{Op: LocalInv, PD: a.pd, QPN: a.qp, Key: key})
	a.no(Command{Op: DestroyQP, QPN: a.qp}, "QPD-3")
	a.ok(Command{Op: DeallocMW, Index: other.Index()})
	a.ok(a.bind(a.window(a.pd, 1), rw, 0x200000, 64)) // QPD-1: a type 1 window does not hold it
	a.ok(Command{Op: DestroyQP, QPN: a.qp})

	b := newBench(t, SpecVariant()) // TMW2-22
	w := b.window(b.pd, 2)
	key = b.ok(b.bind(w, rw, 0x200000, 64)).Key
	b.ok(Command{Op: DestroyQP, QPN: b.qp})
	b.expect("through another", b.remote(key, b.qp2, rw, 0x200000, 64), QPMismatch)
	b.no(Command{Op: LocalInv, PD: b.pd, QPN: b.qp2, Key: key}, "INV-4")
	b.no(Command{Op: DeregMR, Index: b.mr.Index()}, "DER-1")
	b.ok(Command{Op: CreateQP, PD: b.pd2, QPN: b.qp}) // QPD-5: the number again, elsewhere
	foreign := b.remote(key, b.qp, rw, 0x200000, 64)
	foreign.PD = b.pd2
	b.expect("the number re-used in another domain", foreign, PDMismatch)
	b.ok(Command{Op: DeallocMW, Index: w})
	b.ok(Command{Op: DeregMR, Index: b.mr.Index()})
}

// DER-1, DER-7, TMW2-25, TMW2-26, TLIF-27.
func TestDeregBound(t *testing.T) {
	b := newBench(t, SpecVariant())
	w := b.window(b.pd, 2)
	key := b.ok(b.bind(w, rw, 0x200000, 64)).Key
	if r := b.no(Command{Op: DeregMR, Index: b.mr.Index()}, "DER-1"); r.Errno != ib.EBUSY {
		t.Errorf("errno %d, want EBUSY", r.Errno)
	}
	b.expect("the window", b.remote(key, b.qp, rw, 0x200000, 64), OK)
	b.expect("the region", b.remote(b.mr, b.qp, rw, 0x200000, 64), OK)
	b.no(Command{Op: DeallocMW, Index: b.mr.Index()}, "DER-5") // a region is no window
	b.no(Command{Op: DeregMR, Index: w}, "DER-5")
	if r := b.ok(Command{Op: DeallocMW, Index: w}); r.OldKey != key {
		t.Errorf("%#x died, want %#x", r.OldKey, key)
	}
	b.expect("the window that was", b.remote(key, b.qp, rw, 0x200000, 64), BadIndex)
	r := b.ok(Command{Op: DeregMR, Index: b.mr.Index()})
	if r.OldKey != b.mr || r.MTTCount != 2 {
		t.Errorf("%#x died, %d translation entries given back", r.OldKey, r.MTTCount)
	}
	b.expect("the region that was", b.remote(b.mr, b.qp, rw, 0x200000, 64), BadIndex)
}

// KEY-14: index 0 is never given out, and an index only comes back under
// another key byte. TREG-24, TKEY-04: no two live objects share an index.
func TestKeysAreFresh(t *testing.T) {
	b := newBench(t, SpecVariant())
	last := map[ib.Index]uint8{}
	live := map[ib.Index]bool{b.mr.Index(): true}
	last[b.mr.Index()] = b.mr.Byte()
	var order []ib.Index
	for n := range 2000 {
		if len(order) > 5 || n%3 == 2 && len(order) > 0 {
			i := order[0]
			order = order[1:]
			op := DeallocMW
			if b.Entry(i).Kind.IsRegion() {
				op = DeregMR
			}
			b.ok(Command{Op: op, Index: i})
			live[i] = false
			continue
		}
		var key ib.Key
		if n%2 == 0 {
			key = b.reg(b.pd, rr, 0x1000, 64)
		} else {
			key = b.key(b.window(b.pd, 1))
		}
		i := key.Index()
		if i == 0 || live[i] {
			t.Fatalf("index %d was given, live is %v", i, live[i])
		}
		if before, used := last[i]; used && before == key.Byte() {
			t.Fatalf("index %d came back under the same byte %#x", i, before)
		}
		live[i], last[i] = true, key.Byte()
		order = append(order, i)
	}
	if b.MaxEntry() > 10 {
		t.Errorf("a handful of objects took %d indices", b.MaxEntry())
	}
}

// KEY-10: one number for both keys, or no R_Key without remote rights.
func TestVariantRKey(t *testing.T) {
	v := SpecVariant()
	v.RKeyZeroIfNoRemote = true
	for _, c := range []struct {
		v      Variant
		access ib.AccessFlags
		zero   bool
	}{{SpecVariant(), lw, false}, {v, lw, true}, {v, rr, false}, {v, mb | lw, true}, {v, lw | ra, false}} {
		b := newBench(t, c.v)
		r := b.ok(Command{Op: RegMR, PD: b.pd, Access: c.access, VA: 0x1000, Length: 64, PageShift: 12, Pages: b.pages(1)})
		if want := ib.RKey(r.Key); r.RKey != want && !c.zero || c.zero && r.RKey != 0 || r.Key == 0 {
			t.Errorf("access %#x: L_Key %#x, R_Key %#x", c.access, r.Key, r.RKey)
		}
	}
}

func ExampleTable() {
	t := NewTable(DefaultLimits(), SpecVariant(), 1)
	pd := t.Apply(&Command{Op: AllocPD}).PD
	t.Apply(&Command{Op: CreateQP, PD: pd, QPN: 7})
	mr := t.Apply(&Command{
		Op: RegMR, PD: pd, Access: ib.LocalWrite | ib.MWBind,
		VA: 0x10000, Length: 8192, PageShift: 12, Pages: []uint64{0x7000, 0x3000},
	})
	mw := t.Apply(&Command{Op: AllocMW, PD: pd, MWType: ib.MWType2})
	bind := Command{
		Op: BindMW, MWType: ib.MWType2, PD: pd, QPN: 7, Window: mw.Index, Region: mr.Key,
		NewByte: 0x37, Access: ib.RemoteWrite, VA: 0x10ff0, Length: 32,
	}
	key := t.Apply(&bind).Key

	write := Access{Key: key, PD: pd, QPN: 7, Need: ib.RemoteWrite, Remote: true, Judge: Range{VA: 0x10ff0, Length: 32}}
	fmt.Println(Check(t.Entry(key.Index()), write))
	Walk(t.Entry(key.Index()), t, write.Judge, func(p Piece) bool {
		fmt.Printf("%d bytes at %#x\n", p.Length, p.Addr)
		return true
	})
	fmt.Println(t.Apply(&bind).Rule) // a type 2 window is bound once
	fmt.Println(t.Apply(&Command{Op: DeregMR, Index: mr.Index}).Rule)
	t.Apply(&Command{Op: LocalInv, PD: pd, QPN: 7, Key: key})
	fmt.Println(Check(t.Entry(key.Index()), write))
	// Output:
	// ok
	// 16 bytes at 0x7ff0
	// 16 bytes at 0x3000
	// BIN-3
	// DER-1
	// not-valid
}

// A copy goes its own way.
func TestCopyFrom(t *testing.T) {
	b := newBench(t, SpecVariant())
	b.ok(b.bind(b.window(b.pd, 2), rr, 0x200000, 64))
	b.ok(Command{Op: RegShared, PD: b.pd2, Index: b.mr.Index(), Access: rr})
	b.ok(Command{Op: CreateSRQ, PD: b.pd2, SRQN: 4})
	was := snapshot(b.Table)
	other := NewTable(Limits{}, RXEVariant(), 99)
	other.Apply(&Command{Op: AllocPD})
	other.CopyFrom(b.Table)
	if snapshot(other) != was || other.limits != b.limits || other.variant != b.variant || other.Usage() != b.Usage() {
		t.Error("the copy differs")
	}
	copied := &bench{Table: other, t: t, pd: b.pd, pd2: b.pd2}
	for n := range uint64(100) {
		copied.reg(b.pd, allRights, 0x1000*n, 4096)
	}
	copied.ok(Command{Op: AllocPD})
	if snapshot(b.Table) != was {
		t.Error("what happened to the copy happened to the table")
	}
	b.ok(Command{Op: DeregMR, Index: b.MaxEntry()}) // the region that shares: its pages stay for the other
	shared := b.MaxEntry()
	copied.ok(Command{Op: DeregMR, Index: shared})
	for _, tb := range []*bench{b, copied} {
		e := tb.Entry(b.mr.Index())
		if tb.Page(e.MTT) == NoPage {
			t.Error("shared pages went with the first of their holders")
		}
	}
	if past := uint32(len(b.mtt.free)) * 64; b.Page(past) != NoPage || b.Page(1<<31) != NoPage {
		t.Error("there is a page beyond the last")
	}
}
