package stress

import (
	"slices"
	"strings"
)

func word(b []byte) (n uint64) {
	for i, x := range b[:8] {
		n |= uint64(x) << (8 * i)
	}
	return n
}

func put(b []byte, n uint64) {
	for i := range b[:8] {
		b[i] = byte(n >> (8 * i))
	}
}

// back is what a request brings home, of a place of its lane.
func (o *op) back(image []byte) []byte { return slices.Clone(image[o.off : o.off+o.n]) }

// atomic does an atomic to memory.
func (o *op) atomic(image []byte) {
	was := word(image[o.off:])
	if o.code == "ATOMIC_FETCH_AND_ADD" {
		put(image[o.off:], was+o.a)
	} else if was == o.a {
		put(image[o.off:], o.b)
	}
}

// done carries out a request that succeeded.
func (c *check) done(o *op) {
	l := o.lane
	to, from := l.to.image, l.from.image
	switch {
	case o.shared && o.takes():
		c.settle(l.from, o.sink, o.n)
	case o.shared:
	case o.code == "RDMA_READ":
		copy(from[o.sink:], o.back(to))
	case o.takes():
		copy(from[o.sink:], o.back(to))
		o.atomic(to)
	case strings.HasPrefix(o.code, "RDMA_WRITE"):
		copy(to[o.off:], l.from.source(o.src, o.n))
	case !l.srq:
		copy(to[l.recvs[o.recv].at:], l.from.source(o.src, o.n))
	}
}

// beginning looks for a beginning of the packets of what did not succeed, such
// that memory is what it would have made.
func (c *check) beginning(l *lane, ops []*op) {
	to, got := l.to.image, c.memory(l.to)
	spans := [][2]int{{l.at, l.n}}
	if !l.srq {
		for _, s := range l.recvs {
			spans = append(spans, [2]int{s.at, s.n})
		}
	}
	bad, found := 0, false
	for _, s := range spans {
		for i := s[0]; i < s[0]+s[1]; i++ {
			if to[i] != got[i] {
				bad++
			}
		}
	}
	found = bad == 0
	set := func(at int, data []byte) {
		for i, b := range data {
			if to[at+i] != got[at+i] {
				bad--
			}
			if to[at+i] = b; b != got[at+i] {
				bad++
			}
		}
		found = found || bad == 0
	}
walk:
	for i, o := range ops {
		refused := o.bad != "" && o.bad != "local" || o.bad == "local" && !o.takes()
		switch {
		case refused:
			break walk
		case o.shared && o.takes():
			c.settle(l.from, o.sink, o.n)
		case o.shared:
		case o.takes():
			was := o.back(to)
			if o.code != "RDMA_READ" {
				next := slices.Clone(to[o.off : o.off+8])
				at := *o
				at.off = 0
				at.atomic(next)
				set(o.off, next)
			}
			for k := range was {
				if b := c.memory(l.from)[o.sink+k]; b != was[k] && b != l.from.fill {
					c.say("%s, which failed, brought back %#02x at %d", o.id, b, k)
					break
				}
			}
			c.settle(l.from, o.sink, o.n)
		default:
			at := o.off
			if strings.HasPrefix(o.code, "SEND") {
				if l.srq {
					break
				}
				at = l.recvs[o.recv].at
			}
			for from := 0; from < o.n; from += l.mtu {
				n := min(l.mtu, o.n-from)
				set(at+from, l.from.source(o.src+from, n))
			}
		}
		// Behind a READ others may be done before its bytes are fetched, and its
		// key is looked at with each packet of them.
		if i == 0 && strings.HasPrefix(o.status, "REM_") && o.code != "RDMA_READ" {
			break
		}
	}
	if !found {
		c.say("%s: no beginning of what follows %s makes of memory what it is", l.name, ops[0].id)
	}
	for _, s := range spans {
		c.settle(l.to, s[0], s[1])
	}
	for _, o := range ops { // those behind a refusal too
		if o.takes() && o.bad == "" {
			c.settle(l.from, o.sink, o.n)
		}
	}
}

// loose asks of the bytes of an unreliable lane that each has one of the values
// that were on their way to it.
func (c *check) loose(l *lane, ops []*op) {
	values := map[int][]byte{}
	for _, o := range ops {
		at := o.off
		if strings.HasPrefix(o.code, "SEND") { // lost ones leave their receive to the next
			for _, s := range l.recvs {
				c.settle(l.to, s.at, s.n)
			}
			continue
		}
		if o.shared {
			continue
		}
		for i, b := range l.from.source(o.src, o.n) {
			values[at+i] = append(values[at+i], b)
		}
	}
	for i := l.at; i < l.at+l.n; i++ {
		if b := c.memory(l.to)[i]; b != l.to.fill && !slices.Contains(values[i], b) {
			c.say("%s: byte %d is %#02x, which nobody wrote", l.name, i, b)
			break
		}
	}
	c.settle(l.to, l.at, l.n)
}
