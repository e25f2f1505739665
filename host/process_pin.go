package host

import (
	"hcasim/ib"
	"hcasim/tpt"
)

// A Pinning is memory of a process that is held in its frames: what a memory
// region is registered over. Where the process maps or pages afterwards does
// not touch it.
type Pinning struct {
	VA       uint64
	N        uint64 // bytes
	Runs     []Run  // the frames, in the order of the range; neighbours are joined
	Writable bool   // pinned for writing: only then may a write right be given later (ACC-18)
	Fetched  uint64 // pages that had to be paged in
	Huge     uint64 // 2 MiB of pages as large or larger that it touches
	Small    uint64 // 4 KiB frames of smaller pages

	FirstSmall, FirstHuge uint64 // of these, those that were never touched before
}

// Offset is that of the first byte within its 4 KiB frame.
func (k Pinning) Offset() uint64 { return k.VA % frameBytes }

// First is the physical address of the first byte.
func (k Pinning) First() uint64 { return k.Runs[0].PA + k.Offset() }

// Frames is the number of 4 KiB frames that are pinned.
func (k Pinning) Frames() uint64 {
	n := uint64(0)
	for _, r := range k.Runs {
		n += r.N
	}
	return n / frameBytes
}

// Pin holds the n bytes at va in memory: pages that are out come in. It pins
// all frames or none. In the order of the checks: EINVAL for an empty range or
// one that wraps (ACC-11), ENOMEM beyond the pin limit (ACC-14), EFAULT where
// nothing is mapped, or where it may not be read, or not written if write
// (ACC-12, ACC-13), EOPNOTSUPP where memory may not be pinned, ENOMEM when no
// frames are left for what is out.
func (p *Process) Pin(va, n uint64, write bool) (Pinning, ib.Errno) {
	if n == 0 || va+n-1 < va {
		return Pinning{}, ib.EINVAL
	}
	_, size := frames(va, n)
	if limit := uint64(p.pager.params.PinLimit); limit != 0 && (size > limit || p.pinned > limit-size) {
		return Pinning{}, ib.ENOMEM
	}
	if errno := p.pinnable(va, n, write); errno != ib.OK {
		return Pinning{}, errno
	}
	fetched, errno := p.PageIn(va, n)
	if errno != ib.OK {
		return Pinning{}, errno
	}
	runs, _ := p.Runs(va, n)
	for _, r := range runs {
		p.pager.Frames.pin(r)
	}
	p.pinned += size
	k := Pinning{VA: va, N: n, Runs: runs, Writable: write, Fetched: fetched}
	k.Small, k.Huge = p.pages(va, n)
	k.FirstSmall, k.FirstHuge = p.firstTouch(va, n)
	return k, ib.OK
}

// pages counts the pages behind a mapped range, as pinning meets them.
func (p *Process) pages(va, n uint64) (small, huge uint64) {
	for at, left := frames(va, n); left > 0; {
		s := p.span(at, left)
		if s.region.shift >= Page2M {
			huge += (at+s.n-1)>>Page2M - at>>Page2M + 1
		} else {
			small += s.n / frameBytes
		}
		at, left = at+s.n, left-s.n
	}
	return small, huge
}

// Runs returns the frames of the n bytes at va as they are now, without
// holding them there: for a region that is paged on demand. EFAULT where no
// page is present.
func (p *Process) Runs(va, n uint64) (runs []Run, errno ib.Errno) {
	if !p.allowed(va, n, present) {
		return nil, ib.EFAULT
	}
	at, left := frames(va, n)
	for left > 0 {
		s := p.span(at, left)
		runs = appendRun(runs, Run{s.addr(), s.n})
		at, left = at+s.n, left-s.n
	}
	return runs, ib.OK
}

// Allows reports whether all of a range is mapped, out or not, with the
// rights of prot.
func (p *Process) Allows(va, n uint64, prot Prot) bool {
	return p.allowed(va, n, mapped|prot.bits())
}

// frames returns the whole frames that the n bytes at va touch.
func frames(va, n uint64) (first, size uint64) {
	first = va &^ (frameBytes - 1)
	return first, (va+n-1)/frameBytes*frameBytes + frameBytes - first
}

// pinnable says why a range cannot be pinned.
func (p *Process) pinnable(va, n uint64, write bool) ib.Errno {
	need := Read
	if write {
		need |= Write
	}
	if !p.Allows(va, n, need) {
		return ib.EFAULT
	}
	for n > 0 {
		s := p.span(va, n)
		if s.entry&loose != 0 {
			return ib.EOPNOTSUPP
		}
		va, n = va+s.n, n-s.n
	}
	return ib.OK
}

// Unpin lets go of what Pin has held. Each Pinning is given back once.
func (p *Process) Unpin(k Pinning) {
	for _, r := range k.Runs {
		p.pager.Frames.unpin(r)
		p.pinned -= r.N
	}
}

// Pinned returns the bytes that the process has pinned, each as often as it
// is pinned.
func (p *Process) Pinned() uint64 { return p.pinned }

// appendRun adds r to runs, joined with the last if it continues it.
func appendRun(runs []Run, r Run) []Run {
	if k := len(runs) - 1; k >= 0 && runs[k].end() == r.PA {
		runs[k].N += r.N
		return runs
	}
	return append(runs, r)
}

// Shift returns the log2 of the largest page size, at most most and at least
// 4 KiB, with which an adapter can describe runs: every run but the first
// begins at a multiple of it, and every run but the last ends at one.
func Shift(runs []Run, most uint8) uint8 {
	edges := uint64(0)
	for i, r := range runs {
		if i > 0 {
			edges |= r.PA
		}
		if i < len(runs)-1 {
			edges |= r.end()
		}
	}
	shift := most
	for shift > Page4K && edges&(1<<shift-1) != 0 {
		shift--
	}
	return shift
}

// Count returns the number of pages of the given size that describe runs.
// shift is at most Shift's.
func Count(runs []Run, shift uint8) uint64 {
	n := uint64(0)
	for _, r := range runs {
		n += (r.end()-1)>>shift - r.PA>>shift + 1
	}
	return n
}

// PageRuns returns the pages that describe runs, in order. Where a run ends
// within a page and the next begins in the same one, shift is too large. The
// first byte lies First modulo the page size into the first page.
func PageRuns(runs []Run, shift uint8) []tpt.PageRun {
	pages := make([]tpt.PageRun, len(runs))
	for i, r := range runs {
		pages[i] = tpt.PageRun{Addr: r.PA >> shift << shift, Pages: (r.end()-1)>>shift - r.PA>>shift + 1}
	}
	return pages
}

// MapDMA pins memory and lets the adapter reach it, as a driver does before a
// DMA of its own. Errors are those of Pin.
func (h *Host) MapDMA(p *Process, va, n uint64, write bool) (Pinning, ib.Errno) {
	k, errno := p.Pin(va, n, write)
	if errno == ib.OK {
		h.grant(k.Runs)
	}
	return k, errno
}

// UnmapDMA takes a MapDMA back, once.
func (h *Host) UnmapDMA(p *Process, k Pinning) { h.release(p, k) }
