package host

import (
	"iter"
	"slices"

	"hcasim/ib"
)

// A Pinning is memory of a process that is held in its frames: what a memory
// region is registered over. Where the process maps or pages afterwards does
// not touch it.
type Pinning struct {
	VA       uint64
	N        uint64 // bytes
	Writable bool   // pinned for writing: only then may a write right be given later (ACC-18)
	Fetched  uint64 // pages that had to be paged in
	Huge     uint64 // 2 MiB of pages as large or larger that it touches
	Small    uint64 // 4 KiB frames of smaller pages

	FirstSmall, FirstHuge uint64 // of these, those that were never touched before

	runs []Run      // the frames, in the order of the range; neighbours are joined
	held *heldRange // instead, where there are too many for a list
}

// Offset is that of the first byte within its 4 KiB frame.
func (k Pinning) Offset() uint64 { return k.VA % frameBytes }

// First is the physical address of the first byte.
func (k Pinning) First() uint64 {
	for r := range k.Runs() {
		return r.PA + k.Offset()
	}
	panic("host: nothing is pinned")
}

// Runs returns the frames in the order of the range, neighbours joined.
func (k Pinning) Runs() iter.Seq[Run] {
	if k.held != nil {
		return k.held.runs
	}
	return slices.Values(k.runs)
}

// Frames is the number of 4 KiB frames that are pinned.
func (k Pinning) Frames() uint64 {
	n := uint64(0)
	for r := range k.Runs() {
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
	k := Pinning{VA: va, N: n, Writable: write, Fetched: fetched}
	p.hold(&k)
	for r := range k.Runs() {
		p.pager.Frames.pin(r)
	}
	p.pinned += size
	k.Small, k.Huge = p.pages(va, n)
	k.FirstSmall, k.FirstHuge = p.firstTouch(va, n)
	return k, ib.OK
}

// pages counts the pages behind a mapped range, as pinning meets them.
func (p *Process) pages(va, n uint64) (small, huge uint64) {
	for at, left := frames(va, n); left > 0; {
		s := p.stretch(at, left)
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
	for r := range p.frames(va, n) {
		runs = append(runs, r)
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
		s := p.stretch(va, n)
		if s.entry&loose != 0 {
			return ib.EOPNOTSUPP
		}
		va, n = va+s.n, n-s.n
	}
	return ib.OK
}

// Unpin lets go of what Pin has held. Each Pinning is given back once.
func (p *Process) Unpin(k Pinning) {
	for r := range k.Runs() {
		p.pager.Frames.unpin(r)
		p.pinned -= r.N
	}
	if k.held != nil {
		p.letGo(k.held)
	}
}

// Pinned returns the bytes that the process has pinned, each as often as it
// is pinned.
func (p *Process) Pinned() uint64 { return p.pinned }

// MapDMA pins memory and lets the adapter reach it, as a driver does before a
// DMA of its own. Errors are those of Pin.
func (h *Host) MapDMA(p *Process, va, n uint64, write bool) (Pinning, ib.Errno) {
	k, errno := p.Pin(va, n, write)
	if errno == ib.OK {
		h.grant(k.Runs())
	}
	return k, errno
}

// UnmapDMA takes a MapDMA back, once.
func (h *Host) UnmapDMA(p *Process, k Pinning) { h.release(p, k) }
