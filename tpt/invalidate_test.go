package tpt

import (
	"testing"

	"hcasim/ib"
)

// fastReg returns a fast-register region made valid over 8192 bytes at
// 0x700000, and the command that did it.
func (b *bench) fastReg(pd ib.PDN, access ib.AccessFlags) (ib.Key, Command) {
	b.t.Helper()
	born := b.ok(Command{Op: AllocMR, PD: pd, MaxPages: 2}).Key
	c := Command{Op: FastRegMR, PD: pd, QPN: b.qp, Region: born, Key: born.Next(), Access: access, VA: 0x700000, Length: 8192, PageShift: 12, Pages: b.pages(2)}
	b.ok(c)
	return born.Next(), c
}

// 1.2: the life of a fast-register region (TFRM-01, -05, -11, -19).
func TestFastRegLife(t *testing.T) {
	b := newBench(t, SpecVariant())
	born := b.ok(Command{Op: AllocMR, PD: b.pd, MaxPages: 3}).Key
	b.expect("allocated", b.remote(born, b.qp, rw, 0x700000, 64), NotValid) // MR-4
	c := Command{Op: FastRegMR, PD: b.pd, QPN: b.qp, Region: born, Key: born.Next(), Access: lw | rw, VA: 0x700800, Length: 4096, First: 0x800, PageShift: 12, Pages: b.pages(2)}
	r := b.ok(c)
	if r.Key != born.Next() || r.MTTCount != 2 { // MR-6
		t.Errorf("registered: key %#x after %#x, %d pages", r.Key, born, r.MTTCount)
	}
	b.expect("the old byte", b.remote(born, b.qp, rw, 0x700800, 64), BadKey)
	b.expect("registered", b.remote(r.Key, b.qp2, rw, 0x700800, 4096), OK)
	b.no(c, "MR-5") // TFRM-02
	inv := Command{Op: LocalInv, PD: b.pd, QPN: b.qp2, Key: r.Key}
	if done := b.ok(inv); done.OldKey != r.Key || done.Touched[0] != r.Key.Index() || done.MTTCount != 2 || done.MTT != r.MTT {
		t.Errorf("invalidated: %#x died, %v touched, %d translation entries from %d", done.OldKey, done.Touched, done.MTTCount, done.MTT)
	}
	b.expect("invalidated", b.remote(r.Key, b.qp, rw, 0x700800, 64), NotValid)
	if again := b.ok(inv); again.OldKey != 0 || again.Touched[0] != 0 { // INV-7
		t.Errorf("invalidated twice: %#x died, %v touched", again.OldKey, again.Touched)
	}
	c.Key, c.Region = r.Key, 0 // KEY-7, and Key alone says enough
	b.ok(c)
	b.expect("registered under the same byte", b.remote(r.Key, b.qp, rw, 0x700800, 64), OK)
	b.ok(Command{Op: DeregMR, Index: r.Key.Index()}) // DER-6
	if b.Usage().MTT != 2 {                          // those of mB
		t.Errorf("%d translation entries are left", b.Usage().MTT)
	}
}

// MR-5, KEY-4, ACC-19: what a REG_MR refuses; the region stays FREE.
func TestFastRegRefusals(t *testing.T) {
	for _, v := range []Variant{SpecVariant(), RXEVariant()} {
		b := newBench(t, v)
		born := b.ok(Command{Op: AllocMR, PD: b.pd, MaxPages: 2}).Key
		foreign := b.ok(Command{Op: AllocMR, PD: b.pd2, MaxPages: 2}).Key
		for _, c := range []struct {
			rule  string
			alter func(c *Command)
		}{
			{"KEY-1", func(c *Command) { c.Region = 0x99900 }},
			{"MR-5", func(c *Command) { c.Region = b.mr }},                           // not fast-register
			{"MR-5", func(c *Command) { c.Region, c.Key = foreign, foreign.Next() }}, // TFRM-04
			{"KEY-4", func(c *Command) { c.Key += 0x100 }},                           // TFRM-03
			{"MR-5", func(c *Command) { c.Pages = b.pages(3); c.Length = 12288 }},    // TFRM-16
			{"ACC-19", func(c *Command) { c.Access = rw }},                           // TFRM-15
			{"ACC-19", func(c *Command) { c.Access = ra }},
			{"ACC-5", func(c *Command) { c.Access = 0x800 }},
			{"ACC-6", func(c *Command) { c.Access = onDemandRead }},
			{"ACC-10", func(c *Command) { c.First = 8 }},
			{"ACC-11", func(c *Command) { c.Length = 0 }},
			{"MR-8", func(c *Command) { c.Pages = c.Pages[:1] }},
			{"ACC-12", func(c *Command) { c.Pages[1] = NoPage }},
		} {
			cmd := Command{Op: FastRegMR, PD: b.pd, QPN: b.qp, Region: born, Key: born.Next(), Access: lw | rw, VA: 0x700000, Length: 8192, PageShift: 12, Pages: b.pages(2)}
			c.alter(&cmd)
			if r := b.no(cmd, c.rule); r.Status != v.LocalInvFailStatus {
				t.Errorf("by %s: status %d, want %d", c.rule, r.Status, v.LocalInvFailStatus)
			}
		}
	}
}

