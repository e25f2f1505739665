package host

import "hcasim/ib"

// PageOut moves the pages that the n bytes at va touch to the swap store and
// returns how many. EFAULT: a page is not mapped; EBUSY: one is pinned. Pages
// that are out already are passed over.
func (p *Process) PageOut(va, n uint64) (pages uint64, errno ib.Errno) {
	if !p.mapped(va, n) {
		return 0, ib.EFAULT
	}
	if p.busy(va, n) {
		return 0, ib.EBUSY
	}
	for n > 0 {
		s := p.span(va, n)
		if s.entry&present != 0 {
			slot := p.pager.out(Run{s.entry.addr(), s.pages << s.region.shift})
			s.region.put(s.page, s.pages, s.entry&flags&^present|pte(slot))
			pages += s.pages
		}
		va, n = va+s.n, n-s.n
	}
	return pages, ib.OK
}

// busy reports whether any frame of the pages of a range is pinned.
func (p *Process) busy(va, n uint64) bool {
	for n > 0 {
		s := p.span(va, n)
		if s.entry&present != 0 {
			size := s.pages << s.region.shift
			if count, bytes := p.pager.Frames.pins.run(s.entry.addr(), size); count != 0 || bytes < size {
				return true
			}
		}
		va, n = va+s.n, n-s.n
	}
	return false
}

// PageIn brings the pages that the n bytes at va touch into memory, to other
// frames than they had, and returns how many were out. EFAULT: a page is not
// mapped; ENOMEM: there are not enough frames, and some pages may have come
// in.
func (p *Process) PageIn(va, n uint64) (pages uint64, errno ib.Errno) {
	if !p.mapped(va, n) {
		return 0, ib.EFAULT
	}
	for n > 0 {
		s := p.stretch(va, n)
		if s.entry&present == 0 {
			s = p.span(va, n)
			if !p.fetch(s) {
				return pages, ib.ENOMEM
			}
			pages += s.pages
		}
		va, n = va+s.n, n-s.n
	}
	return pages, ib.OK
}

// fetch brings the pages of s in.
func (p *Process) fetch(s span) bool {
	shift := s.region.shift
	runs, ok := p.pager.in(s.entry.addr(), s.pages<<shift, shift)
	i := s.page
	for _, r := range runs {
		s.region.put(i, r.N>>shift, pte(r.PA)|s.entry&flags|present)
		i += r.N >> shift
	}
	return ok
}

// A Page is what the page table says of an address.
type Page struct {
	Mapped   bool
	Present  bool   // in memory; PA means nothing otherwise
	PA       uint64 // of the address, not of its page
	Shift    uint8  // log2 of the page size
	Prot     Prot
	Pinnable bool
	Pins     uint32 // of the frame
}

// Lookup reads the page table as it stands.
func (p *Process) Lookup(va uint64) Page {
	s := p.span(va, 1)
	if s.entry == 0 {
		return Page{}
	}
	page := Page{Mapped: true, Present: s.entry&present != 0, Shift: s.region.shift, Pinnable: s.entry&loose == 0}
	if s.entry&readable != 0 {
		page.Prot |= Read
	}
	if s.entry&writable != 0 {
		page.Prot |= Write
	}
	if page.Present {
		page.PA = s.addr()
		page.Pins = p.pager.Frames.Pins(page.PA)
	}
	return page
}

// Translate returns the physical address of va; ok is false where no page is
// present.
func (p *Process) Translate(va uint64) (pa uint64, ok bool) {
	s := p.span(va, 1)
	return s.addr(), s.entry&present != 0
}
