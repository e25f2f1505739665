package tpt

import (
	"fmt"
	"math/bits"
)

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

// A Cache is an on-chip array of keys. The copies held for them, values as they
// were when they were filled, are its owner's, in a slice with a place for each
// line; or another array's, which this one stands before, and then it says in
// which line there. It has no clock and no counters: whoever owns it pays for a
// lookup and counts it. Nothing here allocates after NewCache.
type Cache struct {
	slots []slot   // by set and way
	marks []uint64 // by set: a byte for each way, which a key's must be for its tag to be; none with one way
	mask  uint32   // of the bits of a key that pick its set, where these do
	pick  picking
	sets  uint32
	ways  uint32
	words uint32 // of marks, for a set
	order order
	held  int
}

// A slot is a line: the key that it holds, plus 1, or 0 if it is empty, and the
// line in which the copy stands.
type slot struct{ tag, line uint32 }

// A picking is how keys find their sets.
type picking uint8

const (
	byBits picking = iota // their number is a power of two
	byRest
	byHash
)

// NoLine stands for the line of a key for which there is none.
const NoLine = ^uint32(0)

// NewCache returns an empty array. c must pass its Check.
func NewCache(c CacheConfig) *Cache {
	if err := c.Check(); err != nil {
		panic("tpt: cache: " + err.Error())
	}
	a := &Cache{sets: c.Entries / c.Ways, ways: c.Ways, order: newOrder(c), slots: make([]slot, c.Entries)}
	if c.Ways > 1 {
		a.words = (c.Ways + 7) / 8
		a.marks = make([]uint64, a.sets*a.words)
	}
	switch a.mask = a.sets - 1; {
	case c.Hash:
		a.pick = byHash
	case a.sets&a.mask != 0:
		a.pick = byRest
	}
	return a
}

// set returns the set in which k may be.
func (c *Cache) set(k uint32) uint32 {
	switch c.pick {
	case byBits:
		return k & c.mask
	case byHash:
		return uint32(uint64(mix(k)) * uint64(c.sets) >> 32)
	default:
		return k % c.sets
	}
}

// mix spreads keys as if by chance, also those that follow each other: a
// multiplication alone would set them apart better than chance. It is the
// finalizer of MurmurHash3.
func mix(k uint32) uint32 {
	k = (k ^ k>>16) * 0x85EBCA6B
	k = (k ^ k>>13) * 0xC2B2AE35
	return k ^ k>>16
}

// The lowest and the highest bit of each byte of a word.
const (
	ones = 0x0101_0101_0101_0101
	tops = 0x80 * ones
)

// mark is the byte that stands for k in its set; that of an empty line is 0.
func mark(k uint32) uint8 { return uint8(k*0x9E3779B9>>24) | 0x80 }

// zeros returns the top bits of the bytes that are zero. Only the lowest is
// sure: those above it may be zero or one.
func zeros(word uint64) uint64 { return (word - ones) &^ word & tops }

// find returns the way of a set that holds k, c.ways if none does.
func (c *Cache) find(set, k uint32) (way uint32) {
	if c.ways == 1 {
		if c.slots[set].tag == k+1 {
			return 0
		}
		return 1
	}
	first, want := set*c.words, uint64(mark(k))*ones
	for n := first; n < first+c.words; n++ {
		for m := zeros(c.marks[n] ^ want); m != 0; m &= m - 1 {
			if way = (n-first)*8 + uint32(bits.TrailingZeros64(m)/8); c.slots[set*c.ways+way].tag == k+1 {
				return way
			}
		}
	}
	return c.ways
}

// Lookup returns the line in which the copy of k stands and makes k the most
// recent of its set, or NoLine.
func (c *Cache) Lookup(k uint32) (line uint32) {
	set := c.set(k)
	if c.ways > 1 {
		return c.search(set, k)
	}
	if s := c.slots[set]; s.tag == k+1 {
		return s.line
	}
	return NoLine
}

func (c *Cache) search(set, k uint32) (line uint32) {
	way := c.find(set, k)
	if way == c.ways {
		return NoLine
	}
	if c.order.by.remembers() {
		c.order.use(set, way)
	}
	return c.slots[set*c.ways+way].line
}

