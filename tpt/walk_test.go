package tpt

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// scattered puts page n of every region somewhere else.
type scattered struct{ shift uint8 }

func (s scattered) Page(mtt uint32) uint64 { return uint64(mtt*7919%65536) << s.shift }

// MR-8: the bytes of a region are contiguous for its keys, whatever its pages
// are; the walk finds each byte where a division finds it.
func TestWalkFindsEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shift := uint8(rapid.IntRange(12, 30).Draw(t, "shift"))
		size := uint64(1) << shift
		e := Entry{
			Kind: Region, State: Valid, PageShift: shift,
			Start:  rapid.Uint64Range(0, 1<<50).Draw(t, "start"),
			Length: rapid.Uint64Range(1, 5*size).Draw(t, "length"),
			First:  rapid.Uint64Range(0, size-1).Draw(t, "first"),
			MTT:    rapid.Uint32Range(0, 1000).Draw(t, "mtt"),
		}
		offset := rapid.Uint64Range(0, e.Length-1).Draw(t, "offset")
		m := Range{e.Start + offset, rapid.Uint64Range(0, e.Length-offset).Draw(t, "bytes")}
		where := scattered{shift}
		place := func(va uint64) uint64 { // of one byte, the slow way
			n := e.First + va - e.Start
			return where.Page(e.MTT+uint32(n/size)) + n%size
		}
		at, pieces := m.VA, uint32(0)
		f := Walk(e, where, m, func(p Piece) bool {
			if p.Length == 0 || p.Addr != place(at) || p.Addr+p.Length-1 != place(at+p.Length-1) {
				t.Fatalf("piece %d is %+v, its bytes are at %#x..%#x", pieces, p, place(at), place(at+p.Length-1))
			}
			if p.Addr/size != (p.Addr+p.Length-1)/size {
				t.Fatalf("piece %+v leaves its page", p)
			}
			at += p.Length
			pieces++
			return true
		})
		if f != OK || at != m.VA+m.Length {
			t.Fatalf("the walk of %+v ended at %#x: %v", m, at, f)
		}
		if first, count := e.Span(m); count != pieces || count > 0 && first != e.MTT+uint32(e.Offset(m.VA)/size) {
			t.Fatalf("span %d, %d for %d pieces", first, count, pieces)
		}
	})
}

// 3.1 step 8: what is granted but has no page is no-translation, found where
// the page is missing and not before.
func TestWalkNoTranslation(t *testing.T) {
	tb := newBench(t, SpecVariant())
	mr := tb.ok(Command{Op: RegMR, PD: tb.pd, Access: onDemandRead, VA: 0x10000, Length: 3 * 4096, PageShift: 12,
		Pages: []uint64{0x7000, NoPage, 0x9000}})
	e := tb.Entry(mr.Index)
	for _, c := range []struct {
		m      Range
		want   Fault
		pieces string
	}{
		{Range{0x10000, 4096}, OK, "[{28672 4096}]"},
		{Range{0x10000, 4097}, NoTranslation, "[{28672 4096}]"},
		{Range{0x11000, 1}, NoTranslation, "[]"},
		{Range{0x12008, 8}, OK, "[{36872 8}]"},
		{Range{0x11000, 0}, OK, "[]"},
	} {
		pieces := []Piece{}
		f := Walk(e, tb, c.m, func(p Piece) bool { pieces = append(pieces, p); return true })
		if f != c.want || fmt.Sprint(pieces) != c.pieces {
			t.Errorf("%+v: %v, %v, want %v, %s", c.m, f, pieces, c.want, c.pieces)
		}
	}
	n := 0
	Walk(e, tb, Range{0x10000, 8192}, func(Piece) bool { n++; return false })
	if n != 1 {
		t.Errorf("a walk that is told to end gave %d pieces", n)
	}
}
