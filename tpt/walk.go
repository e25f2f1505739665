package tpt

// NoPage stands in a translation entry behind which there is no page now:
// on-demand memory that is not present.
const NoPage = ^uint64(0)

// ReadOnly is added to a translation entry of on-demand memory whose page may
// be read and not written: to a write there is no page.
const ReadOnly = 1

// A Translation says where pages are: the table itself, or a copy of it.
type Translation interface {
	// Page returns the physical address behind translation entry mtt, NoPage
	// if there is none.
	Page(mtt uint32) uint64
}

// A Piece is a run of physical memory within one page.
type Piece struct {
	Addr   uint64
	Length uint64
}

// Offset returns where the byte that bearers of the key call va lies within
// the memory that the entry's translation describes, from the start of its
// first page. va must be granted.
func (e *Entry) Offset(va uint64) uint64 { return e.First + (va - e.Start) }

// Span returns the translation entries that m touches: the first, and how
// many. m must be granted; an empty range touches none.
func (e *Entry) Span(m Range) (first, count uint32) {
	if m.Length == 0 {
		return e.MTT, 0
	}
	from := e.Offset(m.VA)
	shift := e.PageShift & 63
	low, high := from>>shift, (from+m.Length-1)>>shift
	return e.MTT + uint32(low), uint32(high-low) + 1
}

// Part returns the bytes of m that lie in the nth of the translation entries
// it touches: their offset within the page, and how many they are. n counts
// from 0 and is less than Span's count.
func (e *Entry) Part(m Range, n uint32) (offset, length uint64) {
	size := uint64(1) << e.PageShift
	begin := e.Offset(m.VA) & (size - 1)
	if n == 0 {
		return begin, min(size-begin, m.Length)
	}
	done := size - begin + uint64(n-1)<<e.PageShift
	return 0, min(size, m.Length-done)
}

// Walk gives the physical pieces of m in order, one for each page, until emit
// returns false. It answers NoTranslation at the first page that is absent,
// having given the pieces before it. m must be granted by e.
func Walk(e Entry, t Translation, m Range, emit func(Piece) bool) Fault {
	first, count := e.Span(m)
	for n := range count {
		page := t.Page(first + n)
		if page == NoPage {
			return NoTranslation
		}
		offset, length := e.Part(m, n)
		if !emit(Piece{page&^ReadOnly + offset, length}) {
			break
		}
	}
	return OK
}
