package host

import (
	"slices"

	"hcasim/ib"
)

// A Prot is what a page allows.
type Prot uint8

// The rights of a page; None and combinations are allowed.
const (
	Read  Prot = 1 << iota // loads, and local or remote reads of the adapter
	Write                  // stores, and writes of the adapter
)

func (p Prot) bits() pte {
	e := pte(0)
	if p&Read != 0 {
		e |= readable
	}
	if p&Write != 0 {
		e |= writable
	}
	return e
}

// A Mapping is memory that a process asks for.
type Mapping struct {
	VA     uint64 // first address, a multiple of the page size
	Length uint64 // bytes, rounded up to whole pages; not 0
	Page   uint8  // log2 of the page size: Page4K, Page64K, Page2M or Page1G
	Prot   Prot
	Fill   byte // every byte at first
	Loose  bool // may not be pinned: file-backed, say
	// Untouched pages cost a page fault with the first touch or pinning.
	Untouched bool
	// Join makes one region of this and the mapping that ends where it begins,
	// if their pages are of one size: a million small ones cost as one large.
	Join bool
}

// A Process is an address space: what its addresses mean, and what may be
// done there. Its calls return what the system call would: 0, or an errno
// and nothing was done.
type Process struct {
	Name string

	pager   *Pager
	regions []*region    // sorted, apart from each other
	last    *region      // found last
	top     uint64       // where Place goes on
	pinned  uint64       // bytes, each as often as it is pinned
	held    []*heldRange // pinnings whose frames are listed nowhere but in the page tables
}

// firstPlace is where Place puts the first mapping of every process, so that
// the same programs have the same addresses.
const firstPlace = 0x7f00_0000_0000

// NewProcess returns an empty address space.
func NewProcess(name string, g *Pager) *Process {
	return &Process{Name: name, pager: g, top: firstPlace}
}

// Place returns an address where a mapping of that size and page size is
// free, above all that Place gave before.
func (p *Process) Place(length uint64, page uint8) uint64 {
	size := uint64(1) << page
	va := (p.top + size - 1) &^ (size - 1)
	for {
		n := roundUp(length, size)
		i := p.after(va)
		if i == len(p.regions) || p.regions[i].va > va+n-1 {
			p.top = va + n
			return va
		}
		va = (p.regions[i].va + p.regions[i].n + size - 1) &^ (size - 1)
	}
}

func roundUp(n, to uint64) uint64 { return (n + to - 1) &^ (to - 1) }

// Map gives the process memory. EINVAL: the address is no multiple of the page
// size, the range is empty or wraps, or something is mapped there already.
// ENOMEM: not enough frames.
func (p *Process) Map(m Mapping) ib.Errno {
	if m.Page != Page4K && m.Page != Page64K && m.Page != Page2M && m.Page != Page1G {
		return ib.EINVAL
	}
	size := uint64(1) << m.Page
	n := roundUp(m.Length, size)
	if m.VA&(size-1) != 0 || n == 0 || m.VA+n-1 < m.VA {
		return ib.EINVAL
	}
	r, at := p.behind(m, n)
	if r == nil {
		r, at = p.room(m.VA, n, m.Page)
	}
	if r == nil {
		return ib.EINVAL
	}
	e := mapped | present | m.Prot.bits()
	if m.Loose {
		e |= loose
	}
	if m.Untouched {
		e |= untouched
	}
	i := (m.VA - r.va) >> r.shift
	if !p.pager.fresh(n, m.Page, m.Fill, func(run Run) {
		r.put(i, run.N>>r.shift, pte(run.PA)|e)
		i += run.N >> r.shift
	}) {
		return ib.ENOMEM
	}
	if r.live == 0 {
		p.regions = slices.Insert(p.regions, at, r)
	}
	r.live += n >> r.shift
	return ib.OK
}