// INV-2 to INV-5, INV-10: what may not be invalidated, by either side.
func TestInvalidateRefusals(t *testing.T) {
	for _, op := range []Op{LocalInv, RemoteInv} {
		b := newBench(t, SpecVariant())
		w1, w2, free := b.window(b.pd, 1), b.window(b.pd, 2), b.window(b.pd, 2)
		key1 := b.ok(b.bind(w1, rw, 0x200000, 64)).Key
		key2 := b.ok(b.bind(w2, rw, 0x200000, 64)).Key
		fast, _ := b.fastReg(b.pd, allRights)
		shared := b.ok(Command{Op: RegShared, PD: b.pd, Index: b.mr.Index()}).Key
		onFast := b.bind(b.window(b.pd, 1), rr, 0x700000, 64)
		onFast.Region = fast
		bare, _ := b.fastReg(b.pd, lw)
		b.ok(onFast)
		for _, c := range []struct {
			what  string
			rule  string
			fault Fault
			key   ib.Key
			pd    ib.PDN
			qp    ib.QPN
		}{
			{"no such index", "INV-2", BadIndex, 0x99900, b.pd, b.qp},
			{"key zero", "INV-2", BadIndex, 0, b.pd, b.qp},
			{"wrong byte", "INV-2", BadKey, key2.Next(), b.pd, b.qp}, // TMW2-11
			{"type 1", "INV-3", OK, key1, b.pd, b.qp},                // TMW1-24
			{"registered", "INV-3", OK, b.mr, b.pd, b.qp},            // TFRM-09
			{"shared", "INV-3", OK, shared, b.pd, b.qp},
			{"fast-register with windows", "INV-3", OK, fast, b.pd, b.qp}, // TFRM-10
			{"fast-register of another domain", "INV-4", PDMismatch, bare, b.pd2, b.qp3},
			{"another queue pair", "INV-4", QPMismatch, key2, b.pd, b.qp2}, // TMW2-10
			{"another domain", "INV-4", PDMismatch, key2, b.pd2, b.qp},
			{"free", "INV-8", NotValid, b.key(free), b.pd, b.qp}, // TMW2-28
		} {
			r := b.no(Command{Op: op, PD: c.pd, QPN: c.qp, Key: c.key}, c.rule)
			if r.Status != ib.MWBindErr || r.Fault != c.fault {
				t.Errorf("%v, %s: status %d, %v, want 6, %v", op, c.what, r.Status, r.Fault, c.fault)
			}
		}
		// INV-6, INV-15: what is legal, and the window may be bound again.
		r := b.ok(Command{Op: op, PD: b.pd, QPN: b.qp, Key: key2})
		if r.OldKey != key2 || b.Bound(b.mr.Index()) != 1 {
			t.Errorf("%v: %#x died, %d windows bound", op, r.OldKey, b.Bound(b.mr.Index()))
		}
		b.no(Command{Op: op, PD: b.pd, QPN: b.qp, Key: key2}, "INV-8") // INV-13: the second of two
		b.ok(b.bind(w2, rw, 0x200000, 64))
		b.ok(Command{Op: op, PD: b.pd, QPN: b.qp3, Key: bare}) // any queue pair of the domain
	}
}

// The rxe variant: any queue pair may invalidate, a free window too, and the
// statuses differ (TPRF-01, TPRF-02, TPRF-08).
func TestVariantInvalidate(t *testing.T) {
	b := newBench(t, RXEVariant())
	w := b.window(b.pd, 2)
	key := b.ok(b.bind(w, rw, 0x200000, 64)).Key
	if r := b.no(Command{Op: LocalInv, PD: b.pd, QPN: b.qp, Key: key.Next()}, "INV-2"); r.Status != ib.LocQPOpErr {
		t.Errorf("LOCAL_INV refused with status %d, want 2", r.Status)
	}
	if r := b.no(Command{Op: RemoteInv, PD: b.pd, QPN: b.qp, Key: 0x99900}, "INV-2"); r.Status != ib.RemInvReqErr {
		t.Errorf("SEND_WITH_INV refused with status %d, want 9", r.Status)
	}
	b.ok(Command{Op: LocalInv, PD: b.pd2, QPN: b.qp3, Key: key})
	b.expect("invalidated from afar", b.remote(key, b.qp, rw, 0x200000, 64), NotValid)
	if r := b.ok(Command{Op: LocalInv, PD: b.pd, QPN: b.qp, Key: key}); r.Touched[0] != 0 {
		t.Error("a free window was invalidated, and something changed")
	}
}
