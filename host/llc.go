package host

import (
	"fmt"
	"math"
	"math/bits"
)

// An LLC is the last-level cache as a device sees it: which lines are there.
// It holds no bytes. Within a set the lines stand in the order of their use.
// Writes of the adapter may only replace lines that writes of the adapter have
// brought, or the last of the set while these are fewer than their share
// (DDIO); the CPU may replace any.
type LLC struct {
	ways    uint64
	ddio    uint64
	sets    uint64
	inverse uint64     // floor(2^64 / sets): a product is quicker than a division
	parts   [][]uint64 // of partSets sets each, made when one is first asked for
}

// A part is sets that are made together: most runs touch a small share of a
// large cache. A set is its ways: number of the line plus one, device in bit 63;
// 0 empty, and behind those that are not.
const partSets = 64

// device marks a line that a write of the adapter has brought.
const device = 1 << 63

// NewLLC returns an empty cache.
func NewLLC(p MemoryParams) *LLC {
	sets := uint64(p.LLCSize) / LineBytes / uint64(p.LLCWays)
	if err := p.Check(); err != nil || sets == 0 {
		panic(fmt.Sprintf("host: last-level cache of %v, %d ways: %v", p.LLCSize, p.LLCWays, err))
	}
	return &LLC{ways: uint64(p.LLCWays), ddio: uint64(p.DDIOWays), sets: sets,
		inverse: math.MaxUint64 / sets, parts: make([][]uint64, (sets+partSets-1)/partSets)}
}

// set is the ways of the set to which a line belongs: line mod sets.
func (c *LLC) set(line uint64) []uint64 {
	q, _ := bits.Mul64(line, c.inverse) // the quotient, or one less
	s := line - q*c.sets
	if s >= c.sets {
		s -= c.sets
	}
	part := c.parts[s/partSets]
	if part == nil {
		part = make([]uint64, partSets*c.ways)
		c.parts[s/partSets] = part
	}
	first := s % partSets * c.ways
	return part[first : first+c.ways]
}

// find returns the way of a line; or where the empty ways begin, if it is not
// here.
func find(set []uint64, line uint64) (way int, hit bool) {
	for i, l := range set {
		if l&^device == line+1 {
			return i, true
		}
		if l == 0 {
			return i, false
		}
	}
	return len(set), false
}

// front moves the line in way i, or what replaces it, to the front.
func front(set []uint64, i int, tag uint64) {
	if i != 0 {
		copy(set[1:i+1], set[:i])
	}
	set[0] = tag
}

// DeviceRead looks up the lines of the n bytes at pa; all reports whether
// every one is here. A read allocates nothing.
func (c *LLC) DeviceRead(pa uint64, n uint32) (all bool) {
	all = true
	last := (pa + uint64(n) - 1) / LineBytes
	for line := pa / LineBytes; line <= last; line++ {
		set := c.set(line)
		if i, hit := find(set, line); hit {
			front(set, i, set[i])
		} else {
			all = false
		}
	}
	return all
}

// DeviceWrite puts the lines of the n bytes at pa into the cache, if they are
// here already or the adapter has a share; all reports whether they all are
// now. Lines of which only a part is written, and which are not here, are
// taken in all the same.
func (c *LLC) DeviceWrite(pa uint64, n uint32) (all bool) {
	all = true
	last := (pa + uint64(n) - 1) / LineBytes
	for line := pa / LineBytes; line <= last; line++ {
		set := c.set(line)
		i, hit := find(set, line)
		switch {
		case hit:
			front(set, i, set[i])
		case c.ddio == 0:
			all = false
		default:
			front(set, c.victim(set, i), line+1|device)
		}
	}
	return all
}

// victim is the way that a write of the adapter replaces, in a set of which so
// many ways are used: an empty one or the last of the set while the adapter has
// fewer lines there than its share, else the last of its own.
func (c *LLC) victim(set []uint64, used int) int {
	own, last := uint64(0), 0
	for i, l := range set[:used] {
		if l&device != 0 {
			own, last = own+1, i
		}
	}
	if own < c.ddio {
		return min(used, len(set)-1)
	}
	return last
}

// Touch brings the lines of the n bytes at pa into the cache as the CPU's; of
// a range that is larger than the cache, the last that fit.
func (c *LLC) Touch(pa, n uint64) {
	if n == 0 {
		return
	}
	if size := c.sets * c.ways * LineBytes; n > size {
		pa, n = pa+n-size, size
	}
	for line := pa / LineBytes; line <= (pa+n-1)/LineBytes; line++ {
		set := c.set(line)
		i, _ := find(set, line)
		front(set, min(i, len(set)-1), line+1)
	}
}

// Flush drops every line, as a benchmark does that wants a cold cache.
func (c *LLC) Flush() { clear(c.parts) }
