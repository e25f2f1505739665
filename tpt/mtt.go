package tpt

import "math/bits"

// An mtt is the memory translation table: one slab of page addresses, from
// which regions take runs. The lowest run that fits is taken.
//
// The free entries are a bitmap, with a binary tree above its words in which
// every node knows the longest free run below it: taking and giving back are
// logarithmic, and neighbouring free runs are one without anybody joining
// them.
type mtt struct {
	slab slab
	free []uint64 // a bit per entry; a power of two words
	tree []reach  // heap order, the root at 1, the leaves one per word
	// sharers counts the holders of a run beyond the first, at the run's first
	// entry; it grows only where regions are shared.
	sharers []uint32
	limit   uint32
	used    uint32
}

// A reach says what is free in a stretch of entries.
type reach struct {
	low, high uint32 // free entries at its lower and at its upper end
	best      uint32 // longest free run within
}

func (m *mtt) copyFrom(n *mtt) {
	m.slab.copyFrom(&n.slab)
	m.free = append(m.free[:0], n.free...)
	m.tree = append(m.tree[:0], n.tree...)
	m.sharers = append(m.sharers[:0], n.sharers...)
	m.limit, m.used = n.limit, n.used
}

// page returns what stands in entry n.
func (m *mtt) page(n uint32) uint64 {
	return m.slab.page(n)
}

// take finds a run of n > 0 free entries and takes it. Their content is
// NoPage.
func (m *mtt) take(n uint32) (first uint32, ok bool) {
	for len(m.tree) == 0 || m.tree[1].best < n {
		if !m.grow() {
			return 0, false
		}
	}
	first = m.find(n)
	m.mark(first, n, false)
	m.used += n
	return first, true
}

// give gives a run back, or one holder's part in it.
func (m *mtt) give(first, n uint32) {
	if n == 0 {
		return
	}
	if first < uint32(len(m.sharers)) && m.sharers[first] > 0 {
		m.sharers[first]--
		return
	}
	m.mark(first, n, true)
	m.used -= n
	m.slab.clear(first, n)
}

// share adds a holder to the run that begins at first.
func (m *mtt) share(first uint32) {
	for uint32(len(m.sharers)) <= first {
		m.sharers = append(m.sharers, 0)
	}
	m.sharers[first]++
}

// grow doubles the entries that the bitmap speaks of, up to the limit.
func (m *mtt) grow() bool {
	words := uint32(len(m.free))
	if uint64(words)*64 >= uint64(m.limit) {
		return false
	}
	add := max(words, 1)
	for range add {
		from := uint32(len(m.free)) * 64
		word := ^uint64(0)
		if from >= m.limit {
			word = 0
		} else if left := m.limit - from; left < 64 {
			word = 1<<left - 1
		}
		m.free = append(m.free, word)
	}
	words = uint32(len(m.free))
	m.tree = make([]reach, 2*words)
	m.settle(0, words-1)
	return true
}

// find returns the start of the lowest free run of n; the root knows there is
// one.
func (m *mtt) find(n uint32) uint32 {
	words := uint32(len(m.free))
	node, base, width := uint32(1), uint32(0), words*64
	for node < words {
		width /= 2
		left, right := m.tree[2*node], m.tree[2*node+1]
		switch {
		case left.best >= n:
			node = 2 * node
		case left.high+right.low >= n:
			return base + width - left.high
		default:
			node, base = 2*node+1, base+width
		}
	}
	return base + lowestRun(m.free[node-words], n)
}

// mark makes a run free or taken.
func (m *mtt) mark(first, n uint32, free bool) {
	last := first + n - 1
	for w := first / 64; w <= last/64; w++ {
		mask := ^uint64(0)
		if w == first/64 {
			mask <<= first % 64
		}
		if w == last/64 {
			mask &= ^uint64(0) >> (63 - last%64)
		}
		if free {
			m.free[w] |= mask
		} else {
			m.free[w] &^= mask
		}
	}
	m.settle(first/64, last/64)
}

// settle brings the tree in line with the words low..high: upwards until
// nothing changes any more.
func (m *mtt) settle(low, high uint32) {
	words := uint32(len(m.free))
	for w := low; w <= high; w++ {
		m.tree[words+w] = reachOf(m.free[w])
	}
	low, high = low+words, high+words
	for width, changed := uint32(64), true; low > 1 && changed; width *= 2 {
		low, high = low/2, high/2
		changed = false
		for k := low; k <= high; k++ {
			r := join(m.tree[2*k], m.tree[2*k+1], width)
			changed = changed || r != m.tree[k]
			m.tree[k] = r
		}
	}
}

// join returns the reach of two neighbouring stretches of the given width.
func join(left, right reach, width uint32) reach {
	r := reach{left.low, right.high, max(left.best, right.best, left.high+right.low)}
	if left.low == width {
		r.low += right.low
	}
	if right.high == width {
		r.high += left.high
	}
	return r
}

func reachOf(word uint64) reach {
	r := reach{low: uint32(bits.TrailingZeros64(^word)), high: uint32(bits.LeadingZeros64(^word))}
	if r.low == 64 {
		r.best = 64
		return r
	}
	for x := word; x != 0; x &= x << 1 { // each round shortens every run by one
		r.best++
	}
	return r
}

// lowestRun returns the lowest position of n ones in a row; there is one.
func lowestRun(word uint64, n uint32) uint32 {
	for have := uint32(1); have < n; {
		step := min(have, n-have)
		word &= word >> step
		have += step
	}
	return uint32(bits.TrailingZeros64(word))
}
