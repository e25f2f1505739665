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
	e := &b.entries[key.Index()]
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

// 7.6: the life of a type 1 window.
func TestWindow1(t *testing.T) {
	b := newBench(t, SpecVariant())
	w := b.window(b.pd, 1)
	born := b.key(w)
	b.expect("before the first bind", b.remote(born, b.qp, rw, 0x200000, 64), NotValid) // KEY-12, MW-9
	b.expect("no bytes", b.remote(born, b.qp, rw, 0x200000, 0), OK)                     // TMW1-30

	first := b.ok(b.bind(w, rw, 0x200000, 4096))
	if first.Key != born.Next() || first.OldKey != 0 { // KEY-5
		t.Errorf("bound: key %#x after %#x, %#x died", first.Key, born, first.OldKey)
	}
	b.expect("inside", b.remote(first.Key, b.qp, rw, 0x200000, 4096), OK)
	b.expect("another queue pair of the domain", b.remote(first.Key, b.qp2, rw, 0x200000, 64), OK) // MW-10
	b.expect("another domain", b.remote(first.Key, b.qp3, rw, 0x200000, 64), PDMismatch)           // TMW1-33
	b.expect("inside the region, outside the window", b.remote(first.Key, b.qp, rw, 0x201000, 64), OutOfRange)

	again := b.ok(b.bind(w, rr, 0x201000, 64)) // BIN-1
	if again.Key != first.Key.Next() || again.OldKey != first.Key || b.Bound(b.mr.Index()) != 1 {
		t.Errorf("rebound: key %#x, %#x died, %d bound", again.Key, again.OldKey, b.Bound(b.mr.Index()))
	}
	b.expect("the old key", b.remote(first.Key, b.qp, rw, 0x200000, 64), BadKey) // KEY-9
	b.expect("the new key", b.remote(again.Key, b.qp2, rr, 0x201000, 64), OK)

	none := b.ok(Command{Op: BindMW, PD: b.pd, QPN: b.qp, Window: w, MWType: 1, NoRegion: true}) // BIN-2
	if none.Key != again.Key.Next() || none.OldKey != again.Key || b.Bound(b.mr.Index()) != 0 {
		t.Errorf("unbound: key %#x, %#x died, %d bound", none.Key, none.OldKey, b.Bound(b.mr.Index()))
	}
	b.expect("unbound", b.remote(none.Key, b.qp, rr, 0x201000, 64), NotValid)
	b.ok(b.bind(w, 0, 0x200000, 0)) // unbinding what is not bound, with a region named
	b.ok(Command{Op: DeregMR, Index: b.mr.Index()})
}

// TMW1-34, MW-6: a rebind to another region lets the first one go.
func TestWindow1MovesToAnotherRegion(t *testing.T) {
	b := newBench(t, SpecVariant())
	w := b.window(b.pd, 1)
	b.ok(b.bind(w, rw, 0x200000, 64))
	mB := b.mr
	b.no(Command{Op: DeregMR, Index: mB.Index()}, "DER-1")
	b.mr = b.reg(b.pd, allRights, 0x400000, 4096)
	key := b.ok(b.bind(w, rw, 0x400000, 64)).Key
	b.ok(Command{Op: DeregMR, Index: mB.Index()})
	b.expect("on the other region", b.remote(key, b.qp, rw, 0x400000, 64), OK)
	b.no(Command{Op: DeregMR, Index: b.mr.Index()}, "DER-1")
}

