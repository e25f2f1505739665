package tpt

import (
	"fmt"
	"reflect"
	"testing"

	"hcasim/ib"
)

const (
	allRights    = ib.LocalWrite | ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic | ib.MWBind
	onDemandRead = ib.OnDemand | ib.RemoteRead
)

// A bench is a table with what most tests begin with: two domains, a queue
// pair or two in each, and the region mB of the baseline: 8192 bytes at
// 0x200000 with every right.
type bench struct {
	*Table
	t         testing.TB
	pd, pd2   ib.PDN
	mr        ib.Key
	qp, qp2   ib.QPN // of pd
	qp3       ib.QPN // of pd2
	everyKey  []ib.Key
	lastPages uint64
}

func newBench(t testing.TB, v Variant) *bench {
	b := &bench{Table: NewTable(DefaultLimits(), v, 1), t: t, qp: 11, qp2: 12, qp3: 13, lastPages: 0x10_0000_0000}
	b.pd = b.ok(Command{Op: AllocPD}).PD
	b.pd2 = b.ok(Command{Op: AllocPD}).PD
	b.ok(Command{Op: CreateQP, PD: b.pd, QPN: b.qp})
	b.ok(Command{Op: CreateQP, PD: b.pd, QPN: b.qp2})
	b.ok(Command{Op: CreateQP, PD: b.pd2, QPN: b.qp3})
	b.mr = b.reg(b.pd, allRights, 0x200000, 8192)
	return b
}

// pages returns n pages that nothing else has.
func (b *bench) pages(n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		b.lastPages += 3 << 12
		list[i] = b.lastPages
	}
	return list
}

// ok applies a command that must be carried out.
func (b *bench) ok(c Command) Result {
	b.t.Helper()
	r := b.Apply(&c)
	if !r.Done() || r.Rule != "" {
		b.t.Fatalf("%v: errno %d, status %d by %s", c.Op, r.Errno, r.Status, r.Rule)
	}
	b.everyKey = append(b.everyKey, r.Key)
	return r
}

// no applies a command that must be refused by rule, and holds the table to
// have changed in nothing.
func (b *bench) no(c Command, rule string) Result {
	b.t.Helper()
	before := snapshot(b.Table)
	r := b.Apply(&c)
	if r.Done() || r.Rule != rule {
		b.t.Errorf("%v: errno %d, status %d by %q, want a refusal by %s", c.Op, r.Errno, r.Status, r.Rule, rule)
	}
	if !reflect.DeepEqual(before, snapshot(b.Table)) {
		b.t.Errorf("%v: refused by %s, and yet the table has changed", c.Op, r.Rule)
	}
	if r.Touched != [2]ib.Index{} || len(r.Also) != 0 || r.MTTCount != 0 {
		b.t.Errorf("%v: refused, and yet the answer names changes", c.Op)
	}
	return r
}

func (b *bench) reg(pd ib.PDN, access ib.AccessFlags, va, length uint64) ib.Key {
	b.t.Helper()
	first := va % 4096
	n := int(first+length+4095) / 4096
	return b.ok(Command{Op: RegMR, PD: pd, Access: access, VA: va, Length: length, First: first, PageShift: 12, Pages: b.pages(n)}).Key
}

func (b *bench) window(pd ib.PDN, mw ib.MWType) ib.Index {
	b.t.Helper()
	return b.ok(Command{Op: AllocMW, PD: pd, MWType: mw}).Index
}

// bind returns the bind of [va, va+n) of mB with window w, by the queue pair qp.
func (b *bench) bind(w ib.Index, access ib.AccessFlags, va, n uint64) Command {
	c := Command{Op: BindMW, PD: b.pd, QPN: b.qp, Window: w, Region: b.mr, Access: access, VA: va, Length: n, MWType: ib.MWType2, NewByte: 0x37}
	if b.Entry(w).Kind == Window1 {
		c.MWType = ib.MWType1
	}
	return c
}

// verdict judges an access by the truth.
func (b *bench) verdict(a Access) Fault {
	return Check(b.Entry(a.Key.Index()), a)
}

// remote is what a request of the peer asks through queue pair qp.
func (b *bench) remote(key ib.Key, qp ib.QPN, need ib.AccessFlags, va, n uint64) Access {
	pd := b.pd
	if qp == b.qp3 {
		pd = b.pd2
	}
	return Access{Key: key, PD: pd, QPN: qp, Need: need, Remote: true, Judge: Range{va, n}, Move: Range{va, n}}
}

func (b *bench) expect(what string, a Access, want Fault) {
	b.t.Helper()
	if f := b.verdict(a); f != want {
		b.t.Errorf("%s: %v, want %v", what, f, want)
	}
}

// list is a ByIndex in the plain form.
func list[T any](l *ByIndex[T]) []T {
	all := make([]T, l.Len())
	for i, t := range l.All() {
		all[i] = *t
	}
	return all
}

// snapshot is all that a table holds, in a form that compares.
func snapshot(t *Table) string {
	d := &t.domains
	s := fmt.Sprintf("%+v %+v %v %d %d %v %d %d", list(&t.entries), list(&t.books), t.freed, t.mrs, t.mws, t.mtt.used, d.pds, d.freed)
	live := []string{}
	for n, pd := range d.list {
		live = append(live, fmt.Sprintf("%d:%+v", n, pd))
	}
	pages := []string{}
	for _, e := range t.entries.All() {
		for n := range e.Pages {
			pages = append(pages, fmt.Sprint(t.Page(e.MTT+n)))
		}
	}
	seed, _ := t.random.MarshalBinary()
	return fmt.Sprint(s, live, d.qps, d.srqs, d.bound, pages, seed)
}
