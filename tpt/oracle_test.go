package tpt

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
)

// A history is a random life of a few dozen objects, told to the table and to
// the model alike.
type history struct {
	*rapid.T
	table *Table
	model *model
	keys  []ib.Key // every key that was ever handed out
	page  uint64
	came  map[string]int // outcomes and verdicts, by rule and by name
}

// Whatever happens to the objects, the table answers as the model does, and
// every access gets the model's verdict.
func TestOracle(t *testing.T) {
	came := map[string]int{}
	for i := range 5 { // of 100 histories each, unless -rapid.checks says otherwise
		draw(i)
		rapid.Check(t, func(t *rapid.T) {
			l := Limits{
				MR: 6, MW: 6, QP: 3, SRQ: 1, PD: 3,
				MTT: rapid.SampledFrom([]uint32{32, 16, 40, 8}).Draw(t, "mtt"),
			}
			v := drawVariant(t)
			h := &history{T: t, table: NewTable(l, v, 7), model: newModel(v, l), came: came}
			h.begin()
			for range rapid.SampledFrom([]int{60, 30, 90, 10}).Draw(t, "changes") {
				h.change(h.draw())
				for range 3 {
					h.access()
				}
			}
			h.end()
		})
	}
	if testing.Short() {
		return
	}
	// The histories are worth their while only if they get into trouble.
	for _, outcome := range strings.Fields(`ok bad-index bad-key not-valid pd-mismatch no-right out-of-range
		BIN-3 BIN-5 BND-1 BND-2 BND-6 DER-1 INV-8 MR-5 RER-6 RER-7 PD-3 ACC-14 DER-5`) {
		if came[outcome] == 0 {
			t.Errorf("no history came to %s", outcome)
		}
	}
}

