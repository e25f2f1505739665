package explore

import (
	"fmt"

	"hcasim/ib"
	"hcasim/tpt"
)

// uses are the ways in which a key is tried.
var uses = [...]struct {
	need   ib.AccessFlags
	remote bool
}{{0, false}, {lw, false}, {rw, true}, {rr, true}, {ib.RemoteAtomic, true}}

// ranges are what is tried of a region's addresses: a byte on each side of
// every edge, and ranges across the edges.
var ranges = [...]tpt.Range{
	{VA: ^uint64(0), Length: 1}, {VA: 0, Length: 1}, {VA: page - 1, Length: 1}, {VA: page, Length: 1},
	{VA: size - 8, Length: 1}, {VA: size - 1, Length: 1}, {VA: size, Length: 1},
	{VA: ^uint64(0), Length: 2}, {VA: page - 1, Length: 2}, {VA: 0, Length: size}, {VA: 0, Length: size + 1},
	{VA: size, Length: 0},
}

// probe puts every key to every use.
func (s *search) probe(w *world, p path) {
	for _, h := range w.keys {
		for _, key := range [...]ib.Key{h.key, h.key.Next()} {
			e := w.table.Entry(key.Index())
			for q := q1; q <= q3; q++ {
				if w.ledger.qps[q] == 0 {
					continue
				}
				a := tpt.Access{Key: key, PD: w.ledger.qps[q], QPN: q}
				for _, u := range uses {
					a.Need, a.Remote = u.need, u.remote
					for _, m := range ranges {
						m.VA += starts[h.base]
						if u.need == ib.RemoteAtomic {
							m = tpt.Range{VA: m.VA &^ 7, Length: 8}
						}
						a.Judge, a.Move = m, m
						s.level.Accesses++
						fault := s.Check(e, a)
						if why := disagree(w, &e, &a, fault); why != "" {
							s.found(w, p, &a, fault, why)
							return
						}
					}
				}
			}
		}
	}
}

// disagree compares one verdict with the ledger; the answer is a sentence, or
// nothing.
func disagree(w *world, e *tpt.Entry, a *tpt.Access, fault tpt.Fault) string {
	if a.Judge.Length == 0 { // nobody looks at a key for no bytes (C9-88)
		if fault != tpt.OK {
			return fmt.Sprintf("refused (%v), but it touches no byte", fault)
		}
		return ""
	}
	g := w.ledger.find(a.Key, a.QPN, a.Need, a.Remote, a.Judge.VA, a.Judge.Length)
	switch {
	case fault != tpt.OK && g != nil:
		return fmt.Sprintf("refused (%v), but it was granted and never withdrawn", fault)
	case fault == tpt.OK && g == nil:
		return "allowed, but no grant of it is in force"
	case fault != tpt.OK:
		return ""
	}
	va, first := a.Judge.VA, uint32(0)
	first, count := e.Span(a.Move)
	for n := range count {
		offset, length := e.Part(a.Move, n)
		if got, want := w.table.Page(first+n)+offset, g.at(va); got != want {
			return fmt.Sprintf("allowed, but it reaches the byte at %#x instead of %#x", got, want)
		}
		va += length
	}
	if va != a.Judge.VA+a.Judge.Length {
		return "allowed, but not all of it is reached"
	}
	return ""
}
