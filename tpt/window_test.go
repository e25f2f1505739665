package tpt

import (
	"testing"

	"hcasim/ib"
)

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
