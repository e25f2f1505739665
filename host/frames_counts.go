package host

import "fmt"

// leafFrames is how many frames one leaf of counts is for: 2 MiB.
const (
	leafFrames = 512
	leafBytes  = leafFrames * frameBytes
)

// counts hold a number for each 4 KiB frame of physical memory. Where all 512
// frames of a leaf have the same, it is kept once.
type counts struct {
	leaves []leaf
}

type leaf struct {
	all  uint32 // of every frame, if each is nil
	each *[leafFrames]uint32
}

// at returns the count of pa's frame.
func (c *counts) at(pa uint64) uint32 {
	i := pa / leafBytes
	if i >= uint64(len(c.leaves)) {
		return 0
	}
	l := &c.leaves[i]
	if l.each == nil {
		return l.all
	}
	return l.each[pa/frameBytes%leafFrames]
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
		if k < leafFrames || l.each != nil {
			l.add(pa, first, k, d)
		} else {
			l.all = sum(pa, l.all, d)
		}
		pa, n = pa+k*frameBytes, n-k*frameBytes
	}
}

func (l *leaf) add(pa, first, k uint64, d uint32) {
	if l.each == nil {
		l.each = new([leafFrames]uint32)
		for i := range l.each {
			l.each[i] = l.all
		}
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
		case c.leaves[i].each == nil:
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
