package mtp

import (
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// Timed and untimed agree: the verdict, the pages and the latency of every
// access of a small world against every entry of it, through a miss and then
// through a hit (CACHE-1); where there is a second level, then through a hit in
// that.
func TestAgreement(t *testing.T) {
	for i, flavor := range []tpt.Kind{tpt.Window2A, tpt.Window2B, tpt.Window2A, tpt.Window2B, tpt.Window2B} {
		s := defaults()
		s.variant.MW2Flavor, s.variant.DeregBound = flavor, "orphan"
		s.caches.MPT, s.caches.MTT = small(4), small(4)
		if i > 1 {
			s.caches.MPT.Refill, s.caches.MTT.Refill, s.caches.MPT.Work, s.caches.MTT.Work = 13, 17, 7, 3
		}
		s.caches.shape(shapes[i/2], 64)
		w := newWorld(t, s)
		seen := map[tpt.Fault]int{}
		kinds := map[[2]uint8]bool{}
		stream := w.unit.Stream()
		indices := w.smallEntries()
		for _, i := range indices {
			e := w.table.Entry(i)
			kinds[[2]uint8{uint8(e.Kind), uint8(e.State)}] = true
			for _, a := range smallAccesses(i, e) {
				w.unit.mpt.Clear()
				w.unit.mtt.Clear()
				w.judgeBoth(stream, a)
				w.judgeBoth(stream, a)
				w.unit.mpt.away()
				w.unit.mtt.away()
				seen[w.judgeBoth(stream, a)]++
			}
		}
		t.Logf("%v: %d entries, verdicts %v", flavor, len(indices), seen)
		for f := tpt.OK; f <= tpt.NoTranslation; f++ {
			if seen[f] == 0 && !(f == tpt.QPMismatch && flavor == tpt.Region) {
				t.Errorf("%v, %s: no access of this world ends with %v", flavor, shapes[i/2], f)
			}
		}
		if len(kinds) != 12 {
			t.Errorf("%v: %d kinds of entries in their states, want 12: %v", flavor, len(kinds), kinds)
		}
		w.finish()
	}
}

// judgeBoth sends one access through the idle pipeline and holds it to the
// table and to the formula.
func (w *world) judgeBoth(stream StreamID, a tpt.Access) tpt.Fault {
	e := w.table.Entry(a.Key.Index())
	want, pieces := untimed(w.table, a)
	now := w.Now().Add(7_301) // off the edges
	judged, translated := w.expect(now, &a, &e, w.table.Holds(a.Key.Index()))
	w.got = w.got[:0]
	w.unit.Submit(now, w.client, stream, 9, &a)
	w.Run(sim.Never)
	if len(w.got) != 1 {
		w.t.Fatalf("resolved %d times: %+v", len(w.got), a)
	}
	got := &w.got[0].a
	if got.Fault != want || got.N != uint8(len(pieces)) {
		w.t.Fatalf("%+v\n%+v\ntimed %v with %d pieces, untimed %v with %d", e, a, got.Fault, got.N, want, len(pieces))
	}
	for i, p := range pieces {
		if got.Pieces[i] != p {
			w.t.Fatalf("%+v\n%+v\npiece %d is %+v, want %+v", e, a, i, got.Pieces[i], p)
		}
	}
	if got.Judged != judged || got.Translated != translated || w.got[0].at != translated {
		w.t.Fatalf("%+v\n%+v\njudged %v translated %v resolved %v, want %v and %v", e, a, got.Judged, got.Translated, w.got[0].at, judged, translated)
	}
	return got.Fault
}

// untimed is the verdict of the rules, and the pieces with neighbours joined.
func untimed(t *tpt.Table, a tpt.Access) (f tpt.Fault, pieces []Piece) {
	e := t.Entry(a.Key.Index())
	if f = tpt.Check(e, a); f != tpt.OK || a.Move.Length == 0 {
		return f, nil
	}
	f = tpt.Walk(e, t, a.Move, func(p tpt.Piece) bool {
		if n := len(pieces); n > 0 && pieces[n-1].Addr+uint64(pieces[n-1].Length) == p.Addr {
			pieces[n-1].Length += uint32(p.Length)
		} else {
			pieces = append(pieces, Piece{p.Addr, uint32(p.Length)})
		}
		return true
	})
	if f != tpt.OK {
		pieces = nil
	}
	return f, pieces
}

// expect is the formula: two stages, and one read of table memory more, and the
// work on what it brought, for the entry and for each line of pages that is not
// on chip; or the refill of what is in the second level.
func (w *world) expect(now sim.Time, a *tpt.Access, e *tpt.Entry, held bool) (judged, translated sim.Time) {
	p := &w.unit.params
	judged = w.clock.After(now, p.MPTLatency)
	atomic := a.Need&ib.RemoteAtomic != 0
	if i := a.Key.Index(); held && (a.Judge.Length > 0 || atomic) && w.unit.mpt.here(i, 0) == nil {
		judged = w.fill(judged, w.unit.mpt.Far(i) != nil, &w.unit.caches.MPT)
	}
	translated = w.clock.After(judged, p.MTTLatency)
	if tpt.Check(*e, *a) != tpt.OK || a.Move.Length == 0 {
		return judged, translated
	}
	first, n := e.Span(a.Move)
	for at, last := first, ^uint32(0); at < first+n; at++ {
		if l := at / lineEntries; l != last && w.unit.mtt.here(mttLine(l), at%lineEntries) == nil {
			translated = w.fill(translated, w.unit.mtt.Far(mttLine(l)) != nil, &w.unit.caches.MTT)
		}
		if last = at / lineEntries; w.table.Page(at) == tpt.NoPage {
			break
		}
	}
	return judged, translated
}

// fill is when what is missing from an instant on has come.
func (w *world) fill(at sim.Time, far bool, p *CacheParams) sim.Time {
	switch {
	case far:
		return w.clock.After(at, p.Refill)
	case p.Work > 0:
		return w.clock.After(at.Add(w.fetch()), p.Work)
	default:
		return at.Add(w.fetch())
	}
}

// smallEntries fills the table with entries of all kinds in all their states,
// of two key bytes, two domains, two queue pairs and four sets of rights, over
// 16 bytes across the border of two pages.
func (w *world) smallEntries() (all []ib.Index) {
	add := func(r tpt.Result) ib.Index { all = append(all, r.Index); return r.Index }
	for bits := range 16 {
		pd, keyByte := ib.PDN(1+bits&1), uint8(bits>>1&1)
		rights := []ib.AccessFlags{0, ib.RemoteRead, ib.RemoteWrite | ib.LocalWrite, ib.RemoteAtomic | ib.LocalWrite}[bits>>2]
		reg := w.edge(pd, rights|ib.MWBind|ib.LocalWrite)
		i := add(w.apply(reg))
		if keyByte == 1 {
			w.apply(tpt.Command{Op: tpt.ReregMR, Index: i, Rereg: ib.ReregAccess, Access: reg.Access}) // RER-2
		}
		region := ib.MakeKey(i, w.table.Entry(i).KeyByte)
		add(w.apply(tpt.Command{Op: tpt.RegShared, Index: i, PD: pd, Access: rights}))
		broken := reg
		broken.Access = rights
		w.table.Apply(&tpt.Command{Op: tpt.ReregMR, Index: add(w.apply(broken)), Rereg: ib.ReregAccess, Access: rights, Fail: true})
		hole := reg
		hole.Access = rights | ib.OnDemand
		hole.Pages = []uint64{0x5000, tpt.NoPage}
		add(w.apply(hole))

		add(w.apply(tpt.Command{Op: tpt.AllocMR, PD: pd, MaxPages: 2}))
		fast := add(w.apply(tpt.Command{Op: tpt.AllocMR, PD: pd, MaxPages: 2}))
		list := reg
		list.Op, list.Key, list.Access = tpt.FastRegMR, ib.MakeKey(fast, keyByte), rights
		w.apply(list)

		orphaned := w.apply(w.edge(pd, rights|ib.MWBind|ib.LocalWrite))
		for _, mw := range []ib.MWType{ib.MWType1, ib.MWType2} {
			for qpn := range ib.QPN(2) {
				win := func(region ib.Key) {
					i := add(w.apply(tpt.Command{Op: tpt.AllocMW, PD: pd, MWType: mw}))
					b := bind(i, mw, region, 4088, 16)
					b.PD, b.QPN, b.NewByte, b.Access = pd, qpn+1, keyByte, rights&^ib.LocalWrite
					if region != 0 {
						w.apply(b)
					}
				}
				win(0)
				win(region)
				win(orphaned.Key)
			}
		}
		w.apply(tpt.Command{Op: tpt.DeregMR, Index: orphaned.Index})
		add(orphaned) // absent now, and its windows grant nothing
	}
	return append(all, 1<<23) // beyond the table
}

// edge registers 16 bytes, 8 of them in each of two pages; half of the pages
// are neighbours.
func (w *world) edge(pd ib.PDN, access ib.AccessFlags) tpt.Command {
	second := uint64(0x9000)
	if access&ib.RemoteRead != 0 {
		second = 0x6000
	}
	return tpt.Command{
		Op: tpt.RegMR, PD: pd, Access: access, VA: 4088, Length: 16, First: 4088, PageShift: 12,
		Pages: []uint64{0x5000, second}, Writable: true,
	}
}

func smallAccesses(i ib.Index, e tpt.Entry) (all []tpt.Access) {
	for _, need := range []ib.AccessFlags{0, ib.LocalWrite, ib.RemoteRead, ib.RemoteWrite, ib.RemoteAtomic} {
		for bits := range 8 {
			if bits&1 == 1 && need == 0 {
				continue // local read differs from local write by its right alone
			}
			for _, r := range []tpt.Range{{VA: 4088, Length: 16}, {VA: 4087, Length: 1}, {VA: 4088, Length: 0}, {VA: 4088, Length: 17}, {VA: 4095, Length: 2}, {VA: 4103, Length: 1}, {VA: 4104, Length: 1}, {VA: 4096, Length: 8}, {VA: ^uint64(0), Length: 4}} {
				all = append(all, tpt.Access{
					Key: ib.MakeKey(i, e.KeyByte^uint8(bits&1)), PD: ib.PDN(1 + bits>>1&1), QPN: ib.QPN(1 + bits>>2&1),
					Need: need, Remote: need&(ib.RemoteRead|ib.RemoteWrite|ib.RemoteAtomic) != 0, Judge: r, Move: r,
				})
			}
		}
	}
	return all
}
