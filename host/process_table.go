package host

import "sort"

// A pte is one line of a page table: the address of the frame, or of the
// place in the swap store, and the flags in the low 12 bits. 0 is a hole.
type pte uint64

const (
	mapped    pte = 1 << iota // there is a page
	present                   // in memory; otherwise in the swap store
	readable                  // by the CPU, and for the adapter
	writable                  // by the CPU, and for the adapter
	loose                     // may not be pinned
	untouched                 // never touched by the CPU: its first touch is a page fault

	flags    = frameBytes - 1
	protMask = readable | writable
)

func (e pte) addr() uint64 { return uint64(e &^ flags) }

// tablePages is how many pages one table is for.
const tablePages = 512

// A table holds the page-table lines of 512 neighbouring pages. While they
// have the same flags and neighbouring frames, only the first is kept.
type table struct {
	first pte
	each  *lines
}

// A region is a stretch of virtual memory that was mapped at once. Parts of
// it may have become holes, or have rights of their own.
type region struct {
	va     uint64
	n      uint64 // bytes, a multiple of the page size
	shift  uint8
	live   uint64 // pages that are no holes
	tables []table
}

func newRegion(va, n uint64, shift uint8) *region {
	pages := n >> shift
	return &region{va: va, n: n, shift: shift, tables: make([]table, (pages+tablePages-1)/tablePages)}
}

// grow adds n bytes of holes at the end.
func (r *region) grow(n uint64) {
	pages := r.n >> r.shift
	if end := pages % tablePages; end != 0 {
		r.spread(pages/tablePages, &r.tables[pages/tablePages])
		for j := end; j < tablePages; j++ {
			r.tables[pages/tablePages].each.set(j, 0)
		}
	}
	r.n += n
	for need := (r.n>>r.shift + tablePages - 1) / tablePages; uint64(len(r.tables)) < need; {
		r.tables = append(r.tables, table{})
	}
}

// page returns the line of page i.
func (r *region) page(i uint64) pte {
	t := &r.tables[i/tablePages]
	if t.each != nil {
		return t.each.at(i % tablePages)
	}
	return r.follow(t.first, i%tablePages)
}

// follow is the line of the k-th page after that of e, if it is alike.
func (r *region) follow(e pte, k uint64) pte {
	if e == 0 {
		return 0
	}
	return e + pte(k)<<r.shift
}

// run returns the line of page i and how many of the n pages from i on
// continue it: same flags, neighbouring frames.
func (r *region) run(i, n uint64) (e pte, pages uint64) {
	e = r.page(i)
	for want := e; pages < n && r.page(i+pages) == want; want = r.follow(e, pages) {
		k := uint64(1)
		if r.tables[(i+pages)/tablePages].each == nil {
			k = tablePages - (i+pages)%tablePages
		}
		pages += k
	}
	return e, min(pages, n)
}

// alike returns how many of the n pages from i on have the flags of page i,
// wherever their frames are.
func (r *region) alike(i, n uint64) (pages uint64) {
	e := r.page(i)
	for pages < n {
		t, at := &r.tables[(i+pages)/tablePages], (i+pages)%tablePages
		end := min(tablePages, at+n-pages)
		if t.each == nil {
			if (t.first^e)&flags != 0 {
				break
			}
			pages += end - at
			continue
		}
		k := t.each.alike(at, end, e)
		if pages += k; at+k < end {
			break
		}
	}
	return pages
}

// put sets the lines of n pages from i on to e and its followers.
func (r *region) put(i, n uint64, e pte) {
	pages := r.n >> r.shift
	for n > 0 {
		t := &r.tables[i/tablePages]
		at := i % tablePages
		k := min(n, tablePages-at)
		if at == 0 && i+k == min(pages, i+tablePages) {
			*t = table{first: e}
		} else {
			r.spread(i/tablePages, t)
			for j := range k {
				t.each.set(at+j, r.follow(e, j))
			}
			if at+k == tablePages {
				r.level(t)
			}
		}
		i, n, e = i+k, n-k, r.follow(e, k)
	}
}

// spread writes the lines of a table out.
func (r *region) spread(number uint64, t *table) {
	if t.each != nil {
		return
	}
	each := &lines{narrow: new([tablePages]uint32)}
	for j := range uint64(tablePages) {
		each.set(j, r.page(number*tablePages+j))
	}
	t.first, t.each = 0, each
}

// level keeps only the first line of a full table whose others follow it.
func (r *region) level(t *table) {
	first := t.each.at(0)
	for j := range uint64(tablePages) {
		if t.each.at(j) != r.follow(first, j) {
			return
		}
	}
	*t = table{first: first}
}

// last is the last byte of r.
func (r *region) last() uint64 { return r.va + r.n - 1 }

// A span is a stretch of virtual memory that is alike: neighbouring pages
// with the same rights whose frames are neighbours too.
type span struct {
	region *region // nil where nothing was ever mapped
	page   uint64  // number of the first page within region
	pages  uint64
	entry  pte    // of the first page
	offset uint64 // of the first byte within its page
	n      uint64 // bytes
}

// addr is where the first byte is: in memory, or in the swap store.
func (s span) addr() uint64 { return s.entry.addr() + s.offset }

// region returns the region that holds va, or nil.
func (p *Process) region(va uint64) *region {
	if p.last != nil && va-p.last.va < p.last.n {
		return p.last
	}
	i := p.after(va)
	if i == len(p.regions) || p.regions[i].va > va {
		return nil
	}
	p.last = p.regions[i]
	return p.last
}

// after is the first region that does not end before va.
func (p *Process) after(va uint64) int {
	return sort.Search(len(p.regions), func(i int) bool { return p.regions[i].last() >= va })
}

// stretch returns the pages from va on that have the same flags, at most n
// bytes of them, n not 0: a span but for its frames, of which only the first is
// told.
func (p *Process) stretch(va, n uint64) span {
	s, within := p.spot(va, n)
	if r := s.region; r != nil {
		s.entry = r.page(s.page)
		s.end(r.alike(s.page, s.reach(within)), within)
	}
	return s
}

// span returns the span that begins at va, at most n bytes of it, n not 0. A
// hole is a span too, with entry 0.
func (p *Process) span(va, n uint64) span {
	s, within := p.spot(va, n)
	if r := s.region; r != nil {
		entry, pages := r.run(s.page, s.reach(within))
		s.entry = entry
		s.end(pages, within)
	}
	return s
}

// spot begins a span at va: where it lies, and how many of n bytes lie in its
// region. A byte outside of every region is a hole of its own.
func (p *Process) spot(va, n uint64) (s span, within uint64) {
	r := p.region(va)
	if r == nil {
		return span{n: 1}, 1
	}
	off := va - r.va
	return span{region: r, page: off >> r.shift, offset: off & (1<<r.shift - 1)}, min(n, r.n-off)
}

// reach is how many pages the first n bytes of a span touch.
func (s *span) reach(n uint64) uint64 { return (s.offset+n-1)>>s.region.shift + 1 }

// end makes a span as many pages long, and at most n bytes.
func (s *span) end(pages, n uint64) {
	s.pages = pages
	s.n = min(pages<<s.region.shift-s.offset, n)
}
