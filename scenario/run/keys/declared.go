package keys

import (
	"sort"

	"hcasim/ib"
	"hcasim/tpt"
)

// A row is neighbouring entries that were valid before time 0, of which each
// follows from the first: regions of an array lie one behind the other, in
// memory and in the table of translations.
type row struct {
	first ib.Index
	n     uint32
	rank  uint32 // of the first, among all that were declared
	entry tpt.Entry
	start uint64 // between neighbours
	mtt   uint32
}

// at returns entry k of a row.
func (w *row) at(k uint32) tpt.Entry {
	e := w.entry
	e.Start += uint64(k) * w.start
	e.MTT += k * w.mtt
	return e
}

// rows are the entries that were valid before time 0, in their order.
type rows struct {
	list []row
	n    int // entries
}

// add enters the next one.
func (r *rows) add(i ib.Index, e tpt.Entry) {
	if len(r.list) > 0 {
		w := &r.list[len(r.list)-1]
		if w.n == 1 {
			w.start, w.mtt = e.Start-w.entry.Start, e.MTT-w.entry.MTT
		}
		if i == w.first+ib.Index(w.n) && e == w.at(w.n) {
			w.n++
			r.n++
			return
		}
	}
	r.list = append(r.list, row{first: i, n: 1, rank: uint32(r.n), entry: e})
	r.n++
}

// of returns the row of an entry, nil if it was not valid.
func (r *rows) of(i ib.Index) *row {
	k := sort.Search(len(r.list), func(k int) bool { return r.list[k].first > i }) - 1
	if k < 0 || uint32(i-r.list[k].first) >= r.list[k].n {
		return nil
	}
	return &r.list[k]
}

// rank returns how many entries before this one were valid, -1 if it was not.
func (r *rows) rank(i ib.Index) int {
	if w := r.of(i); w != nil {
		return int(w.rank) + int(i-w.first)
	}
	return -1
}

// read returns the key and the meaning that an entry had.
func (r *rows) read(i ib.Index) (ib.Key, grant) {
	w := r.of(i)
	e := w.at(uint32(i - w.first))
	return ib.MakeKey(i, e.KeyByte), grantOf(&e, 0)
}
