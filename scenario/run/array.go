package run

import (
	"fmt"
	"sort"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/tpt"
)

// An array is what a declaration with count: makes. Those of its elements that
// the file speaks of alone are objects with a name; of the others, perhaps a
// million, the tables know all there is to know, and an element is read from
// there whenever a load comes by.
type array struct {
	side *side
	name string
	n    int
	base ib.Index // entry of the first: they follow one another

	own map[int]*named // those with a name

	region host.MR // the first, of regions
	va     uint64  // between the addresses of neighbours
	iova   uint64
	window host.MW  // the first, of windows
	starts []uint64 // of windows, as last bound
}

// newArray books an array whose elements are about to be made.
func (x *side) newArray(name string, n uint32) *array {
	a := &array{side: x, name: name, n: int(n), own: map[int]*named{}}
	x.arrays = append(x.arrays, a)
	return a
}

// array returns the array of a name, nil if there is none.
func (x *side) array(name string) *array {
	for _, a := range x.arrays {
		if a.name == name {
			return a
		}
	}
	return nil
}

// arrayOf returns the array that an entry belongs to, nil if it belongs to
// none. They were made in the order of their entries.
func (x *side) arrayOf(i ib.Index) *array {
	k := sort.Search(len(x.arrays), func(k int) bool { return x.arrays[k].base > i }) - 1
	if k < 0 || int(i-x.arrays[k].base) >= x.arrays[k].n {
		return nil
	}
	return x.arrays[k]
}

// An unnamed is an element that is read from the tables.
type unnamed struct {
	named
	of   *array // nil: of none yet
	keys [1]learnedKey
	mr   host.MR
	mw   host.MW
}

// read makes u element k.
func (a *array) read(k int, u *unnamed) *named {
	if u.of != a {
		a.shape(u)
	}
	i := a.base + ib.Index(k)
	e := a.side.hca.Table.Entry(i)
	key := ib.MakeKey(i, e.KeyByte)
	u.ref.Index, u.dead, u.keys[0].key = k, e.State != tpt.Valid, key
	if u.named.mw != nil {
		u.mw.Index, u.mw.RKey = i, ib.RKey(key)
		if a.starts != nil {
			u.start = a.starts[k]
		}
		return &u.named
	}
	u.mr.Index, u.mr.LKey = i, ib.LKey(key)
	if a.region.RKey != 0 {
		u.mr.RKey = ib.RKey(key)
	}
	u.mr.VA, u.mr.IOVA = a.region.VA+uint64(k)*a.va, a.region.IOVA+uint64(k)*a.iova
	return &u.named
}

// shape makes u what all elements have in common.
func (a *array) shape(u *unnamed) {
	*u = unnamed{of: a, mr: a.region, mw: a.window}
	u.named = named{side: a.side, ref: lang.Ref{Host: a.side.name, Name: a.name}, keys: u.keys[:]}
	if a.window.PD != nil {
		u.named.mw = &u.mw
	} else {
		u.named.mr = &u.mr
	}
}

// bound notes where a window begins that was bound.
func (a *array) bound(i ib.Index, start uint64) {
	if a.starts == nil {
		a.starts = make([]uint64, a.n)
	}
	a.starts[i-a.base] = start
}

// madeRegion books region k.
func (a *array) madeRegion(k int, mr *host.MR) {
	switch k {
	case 0:
		a.base, a.region = mr.Index, *mr
	case 1:
		a.va, a.iova = mr.VA-a.region.VA, mr.IOVA-a.region.IOVA
	}
	a.follows(k, mr.Index == a.base+ib.Index(k) && mr.VA == a.region.VA+uint64(k)*a.va && mr.IOVA == a.region.IOVA+uint64(k)*a.iova)
}

// madeWindow books window k.
func (a *array) madeWindow(k int, mw *host.MW) {
	if k == 0 {
		a.base, a.window = mw.Index, *mw
	}
	a.follows(k, mw.Index == a.base+ib.Index(k))
}

// follows panics when an element is not where the ones before it let expect.
func (a *array) follows(k int, ok bool) {
	if !ok {
		panic(fmt.Sprintf("run: %s: element %d of %s does not follow the others", a.side.name, k, a.name))
	}
}

// A list is objects that a load goes over: single ones, and arrays.
type list struct {
	parts []part
	n     int
	spare []unnamed // read by turns
	turn  int
}

// A part is one object, or an array from its first element on.
type part struct {
	one   *named
	array *array
	from  int // its place in the list
}

// newList finds the objects that references name; ok is false if one was never
// made. As many elements as spare says stay readable at a time.
func (r *runner) newList(refs []lang.Ref, spare int) (l *list, ok bool) {
	l = &list{spare: make([]unnamed, spare)}
	for _, ref := range refs {
		x := r.side(ref.Host)
		if a := x.array(ref.Name); a != nil && ref.Index == lang.Whole {
			l.parts = append(l.parts, part{array: a, from: l.n})
			l.n += a.n
			continue
		}
		for _, n := range r.elements(ref) {
			if n == nil {
				return nil, false
			}
			l.parts = append(l.parts, part{one: n, from: l.n})
			l.n++
		}
	}
	return l, true
}

// at returns object i. One without a name is good until as many others as
// there are spare ones have been asked for.
func (l *list) at(i int) *named {
	if one := l.parts[0].one; one != nil && len(l.parts) == 1 {
		return one
	}
	return l.find(i)
}

// find is at in a list of more than one object.
func (l *list) find(i int) *named {
	p := &l.parts[0]
	if len(l.parts) > 1 {
		p = &l.parts[sort.Search(len(l.parts), func(k int) bool { return l.parts[k].from > i })-1]
	}
	if p.one != nil {
		return p.one
	}
	k := i - p.from
	if own := p.array.own; k == 0 || len(own) > 1 { // the first has a name always
		if n := own[k]; n != nil {
			return n
		}
	}
	l.turn++
	if l.turn == len(l.spare) {
		l.turn = 0
	}
	return p.array.read(k, &l.spare[l.turn])
}

// name returns what object i is called.
func (l *list) name(i int) string { return l.at(i).ref.String() }
