package run

import (
	"fmt"
	"slices"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/tpt"
)

// A named is an object that a scenario can name.
type named struct {
	ref  lang.Ref
	side *side

	pd  *host.PD
	mr  *host.MR
	mw  *host.MW
	qp  *host.QP
	cq  *host.CQ
	srq *host.SRQ
	ah  *host.AH
	mem *buffer

	peer *named // the queue pair that an address handle is of

	// Keys of regions and windows, oldest first, and whether the last of them
	// is dead. The start of a window as last bound.
	keys  []learnedKey
	dead  bool
	start uint64
	// The key that a request of the list being posted asks for; 0 for none.
	// Requests behind it in the list use it already (ORD-1).
	coming ib.Key
}

// A buffer is memory of a process.
type buffer struct {
	proc   *host.Process
	va     uint64
	length uint64
	page   uint8
}

// spelling is how scenarios write the name of an object.
func (n *named) spelling() string { return element(n.ref.Name, n.ref.Index) }

// element is the spelling of a name within its host.
func element(name string, index int) string {
	if index == lang.Whole {
		return name
	}
	return fmt.Sprintf("%s#%d", name, index)
}

// add enters an object under its name. An array's first element also stands
// for the array.
func (x *side) add(name string, index int, n *named) *named {
	n.side = x
	n.ref = lang.Ref{Host: x.name, Name: name, Index: index}
	x.names[element(name, index)] = n
	if index == 0 {
		x.names[name] = n
	}
	if n.qp != nil {
		x.qps[n.qp.N] = n
	}
	return n
}

// object returns what a reference names, nil if that is none, or was never
// made: a verb that should have made it was refused.
func (r *runner) object(ref lang.Ref) *named {
	if !ref.Given() || ref.Name == lang.None {
		return nil
	}
	x := r.side(ref.Host)
	n := x.names[element(ref.Name, ref.Index)]
	if n == nil && ref.Index > 0 && x.array(ref.Name) != nil {
		panic(fmt.Sprintf("run: %v has no name of its own", ref))
	}
	return n
}

// A learnedKey is a key that an object got, and how many keys the run had
// learned before.
type learnedKey struct {
	key ib.Key
	at  uint64
}

// learn books a key of a region or window.
func (r *runner) learn(n *named, k ib.Key) {
	if len(n.keys) == 2 && !r.spoken.oldKeys {
		n.keys = append(n.keys[:0], n.keys[1])
	}
	n.keys = append(n.keys, learnedKey{k, r.learned})
	r.learned++
}

// keyAt returns the key that an object had when the run had learned so many;
// 0 if it had none.
func (n *named) keyAt(learned uint64) ib.Key {
	for _, k := range slices.Backward(n.keys) {
		if k.at < learned {
			return k.key
		}
	}
	return 0
}

// index returns the entry of a region or window.
func (n *named) index() ib.Index {
	switch {
	case n.mr != nil:
		return n.mr.Index
	case n.mw != nil:
		return n.mw.Index
	default:
		return 0
	}
}

// key returns the present key, or the last one.
func (n *named) key() ib.Key {
	if n.coming != 0 {
		return n.coming
	}
	if len(n.keys) == 0 {
		return 0
	}
	return n.keys[len(n.keys)-1].key
}

// stale returns the key that is no longer good: the last one if it is dead,
// else the one before.
func (n *named) stale() ib.Key {
	if n.dead || len(n.keys) < 2 {
		return n.key()
	}
	return n.keys[len(n.keys)-2].key
}

// memory returns the bytes that an object stands for.
func (n *named) memory() (b buffer, ok bool) {
	switch {
	case n == nil:
		return buffer{}, false
	case n.mem != nil:
		return *n.mem, true
	case n.mr != nil && n.mr.Process != nil:
		return buffer{proc: n.mr.Process, va: n.mr.VA, length: n.mr.Length}, true
	default:
		return buffer{}, false
	}
}

// base returns the address at which requests reach the first byte of a
// region or window.
func (r *runner) base(n *named) uint64 {
	switch {
	case n.mr != nil:
		return n.mr.IOVA
	case n.mw != nil:
		return n.start
	default:
		return 0
	}
}

// value returns the key that an expression means. Of stands for the object
// that is addressed where the expression names none.
func (r *runner) value(k *lang.KeyExpr, addressed *named, local bool) ib.Key {
	of := r.object(k.Of)
	if of == nil {
		of = addressed
	}
	var key ib.Key
	switch k.Kind {
	case lang.KeyNumber:
		key = ib.Key(k.Number)
	case lang.KeyRandom:
		key = ib.Key(r.world.rand.Uint64())
	case lang.KeyStale:
		if of != nil {
			key = of.stale()
		}
	case lang.KeyGeneration:
		if of != nil && int(k.Generation) < len(of.keys) {
			key = of.keys[k.Generation].key
		}
	case lang.KeyCurrent:
		if of != nil {
			key = of.key()
			if of.mr != nil && !local && !k.LKey && len(of.keys) > 0 && ib.Key(of.mr.LKey) == key {
				key = ib.Key(of.mr.RKey)
			}
		}
	}
	index := uint32(k.Index.Apply(int64(key.Index()))) & 0xFFFFFF
	key = ib.MakeKey(ib.Index(index), uint8(k.Byte.Apply(int64(key.Byte()))))
	if k.Swapped {
		key = key>>24 | key>>8&0xFF00 | key<<8&0xFF0000 | key<<24
	}
	return key
}

// entry returns the table's entry of a region or window: an absent one if the
// object is gone, whoever has its index now.
func (r *runner) entry(n *named) tpt.Entry {
	i := n.index()
	if i == 0 || r.owners[n.side.end][i] != n {
		return tpt.Entry{}
	}
	return n.side.hca.Table.Entry(i)
}
