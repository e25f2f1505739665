package host

import (
	"encoding/binary"
	"math/bits"

	"hcasim/sim"
)

// LineBytes is the grain in which memory is kept: what a processor cache and
// a root complex move at once.
const LineBytes = 64

// blockBytes is what one entry of the index stands for: four lines.
const (
	blockShift = 8
	blockBytes = 1 << blockShift
	blockLines = blockBytes / LineBytes
)

// A line is how one line of memory is kept: 0 as the fills say, uniform|b all
// bytes b, anything else 1 + its place in the pool.
type line uint32

const uniform line = 1 << 31

// stored reports whether l is a place in the pool.
func (l line) stored() bool { return l-1 < uniform-1 }

// A block is four neighbouring lines and where they are kept. key is the
// number of the block plus one, so that an empty entry is all zero.
type block struct {
	key   uint64
	lines [blockLines]line
}

// A Change is a run of bytes that was written, whether or not they differ
// from those before.
type Change struct {
	PA uint64
	N  uint64
}

// Memory is the physical memory of a host, byte for byte. It is sparse: what
// was never written costs nothing, a fill of any size is a value, a line of
// equal bytes is a value too, and only lines of mixed bytes are stored. Every
// address from 0 to 2^64-1 may be read and written; which of them exist is
// the business of Frames.
type Memory struct {
	Changed sim.Probe[Change] // every Write and Fill, after it was done

	blocks []block // open-addressed, a power of two, at most 3/4 full
	used   int     // entries taken
	shift  uint8   // 64 - log2(len(blocks))
	last   int     // entry found last: neighbours come in succession
	pool   pool
	fills  fills
	log    journal
}

// NewMemory returns memory in which every byte is 0.
func NewMemory() *Memory {
	m := &Memory{}
	m.resize(64)
	return m
}

// Read copies the len(dst) bytes at pa into dst.
func (m *Memory) Read(pa uint64, dst []byte) {
	if pa%LineBytes+uint64(len(dst)) <= LineBytes {
		m.readLine(pa, dst)
		return
	}
	if n := min(int(-pa%LineBytes), len(dst)); n > 0 {
		m.readLine(pa, dst[:n])
		pa, dst = pa+uint64(n), dst[n:]
	}
	for len(dst) >= LineBytes {
		b := m.find(pa)
		for i := lineOf(pa); i < blockLines && len(dst) >= LineBytes; i++ {
			if b != nil && b.lines[i].stored() {
				*(*[LineBytes]byte)(dst) = *m.pool.at(b.lines[i])
			} else {
				set(dst[:LineBytes], m.value(b, i, pa))
			}
			pa, dst = pa+LineBytes, dst[LineBytes:]
		}
	}
	if len(dst) > 0 {
		m.readLine(pa, dst)
	}
}

// Write copies src to the len(src) bytes at pa.
func (m *Memory) Write(pa uint64, src []byte) {
	if len(src) == 0 {
		return
	}
	if m.log.on {
		m.recordWrite(pa, src)
	}
	m.write(pa, src)
	if m.Changed.On() {
		m.Changed.Emit(Change{pa, uint64(len(src))})
	}
}

func (m *Memory) write(pa uint64, src []byte) {
	if len(src) == LineBytes && pa%LineBytes == 0 {
		m.writeWhole(pa, (*[LineBytes]byte)(src), m.find(pa))
		return
	}
	if n := min(int(-pa%LineBytes), len(src)); n > 0 {
		m.writeLine(pa, src[:n])
		pa, src = pa+uint64(n), src[n:]
	}
	for len(src) >= LineBytes {
		b := m.find(pa)
		for i := lineOf(pa); i < blockLines && len(src) >= LineBytes; i++ {
			b = m.writeWhole(pa, (*[LineBytes]byte)(src), b)
			pa, src = pa+LineBytes, src[LineBytes:]
		}
	}
	if len(src) > 0 {
		m.writeLine(pa, src)
	}
}

// value is what all bytes of line i of b are, which is not stored; b is nil or
// the block of pa, which lies in that line.
func (m *Memory) value(b *block, i, pa uint64) byte {
	if b != nil && b.lines[i] != 0 {
		return byte(b.lines[i])
	}
	return m.fills.at(pa)
}

// readLine reads within one line.
func (m *Memory) readLine(pa uint64, dst []byte) {
	b, i := m.find(pa), lineOf(pa)
	if b != nil && b.lines[i].stored() {
		copy(dst, m.pool.at(b.lines[i])[pa%LineBytes:])
		return
	}
	set(dst, m.value(b, i, pa))
}

// writeWhole writes a whole line, whose block is b, and returns its block. A line
// of equal bytes is kept as a value, and not at all in a block where nothing is
// kept.
func (m *Memory) writeWhole(pa uint64, src *[LineBytes]byte, b *block) *block {
	v, same := equal(src)
	if b == nil {
		if same && m.fills.at(pa) == v {
			return nil
		}
		b = m.add(pa)
	}
	l := &b.lines[lineOf(pa)]
	switch {
	case same:
		m.pool.free(*l)
		*l = uniform | line(v)
		return b
	case !l.stored():
		*l = m.pool.take()
	}
	*m.pool.at(*l) = *src
	return b
}

// writeLine writes a part of one line.
func (m *Memory) writeLine(pa uint64, src []byte) {
	b, i := m.find(pa), lineOf(pa)
	if b == nil || !b.lines[i].stored() {
		was := m.value(b, i, pa)
		if v, same := one(src); same && v == was {
			return
		}
		if b == nil {
			b = m.add(pa)
		}
		b.lines[i] = m.pool.take()
		set(m.pool.at(b.lines[i])[:], was)
	}
	copy(m.pool.at(b.lines[i])[pa%LineBytes:], src)
}

// lineOf is the number of pa's line within its block.
func lineOf(pa uint64) uint64 { return pa / LineBytes % blockLines }

// set makes every byte of dst v.
func set(dst []byte, v byte) {
	if v == 0 {
		clear(dst)
		return
	}
	for i := range dst {
		dst[i] = v
	}
}

// equal reports whether all bytes of a line are the same, and which.
func equal(l *[LineBytes]byte) (v byte, same bool) {
	w := binary.LittleEndian.Uint64(l[:])
	if w != bits.RotateLeft64(w, 8) {
		return 0, false
	}
	var other uint64
	for i := 8; i < LineBytes; i += 8 {
		other |= w ^ binary.LittleEndian.Uint64(l[i:])
	}
	return byte(w), other == 0
}

// one reports whether all bytes of src, of which there is at least one, are
// the same, and which.
func one(src []byte) (v byte, same bool) {
	v = src[0]
	for _, b := range src {
		if b != v {
			return v, false
		}
	}
	return v, true
}
