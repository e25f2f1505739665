package tpt

import "math/bits"

// An order chooses the line of a full set that makes room. Its state is small:
// two bytes per line of lru, eight per set of plru, eight in all of random.
type order struct {
	by     policy
	ways   uint32
	recent []uint16 // lru: the ways of each set, the most recent first
	trees  []uint64 // plru: of each set, a bit per fork, the root at bit 1; set: the way to go is right
	state  uint64   // random: the last number drawn
}

// A policy is a way to choose.
type policy uint8

const (
	direct policy = iota // the only line there is
	lru                  // the line not used for longest
	plru                 // the line that a tree of bits, one per fork, leads to
	random               // any
)

func newOrder(c CacheConfig) order {
	o := order{ways: c.Ways, state: c.Seed*2 + 1}
	switch c.Replace {
	case "lru":
		o.by = lru
		o.recent = make([]uint16, c.Entries)
		for n := range o.recent {
			o.recent[n] = uint16(uint32(n) % c.Ways)
		}
	case "plru":
		o.by = plru
		o.trees = make([]uint64, c.Entries/c.Ways)
	case "random":
		o.by = random
	}
	return o
}

// use notes that a line was used.
func (o *order) use(set, way uint32) {
	switch o.by {
	case lru:
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

// point makes every fork on the way to a line point away from it.
func (o *order) point(set, way uint32) {
	tree := o.trees[set]
	for fork := o.ways + way; fork > 1; fork /= 2 {
		if fork&1 == 0 {
			tree |= 1 << (fork / 2)
		} else {
			tree &^= 1 << (fork / 2)
		}
	}
	o.trees[set] = tree
}

// victim returns the line that makes room.
func (o *order) victim(set uint32) uint32 {
	switch o.by {
	case lru:
		return uint32(o.recent[set*o.ways+o.ways-1])
	case plru:
		tree, fork := o.trees[set], uint32(1)
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
