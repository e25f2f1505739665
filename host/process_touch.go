package host

// firstTouch ends the time in which the pages of a mapped range were never
// touched. It returns those that were not yet, as the CPU's faults meet them:
// 2 MiB of pages as large or larger, and 4 KiB frames of smaller pages.
func (p *Process) firstTouch(va, n uint64) (small, huge uint64) {
	for at, left := frames(va, n); left > 0; {
		s := p.stretch(at, left)
		if s.entry&untouched != 0 {
			s = p.span(at, left)
			size := s.pages << s.region.shift
			if s.region.shift >= Page2M {
				huge += size >> Page2M
			} else {
				small += size / frameBytes
			}
			s.region.put(s.page, s.pages, s.entry&^untouched)
		}
		at, left = at+s.n, left-s.n
	}
	return small, huge
}
