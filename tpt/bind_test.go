package tpt

import (
	"fmt"
	"testing"

	"hcasim/ib"
)

// 2.2, the bind matrix: rights of the region down, of the window across.
func TestBindMatrix(t *testing.T) {
	across := []ib.AccessFlags{0, rr, rw, ra, rr | rw | ra}
	for _, row := range []struct {
		region ib.AccessFlags
		want   string
	}{
		{mb, "ok ok 6 6 6"},
		{mb | lw, "ok ok ok ok ok"},
		{mb | rr, "ok ok 6 6 6"},
		{mb | lw | rw | rr | ra, "ok ok ok ok ok"},
		{lw | rw | rr | ra, "6 6 6 6 6"},
	} {
		for _, mw := range []ib.MWType{1, 2} {
			got := ""
			for _, access := range across {
				b := newBench(t, SpecVariant())
				b.mr = b.reg(b.pd, row.region, 0x400000, 4096)
				c := b.bind(b.window(b.pd, mw), access, 0x400000, 64)
				r := b.Apply(&c)
				switch {
				case r.Status == ib.Success:
					got += "ok "
				case row.region&mb == 0 && r.Rule == "BND-1", row.region&mb != 0 && r.Rule == "BND-2":
					got += fmt.Sprintf("%d ", uint8(r.Status))
				default:
					got += r.Rule + " "
				}
			}
			if got != row.want+" " {
				t.Errorf("region %#x, windows of type %d: %s, want %s", row.region, mw, got, row.want)
			}
		}
	}
}

// MW-5, BND-4: the rights of a window are its own.
func TestWindowRights(t *testing.T) {
	b := newBench(t, SpecVariant())
	b.mr = b.reg(b.pd, mb|lw, 0x400000, 4096) // without any remote right
	for access := range ib.AccessFlags(8) {
		access <<= 1 // RW, RR, RA
		w := b.window(b.pd, 2)
		key := b.ok(b.bind(w, access, 0x400000, 64)).Key
		for _, need := range []ib.AccessFlags{rw, rr, ra} {
			want := NoRight
			if access&need != 0 {
				want = OK
			}
			b.expect(fmt.Sprintf("window %#x, need %#x", access, need), b.remote(key, b.qp, need, 0x400000, 8), want)
		}
	}
}

// A bindBreach breaks one question of a bind and leaves the others whole. They
// stand in the order of 4.2.
type bindBreach struct {
	rule string
	by   func(b *bench, c *Command)
}

// bindBreaches are those that can be told apart on one bind of type mw.
func bindBreaches(mw ib.MWType) []bindBreach {
	all := []bindBreach{{"KEY-1", func(_ *bench, c *Command) { c.Window = 999 }}}
	if mw == ib.MWType2 {
		all = append(all, bindBreach{"BIN-3", func(b *bench, c *Command) {
			if c.Window != 999 {
				b.ok(b.bind(c.Window, rr, 0x200000, 64))
			}
		}})
	}
	all = append(all,
		bindBreach{"KEY-2", func(_ *bench, c *Command) { c.Region = c.Region.Next() }},
		bindBreach{"BIN-5", func(b *bench, c *Command) { c.PD = b.pd2 }})
	if mw == ib.MWType2 {
		all = append(all, bindBreach{"BIN-4", func(_ *bench, c *Command) { c.Length = 0 }})
	}
	return append(all,
		bindBreach{"BND-9", func(b *bench, c *Command) { b.weaken(c.Region, zb, 0) }},
		bindBreach{"BND-1", func(b *bench, c *Command) { b.weaken(c.Region, 0, mb) }},
		bindBreach{"BND-2", func(b *bench, c *Command) { b.weaken(c.Region, 0, lw|rw|ra) }},
		bindBreach{"BND-6", func(_ *bench, c *Command) { c.VA += 8192 }})
}

// weaken gives a region other flags behind the table's back.
func (b *bench) weaken(key ib.Key, add, take ib.AccessFlags) {
	e := b.entries.at(key.Index())
	e.Rights = (e.Rights | add) &^ take
}

// 4.2: each question alone, and the order over all pairs.
func TestBindOrder(t *testing.T) {
	for _, mw := range []ib.MWType{1, 2} {
		breaches := bindBreaches(mw)
		for i := range breaches {
			for j := i; j < len(breaches); j++ {
				b := newBench(t, SpecVariant())
				c := b.bind(b.window(b.pd, mw), rw|ra|rr, 0x200000, 4096)
				// The weaker breaches first: those that come later in the order
				// may not keep the earlier from being made.
				breaches[i].by(b, &c)
				if j != i {
					breaches[j].by(b, &c)
				}
				if r := b.no(c, breaches[i].rule); r.Status != ib.MWBindErr {
					t.Errorf("type %d, %s and %s: status %d, want 6", mw, breaches[i].rule, breaches[j].rule, r.Status)
				}
			}
		}
	}
}

