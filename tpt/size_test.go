package tpt

import (
	"testing"
	"unsafe"

	"hcasim/ib"
)

// Work requests are on the way of a request: they allocate nothing.
func TestApplyAllocatesNothing(t *testing.T) {
	for _, flavor := range []Kind{Window2A, Window2B} {
		v := SpecVariant()
		v.MW2Flavor = flavor
		b := newBench(t, v)
		w1 := b.bind(b.window(b.pd, 1), rw, 0x200000, 64)
		w2 := b.bind(b.window(b.pd, 2), rw, 0x200000, 64)
		refused := w2
		refused.Access = lw
		key, reg := b.fastReg(b.pd, allRights)
		inv := Command{Op: LocalInv, PD: b.pd, QPN: b.qp, Key: key}
		kill := Command{Op: RemoteInv, PD: b.pd, QPN: b.qp, Key: ib.MakeKey(w2.Window, 0x37)}
		all := []*Command{&w1, &w2, &refused, &kill, &inv, &reg}
		n := testing.AllocsPerRun(100, func() {
			for _, c := range all {
				if r := b.Apply(c); (r.Status == ib.Success) == (c == &refused) {
					t.Fatalf("%v: status %d by %s", c.Op, r.Status, r.Rule)
				}
			}
		})
		if n != 0 {
			t.Errorf("%v: %v allocations in %d work requests", flavor, n, len(all))
		}
	}
}

// A million small regions stay compact.
func TestMillionRegions(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	const n = 1 << 20
	tb := NewTable(DefaultLimits(), SpecVariant(), 1)
	tb.Apply(&Command{Op: AllocPD})
	page := []uint64{0}
	c := Command{Op: RegMR, PD: 1, Access: lw | rw, Length: 64, PageShift: 12, Pages: page}
	for i := range uint64(n) {
		c.VA, c.First, page[0] = i*64, i*64%4096, i*64/4096<<12
		if r := tb.Apply(&c); !r.Done() {
			t.Fatalf("region %d: %d by %s", i, r.Errno, r.Rule)
		}
	}
	per := uint64(unsafe.Sizeof(Entry{})) + uint64(unsafe.Sizeof(book{})) + 8
	if per > 96 {
		t.Errorf("%d bytes for each region", per)
	}
	slack := float64(tb.entries.bytes()+tb.books.bytes()+
		tb.mtt.slab.bytes()+uint64(len(tb.mtt.tree))*12+uint64(len(tb.mtt.free))*8) / n
	t.Logf("%d bytes for each of %d regions, %.0f with what is held ready", per, n, slack)
	if slack > 140 {
		t.Errorf("%.0f bytes for each region", slack)
	}
	c = Command{Op: RegMR, PD: 1, Access: lw, Length: 64, PageShift: 12, Pages: page}
	if r := tb.Apply(&c); r.Rule != "ACC-14" {
		t.Errorf("one more than the limit: %+v", r)
	}
	for i := range ib.Index(n) { // every third, then the rest
		tb.Apply(&Command{Op: DeregMR, Index: 1 + i*3%n})
	}
	for i := range ib.Index(n) {
		tb.Apply(&Command{Op: DeregMR, Index: 1 + i})
	}
	if u := tb.Usage(); u != (Usage{PD: 1}) {
		t.Errorf("left behind: %+v", u)
	}
}

// A command that is none is a fault of ours.
func TestApplyPanics(t *testing.T) {
	for _, op := range []Op{Unbind, Orphan, Break, numOps} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v was taken for a command", op)
				}
			}()
			NewTable(DefaultLimits(), SpecVariant(), 1).Apply(&Command{Op: op})
		}()
	}
}
