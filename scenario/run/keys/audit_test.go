package keys

import (
	"fmt"
	"testing"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/tpt"
)

// A bench is a table, its book, and probes that are rung by hand.
type bench struct {
	*Audit
	t     *testing.T
	unit  mtp.Unit
	sum   Counts
	pd    ib.PDN
	now   sim.Time
	lands []func() // what is applied and not yet done
}

func newBench(t *testing.T, before ...tpt.Command) *bench {
	b := &bench{t: t}
	table := tpt.NewTable(tpt.DefaultLimits(), tpt.SpecVariant(), 1)
	b.pd = table.Apply(&tpt.Command{Op: tpt.AllocPD}).PD
	table.Apply(&tpt.Command{Op: tpt.CreateQP, PD: b.pd, QPN: 5})
	for _, c := range before {
		c.PD = b.pd
		table.Apply(&c)
	}
	b.Audit = Watch(&b.unit, table, "B", &b.sum, func(i ib.Index) string { return fmt.Sprint("entry", i) })
	return b
}

// begin applies a command an instant later; what it began is done by finish.
func (b *bench) begin(c tpt.Command) tpt.Result {
	b.t.Helper()
	b.now++
	c.PD, c.QPN = b.pd, 5
	r := b.table.Apply(&c)
	if !r.Done() {
		b.t.Fatalf("%v: errno %v, status %v, rule %s", c.Op, r.Errno, r.Status, r.Rule)
	}
	ch := mtp.Changed{At: b.now, Command: &c, Result: &r}
	b.unit.Changes.Emit(ch)
	b.lands = append(b.lands, func() {
		ch.At, ch.Done = b.now, true
		b.unit.Changes.Emit(ch)
	})
	return r
}

func (b *bench) finish() {
	b.now++
	for _, f := range b.lands {
		f()
	}
	b.lands = nil
}

func (b *bench) do(c tpt.Command) tpt.Result {
	b.t.Helper()
	r := b.begin(c)
	b.finish()
	return r
}

// use lets a key be judged as granted.
func (b *bench) use(k ib.Key) {
	b.now++
	b.unit.Judgements.Emit(mtp.Judgement{At: b.now, Access: &mtp.Access{Access: tpt.Access{Key: k, Remote: true, Judge: tpt.Range{Length: 1}}}})
}

func (b *bench) refuse(k ib.Key) {
	b.Refused(&tpt.Access{Key: k, Remote: true, Judge: tpt.Range{Length: 1}}, tpt.BadKey)
}

func (b *bench) life(i int) Life {
	b.t.Helper()
	all, _ := b.Lives()
	if i >= len(all) {
		b.t.Fatalf("%d lives, want more than %d", len(all), i)
	}
	return all[i]
}

var region = tpt.Command{Op: tpt.RegMR, VA: 0x1000, Length: 4096, PageShift: 12, Pages: []uint64{0x10000}, Writable: true,
	Access: ib.LocalWrite | ib.RemoteWrite | ib.MWBind}

// TestLife follows a region from birth to death: K3, and what is booked where.
func TestLife(t *testing.T) {
	b := newBench(t)
	r := b.do(region)
	b.use(r.Key)
	first := b.now
	b.refuse(r.Key) // out of its range, say
	b.begin(tpt.Command{Op: tpt.DeregMR, Index: r.Index})
	b.use(r.Key) // fetched before
	last := b.now
	if l := b.life(0); l.Dead || b.Live() != 1 {
		t.Errorf("dead before its change is done: %+v", l)
	}
	b.finish()
	died := b.now
	b.use(r.Key) // by a copy that was left
	b.refuse(r.Key)
	b.refuse(r.Key + 1)
	l := b.life(0)
	if want := (Uses{2, first, last}); l.Remote != want || l.Local != (Uses{}) {
		t.Errorf("uses %+v, want %+v", l.Remote, want)
	}
	if !l.Dead || l.Died != died || l.By != tpt.DeregMR || l.Born != 1 || l.Declared || l.Object != "entry1" {
		t.Errorf("%+v", l)
	}
	if l.Denied != 1 || l.Refused != 1 || l.Late != 1 {
		t.Errorf("denied %d, refused %d, late %d", l.Denied, l.Refused, l.Late)
	}
	if d := l.Exposure(died + 100); d != died.Sub(last) || d != b.Exposed() || b.Live() != 0 {
		t.Errorf("exposed for %v, the longest %v, %d live", d, b.Exposed(), b.Live())
	}
	if want := (Counts{Lives: 1, Refused: 1, Late: 1, Unknown: 1}); b.sum != want {
		t.Errorf("%+v, want %+v", b.sum, want)
	}
}

