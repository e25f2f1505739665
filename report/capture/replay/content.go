package replay

import (
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
		need, remote := o.Remote()
		if o.Side == host || !remote || o.life == nil {
			continue
		}
		var seen []byte
		switch {
		case need == ib.RemoteWrite:
			m.write(o.VA, o.Data)
			continue
		case o.Atomic() && o.Answered:
			seen = little(o.Found)
		default:
			seen = o.Data
		}
		if m.show(o.VA, seen) {
			list = append(list, change{o, o.VA, seen})
		}
		if o.Atomic() && o.Answered {
			if v := o.Found; o.Opcode == ib.WRAtomicFetchAndAdd {
				m.write(o.VA, little(v+o.Swap))
			} else if v == o.Compare {
				m.write(o.VA, little(o.Swap))
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
