package host

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A piece is the longest run of bytes from some address on that memory keeps
// in one way: bytes, or n times v.
type piece struct {
	bytes []byte // of one line, nil when all are v
	v     byte
	n     uint64
}

// A cursor walks through memory piece by piece. Over a range much larger than
// what is kept of it, it goes from one kept block to the next.
type cursor struct {
	m      *Memory
	pa     uint64
	sorted bool
	kept   []uint64 // blocks kept from pa on, in order, when sorted
}

func (m *Memory) cursor(pa, n uint64) cursor {
	c := cursor{m: m, pa: pa}
	if n>>blockShift > uint64(len(m.blocks)) {
		c.sorted = true
		first, last := pa>>blockShift, (pa+n-1)>>blockShift
		for i := range m.blocks {
			if k := m.blocks[i].key; k != 0 && k-1 >= first && k-1 <= last {
				c.kept = append(c.kept, k-1)
			}
		}
		slices.Sort(c.kept)
	}
	return c
}

// next returns the piece at the cursor, at most limit bytes of it (limit is
// not 0), and moves past it.
func (c *cursor) next(limit uint64) piece {
	p := c.look(limit)
	c.pa += p.n
	return p
}

func (c *cursor) look(limit uint64) piece {
	var l line
	inLine := LineBytes - c.pa%LineBytes
	end := limit
	if b := c.m.find(c.pa); b != nil {
		l, end = b.lines[lineOf(c.pa)], min(limit, inLine)
	} else if c.sorted {
		k := c.pa >> blockShift
		for len(c.kept) > 0 && c.kept[0] <= k {
			c.kept = c.kept[1:]
		}
		if len(c.kept) > 0 {
			end = min(limit, c.kept[0]<<blockShift-c.pa)
		}
	} else {
		end = min(limit, blockBytes-c.pa%blockBytes)
	}
	switch {
	case l == 0:
		v, last := c.m.fills.until(c.pa)
		if left := last - c.pa; left < end-1 {
			end = left + 1
		}
		return piece{v: v, n: end}
	case l&uniform != 0:
		return piece{v: byte(l), n: end}
	}
	return piece{bytes: c.m.pool.at(l)[c.pa%LineBytes:][:end], n: end}
}

// Compare looks for the first of the bytes at pa that differs from want and
// returns its offset; same reports that there is none.
func (m *Memory) Compare(pa uint64, want []byte) (first uint64, same bool) {
	c := m.cursor(pa, uint64(len(want)))
	for first < uint64(len(want)) {
		p := c.next(uint64(len(want)) - first)
		if at, same := p.differs(want[first:][:p.n]); !same {
			return first + at, false
		}
		first += p.n
	}
	return 0, true
}

func (p piece) differs(want []byte) (first uint64, same bool) {
	if p.bytes == nil {
		return other(want, p.v)
	}
	return unlike(p.bytes, want)
}

// unlike looks for the first byte of a that is not as in b, as long as a.
func unlike(a, b []byte) (first uint64, same bool) {
	if bytes.Equal(a, b) {
		return 0, true
	}
	for i, v := range a {
		if v != b[i] {
			return uint64(i), false
		}
	}
	return 0, true
}

// other looks for the first byte that is not v, by words as long as there are
// any.
func other(b []byte, v byte) (first uint64, same bool) {
	i, all := 0, uint64(v)*0x0101_0101_0101_0101
	for i+8 <= len(b) && binary.NativeEndian.Uint64(b[i:]) == all {
		i += 8
	}
	for ; i < len(b); i++ {
		if b[i] != v {
			return uint64(i), false
		}
	}
	return 0, true
}

// CompareFill is Compare against n bytes v.
func (m *Memory) CompareFill(pa, n uint64, v byte) (first uint64, same bool) {
	c := m.cursor(pa, n)
	for first < n {
		p := c.next(n - first)
		if p.bytes == nil && p.v != v {
			return first, false
		}
		if at, same := other(p.bytes, v); !same {
			return first + at, false
		}
		first += p.n
	}
	return 0, true
}

// CompareRange is Compare against the n bytes at other's pb. The two memories
// may be one, and the ranges may overlap.
func (m *Memory) CompareRange(pa uint64, other *Memory, pb, n uint64) (first uint64, same bool) {
	a, b := m.cursor(pa, n), other.cursor(pb, n)
	var x, y piece
	for first < n {
		if x.n == 0 {
			x = a.next(n - first)
		}
		if y.n == 0 {
			y = b.next(n - first)
		}
		k := min(x.n, y.n)
		if at, same := differ(x, y, k); !same {
			return first + at, false
		}
		x, y, first = x.skip(k), y.skip(k), first+k
	}
	return 0, true
}

// differ compares the first n bytes of two pieces.
func differ(x, y piece, n uint64) (first uint64, same bool) {
	if x.bytes == nil && y.bytes == nil {
		return 0, x.v == y.v
	}
	switch {
	case x.bytes == nil:
		return other(y.bytes[:n], x.v)
	case y.bytes == nil:
		return other(x.bytes[:n], y.v)
	}
	return unlike(x.bytes[:n], y.bytes[:n])
}

func (p piece) skip(n uint64) piece {
	p.n -= n
	if p.bytes != nil {
		p.bytes = p.bytes[n:]
	}
	return p
}

// move makes the n bytes at dst of to what they are at src, as sparsely as
// they are kept there. n and both addresses are multiples of LineBytes; the
// ranges do not overlap. Content that moves does not change: no watcher sees
// it.
func (m *Memory) move(src uint64, to *Memory, dst, n uint64) {
	to.drop(dst, n)
	c := m.cursor(src, n)
	for done := uint64(0); done < n; {
		p := c.next(n - done)
		if p.bytes != nil {
			to.write(dst+done, p.bytes)
			done += p.n
			continue
		}
		for done+p.n < n { // join what is alike, so that it stays one fill
			q := c
			if more := q.next(n - done - p.n); more.bytes == nil && more.v == p.v {
				p.n, c = p.n+more.n, q
				continue
			}
			break
		}
		to.fill(dst+done, p.n, p.v)
		done += p.n
	}
	m.drop(src, n)
	m.fills.put(src, src+n-1, 0)
}
