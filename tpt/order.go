package tpt

import "math/bits"

// An order chooses the line of a full set that makes room. Its state is small:
// eight bytes per set of plru and of lru with up to 16 ways, two per line of lru
// with more, eight in all of random.
type order struct {
	by     policy
	ways   uint32
	words  []uint64 // plru: of each set, a bit per fork, the root at bit 1; set: the way to go is right. lru: the ways of each set in four bits each, the most recent lowest
	recent []uint16 // lists: the ways of each set, the most recent first
	state  uint64   // random: the last number drawn
}

// A policy is a way to choose.
type policy uint8

const (
	direct policy = iota // the only line there is
	random               // any
	lru                  // the line not used for longest
	lists                // the same of more ways than a word has room for
	plru                 // the line that a tree of bits, one per fork, leads to
)

// remembers reports whether it matters which line was used.
func (p policy) remembers() bool { return p >= lru }

func newOrder(c CacheConfig) order {
	o := order{ways: c.Ways, state: c.Seed*2 + 1}
	switch {
	case c.Replace == "lru" && c.Ways > 16:
		o.by = lists
		o.recent = make([]uint16, c.Entries)
		for n := range o.recent {
			o.recent[n] = uint16(uint32(n) % c.Ways)
		}
	case c.Replace == "lru":
		o.by = lru
		o.words = make([]uint64, c.Entries/c.Ways)
		for n := range o.words {
			o.words[n] = 0xFEDC_BA98_7654_3210
		}
	case c.Replace == "plru":
		o.by = plru
		o.words = make([]uint64, c.Entries/c.Ways)
	case c.Replace == "random":
		o.by = random
	}
	return o
}

// use notes that a line was used.
func (o *order) use(set, way uint32) {
	switch o.by {
	case lru:
		if word := &o.words[set]; *word&15 != uint64(way) {
			*word = toFront(*word, uint64(way))
		}
	case lists:
		line := o.recent[set*o.ways:][:o.ways]
		before := line[0]
		for n := 0; before != uint16(way); n++ {
			before, line[n+1] = line[n+1], before
		}
		line[0] = uint16(way)
	case plru:
		o.point(set, way)
	case random, direct:
	}
}

// toFront moves a way to the low end of a word that has all 16 in it.
func toFront(word, way uint64) uint64 {
	const ones = 0x1111_1111_1111_1111
	x := word ^ way*ones
	at := bits.TrailingZeros64((x-ones)&^x&(8*ones)) &^ 3 // of the four bits that are zero now
	below := uint64(1)<<at - 1
	return word&^(below<<4|15) | word&below<<4 | way
}

// point makes every fork on the way to a line point away from it.
func (o *order) point(set, way uint32) {
	tree := o.words[set]
	for fork := o.ways + way; fork > 1; fork /= 2 {
		if fork&1 == 0 {
			tree |= 1 << (fork / 2)
		} else {
			tree &^= 1 << (fork / 2)
		}
	}
	o.words[set] = tree
}

// victim returns the line that makes room.
func (o *order) victim(set uint32) uint32 {
	switch o.by {
	case lru:
		return uint32(o.words[set] >> (4 * (o.ways - 1)) & 15)
	case lists:
		return uint32(o.recent[set*o.ways+o.ways-1])
	case plru:
		tree, fork := o.words[set], uint32(1)
		for fork < o.ways {
			fork = 2*fork + uint32(tree>>fork&1)
		}
		return fork - o.ways
	case random:
		return o.draw()
	case direct:
	}
	return 0
}

// draw returns a random way (xorshift64*, scaled).
func (o *order) draw() uint32 {
	o.state ^= o.state >> 12
	o.state ^= o.state << 25
	o.state ^= o.state >> 27
	high, _ := bits.Mul64(o.state*0x2545F4914F6CDD1D, uint64(o.ways))
	return uint32(high)
}