// TKEY-03: 256 binds later the byte has come round. mw1_key: random never
// gives the byte it had.
func TestWindow1Keys(t *testing.T) {
	b := newBench(t, SpecVariant())
	w := b.window(b.pd, 1)
	first := b.ok(b.bind(w, rw, 0x200000, 64)).Key
	var last ib.Key
	for range 256 {
		last = b.ok(b.bind(w, rw, 0x200000, 64)).Key
	}
	if last != first {
		t.Errorf("256 binds after %#x the key is %#x", first, last)
	}
	v := SpecVariant()
	v.MW1KeyRandom = true
	r, same := newBench(t, v), newBench(t, v)
	w, w2 := r.window(r.pd, 1), same.window(same.pd, 1)
	bytes := map[uint8]bool{}
	for range 3000 {
		before := r.key(w)
		key := r.ok(r.bind(w, rw, 0x200000, 64)).Key
		if key == before {
			t.Fatalf("bound anew under the same key %#x", key)
		}
		if other := same.ok(same.bind(w2, rw, 0x200000, 64)).Key; other != key {
			t.Fatalf("the same seed gave %#x and %#x", key, other)
		}
		bytes[key.Byte()] = true
	}
	if len(bytes) != 256 {
		t.Errorf("%d of 256 key bytes came up", len(bytes))
	}
}

// 7.7: the life of a type 2 window, of either flavour.
func TestWindow2(t *testing.T) {
	for _, flavor := range []Kind{Window2A, Window2B} {
		v := SpecVariant()
		v.MW2Flavor = flavor
		b := newBench(t, v)
		w := b.window(b.pd, 2)
		key := b.ok(b.bind(w, rw, 0x200000, 4096)).Key
		if key != ib.MakeKey(w, 0x37) { // KEY-6
			t.Errorf("%v: key %#x of window %d", flavor, key, w)
		}
		b.expect("through its queue pair", b.remote(key, b.qp, rw, 0x200000, 64), OK)
		b.expect("through another", b.remote(key, b.qp2, rw, 0x200000, 64), QPMismatch) // MW-11
		b.expect("beyond its end", b.remote(key, b.qp, rw, 0x200fc1, 64), OutOfRange)   // TMW2-36
		b.expect("READ", b.remote(key, b.qp, rr, 0x200000, 64), NoRight)                // TMW2-30
		b.expect("as an L_Key", Access{Key: key, PD: b.pd, QPN: b.qp, Judge: Range{0x200000, 64}}, BadIndex)
		foreign := b.remote(key, b.qp, rw, 0x200000, 64)
		foreign.PD = b.pd2
		b.expect("its queue pair in another domain", foreign, map[Kind]Fault{Window2A: OK, Window2B: PDMismatch}[flavor])

		again := b.bind(w, rw, 0x200000, 64) // BIN-3
		b.no(again, "BIN-3")
		again.QPN, again.NewByte = b.qp2, 0x38
		b.no(again, "BIN-3")
		b.ok(Command{Op: LocalInv, PD: b.pd, QPN: b.qp, Key: key})
		b.expect("invalidated", b.remote(key, b.qp, rw, 0x200000, 64), NotValid)
		again.NewByte = 0x37 // KEY-7: the same byte again is legal
		if got := b.ok(again).Key; got != key {
			t.Errorf("%v: key %#x, want %#x again", flavor, got, key)
		}
		b.expect("bound through the other", b.remote(key, b.qp2, rw, 0x200000, 64), OK)
	}
}

// MW-8, TMW2-16, TMW2-38: the addresses of a zero-based window run from 0.
func TestZeroBasedWindow(t *testing.T) {
	b := newBench(t, SpecVariant())
	key := b.ok(b.bind(b.window(b.pd, 2), rw|zb, 0x200400, 1024)).Key
	b.expect("its first bytes", b.remote(key, b.qp, rw, 0, 64), OK)
	b.expect("its last byte", b.remote(key, b.qp, rw, 1023, 1), OK)
	b.expect("beyond", b.remote(key, b.qp, rw, 1024, 1), OutOfRange)
	b.expect("its real address", b.remote(key, b.qp, rw, 0x200400, 64), OutOfRange)
	e, mr := b.Entry(key.Index()), b.Entry(b.mr.Index())
	if got, want := e.Offset(0), mr.Offset(0x200400); got != want {
		t.Errorf("address 0 lies at byte %#x of the region, want %#x", got, want)
	}
}

