package tpt

import (
	"encoding/binary"
	"slices"

	"hcasim/ib"
)

// Equal reports whether t and u are the same table: no command and no access
// can tell them apart.
func (t *Table) Equal(u *Table) bool {
	a, b := &t.domains, &u.domains
	return t.limits == u.limits && t.variant == u.variant && *t.random == *u.random &&
		sameLists(&t.entries, &u.entries) && sameLists(&t.books, &u.books) && t.freed == u.freed &&
		t.mrs == u.mrs && t.mws == u.mws && t.mtt.used == u.mtt.used &&
		t.mtt.slab.equal(&u.mtt.slab) && slices.Equal(t.mtt.free, u.mtt.free) &&
		slices.Equal(t.mtt.sharers, u.mtt.sharers) &&
		slices.Equal(a.list, b.list) && sameLists(&a.qps.pd, &b.qps.pd) && sameLists(&a.srqs.pd, &b.srqs.pd) &&
		sameLists(&a.bound, &b.bound) && a.freed == b.freed
}

// Freed appends the indices that were given back, in the order in which they
// will be given out again.
func (t *Table) Freed(list []ib.Index) []ib.Index {
	for i := t.freed.oldest; i != 0; i = t.books.at(i).next {
		list = append(list, i)
	}
	return list
}

// Names are other names for what a table holds.
type Names struct {
	Order []ib.Index // every index ever given out, the freed ones last, in the order of Freed; its place is its name
	Place []uint8    // by index: its place in Order, from 1
	Base  []uint64   // by index of a region: what its addresses are counted from
	QP    []ib.QPN   // by number of a queue pair: its name
	Pages []uint64   // of page n+1 the address; AppendState appends those it meets
}

// Page returns the name of a page.
func (n *Names) Page(addr uint64) uint8 {
	for i, p := range n.Pages {
		if p == addr {
			return uint8(i + 1)
		}
	}
	n.Pages = append(n.Pages, addr)
	return uint8(len(n.Pages))
}

// AppendState appends what decides t's answers from now on, except for what is
// a name only: which index, page and translation entries something has, and
// how its key byte reads. Tables that append the same answer the same to
// commands that are the same under their names, as long as no limit is met.
// It is meant for tables of fewer than 256 objects.
func (t *Table) AppendState(b []byte, n *Names) []byte {
	apart := t.apart()
	for _, i := range n.Order {
		e, k := t.entries.at(i), t.books.at(i)
		b = append(b, byte(e.Kind), byte(e.State), e.PageShift, byte(e.PD), byte(n.QP[e.QPN]), n.Place[e.Region], byte(e.Pages))
		if e.State == Absent {
			continue // its book is its place among the freed
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(e.Rights))
		base, run := n.Base[i], uint32(0)
		if e.Kind.IsWindow() {
			base, run = n.Base[e.Region], t.entries.at(e.Region).MTT
		}
		b = binary.LittleEndian.AppendUint64(b, e.Start-base)
		b = binary.LittleEndian.AppendUint64(b, e.Length)
		b = binary.LittleEndian.AppendUint64(b, e.First)
		b = append(b, n.Place[k.next], n.Place[k.prev], byte(k.bound), byte(k.room), oneIf(k.writable))
		switch {
		case e.Kind.IsWindow() || !apart:
			b = binary.LittleEndian.AppendUint32(b, e.MTT-run)
		default:
			for p := range e.Pages {
				b = append(b, n.Page(t.mtt.page(e.MTT+p)))
			}
		}
	}
	b = append(b, byte(t.mrs), byte(t.mws), byte(t.mtt.used), oneIf(apart))
	if t.variant.MW1KeyRandom {
		b, _ = t.random.AppendBinary(b) // it has no error
	}
	return t.domains.appendState(b, n)
}

func (d *domains) appendState(b []byte, n *Names) []byte {
	for i := range d.list {
		b = append(b, oneIf(d.list[i].live), byte(d.list[i].users), byte(d.list[i].ahs))
	}
	b = append(b, byte(d.freed))
	for name := range n.QP {
		q := slices.Index(n.QP, ib.QPN(name))
		b = append(b, byte(d.qps.of(uint32(q))), byte(d.boundTo(ib.QPN(q))))
	}
	return b
}

// apart reports whether the runs of all regions are taken, disjoint, and all
// that is taken: then it does not matter where they are.
func (t *Table) apart() bool {
	var sum uint32
	for i, e := range t.entries.All() {
		room := t.books.at(i).room
		if !e.Kind.IsRegion() {
			continue
		}
		sum += room
		for n := e.MTT; n < e.MTT+room; n++ {
			if n/64 >= uint32(len(t.mtt.free)) || t.mtt.free[n/64]>>(n%64)&1 != 0 {
				return false
			}
		}
		for j, f := range t.entries.All() {
			if j == i {
				break
			}
			if f.Kind.IsRegion() && e.MTT < f.MTT+t.books.at(j).room && f.MTT < e.MTT+room {
				return false
			}
		}
	}
	return sum == t.mtt.used
}

func oneIf(set bool) byte {
	if set {
		return 1
	}
	return 0
}