// Peek is Lookup and leaves no trace of it.
func (c *Cache) Peek(k uint32) (line uint32) {
	set := c.set(k)
	way := c.find(set, k)
	if way == c.ways {
		return NoLine
	}
	return c.slots[set*c.ways+way].line
}

// Ordered reports whether it matters which line was used when.
func (c *Cache) Ordered() bool { return c.order.by.remembers() }

// Touch makes a line of this array that is not empty the most recent of its set.
func (c *Cache) Touch(line uint32) {
	if c.slots[line].tag == 0 {
		panic("tpt: cache: an empty line was used")
	}
	if c.order.by.remembers() {
		c.order.use(line/c.ways, line%c.ways)
	}
}

// Fill holds k, in the line of an older copy, in an empty one, or in the one
// that its set gives up: evicted, if was is true. The copy stands in that line.
// Key 2^32-1 cannot be held.
func (c *Cache) Fill(k uint32) (line, evicted uint32, was bool) {
	if k+1 == 0 {
		panic("tpt: cache: key 2^32-1 cannot be held")
	}
	set := c.set(k)
	way := c.find(set, k)
	if way == c.ways {
		evicted, was, way = c.room(set)
		c.put(set, way, k+1, mark(k))
	}
	if c.order.by.remembers() {
		c.order.use(set, way)
	}
	return set*c.ways + way, evicted, was
}

// room returns the way of a set that the next key gets, and who must leave it.
func (c *Cache) room(set uint32) (evicted uint32, was bool, way uint32) {
	if c.held < len(c.slots) {
		if way = c.empty(set); way < c.ways {
			c.held++
			return 0, false, way
		}
	}
	way = c.order.victim(set)
	return c.slots[set*c.ways+way].tag - 1, true, way
}

// FillFor is Fill of an array that stands before another: the copy stands in a
// line there.
func (c *Cache) FillFor(k, there uint32) {
	if c.ways > 1 || k+1 == 0 {
		line, _, _ := c.Fill(k)
		c.slots[line].line = there
		return
	}
	s := &c.slots[c.set(k)]
	if s.tag == 0 {
		c.held++
	}
	*s = slot{k + 1, there}
}

// put writes the tag and the mark of a line.
func (c *Cache) put(set, way, tag uint32, mark uint8) {
	line := set*c.ways + way
	c.slots[line] = slot{tag, line}
	if c.ways > 1 {
		word := &c.marks[set*c.words+way/8]
		*word = *word&^(0xFF<<(way%8*8)) | uint64(mark)<<(way%8*8)
	}
}

// empty returns the first empty line of a set, or c.ways.
func (c *Cache) empty(set uint32) uint32 {
	if c.ways == 1 {
		return min(c.slots[set].tag, 1)
	}
	for n := range c.words {
		if m := zeros(c.marks[set*c.words+n]); m != 0 {
			return min(n*8+uint32(bits.TrailingZeros64(m)/8), c.ways) // the last word may have bytes of no way
		}
	}
	return c.ways
}

// Drop forgets k and returns the line in which its copy stood, or NoLine.
func (c *Cache) Drop(k uint32) (line uint32) {
	set := c.set(k)
	way := c.find(set, k)
	if way == c.ways {
		return NoLine
	}
	line = c.slots[set*c.ways+way].line
	c.put(set, way, 0, 0)
	c.held--
	return line
}

// DropIf forgets the keys that dead names, and returns how many they were.
func (c *Cache) DropIf(dead func(k uint32) bool) (n int) {
	for line, s := range c.slots {
		if s.tag != 0 && dead(s.tag-1) {
			c.put(uint32(line)/c.ways, uint32(line)%c.ways, 0, 0)
			n++
		}
	}
	c.held -= n
	return n
}

// Clear forgets everything.
func (c *Cache) Clear() {
	clear(c.slots)
	clear(c.marks)
	c.held = 0
}

// Len returns how many keys are held.
func (c *Cache) Len() int { return c.held }

// Lines returns how many can be held.
func (c *Cache) Lines() int { return len(c.slots) }
