package host

import "math/bits"

// A frameSet says of each frame below an end whether it is free: a bit each,
// and none for leaves that are all alike. Memory of which every other frame is
// someone else's takes as little as memory in one piece.
type frameSet struct {
	leaves []freeLeaf // beyond them all is free
}

// A freeLeaf is leafFrames frames: all free, none, or some.
type freeLeaf struct {
	none bool
	some *bitmap
}

// A bitmap has a bit for each frame of a leaf.
type bitmap [leafFrames / 64]uint64

// span returns the part of word k of a leaf that frames first to first+n are.
func (*bitmap) span(k int, first, n uint64) uint64 {
	low, high := max(first, uint64(k)*64), min(first+n, uint64(k)*64+64)
	if low >= high {
		return 0
	}
	return ^uint64(0) >> (64 - (high - low)) << (low % 64)
}

// all reports whether every bit is as word 0 of an all-alike map would be.
func (b *bitmap) all(word uint64) bool {
	for _, w := range b {
		if w != word {
			return false
		}
	}
	return true
}

// put makes the n bytes at pa, whole frames, free or taken. It reports whether
// none of them was so already.
func (s *frameSet) put(pa, n uint64, free bool) (fresh bool) {
	for need := (pa + n + leafBytes - 1) / leafBytes; uint64(len(s.leaves)) < need; {
		s.leaves = append(s.leaves, freeLeaf{})
	}
	fresh = true
	for n > 0 {
		first := pa / frameBytes % leafFrames
		k := min(n/frameBytes, leafFrames-first)
		fresh = s.leaves[pa/leafBytes].put(first, k, free) && fresh
		pa, n = pa+k*frameBytes, n-k*frameBytes
	}
	return fresh
}

func (l *freeLeaf) put(first, n uint64, free bool) (fresh bool) {
	if l.some == nil {
		if n == leafFrames {
			fresh, l.none = l.none == free, !free
			return fresh
		}
		l.some = new(bitmap)
		if !l.none {
			for k := range l.some {
				l.some[k] = ^uint64(0)
			}
		}
	}
	fresh = true
	for k := int(first / 64); k <= int((first+n-1)/64); k++ {
		mask, was := l.some.span(k, first, n), l.some[k]
		if free {
			fresh = fresh && was&mask == 0
			l.some[k] |= mask
		} else {
			fresh = fresh && was&mask == mask
			l.some[k] &^= mask
		}
	}
	switch {
	case l.some.all(0):
		*l = freeLeaf{none: true}
	case l.some.all(^uint64(0)):
		*l = freeLeaf{}
	}
	return fresh
}

// next returns the first address from pa on, below end, whose frame is free or
// is not; end if there is none.
func (s *frameSet) next(pa, end uint64, free bool) uint64 {
	for pa < end {
		i := pa / leafBytes
		if i >= uint64(len(s.leaves)) {
			if free {
				return pa
			}
			return end
		}
		l := &s.leaves[i]
		switch {
		case l.some != nil:
			if k, found := l.some.next(pa/frameBytes%leafFrames, free); found {
				return min(i*leafBytes+k*frameBytes, end)
			}
		case l.none != free:
			return pa
		}
		pa = (i + 1) * leafBytes
	}
	return end
}

// next returns the first bit from k on that is set, or is not.
func (b *bitmap) next(k uint64, set bool) (uint64, bool) {
	for w := k / 64; w < uint64(len(b)); w++ {
		word := b[w]
		if !set {
			word = ^word
		}
		if w == k/64 {
			word &= ^uint64(0) << (k % 64)
		}
		if word != 0 {
			return w*64 + uint64(bits.TrailingZeros64(word)), true
		}
	}
	return 0, false
}
