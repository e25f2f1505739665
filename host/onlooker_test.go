package host

import "hcasim/ib"

// What tests do to a process, or see of it, and the model never does.

// fill is a Store of n bytes v, at no cost per byte.
func (p *Process) fill(va, n uint64, v byte) ib.Errno {
	if errno := p.touch(va, n, writable); errno != ib.OK {
		return errno
	}
	for n > 0 {
		s := p.span(va, n)
		p.cached(s)
		p.pager.Memory.Fill(s.addr(), s.n, v)
		va, n = va+s.n, n-s.n
	}
	return ib.OK
}

// compareFill is Compare against n bytes v.
func (p *Process) compareFill(va, n uint64, v byte) (first uint64, same bool) {
	return p.each(va, n, func(m *Memory, at, _, n uint64) (uint64, bool) {
		return m.CompareFill(at, n, v)
	})
}

// mayPin says whether the pages of a range may be pinned: a mapping is of
// one kind, and holes of the other kind are made in it this way.
func (p *Process) mayPin(va, n uint64, yes bool) ib.Errno {
	if yes {
		return p.change(va, n, loose, 0)
	}
	return p.change(va, n, loose, loose)
}

// room is the address of what Allocate takes; there must be room.
func room(addr uint64, ok bool) uint64 {
	if !ok {
		panic("no room")
	}
	return addr
}
