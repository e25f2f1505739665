package replay

import "hcasim/ib"

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

// covers reports whether the accesses of a life reach as far as one that was
// refused.
func (l *life) covers(o *op) bool {
	need, _ := o.Remote()
	return l.used && l.access&need == need && o.VA >= l.lo && o.end() <= l.hi
}

// mostSpan is how far one key reaches in the scenario: a sixteenth of a host's
// memory.
const mostSpan = 64 << 30

// near reports whether a key that reaches an access too reaches no farther than
// that.
func (l *life) near(o *op) bool {
	return o.VA <= o.VA+uint64(o.Length)-1 && (!l.used || max(l.hi, o.end())-min(l.lo, o.VA) < mostSpan)
}

func (l *life) add(o *op) {
	need, _ := o.Remote()
	l.access |= need
	if !l.used {
		l.lo, l.hi, l.used = o.VA, o.end(), true
	}
	l.lo, l.hi = min(l.lo, o.VA), max(l.hi, o.end())
	l.uses = append(l.uses, o)
}

const page = 4096

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
		l := &life{host: host, key: o.Key, first: o}
		now[ib.Key(o.Key).Index()] = l
		list = append(list, l)
		return l
	}
	alive := func(o *op) *life {
		if l := now[ib.Key(o.Key).Index()]; l != nil && l.key == o.Key && l.killer == nil {
			return l
		}
		return nil
	}
	for _, o := range ops {
		if o.Side == host || ib.Key(o.Key).Index() == 0 { // no adapter of the model gives that out
			continue
		}
		_, remote := o.Remote()
		l := alive(o)
		switch {
		case remote && o.Granted():
			if l == nil {
				l = born(o)
			}
			if l.near(o) {
				l.add(o)
			}
		case remote && o.NAK == ib.NAKRemoteAccess && l != nil:
			l.denied = append(l.denied, denial{o, len(l.uses)})
		case o.Opcode == ib.WRSendWithInv && o.Granted():
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
