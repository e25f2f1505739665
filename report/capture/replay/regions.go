package replay

import (
	"cmp"
	"fmt"
	"slices"

	"hcasim/ib"
)

const page = 4096

// A life is a time in which a key opened something: from when it is first seen
// to work to when a SEND_WITH_INV killed it, or it was seen not to work.
type life struct {
	host   int // whose memory it opens
	key    ib.RKey
	access ib.AccessFlags
	lo, hi uint64 // first and last byte that were reached
	used   bool
	uses   []*op
	denied []denial
	killer *op  // the SEND_WITH_INV
	ends   *op  // the refusal that shows that it had ended
	exact  bool // a refusal shows that it does not reach to the ends of its pages
	first  *op
	region *region
}

// A denial is an access that was refused, and how many had been granted before
// it.
type denial struct {
	op   *op
	uses int
}

// A region is the lives of the keys of one index.
type region struct {
	host  int
	index ib.Index
	name  string
	lives []*life
}

// fast reports whether only a fast-register region can live like that: others
// have one key, and keep it.
func (r *region) fast() bool {
	return len(r.lives) > 1 || r.lives[0].killer != nil || r.lives[0].ends != nil
}

// covers reports whether the accesses of a life reach as far as one that was
// refused.
func (l *life) covers(o *op) bool {
	need, _ := o.remote()
	return l.used && l.access&need == need && o.va >= l.lo && o.end() <= l.hi
}

// end returns the address of the last byte that an op reaches, cut at the top
// of memory.
func (o *op) end() uint64 {
	if e := o.va + uint64(o.length) - 1; e >= o.va {
		return e
	}
	return ^uint64(0)
}

// mostSpan is how far one key reaches in the scenario: a sixteenth of a host's
// memory.
const mostSpan = 64 << 30

// near reports whether a key that reaches an access too reaches no farther than
// that.
func (l *life) near(o *op) bool {
	return o.va <= o.va+uint64(o.length)-1 && (!l.used || max(l.hi, o.end())-min(l.lo, o.va) < mostSpan)
}

func (l *life) add(o *op) {
	need, _ := o.remote()
	l.access |= need
	if !l.used {
		l.lo, l.hi, l.used = o.va, o.end(), true
	}
	l.lo, l.hi = min(l.lo, o.va), max(l.hi, o.end())
	l.uses = append(l.uses, o)
}

// span returns the first and the last byte that the life's registration covers:
// whole pages, unless a refusal shows that they were not whole.
func (l *life) span() (lo, hi uint64) {
	if l.exact || !l.used {
		return l.lo, l.hi
	}
	return l.lo &^ (page - 1), l.hi | (page - 1)
}

// lives finds the lives of all keys of a host.
func lives(host int, ops []*op) (list []*life) {
	now := map[ib.Index]*life{}
	born := func(o *op) *life {
		l := &life{host: host, key: o.key, first: o}
		now[ib.Key(o.key).Index()] = l
		list = append(list, l)
		return l
	}
	alive := func(o *op) *life {
		if l := now[ib.Key(o.key).Index()]; l != nil && l.key == o.key && l.killer == nil {
			return l
		}
		return nil
	}
	for _, o := range ops {
		if o.side == host || ib.Key(o.key).Index() == 0 { // no adapter of the model gives that out
			continue
		}
		_, remote := o.remote()
		l := alive(o)
		switch {
		case remote && o.granted():
			if l == nil {
				l = born(o)
			}
			if l.near(o) {
				l.add(o)
			}
		case remote && o.nak == ib.NAKRemoteAccess && l != nil:
			l.denied = append(l.denied, denial{o, len(l.uses)})
		case o.opcode == ib.WRSendWithInv && o.granted():
			if l == nil {
				l = born(o)
			}
			l.killer = o
		}
	}
	return list
}

