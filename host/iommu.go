package host

import "hcasim/sim"

// An IOMMU stands between the adapter and memory. It knows which frames the
// adapter may reach, and holds the translations used last in the IOTLB; what
// is not there costs a walk through its page tables, of which a few can be
// under way at once. Walks overlap; with in_order, what is asked for later
// still leaves later, and the queue of those that have not left is finite.
// Addresses are the same on both sides (H6).
type IOMMU struct {
	Params IOMMUParams
	// Looked tells of every page that is looked up, and whether its translation
	// was held or being walked for.
	Looked sim.Probe[bool]
	// Waited tells of every wait for a walker, or for a place in the queue, and
	// how long it will be.
	Waited sim.Probe[IOMMUWait]

	mapped  counts // how often a frame was mapped
	revoked counts // 1 where it may not be reached all the same
	tlb     *iotlb
	shift   uint8
	walkers []sim.Time // when each is free again
	leaves  sim.Time   // in_order: when the translation asked for last does
	left    []sim.Time // in_order: when those of the queue's length before do, the oldest at oldest
	oldest  int
}

// An IOMMUWait is an access that waits for a place in the queue, or a page that
// waits for a walker.
type IOMMUWait struct {
	Queue bool
	For   sim.Duration
}

// NewIOMMU returns an IOMMU through which nothing can be reached.
func NewIOMMU(p IOMMUParams) *IOMMU {
	shift := uint8(0)
	for 1<<shift < uint64(p.Page) {
		shift++
	}
	return &IOMMU{Params: p, tlb: newIOTLB(int(p.Entries)), shift: shift, walkers: make([]sim.Time, p.Walks), left: make([]sim.Time, p.Queue)}
}

// Map lets the adapter reach r. Mapping twice takes unmapping twice.
func (u *IOMMU) Map(r Run) {
	u.mapped.add(r.PA, r.N, 1)
	u.revoked.clear(r.PA, r.N)
}

// Unmap takes back one Map of r. What nobody maps any more is dropped from
// the IOTLB too.
func (u *IOMMU) Unmap(r Run) {
	u.mapped.add(r.PA, r.N, ^uint32(0))
	u.invalidate(r)
}

// Revoke makes r unreachable, however often it was mapped, until somebody maps
// it again: a fault injected on purpose. Those who mapped it unmap it as ever.
func (u *IOMMU) Revoke(r Run) {
	u.revoked.clear(r.PA, r.N)
	u.revoked.add(r.PA, r.N, 1)
	u.invalidate(r)
}

// Reaches reports whether the adapter may reach addr.
func (u *IOMMU) Reaches(addr uint64) bool {
	return u.mapped.at(addr) != 0 && u.revoked.at(addr) == 0
}

func (u *IOMMU) invalidate(r Run) {
	first, last := r.PA>>u.shift, (r.end()-1)>>u.shift
	u.tlb.drop(first, last)
}

// Translate says when the n bytes at addr can be reached; ok is false when
// one of them may not be, which is known at once.
func (u *IOMMU) Translate(now sim.Time, addr uint64, n uint32) (ready sim.Time, ok bool) {
	last := addr + uint64(n) - 1
	for frame := addr / frameBytes; frame <= last/frameBytes; frame++ {
		if !u.Reaches(frame * frameBytes) {
			return now, false
		}
	}
	if at := u.enter(now); at > now {
		u.Waited.Emit(IOMMUWait{Queue: true, For: at.Sub(now)})
		now = at
	}
	ready = now.Add(u.Params.Hit)
	for page := addr >> u.shift; page <= last>>u.shift; page++ {
		ready = max(ready, u.lookup(now, page))
	}
	return u.leave(ready), true
}

// enter returns when an access has a place in the queue.
func (u *IOMMU) enter(now sim.Time) sim.Time {
	if u.Params.InOrder != On || len(u.left) == 0 {
		return now
	}
	return max(now, u.left[u.oldest])
}

// leave returns when an access leaves of which the translation is there at ready.
func (u *IOMMU) leave(ready sim.Time) sim.Time {
	if u.Params.InOrder != On {
		return ready
	}
	u.leaves = max(ready, u.leaves)
	if n := len(u.left); n > 0 {
		u.left[u.oldest] = u.leaves
		u.oldest = (u.oldest + 1) % n
	}
	return u.leaves
}

// lookup returns when the translation of page is there. One that is being
// walked for is waited for, not walked for again.
func (u *IOMMU) lookup(now sim.Time, page uint64) sim.Time {
	e, hit := u.tlb.use(page)
	u.Looked.Emit(hit)
	if hit {
		return max(now, e.ready).Add(u.Params.Hit)
	}
	first := 0
	for i, free := range u.walkers {
		if free < u.walkers[first] {
			first = i
		}
	}
	begins := max(now, u.walkers[first])
	if begins > now {
		u.Waited.Emit(IOMMUWait{For: begins.Sub(now)})
	}
	e.ready = begins.Add(u.Params.Walk)
	u.walkers[first] = e.ready
	return e.ready
}
