package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"hcasim/ib"
	"hcasim/tpt"
)

// A mark stands for a state: that of the whole world but for names. Two states
// with one mark would need 2^64 others beside them.
type mark [16]byte

// An exchange is another way to name what the steps treat alike.
type exchange struct {
	slots [nSlots + 1]slot
	qps   []ib.QPN
}

// exchanges are all of them: of A and B, of q1 and q2.
var exchanges = func() (list []exchange) {
	for _, regions := range [...][2]slot{{mrA, mrB}, {mrB, mrA}} {
		for _, qps := range [...][]ib.QPN{{0, q1, q2, q3}, {0, q2, q1, q3}} {
			list = append(list, exchange{[...]slot{regions[0], regions[1], fast, w1, w2, nSlots}, qps})
		}
	}
	return list
}()

// A scribe writes states down. It keeps its buffers.
type scribe struct {
	names      tpt.Names
	freed      []ib.Index
	keys       [][4]byte
	best, next []byte
}

// mark returns the mark of w: of the least of the texts that its exchanges
// make.
func (s *scribe) mark(w *world) mark {
	s.best = s.best[:0]
	for n := range exchanges {
		s.next = s.write(s.next[:0], w, &exchanges[n])
		if n == 0 || bytes.Compare(s.next, s.best) < 0 {
			s.best, s.next = s.next, s.best
		}
	}
	sum := sha256.Sum256(s.best)
	return mark(sum[:16])
}

// write appends the whole of w under the names that x gives.
func (s *scribe) write(b []byte, w *world, x *exchange) []byte {
	n := &s.names
	all := int(w.table.MaxEntry()) + 1
	n.Place, n.Base = slices.Grow(n.Place[:0], all)[:all], slices.Grow(n.Base[:0], all)[:all]
	clear(n.Place)
	clear(n.Base)
	n.Order, n.Pages, n.QP = n.Order[:0], n.Pages[:0], x.qps
	for _, slot := range x.slots[:nSlots] {
		i := w.object[slot]
		b = append(b, oneIf(i != 0))
		if i == 0 {
			continue
		}
		n.Order = append(n.Order, i)
		n.Place[i] = uint8(len(n.Order))
		if slot <= fast {
			n.Base[i] = starts[slot]
		}
	}
	s.freed = w.table.Freed(s.freed[:0])
	for _, i := range s.freed {
		n.Order = append(n.Order, i)
		n.Place[i] = uint8(len(n.Order))
	}
	b = w.table.AppendState(b, n)
	b = s.writeLedger(b, w, x)
	return s.writeKeys(b, w, x)
}

// writeLedger appends the grants, and what a program remembers.
func (s *scribe) writeLedger(b []byte, w *world, x *exchange) []byte {
	l := &w.ledger
	for _, slot := range x.slots[:nSlots] {
		g, h, on := &l.grants[slot], &l.holds[slot], nSlots
		if h.bound {
			on = x.slots[h.on]
		}
		b = append(b, oneIf(g.live), byte(on), oneIf(h.orphaned), byte(x.qps[h.qp]), oneIf(l.broken[slot]), oneIf(l.pinned[slot]))
		b = s.key(b, w, w.key[slot])
		b = s.key(b, w, w.stale[slot])
		if g.live {
			b = s.key(b, w, g.key)
			b = append(b, byte(g.pd), byte(x.qps[g.qp]), oneIf(g.local), oneIf(g.onlyQP), oneIf(g.windows), s.names.Page(g.pages[0]), s.names.Page(g.pages[1]))
			b = binary.LittleEndian.AppendUint32(b, uint32(g.rights))
			b = binary.LittleEndian.AppendUint32(b, uint32(g.low-g.base))
			b = binary.LittleEndian.AppendUint32(b, uint32(g.high-g.base))
		}
	}
	for name := range x.qps {
		b = append(b, byte(l.qps[slices.Index(x.qps, ib.QPN(name))]))
	}
	return b
}

// writeKeys appends the keys that were handed out, in an order of their own.
func (s *scribe) writeKeys(b []byte, w *world, x *exchange) []byte {
	s.keys = s.keys[:0]
	for _, h := range w.keys {
		var k [4]byte
		s.key(k[:0], w, h.key)
		k[3] = byte(x.slots[h.base])
		s.keys = append(s.keys, k)
	}
	slices.SortFunc(s.keys, func(a, b [4]byte) int { return bytes.Compare(a[:], b[:]) })
	for _, k := range s.keys {
		b = append(b, k[:]...)
	}
	return b
}

// key appends a key by its index's name and its distance from the byte that
// is in use there.
func (s *scribe) key(b []byte, w *world, k ib.Key) []byte {
	i := k.Index()
	if i == 0 {
		return append(b, 0, 0)
	}
	return append(b, s.names.Place[i], k.Byte()-w.table.Entry(i).KeyByte)
}

func oneIf(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}