// behind makes room at the end of the region that ends where m begins; nil if m
// does not ask for that, or there is none like it.
func (p *Process) behind(m Mapping, n uint64) (r *region, at int) {
	i := p.after(m.VA)
	if !m.Join || i == 0 || i < len(p.regions) && p.regions[i].va <= m.VA+n-1 {
		return nil, 0
	}
	r = p.regions[i-1]
	if r.va+r.n != m.VA || r.shift != m.Page || r.live == 0 {
		return nil, 0
	}
	r.grow(n)
	return r, i - 1
}

// room returns the region in whose holes the n bytes at va lie, or a new one
// that belongs at place at; nil if something is mapped there.
func (p *Process) room(va, n uint64, shift uint8) (r *region, at int) {
	at = p.after(va)
	if at == len(p.regions) || p.regions[at].va > va+n-1 {
		return newRegion(va, n, shift), at
	}
	r = p.regions[at]
	if r.shift != shift || r.va > va || va+n-1 > r.last() {
		return nil, 0
	}
	if e, pages := r.run((va-r.va)>>shift, n>>shift); e != 0 || pages < n>>shift {
		return nil, 0
	}
	return r, at
}

// Unmap takes memory away; holes in the range are no mistake. Frames that are
// pinned stay what they are until they are unpinned, though nobody can reach
// them but the adapter. EINVAL: the range does not consist of whole pages.
func (p *Process) Unmap(va, n uint64) ib.Errno {
	spans, ok := p.whole(va, n)
	if !ok {
		return ib.EINVAL
	}
	p.list(va, n)
	for _, s := range spans {
		run := Run{s.entry.addr(), s.pages << s.region.shift}
		if s.entry&present != 0 {
			p.pager.Frames.Give(run)
		} else {
			p.pager.discard(run)
		}
		s.region.put(s.page, s.pages, 0)
		s.region.live -= s.pages
	}
	p.regions = slices.DeleteFunc(p.regions, func(r *region) bool { return r.live == 0 })
	p.last = nil
	return ib.OK
}

// Protect changes what the pages of a range allow. What is pinned already
// stays as it was pinned. EFAULT: a page is not mapped; EINVAL: the range does
// not consist of whole pages.
func (p *Process) Protect(va, n uint64, prot Prot) ib.Errno {
	return p.change(va, n, protMask, prot.bits())
}

func (p *Process) change(va, n uint64, mask, bits pte) ib.Errno {
	spans, ok := p.whole(va, n)
	if !ok {
		return ib.EINVAL
	}
	if !p.mapped(va, n) {
		return ib.EFAULT
	}
	for _, s := range spans {
		s.region.put(s.page, s.pages, s.entry&^mask|bits)
	}
	return ib.OK
}

// whole returns the spans of a range that are no holes. ok is false unless
// the range consists of whole pages.
func (p *Process) whole(va, n uint64) (spans []span, ok bool) {
	if n == 0 || va%frameBytes != 0 || va+n-1 < va {
		return nil, false
	}
	n = roundUp(n, frameBytes)
	for at, left := va, n; left > 0; {
		s := p.span(at, left)
		switch {
		case s.region == nil:
			s.n = p.gap(at, left)
		case s.offset != 0 || s.n != s.pages<<s.region.shift:
			return nil, false
		case s.entry != 0:
			spans = append(spans, s)
		}
		at, left = at+s.n, left-s.n
	}
	return spans, true
}

// gap is how many of the n bytes at va lie before the next region.
func (p *Process) gap(va, n uint64) uint64 {
	if i := p.after(va); i < len(p.regions) {
		return min(n, p.regions[i].va-va)
	}
	return n
}

// mapped reports whether every byte of a range has a page.
func (p *Process) mapped(va, n uint64) bool {
	return p.allowed(va, n, mapped)
}

// allowed reports whether every page of a range has all the flags of need.
func (p *Process) allowed(va, n uint64, need pte) bool {
	if n != 0 && va+n-1 < va {
		return false
	}
	for n > 0 {
		s := p.stretch(va, n)
		if s.entry&need != need {
			return false
		}
		va, n = va+s.n, n-s.n
	}
	return true
}