// The rest of what a bind refuses.
func TestBindRefusals(t *testing.T) {
	b := newBench(t, SpecVariant())
	w1, w2, foreign := b.window(b.pd, 1), b.window(b.pd, 2), b.window(b.pd2, 2)
	fast := b.ok(Command{Op: AllocMR, PD: b.pd, MaxPages: 1}).Key
	alter := func(w ib.Index, by func(c *Command)) Command {
		c := b.bind(w, rr, 0x200000, 64)
		by(&c)
		return c
	}
	for _, c := range []struct {
		rule string
		cmd  Command
	}{
		{"POST-4", alter(w1, func(c *Command) { c.MWType = 2 })}, // TMW1-22
		{"POST-3", alter(w2, func(c *Command) { c.MWType = 1 })}, // TMW2-17
		{"POST-3", alter(w1, func(c *Command) { c.NoRegion = true })},
		{"POST-3", alter(w1, func(c *Command) { c.NoRegion, c.Length = true, 0 })}, // an address without a region
		{"BND-7", alter(w2, func(c *Command) { c.Access |= lw })},                  // TMW2-41
		{"BND-8", alter(w1, func(c *Command) { c.Access |= zb })},                  // TMW1-17
		{"BIN-4", alter(w2, func(c *Command) { c.NoRegion = true })},
		{"KEY-1", alter(w2, func(c *Command) { c.Region = 0x99900 })},
		{"KEY-1", alter(b.mr.Index(), func(c *Command) {})}, // a region is no window
		{"KEY-11", alter(w2, func(c *Command) { c.Region = b.key(w1) })},
		{"MR-4", alter(w2, func(c *Command) { c.Region = fast })},
		{"BIN-5", alter(foreign, func(c *Command) {})},                                     // TMW2-18
		{"BIN-5", alter(w1, func(c *Command) { c.PD, c.Length = b.pd2, 0 })},               // unbind, too
		{"BND-6", alter(w1, func(c *Command) { c.Length = 8193 })},                         // TMW1-12
		{"BND-6", alter(w1, func(c *Command) { c.VA-- })},                                  // TMW1-13
		{"BND-6", alter(w2, func(c *Command) { c.VA, c.Length = 0x200040, ^uint64(0)-9 })}, // wraps
	} {
		b.no(c.cmd, c.rule)
	}
	region := b.reg(b.pd2, allRights, 0x900000, 4096)
	b.no(alter(w2, func(c *Command) { c.Region = region }), "BIN-5") // the region's domain
}

// mw_range: mr lets the region's range bound an access through a window.
func TestVariantRegionRange(t *testing.T) {
	v := SpecVariant()
	v.MWRangeOfMR = true
	b := newBench(t, v)
	key := b.ok(b.bind(b.window(b.pd, 2), rw, 0x200400, 64)).Key
	b.expect("all of the region", b.remote(key, b.qp, rw, 0x200000, 8192), OK)
	b.expect("one more", b.remote(key, b.qp, rw, 0x200000, 8193), OutOfRange)
	key = b.ok(b.bind(b.window(b.pd, 2), rw|zb, 0x200400, 64)).Key
	b.expect("to the region's end", b.remote(key, b.qp, rw, 0, 8192-0x400), OK)
	b.expect("beyond", b.remote(key, b.qp, rw, 0, 8192-0x3ff), OutOfRange)
	if e := b.Entry(key.Index()); e.Offset(0) != 0x400 {
		t.Errorf("address 0 lies at byte %#x", e.Offset(0))
	}
}

// bind_range_check: off, TPRF-05: a bind past the region is made; only an
// access there faults.
func TestVariantBindUnchecked(t *testing.T) {
	v := SpecVariant()
	v.BindRangeCheck = false
	b := newBench(t, v)
	for _, c := range []struct {
		access ib.AccessFlags
		va, n  uint64
		first  uint64 // granted address, as the key's bearer says it
		length uint64
	}{
		{rw, 0x200000, 8193, 0x200000, 8192},
		{rw, 0x1ff000, 8192, 0x200000, 4096},
		{rw | zb, 0x1ff000, 8192, 0x1000, 4096},
		{rw | zb, 0x201000, 8192, 0, 4096},
		{rw, 0x201fff, ^uint64(0), 0x201fff, 1},
		{rw, 0x300000, 64, 0x300000, 0}, // none of it, and it lies where it was bound
		{rw, 0x202000, 1, 0x202000, 0},
		{rw | zb, 0x202000, 64, 0, 0},
	} {
		key := b.ok(b.bind(b.window(b.pd, 2), c.access, c.va, c.n)).Key
		if e := b.Entry(key.Index()); e.Start != c.first || e.Length != c.length {
			t.Errorf("bound at %#x, %d bytes: is at %#x, %d bytes", c.va, c.n, e.Start, e.Length)
		}
		if c.length > 0 {
			b.expect("the part inside", b.remote(key, b.qp, rw, c.first, c.length), OK)
			b.expect("its last byte and one more", b.remote(key, b.qp, rw, c.first+c.length-1, 2), OutOfRange)
			if c.first > 0 {
				b.expect("before it", b.remote(key, b.qp, rw, c.first-1, 1), OutOfRange)
			}
		}
		b.expect("outside", b.remote(key, b.qp, rw, 0x300000, 1), OutOfRange)
	}
}