// settle ends lives where what was granted before is refused, unless another
// domain explains it, and finds those whose pages are not whole.
func settle(list []*life, d *domains) (out []*life) {
	for len(list) > 0 {
		l := list[0]
		list = list[1:]
		for _, n := range l.denied {
			if !l.covers(n.op) || !d.same(l, n.op) {
				continue
			}
			rest := &life{host: l.host, key: l.key, killer: l.killer}
			for _, o := range l.uses[n.uses:] {
				rest.add(o)
			}
			for _, m := range l.denied {
				if m.uses > n.uses {
					rest.denied = append(rest.denied, denial{m.op, m.uses - n.uses})
				}
			}
			before := l.uses[:n.uses]
			*l = life{host: l.host, key: l.key, first: l.first, ends: n.op, denied: l.denied}
			for _, o := range before {
				l.add(o)
			}
			if len(rest.uses) > 0 {
				rest.first = rest.uses[0]
				list = append([]*life{rest}, list...)
			} else if rest.killer != nil {
				rest.first = rest.killer
				list = append([]*life{rest}, list...)
			}
			break
		}
		for _, n := range l.denied {
			whole := *l
			whole.lo, whole.hi = l.span()
			if n.op != l.ends && whole.covers(n.op) && !l.covers(n.op) && d.same(l, n.op) {
				l.exact = true
			}
		}
		out = append(out, l)
	}
	return out
}

// regions gathers lives by the index of their keys.
func regions(host int, list []*life) (all []*region) {
	by := map[ib.Index]*region{}
	for _, l := range list {
		i := ib.Key(l.key).Index()
		r := by[i]
		if r == nil {
			r = &region{host: host, index: i, name: fmt.Sprintf("r%x", uint32(i))}
			by[i] = r
			all = append(all, r)
		}
		l.region = r
		r.lives = append(r.lives, l)
	}
	slices.SortFunc(all, func(a, b *region) int { return cmp.Compare(a.index, b.index) })
	for _, r := range all {
		slices.SortStableFunc(r.lives, func(a, b *life) int { return cmp.Compare(a.first.at, b.first.at) })
	}
	return all
}

// domains says which queue pairs of a host must have one protection domain:
// those that used one key.
type domains struct {
	host int
	up   map[*conn]*conn
}

func domainsOf(host int, list []*life) *domains {
	d := &domains{host, map[*conn]*conn{}}
	for _, l := range list {
		for _, o := range l.uses {
			d.join(l.uses[0].conn, o.conn)
		}
	}
	return d
}

func (d *domains) of(c *conn) *conn {
	for d.up[c] != nil && d.up[c] != c {
		c = d.up[c]
	}
	return c
}

// join makes two queue pairs one domain, that of the first.
func (d *domains) join(a, b *conn) {
	if d.up[a] == nil {
		d.up[a] = a
	}
	if x, y := d.of(a), d.of(b); x != y {
		d.up[y] = x
	}
}

// same reports whether an op comes over a queue pair of the domain in which a
// life was.
func (d *domains) same(l *life, o *op) bool {
	return len(l.uses) > 0 && d.of(l.uses[0].conn) == d.of(o.conn)
}

// An extent is memory of a host: pages that keys open, one behind the other.
type extent struct {
	lo, hi uint64 // first and last byte
	name   string
	page   uint64
}

// extents merges the pages of the lives of a host. Where there is much of it
// the pages are larger.
func extents(list []*life) (out []*extent) {
	size := uint64(page)
	switch total := reach(list); {
	case total > 16<<30:
		size = 1 << 30
	case total > 64<<20:
		size = 2 << 20
	}
	all := slices.Clone(list)
	slices.SortStableFunc(all, func(a, b *life) int { return cmp.Compare(a.lo, b.lo) })
	for _, l := range all {
		lo, hi := l.lo&^(size-1), l.hi|(size-1)
		if n := len(out); n > 0 && (lo <= out[n-1].hi || lo == out[n-1].hi+1) {
			out[n-1].hi = max(out[n-1].hi, hi)
			continue
		}
		out = append(out, &extent{lo: lo, hi: hi, name: fmt.Sprintf("m%d", len(out)+1), page: size})
	}
	return out
}

// reach adds up how far keys reach.
func reach(list []*life) (total uint64) {
	for _, l := range list {
		total += l.hi - l.lo
	}
	return total
}
