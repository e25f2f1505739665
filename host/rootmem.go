package host

import (
	"hcasim/pcie"
	"hcasim/sim"
)

var _ pcie.Memory = (*RootMemory)(nil)

// A RootMemory is the host's memory as the root complex sees it: when a read
// has its data, when a write is seen by everybody, and whether the adapter may
// do it at all. The bytes are Memory's; they move when the root complex says
// so.
type RootMemory struct {
	LLC   *LLC   // nil: none
	IOMMU *IOMMU // nil: none

	// Found tells of every read that meets a last-level cache, and whether that
	// had all of it.
	Found sim.Probe[bool]
	// Refused is told of every access that the IOMMU does not let through.
	Refused func(now sim.Time, addr uint64, n uint32, write bool)

	params MemoryParams
	extra  sim.Duration // way to the memory's socket
}

// NewRootMemory returns a root complex's side of memory.
func NewRootMemory(m MemoryParams, u IOMMUParams) *RootMemory {
	r := &RootMemory{params: m}
	if m.LLC == On {
		r.LLC = NewLLC(m)
	}
	if u.IOMMU == On {
		r.IOMMU = NewIOMMU(u)
	}
	if m.Far == On {
		r.extra = m.Socket
	}
	return r
}

// Access says when the n bytes at addr, which do not cross a frame, have been
// read or, if write, are seen by everybody. ok is false when the IOMMU refuses
// it. Lines in the last-level cache stand next to the adapter: they do not pay
// the way to another socket.
func (r *RootMemory) Access(now sim.Time, addr uint64, n uint32, write bool) (ready sim.Time, ok bool) {
	if n == 0 {
		return now, true
	}
	if r.IOMMU != nil {
		if now, ok = r.IOMMU.Translate(now, addr, n); !ok {
			if r.Refused != nil {
				r.Refused(now, addr, n, write)
			}
			return now, false
		}
	}
	takes := r.params.DRAM + r.extra
	switch {
	case write:
		takes = r.params.Commit
		if r.LLC == nil || !r.LLC.DeviceWrite(addr, n) {
			takes += r.extra
		}
	case r.LLC != nil:
		all := r.LLC.DeviceRead(addr, n)
		if all {
			takes = r.params.LLCHit
		}
		r.Found.Emit(all)
	}
	return now.Add(takes), true
}

// Reaches reports whether the IOMMU lets the adapter write the n > 0 bytes at
// addr, and tells of the first it does not.
func (r *RootMemory) Reaches(now sim.Time, addr uint64, n uint32) bool {
	if r.IOMMU == nil {
		return true
	}
	for at, last := addr, addr+uint64(n)-1; at <= last; at = at&^(frameBytes-1) + frameBytes {
		if !r.IOMMU.Reaches(at) {
			if r.Refused != nil {
				r.Refused(now, at, uint32(last-at+1), true)
			}
			return false
		}
	}
	return true
}
