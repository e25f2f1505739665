package tpt

import "fmt"

// A CacheConfig is the shape of an on-chip array.
type CacheConfig struct {
	Entries uint32 // lines in all: a multiple of Ways
	Ways    uint32 // lines in each set, at most 65536; as many as Entries makes it fully associative
	Replace string // which line of a full set makes room: lru, plru, random, direct
	Hash    bool   // a hash of the key picks the set, instead of its low bits
	Seed    uint64 // decides the choices of random replacement
}

// Check returns what is wrong with c in the words of its parameters, or nil.
func (c CacheConfig) Check() error {
	switch c.Replace {
	case "lru", "random":
	case "plru":
		if c.Ways&(c.Ways-1) != 0 || c.Ways > 64 {
			return fmt.Errorf("ways: plru needs a power of two of at most 64, not %d", c.Ways)
		}
	case "direct":
		if c.Ways != 1 {
			return fmt.Errorf("ways: direct has 1, not %d", c.Ways)
		}
	default:
		return fmt.Errorf("replace: %q is none of lru, plru, random, direct", c.Replace)
	}
	switch {
	case c.Ways == 0 || c.Ways > 1<<16:
		return fmt.Errorf("ways: want 1 to 65536, not %d", c.Ways)
	case c.Entries == 0 || c.Entries%c.Ways != 0:
		return fmt.Errorf("entries: want a multiple of ways (%d), not %d", c.Ways, c.Entries)
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

// NewCache returns an empty array. c must pass its Check.
func NewCache[K ~uint32, V any](c CacheConfig) *Cache[K, V] {
	if err := c.Check(); err != nil {
		panic("tpt: cache: " + err.Error())
	}
	return &Cache[K, V]{
		sets: c.Entries / c.Ways, ways: c.Ways, hashed: c.Hash, order: newOrder(c),
		tags: make([]uint32, c.Entries), values: make([]V, c.Entries),
	}
}

// set returns the set in which k may be.
func (c *Cache[K, V]) set(k K) uint32 {
	if c.hashed {
		return uint32(uint64(mix(uint32(k))) * uint64(c.sets) >> 32)
	}
	if c.sets&(c.sets-1) == 0 {
		return uint32(k) & (c.sets - 1)
	}
	return uint32(k) % c.sets
}

// mix spreads keys as if by chance, also those that follow each other: a
// multiplication alone would set them apart better than chance. It is the
// finalizer of MurmurHash3.
func mix(k uint32) uint32 {
	k = (k ^ k>>16) * 0x85EBCA6B
	k = (k ^ k>>13) * 0xC2B2AE35
	return k ^ k>>16
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
