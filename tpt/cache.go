package tpt

import "fmt"

// CacheParams are the shape of an on-chip array.
type CacheParams struct {
	Sets        uint32      `yaml:"sets" default:"256" min:"1" max:"16777216" unit:"sets" doc:"Sets of the array; 1 makes it fully associative."`
	Ways        uint32      `yaml:"ways" default:"4" min:"1" max:"65535" unit:"ways" doc:"Lines in each set. Of plru a power of two, at most 64; of direct 1."`
	Replacement Replacement `yaml:"replacement" default:"lru" enum:"lru,plru,random,direct" doc:"Which line of a full set makes room."`
	Hashed      bool        `yaml:"hashed" default:"true" doc:"Whether a hash of the number picks the set, or its low bits."`
}

// A Replacement is the way a full set chooses the line that makes room.
type Replacement string

// The ways to choose.
const (
	LRU    Replacement = "lru"    // the line not used for longest
	PLRU   Replacement = "plru"   // the line that a tree of bits, one per fork, points to
	Random Replacement = "random" // any
	Direct Replacement = "direct" // the only one: a set is one line
)

// Check returns what is wrong with p, or nil.
func (p CacheParams) Check() error {
	switch p.Replacement {
	case LRU, Random:
	case PLRU:
		if p.Ways&(p.Ways-1) != 0 || p.Ways > 64 {
			return fmt.Errorf("ways: plru needs a power of two of at most 64, not %d", p.Ways)
		}
	case Direct:
		if p.Ways != 1 {
			return fmt.Errorf("ways: direct has 1, not %d", p.Ways)
		}
	default:
		return fmt.Errorf("replacement: %q is none of lru, plru, random, direct", p.Replacement)
	}
	if p.Sets == 0 || p.Ways == 0 || p.Ways > 65535 || uint64(p.Sets)*uint64(p.Ways) > 1<<30 {
		return fmt.Errorf("sets, ways: %d by %d is no array", p.Sets, p.Ways)
	}
	return nil
}

// A Cache is an on-chip array of copies: values as they were when they were
// filled. It has no clock and no counters: whoever owns it pays for a lookup
// and counts it. Nothing here allocates after NewCache.
type Cache[K ~uint32, V any] struct {
	sets, ways uint32
	hashed     bool
	order      order
	tags       []uint32 // key + 1, by set and way; 0 is an empty line
	values     []V      // beside tags
	held       int
}

// NewCache returns an empty array. p must pass its Check. The seed decides the
// choices of random replacement.
func NewCache[K ~uint32, V any](p CacheParams, seed uint64) *Cache[K, V] {
	if err := p.Check(); err != nil {
		panic("tpt: cache: " + err.Error())
	}
	lines := p.Sets * p.Ways
	return &Cache[K, V]{
		sets: p.Sets, ways: p.Ways, hashed: p.Hashed, order: newOrder(p, seed),
		tags: make([]uint32, lines), values: make([]V, lines),
	}
}

// set returns the set in which k may be.
func (c *Cache[K, V]) set(k K) uint32 {
	if c.hashed {
		// The high bits of a multiplicative hash, scaled to the number of sets.
		return uint32(uint64(uint32(k)*0x9E3779B1) * uint64(c.sets) >> 32)
	}
	if c.sets&(c.sets-1) == 0 {
		return uint32(k) & (c.sets - 1)
	}
	return uint32(k) % c.sets
}

// find returns k's set and the line in the set that holds it; way is c.ways if
// none does.
func (c *Cache[K, V]) find(k K) (set, way uint32) {
	set = c.set(k)
	line := c.tags[set*c.ways:][:c.ways]
	for w, tag := range line {
		if tag == uint32(k)+1 {
			return set, uint32(w)
		}
	}
	return set, c.ways
}

// Lookup returns the copy held for k and makes it the set's most recent, or
// nil. The copy may be changed in place; it is k's until the next Fill or Drop.
func (c *Cache[K, V]) Lookup(k K) *V {
	set, way := c.find(k)
	if way == c.ways {
		return nil
	}
	c.order.use(set, way)
	return &c.values[set*c.ways+way]
}

// Peek returns the copy held for k, or nil, and leaves no trace of it.
func (c *Cache[K, V]) Peek(k K) *V {
	set, way := c.find(k)
	if way == c.ways {
		return nil
	}
	return &c.values[set*c.ways+way]
}

// Fill holds v for k, in the place of an older copy, of an empty line, or of
// the line that the set gives up: evicted, if was is true. Key 2^32-1 cannot
// be held.
func (c *Cache[K, V]) Fill(k K, v V) (evicted K, was bool) {
	if uint32(k)+1 == 0 {
		panic("tpt: cache: key 2^32-1 cannot be held")
	}
	set, way := c.find(k)
	if way == c.ways {
		way = c.empty(set)
	}
	if way == c.ways {
		way = c.order.victim(set)
		evicted, was = K(c.tags[set*c.ways+way]-1), true
		c.held--
	}
	line := set*c.ways + way
	if c.tags[line] != uint32(k)+1 {
		c.held++
	}
	c.tags[line], c.values[line] = uint32(k)+1, v
	c.order.use(set, way)
	return evicted, was
}

// empty returns the first empty line of a set, or c.ways.
func (c *Cache[K, V]) empty(set uint32) uint32 {
	for w, tag := range c.tags[set*c.ways:][:c.ways] {
		if tag == 0 {
			return uint32(w)
		}
	}
	return c.ways
}

// Drop forgets the copy held for k and reports whether there was one.
func (c *Cache[K, V]) Drop(k K) bool {
	set, way := c.find(k)
	if way == c.ways {
		return false
	}
	c.clear(set*c.ways + way)
	return true
}

func (c *Cache[K, V]) clear(line uint32) {
	var none V
	c.tags[line], c.values[line] = 0, none
	c.held--
}

// DropIf forgets the copies that dead names, and returns how many they were.
func (c *Cache[K, V]) DropIf(dead func(k K, v *V) bool) (n int) {
	for line, tag := range c.tags {
		if tag != 0 && dead(K(tag-1), &c.values[line]) {
			c.clear(uint32(line))
			n++
		}
	}
	return n
}

// Clear forgets everything.
func (c *Cache[K, V]) Clear() {
	c.DropIf(func(K, *V) bool { return true })
}

// Each calls f with every copy held, in the order of the lines.
func (c *Cache[K, V]) Each(f func(k K, v *V)) {
	for line, tag := range c.tags {
		if tag != 0 {
			f(K(tag-1), &c.values[line])
		}
	}
}

// Len returns how many copies are held.
func (c *Cache[K, V]) Len() int { return c.held }

// Lines returns how many copies can be held.
func (c *Cache[K, V]) Lines() int { return len(c.tags) }