// KEY-7, TMW2-21: two windows may have the same byte. MW-3: any number may
// overlap.
func TestManyWindows(t *testing.T) {
	b := newBench(t, SpecVariant())
	keys := map[ib.Key]bool{}
	for n := range uint64(32) {
		w := b.window(b.pd, 2)
		key := b.ok(b.bind(w, rw, 0x200000+240*n, 512)).Key
		keys[key] = true
		b.expect("in it", b.remote(key, b.qp, rw, 0x200000+240*n, 512), OK)
		b.expect("before it", b.remote(key, b.qp, rw, 0x1fffff+240*n, 2), OutOfRange)
	}
	if len(keys) != 32 || b.Bound(b.mr.Index()) != 32 {
		t.Errorf("%d keys, %d windows bound", len(keys), b.Bound(b.mr.Index()))
	}
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
		{rw, 0x300000, 64, 0, 0},
	} {
		key := b.ok(b.bind(b.window(b.pd, 2), c.access, c.va, c.n)).Key
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

// What a bind is told at once, when it is posted.
func TestCheckBind(t *testing.T) {
	spec, mlx5 := SpecVariant(), MLX5Variant()
	objects := func(mw ib.MWType) BindObjects {
		return BindObjects{Window: mw, WindowPD: 1, RegionPD: 1, RegionAccess: allRights}
	}
	for _, c := range []struct {
		v     *Variant
		b     ib.Bind
		o     BindObjects
		errno ib.Errno
		rule  string
	}{
		{&spec, ib.Bind{Type: 1, Length: 64, Access: rw}, objects(1), ib.OK, ""},
		{&spec, ib.Bind{Type: 2, Length: 64, Access: rw | zb}, objects(2), ib.OK, ""},
		{&spec, ib.Bind{Type: 1, NoRegion: true}, objects(1), ib.OK, ""},
		{&spec, ib.Bind{Type: 1, Length: 64}, objects(2), ib.EINVAL, "POST-3"},
		{&spec, ib.Bind{Type: 2, Length: 64}, objects(1), ib.EINVAL, "POST-4"},
		{&spec, ib.Bind{Type: 2, Length: 64, Access: lw}, objects(2), ib.EINVAL, "BND-7"},
		{&spec, ib.Bind{Type: 1, Length: 64, Access: zb}, objects(1), ib.EINVAL, "BND-8"},
		{&spec, ib.Bind{Type: 1, Length: 64, NoRegion: true}, objects(1), ib.EINVAL, "POST-3"},
		{&spec, ib.Bind{Type: 1, Addr: 64, NoRegion: true}, objects(1), ib.EINVAL, "POST-3"},
		{&spec, ib.Bind{Type: 1, Length: 64}, BindObjects{Window: 1, WindowPD: 1, RegionPD: 2}, ib.EPERM, "POST-3"},
		{&spec, ib.Bind{Type: 2, Length: 64}, BindObjects{Window: 2, WindowPD: 1, RegionPD: 2}, ib.OK, ""}, // judged later
		{&spec, ib.Bind{Type: 1, Length: 64}, BindObjects{Window: 1, RegionAccess: zb | mb}, ib.EINVAL, "BND-9"},
		{&spec, ib.Bind{Type: 2, Length: 64}, BindObjects{Window: 2, RegionAccess: zb | mb}, ib.OK, ""},
		{&spec, ib.Bind{Type: 2, Length: 3 << 30}, objects(2), ib.OK, ""},
		{&mlx5, ib.Bind{Type: 2, Length: 2 << 30}, objects(2), ib.OK, ""},
		{&mlx5, ib.Bind{Type: 2, Length: 2<<30 + 1}, objects(2), ib.EOPNOTSUPP, "BND-6"},
	} {
		if errno, rule := c.v.CheckBind(&c.b, c.o); errno != c.errno || rule != c.rule {
			t.Errorf("%+v: %d by %q, want %d by %q", c.b, errno, rule, c.errno, c.rule)
		}
	}
}
