package host

import "hcasim/ib"

// Load reads memory as the CPU does: pages that are out come in. EFAULT, the
// SIGSEGV of a real program, where nothing is mapped or nothing may be read;
// ENOMEM when no frames are left.
func (p *Process) Load(va uint64, dst []byte) ib.Errno {
	if errno := p.touch(va, uint64(len(dst)), readable); errno != ib.OK {
		return errno
	}
	for len(dst) > 0 {
		s := p.span(va, uint64(len(dst)))
		p.cached(s)
		p.pager.Memory.Read(s.addr(), dst[:s.n])
		va, dst = va+s.n, dst[s.n:]
	}
	return ib.OK
}

// Store writes memory as the CPU does. EFAULT and ENOMEM as for Load; then
// nothing was written.
func (p *Process) Store(va uint64, src []byte) ib.Errno {
	if errno := p.touch(va, uint64(len(src)), writable); errno != ib.OK {
		return errno
	}
	for len(src) > 0 {
		s := p.span(va, uint64(len(src)))
		p.cached(s)
		p.pager.Memory.Write(s.addr(), src[:s.n])
		va, src = va+s.n, src[s.n:]
	}
	return ib.OK
}

// touch makes a range ready for the CPU.
func (p *Process) touch(va, n uint64, need pte) ib.Errno {
	if n == 0 {
		return ib.OK
	}
	if s := p.span(va, n); s.n == n && s.entry&(present|untouched|need) == present|need {
		return ib.OK // the usual case
	}
	if !p.allowed(va, n, mapped|need) {
		return ib.EFAULT
	}
	p.firstTouch(va, n)
	_, errno := p.PageIn(va, n)
	return errno
}

// cached tells the last-level cache of a load or store.
func (p *Process) cached(s span) {
	if p.pager.LLC != nil {
		p.pager.LLC.Touch(s.addr(), s.n)
	}
}

// Peek reads what a Load would, as an onlooker: rights do not matter, and
// pages that are out stay out. ok is false where a byte is not mapped.
func (p *Process) Peek(va uint64, dst []byte) (ok bool) {
	if !p.mapped(va, uint64(len(dst))) {
		return false
	}
	for len(dst) > 0 {
		s := p.span(va, uint64(len(dst)))
		m, at := p.kept(s)
		m.Read(at, dst[:s.n])
		va, dst = va+s.n, dst[s.n:]
	}
	return true
}

// kept is the memory in which the bytes of s are, and where.
func (p *Process) kept(s span) (*Memory, uint64) {
	if s.entry&present == 0 {
		return p.pager.swap, s.addr()
	}
	return p.pager.Memory, s.addr()
}

// Compare looks, as an onlooker, for the first of the bytes at va that
// differs from want, or is not mapped, and returns its offset; same reports
// that there is none.
func (p *Process) Compare(va uint64, want []byte) (first uint64, same bool) {
	return p.each(va, uint64(len(want)), func(m *Memory, at, first, n uint64) (uint64, bool) {
		return m.Compare(at, want[first:first+n])
	})
}

// Dirty calls f for each run of bytes within the n at va that changed since
// from, in order of address. PA is the virtual address. The journal of the
// memory must be on (Memory.Record).
func (p *Process) Dirty(from Mark, va, n uint64, f func(Change)) {
	var run Change // runs that meet at the edge of a frame are one
	p.each(va, n, func(m *Memory, at, first, n uint64) (uint64, bool) {
		m.Dirty(from, at, n, func(c Change) {
			c.PA += va + first - at
			if run.N != 0 && run.PA+run.N == c.PA {
				run.N += c.N
				return
			}
			if run.N != 0 {
				f(run)
			}
			run = c
		})
		return 0, true
	})
	if run.N != 0 {
		f(run)
	}
}

// each compares a range piece by piece: n bytes from the offset first on,
// which are at in m.
func (p *Process) each(va, n uint64, compare func(m *Memory, at, first, n uint64) (uint64, bool)) (uint64, bool) {
	if n != 0 && va+n-1 < va {
		return 0, false
	}
	for done := uint64(0); done < n; {
		s := p.span(va+done, n-done)
		if s.entry == 0 {
			return done, false
		}
		m, at := p.kept(s)
		if off, same := compare(m, at, done, s.n); !same {
			return done + off, false
		}
		done += s.n
	}
	return 0, true
}