func drawVariant(t *rapid.T) Variant {
	v, _ := NamedVariant(rapid.SampledFrom(VariantNames()).Draw(t, "variant"))
	for range rapid.IntRange(0, 4).Draw(t, "switches") {
		s := rapid.SampledFrom(Switches()).Draw(t, "switch")
		if err := v.Set(s.Name, rapid.SampledFrom(s.Values).Draw(t, "value")); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// begin gives the history something to work with.
func (h *history) begin() {
	for _, c := range []Command{
		{Op: AllocPD}, {Op: AllocPD}, {Op: CreateQP, PD: 1, QPN: 1}, {Op: CreateQP, PD: 2, QPN: 2},
		{Op: AllocMW, PD: 1, MWType: 1}, {Op: AllocMW, PD: 1, MWType: 2},
		{Op: RegMR, PD: 1, Access: allRights, VA: 0x10000, Length: 4096, PageShift: 12, Pages: []uint64{0x5000}},
	} {
		h.change(c)
	}
}

// change applies c to both and compares.
func (h *history) change(c Command) {
	before := snapshot(h.table)
	entries, pages := list(&h.table.entries), h.table.mtt.slab.list()
	want, got := h.model.expect(&c), h.table.Apply(&c)
	if o := (outcome{got.Errno, got.Rereg, got.Status, got.Rule}); o != want {
		h.Fatalf("%+v: came to %+v, want %+v", c, o, want)
	}
	h.came[want.rule]++
	if want != done && !(c.Op == ReregMR && want.errno == eio) {
		if snapshot(h.table) != before {
			h.Fatalf("%+v: refused by %s, and yet something changed", c, want.rule)
		}
		return
	}
	if wrong := h.model.commit(&c, got); wrong != "" {
		h.Fatalf("%+v: %s", c, wrong)
	}
	if got.Key != 0 {
		h.keys = append(h.keys, got.Key)
	}
	h.told(&c, &got, entries, pages)
	h.listed()
}

// listed holds the table's list of every region's windows to be what the
// model counts (T9).
func (h *history) listed() {
	for i, r := range h.model.mrs {
		n, before := 0, ib.Index(0)
		for w := h.table.books.at(i).next; w != 0; w = h.table.books.at(w).next {
			if h.table.entries.at(w).Region != i || h.table.books.at(w).prev != before || n > 6 {
				h.Fatalf("window %d in the list of region %d: %+v, %+v", w, i, *h.table.entries.at(w), *h.table.books.at(w))
			}
			n, before = n+1, w
		}
		if want := h.model.boundTo(r); n != want || int(h.table.Bound(i)) != want {
			h.Fatalf("region %d: %d windows listed, %d counted, want %d", i, n, h.table.Bound(i), want)
		}
	}
	for q := range ib.QPN(5) {
		want := uint32(0)
		for _, w := range h.model.mws {
			if w.qp == q && q != 0 && h.model.v.MW2Flavor == Window2A {
				want++
			}
		}
		if got := h.table.domains.boundTo(q); got != want {
			h.Fatalf("queue pair %d: %d windows counted, want %d", q, got, want)
		}
	}
}

// told holds the answer to have named every entry and every translation entry
// of which a copy is stale now.
func (h *history) told(c *Command, got *Result, entries []Entry, pages []uint64) {
	for n, e := range entries {
		i := ib.Index(n)
		if e != h.table.Entry(i) && !slices.Contains(got.Touched[:], i) && !slices.Contains(got.Also, i) {
			h.Fatalf("%+v: entry %d was %+v, is %+v, and nobody was told", c, i, e, h.table.Entry(i))
		}
	}
	for n, p := range pages {
		if at := uint32(n); p != NoPage && p != h.table.Page(at) && (at < got.MTT || at-got.MTT >= got.MTTCount) {
			h.Fatalf("%+v: translation entry %d was %#x, is %#x, and nobody was told", c, n, p, h.table.Page(at))
		}
	}
}

// access draws an access and compares the verdicts, and where its bytes are.
func (h *history) access() {
	a := Access{
		Key: h.anyKey(), PD: ib.PDN(rapid.Uint32Range(1, 3).Draw(h.T, "pd")), QPN: h.anyQP(),
		Need:  rapid.SampledFrom([]ib.AccessFlags{0, lw, rw, rr, ra}).Draw(h.T, "need"),
		Judge: Range{h.anyVA(), h.anyLength()},
	}
	if e := h.table.Entry(a.Key.Index()); e.Length > 0 && rapid.IntRange(0, 3).Draw(h.T, "stray") < 3 {
		a.PD, a.Key = e.PD, ib.MakeKey(a.Key.Index(), e.KeyByte)
		a.Judge.VA = e.Start + rapid.Uint64Range(0, e.Length).Draw(h.T, "offset")
		if e.Kind.Type2() {
			a.QPN = e.QPN
		}
	}
	a.Remote = a.Need&remoteAccess != 0
	a.Move = a.Judge
	want, first, last := h.model.judge(a)
	e := h.table.Entry(a.Key.Index())
	if got := Check(e, a); got != want {
		h.Fatalf("%+v on %+v: %v, want %v", a, e, got, want)
	}
	h.came[want.String()]++
	if want != OK || a.Judge.Length == 0 || a.Need == ra {
		return
	}
	var pieces []Piece
	bytes := uint64(0)
	f := Walk(e, h.table, a.Move, func(p Piece) bool {
		pieces = append(pieces, p)
		bytes += p.Length
		return true
	})
	switch {
	case f == NoTranslation:
		if e.Rights&ib.OnDemand == 0 {
			h.Fatalf("%+v on %+v: no page", a, e)
		}
	case bytes != a.Move.Length, pieces[0].Addr != first, pieces[len(pieces)-1].Addr+pieces[len(pieces)-1].Length-1 != last:
		h.Fatalf("%+v on %+v: bytes at %#x, want %#x to %#x", a, e, pieces, first, last)
	}
}

// end does away with everything, and holds the table to be empty then.
func (h *history) end() {
	for i := range ib.Index(h.table.MaxEntry() + 1) {
		if h.model.mws[i] != nil {
			h.change(Command{Op: DeallocMW, Index: i})
		}
	}
	for i := range ib.Index(h.table.MaxEntry() + 1) {
		if h.model.mrs[i] != nil {
			h.change(Command{Op: DeregMR, Index: i})
		}
	}
	for n := range ib.QPN(5) {
		if h.model.qps[n] != 0 {
			h.change(Command{Op: DestroyQP, QPN: n})
		}
	}
	for pd := range ib.PDN(5) {
		for h.model.ahs[pd] > 0 {
			h.change(Command{Op: DestroyAH, PD: pd})
		}
		if h.model.srqs[1] == pd && pd != 0 {
			h.change(Command{Op: DestroySRQ, SRQN: 1})
		}
		if h.model.pds[pd] {
			h.change(Command{Op: DeallocPD, PD: pd})
		}
	}
	if u := h.table.Usage(); u != (Usage{}) {
		h.Fatalf("left behind: %+v", u)
	}
}