// TestDeclared: what was there before is in the book, and exposed from its
// birth while nobody uses it.
func TestDeclared(t *testing.T) {
	b := newBench(t, region)
	b.now = 50
	if l := b.life(0); !l.Declared || l.Dead || l.Exposure(b.now) != 50 || b.Live() != 1 {
		t.Errorf("%+v, %d live", l, b.Live())
	}
}

// TestGenerations binds a window until its first key comes back: the 257th
// bind has the value of the first, and only if it opens other bytes is that
// another meaning.
func TestGenerations(t *testing.T) {
	for _, other := range []bool{false, true} {
		b := newBench(t)
		r, w := b.do(region), b.do(tpt.Command{Op: tpt.AllocMW, MWType: 1})
		bind := tpt.Command{Op: tpt.BindMW, MWType: 1, Window: w.Index, Region: r.Key, VA: 0x1000, Length: 8, Access: ib.RemoteWrite}
		for range 256 {
			b.do(bind)
		}
		if b.sum.Again != 0 || b.Live() != 2 {
			t.Fatalf("after 256 binds: %+v, %d live", b.sum, b.Live())
		}
		if other {
			bind.VA += 8
		}
		b.do(bind)
		l, old := b.life(257), b.life(1)
		if l.Key != old.Key || l.Before == nil || !l.Before.Same(old.Meaning) || l.Reused() != other || (b.sum.Reused == 1) != other || b.sum.Again != 1 {
			t.Errorf("other %v: %+v after %+v, %+v", other, l, old, b.sum)
		}
		if old.By != tpt.BindMW {
			t.Errorf("the first was ended by %v", old.By)
		}
		bind.VA, bind.Length, bind.NoRegion, bind.Access = 0, 0, true, 0
		b.do(bind)
		if l := b.life(257); !l.Dead || l.By != tpt.Unbind {
			t.Errorf("unbound: %+v", l)
		}
	}
}

// TestAnotherObject: the same range and rights at the same index, but of a
// region that was registered anew, are another meaning.
func TestAnotherObject(t *testing.T) {
	b := newBench(t)
	for range 257 {
		b.do(tpt.Command{Op: tpt.DeregMR, Index: b.do(region).Index})
	}
	if l := b.life(256); l.Key != b.life(0).Key || !l.Reused() {
		t.Errorf("%+v after %+v", l, b.life(0))
	}
}

// TestUntouched: a bind changes nothing of the region behind the window (K2).
func TestUntouched(t *testing.T) {
	b := newBench(t)
	r, w := b.do(region), b.do(tpt.Command{Op: tpt.AllocMW, MWType: 2})
	b.do(tpt.Command{Op: tpt.BindMW, MWType: 2, Window: w.Index, Region: r.Key, VA: 0x1000, Length: 8, Access: ib.RemoteWrite, NewByte: 7})
	if b.sum.Lives != 2 || b.life(0).Dead {
		t.Errorf("%+v, the region's %+v", b.sum, b.life(0))
	}
	b.do(tpt.Command{Op: tpt.RemoteInv, Key: ib.MakeKey(w.Index, 7)})
	if l := b.life(1); !l.Dead || l.By != tpt.RemoteInv || l.QPN() != 5 {
		t.Errorf("%+v", l)
	}
}

// TestNoAllocation: an access costs the book nothing that must be collected.
func TestNoAllocation(t *testing.T) {
	b := newBench(t, region)
	a := &mtp.Access{Access: tpt.Access{Key: b.life(0).Key, Remote: true, Judge: tpt.Range{Length: 1}}}
	if n := testing.AllocsPerRun(100, func() { b.unit.Judgements.Emit(mtp.Judgement{At: b.now, Access: a}) }); n != 0 {
		t.Errorf("%v allocations an access", n)
	}
	if b.life(0).Remote.Count == 0 {
		t.Error("it was not booked")
	}
}
