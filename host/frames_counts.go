package host

import "fmt"

// leafFrames is how many frames one leaf of counts is for: 2 MiB.
const (
	leafFrames = 512
	leafBytes  = leafFrames * frameBytes
)

// counts hold a number for each 4 KiB frame of physical memory. Where all 512
// frames of a leaf have the same, it is kept once, and where some have one more
// than others, as where one is pinned and its neighbour is not, a bit for each.
type counts struct {
	leaves []leaf
}

type leaf struct {
	all  uint32  // of every frame, if each is nil
	more *bitmap // frames that have one more than all; nil: none
	each *[leafFrames]uint32
}

// at is the count of frame i.
func (l *leaf) at(i uint64) uint32 {
	switch {
	case l.each != nil:
		return l.each[i]
	case l.more != nil:
		return l.all + uint32(l.more[i/64]>>(i%64)&1)
	}
	return l.all
}

// at returns the count of pa's frame.
func (c *counts) at(pa uint64) uint32 {
	i := pa / leafBytes
	if i >= uint64(len(c.leaves)) {
		return 0
	}
	return c.leaves[i].at(pa / frameBytes % leafFrames)
}

// add adds d, which may be a negative number's complement, to the counts of
// the n bytes at pa, whole frames.
func (c *counts) add(pa, n uint64, d uint32) {
	for need := (pa + n + leafBytes - 1) / leafBytes; uint64(len(c.leaves)) < need; {
		c.leaves = append(c.leaves, leaf{})
	}
	for n > 0 {
		l := &c.leaves[pa/leafBytes]
		first := pa / frameBytes % leafFrames
		k := min(n/frameBytes, leafFrames-first)
		switch {
		case k == leafFrames && l.each == nil:
			l.all = sum(pa, l.all, d)
		case !l.shift(first, k, d):
			l.add(pa, first, k, d)
		}
		pa, n = pa+k*frameBytes, n-k*frameBytes
	}
}

// shift adds d to the counts of k frames if that is a matter of a bit each.
func (l *leaf) shift(first, k uint64, d uint32) bool {
	if l.each != nil || d != 1 && d != ^uint32(0) {
		return false
	}
	if l.more == nil {
		if d != 1 {
			return false
		}
		l.more = new(bitmap)
	}
	for w := int(first / 64); w <= int((first+k-1)/64); w++ {
		mask := l.more.span(w, first, k)
		if set := l.more[w] & mask; d == 1 && set != 0 || d != 1 && set != mask {
			return false
		}
	}
	for w := int(first / 64); w <= int((first+k-1)/64); w++ {
		l.more[w] ^= l.more.span(w, first, k)
	}
	switch {
	case l.more.all(0):
		l.more = nil
	case l.more.all(^uint64(0)):
		l.all, l.more = l.all+1, nil
	}
	return true
}

func (l *leaf) add(pa, first, k uint64, d uint32) {
	if l.each == nil {
		each := new([leafFrames]uint32)
		for i := range each {
			each[i] = l.at(uint64(i))
		}
		l.each, l.more = each, nil
	}
	for i := first; i < first+k; i++ {
		l.each[i] = sum(pa, l.each[i], d)
	}
	if k == leafFrames {
		l.level()
	}
}

// level gives the memory of l back when all its counts are the same.
func (l *leaf) level() {
	for _, n := range l.each {
		if n != l.each[0] {
			return
		}
	}
	l.all, l.each = l.each[0], nil
}

func sum(pa uint64, n, d uint32) uint32 {
	if int32(d) < 0 && n < -d {
		panic(fmt.Sprintf("host: frame count at %#x below zero", pa))
	}
	return n + d
}

// run returns the count at pa and for how many of the n bytes there it holds.
func (c *counts) run(pa, n uint64) (count uint32, bytes uint64) {
	count = c.at(pa)
	for bytes < n && c.at(pa+bytes) == count {
		i := (pa + bytes) / leafBytes
		switch {
		case i >= uint64(len(c.leaves)):
			bytes = n
		case c.leaves[i].each == nil && c.leaves[i].more == nil:
			bytes += leafBytes - (pa+bytes)%leafBytes
		default:
			bytes += frameBytes
		}
	}
	return count, min(bytes, n)
}

// clear sets the counts of the n bytes at pa to 0.
func (c *counts) clear(pa, n uint64) {
	for n > 0 {
		count, k := c.run(pa, n)
		if count != 0 {
			c.add(pa, k, -count)
		}
		pa, n = pa+k, n-k
	}
}
