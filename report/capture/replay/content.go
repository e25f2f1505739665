package replay

import (
	"bytes"
	"slices"

	"hcasim/ib"
)

// A memory is what is known of the bytes that keys open at a host: what they
// held at first, and what they hold now.
type memory struct {
	lines map[uint64]*line
}

const lineBytes = 64

// A line is so many bytes of memory, and which of them are known.
type line struct {
	now, first          [lineBytes]byte
	known, knownAtFirst [lineBytes]bool
}

// A change is bytes of a host that differ from what the packets put there: its
// own CPU did it, or it happened in a way that the capture does not show.
type change struct {
	before *op // the READ or atomic that shows it
	va     uint64
	data   []byte
}

func (m *memory) at(va uint64) (*line, uint64) {
	p := m.lines[va/lineBytes]
	if p == nil {
		p = &line{}
		m.lines[va/lineBytes] = p
	}
	return p, va % lineBytes
}

// write puts bytes there.
func (m *memory) write(va uint64, data []byte) {
	for i, b := range data {
		p, at := m.at(va + uint64(i))
		p.now[at], p.known[at] = b, true
	}
}

// show holds what is there to what was seen: unknown bytes were so from the
// beginning, and others have changed in between. It returns whether they have.
func (m *memory) show(va uint64, data []byte) (changed bool) {
	for i, b := range data {
		p, at := m.at(va + uint64(i))
		if !p.known[at] {
			p.known[at], p.knownAtFirst[at] = true, true
			p.first[at] = b
		} else if p.now[at] != b {
			changed = true
		}
		p.now[at] = b
	}
	return changed
}

// contents follows the memory of a host through all ops of the other.
func contents(host int, ops []*op) (*memory, []change) {
	m := &memory{map[uint64]*line{}}
	var list []change
	for _, o := range ops {
		need, remote := o.remote()
		if o.side == host || !remote || o.life == nil {
			continue
		}
		var seen []byte
		switch {
		case need == ib.RemoteWrite:
			m.write(o.va, o.data)
			continue
		case o.atomic() && o.answered:
			seen = little(o.found)
		default:
			seen = o.data
		}
		if m.show(o.va, seen) {
			list = append(list, change{o, o.va, seen})
		}
		if o.atomic() && o.answered {
			if v := o.found; o.opcode == ib.WRAtomicFetchAndAdd {
				m.write(o.va, little(v+o.swap))
			} else if v == o.compare {
				m.write(o.va, little(o.swap))
			}
		}
	}
	return m, list
}

// little is a word as it lies in the memory of the hosts of the model.
func little(v uint64) []byte {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	return b
}

// initial returns what an extent held at first, as far as it is known: from its
// first byte to the last known one, zeros between; nil if it is all zeros. ok
// is false when that is more than limit.
func (m *memory) initial(e *extent, limit int) (data []byte, ok bool) {
	var in []uint64
	for n, p := range m.lines {
		if n >= e.lo/lineBytes && n <= e.hi/lineBytes && p.knownAtFirst != [lineBytes]bool{} {
			in = append(in, n)
		}
	}
	slices.Sort(in)
	zeros := true
	for _, n := range in {
		p := m.lines[n]
		for at, known := range p.knownAtFirst {
			if !known {
				continue
			}
			end := n*lineBytes + uint64(at) - e.lo + 1
			if end > uint64(limit) {
				return data, p.first[at] == 0 && zeros
			}
			data = append(data, make([]byte, end-uint64(len(data)))...)
			data[end-1] = p.first[at]
			zeros = zeros && p.first[at] == 0
		}
	}
	if zeros {
		return nil, true
	}
	return data, true
}

// period returns the shortest beginning that, repeated, is data, if it has at
// most 256 bytes; else all of data.
func period(data []byte) []byte {
	for n := 1; n <= min(256, len(data)-1); n++ {
		if bytes.Equal(data[n:], data[:len(data)-n]) {
			return data[:n]
		}
	}
	return data
}

// A store is the payloads that one side sends, each once.
type store struct {
	limit int            // of data yet
	fills map[string]int // by period: longest
	order []string       // of fills
	data  []byte         // of those without a period
	where map[string]int // in data
	lost  int            // ops whose payload found no room
}

// A place is where a payload lies.
type place struct {
	fill int // which of the fills; -1: data
	at   int
}

// put finds a place for a payload.
func (s *store) put(payload []byte) (p place, ok bool) {
	if q := period(payload); len(q) < len(payload) || len(q) == 1 {
		key := string(q)
		if n, known := s.fills[key]; known {
			s.fills[key] = max(n, len(payload))
			for i, k := range s.order {
				if k == key {
					return place{fill: i}, true
				}
			}
		}
		if (len(s.order) < mostFills || key == "\x00") && s.limit >= len(q) {
			s.limit -= len(q)
			s.fills[key] = len(payload)
			s.order = append(s.order, key)
			return place{fill: len(s.order) - 1}, true
		}
	}
	if at, known := s.where[string(payload)]; known {
		return place{-1, at}, true
	}
	if len(payload) > s.limit {
		s.lost++
		return place{}, false
	}
	s.limit -= len(payload)
	at := len(s.data)
	s.where[string(payload)] = at
	s.data = append(s.data, payload...)
	if odd := len(s.data) % 8; odd != 0 {
		s.data = append(s.data, make([]byte, 8-odd)...)
	}
	return place{-1, at}, true
}

// mostFills bounds the buffers of periodic bytes.
const mostFills = 16
