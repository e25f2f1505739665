package tpt

import (
	"testing"
	"unsafe"

	"hcasim/ib"
)

// bytes is the memory that a list holds.
func (l *ByIndex[T]) bytes() uint64 {
	var t T
	n := uint64(cap(l.pages)) * uint64(unsafe.Sizeof(l.pages))
	for _, page := range l.pages {
		n += uint64(cap(page)) * uint64(unsafe.Sizeof(t))
	}
	return n
}

// TestByIndex: what is made is found, and nothing else but what lies before it
// on its page.
func TestByIndex(t *testing.T) {
	var l, m ByIndex[int]
	m.Make(indexPage) // what was in the way of a copy
	for _, i := range []ib.Index{3, indexPage - 1, 7 * indexPage, MaxIndex} {
		*l.Make(i) = int(i)
	}
	m.copyFrom(&l)
	if !sameLists(&l, &m) || l.Len() != MaxIndex+1 {
		t.Errorf("a copy of %d is another list, of %d", l.Len(), m.Len())
	}
	*m.Make(7 * indexPage)++
	if sameLists(&l, &m) {
		t.Error("a copy is not its own")
	}
	for i, want := range map[ib.Index]int{3: 3, 2: 0, indexPage - 1: indexPage - 1, 7 * indexPage: 7 * indexPage, MaxIndex: MaxIndex} {
		if got := l.Find(i); got == nil || *got != want {
			t.Errorf("at %d is %v, want %d", i, got, want)
		}
	}
	for _, i := range []ib.Index{indexPage, 7*indexPage + 1, MaxIndex + 1} {
		if l.Find(i) != nil {
			t.Errorf("at %d is something", i)
		}
	}
	var before, n ib.Index
	for i, v := range l.All() {
		if *v != 0 {
			n++
		}
		if n > 0 && i <= before {
			t.Errorf("%d after %d", i, before)
		}
		before = i
	}
	if n != 4 {
		t.Errorf("%d are there", n)
	}
	for i := range l.All() {
		if i > 0 {
			t.Error("goes on")
		}
		break
	}
}

// TestHighKey: the highest key of all costs no more than the page that it is
// on, and a table with it goes on as one without.
func TestHighKey(t *testing.T) {
	limits := DefaultLimits()
	limits.MR = MaxIndex
	tb := NewTable(limits, SpecVariant(), 1)
	tb.Apply(&Command{Op: AllocPD})
	c := Command{Op: RegMR, PD: 1, Access: lw | rw, Length: 64, PageShift: 12, Pages: []uint64{0}, Key: 0xffffff07}
	if r := tb.Apply(&c); r.Key != 0xffffff07 || tb.MaxEntry() != MaxIndex {
		t.Fatalf("%+v, up to %d", r, tb.MaxEntry())
	}
	if n := tb.entries.bytes() + tb.books.bytes(); n > 4<<20 {
		t.Errorf("%d bytes", n)
	}
	c.Key = 0
	if r := tb.Apply(&c); r.Index != 1 {
		t.Errorf("the next is %d", r.Index)
	}
	if r := tb.Apply(&Command{Op: DeregMR, Index: MaxIndex}); !r.Done() || tb.Entry(MaxIndex) != (Entry{KeyByte: 7}) {
		t.Errorf("%+v leaves %+v", r, tb.Entry(MaxIndex))
	}
}
