package replay

import (
	"cmp"
	"slices"

	"hcasim/ib"
)

// A plan is the scenario as it will be written: two hosts, what they have, and
// the steps in the order of their times.
type plan struct {
	pair  *pair
	conns []*conn
	ops   []*op
	sides [2]*side
	setup []*step // before the first packet
	steps []*step
	start int64 // of the first op in the capture, ns
	end   int64 // of the last packet
	// perByte is what a byte takes of each host, ns.
	perByte [2]float64
	notes   *notes
	limit   int // of data to write out yet
}

// A side is one host of a plan.
type side struct {
	n       int
	domains *domains
	lives   []*life
	regions []*region
	memory  []*extent
	bytes   *memory
	first   map[*extent][]byte
	sends   store
	sink    uint32 // bytes that come in, at most
	pds     []*conn
	pd      map[*conn]int
	local   map[[2]int]bool // regions of its own: place or sink, domain
}

// The places of a side's own memory, beside the fills from 0 on.
const (
	placeData = -1
	placeSink = -2
)

// A step is one entry of ops.
type step struct {
	at  int64 // ns, as captured; before the first packet it has none
	on  int
	ops []*op // of a post_send
	do  string
	why string // in a comment
}

// newPlan makes a plan of connections.
func newPlan(p *pair, conns []*conn, n *notes, limit int) *plan {
	x := &plan{pair: p, conns: conns, ops: all(conns), notes: n, limit: limit}
	x.start, x.end = x.ops[0].at, p.packets[len(p.packets)-1].at
	for h := range x.sides {
		x.perByte[h] = x.pace(h)
		s := &side{n: h, pd: map[*conn]int{}, local: map[[2]int]bool{}, first: map[*extent][]byte{}}
		x.sides[h] = s
		found := lives(h, x.ops)
		s.domains = domainsOf(h, found)
		s.lives = settle(found, s.domains)
		s.regions = regions(h, s.lives)
		s.memory = extents(slices.DeleteFunc(slices.Clone(s.lives), func(l *life) bool { return !l.used }))
		for _, l := range s.lives {
			for _, o := range l.uses {
				o.life = l
			}
		}
		x.assign(s)
	}
	for h, s := range x.sides {
		x.fill(s)
		x.receives(h)
		x.registrations(s)
	}
	for _, c := range conns {
		for h := range c.asks {
			x.faults(c, h)
		}
	}
	x.posts()
	slices.SortStableFunc(x.steps, func(a, b *step) int { return cmp.Compare(a.at, b.at) })
	return x
}

// assign gives the queue pairs of a side their domains: one to those that used
// one key, one of its own to each that was refused all, the first to others.
func (x *plan) assign(s *side) {
	var rest []*conn
	for _, c := range x.conns {
		root := s.domains.of(c)
		switch {
		case s.domains.up[c] != nil, denied(c, 1-s.n):
			i := slices.Index(s.pds, root)
			if i < 0 {
				i = len(s.pds)
				s.pds = append(s.pds, root)
			}
			s.pd[c] = i
		default:
			rest = append(rest, c)
		}
	}
	if len(s.pds) == 0 {
		s.pds = append(s.pds, nil)
	}
	for _, c := range rest {
		s.pd[c] = 0
	}
}

// denied reports whether a key was refused to one side of a connection.
func denied(c *conn, side int) bool {
	return slices.ContainsFunc(c.asks[side].ops, func(o *op) bool { return o.nak == ib.NAKRemoteAccess })
}

// fill finds what the memory of a side holds, and where its CPU changed it.
func (x *plan) fill(s *side) {
	var changes []change
	s.bytes, changes = contents(s.n, x.ops)
	for _, e := range s.memory {
		data, ok := s.bytes.initial(e, x.limit)
		if !ok {
			x.notes.add(0, "memory %s of host %s: its first contents pass the limit of data (--max-data); zeros stand for the rest", e.name, hostNames[s.n])
		}
		s.first[e] = data
		if q := period(data); len(q) < len(data) {
			data = q
		}
		x.limit -= len(data)
	}
	for _, c := range changes {
		if len(c.data) > x.limit {
			x.notes.add(c.before.frame, "host %s had changed the memory that is read here; it passes the limit of data (--max-data)", hostNames[s.n])
			continue
		}
		x.limit -= len(c.data)
		x.notes.add(c.before.frame, "host %s had changed the memory that is read here by itself; a store stands for it", hostNames[s.n])
		x.steps = append(x.steps, &step{at: c.before.at, on: s.n, do: storeText(s, c), why: "not on the wire"})
	}
}

// between returns the middle of two instants.
func between(a, b int64) int64 { return a + (b-a)/2 }

// registrations plans how the keys of fast-register regions come and go.
func (x *plan) registrations(s *side) {
	for _, r := range s.regions {
		if !r.fast() {
			continue
		}
		for i, l := range r.lives {
			reg := &step{on: s.n, do: x.regText(s, l)}
			if i == 0 {
				x.setup = append(x.setup, reg)
			} else {
				was := r.lives[i-1]
				reg.at, reg.why = between(was.over(), l.first.at), "not on the wire: it happened between two frames"
				if was.killer == nil && was.ends == nil {
					x.steps = append(x.steps, &step{at: reg.at, on: s.n, do: x.invText(l), why: reg.why})
				}
				x.notes.add(l.first.frame, "key 0x%08x of host %s opens memory again, or other memory; registered between this frame and the one before it", uint32(l.key), hostNames[s.n])
				x.steps = append(x.steps, reg)
			}
			if l.ends != nil {
				last := l.first.at
				for _, o := range l.uses {
					last = max(last, o.done, o.at)
				}
				x.notes.add(l.ends.frame, "key 0x%08x of host %s is refused what it granted before; invalidated between the two", uint32(l.key), hostNames[s.n])
				x.steps = append(x.steps, &step{at: between(last, l.ends.at), on: s.n, do: x.invText(l), why: "not on the wire: it happened between two frames"})
			}
		}
	}
}

// over returns when a life had ended at the latest.
func (l *life) over() int64 {
	end := l.first.at
	for _, o := range l.uses {
		end = max(end, o.at, o.done)
	}
	if l.killer != nil {
		end = max(end, l.killer.at, l.killer.done)
	}
	if l.ends != nil {
		end = max(end, l.ends.at)
	}
	return end
}

// receives plans the receives of a side: all at the beginning, but those that
// an RNR NAK shows to have come later.
func (x *plan) receives(h int) {
	for _, c := range x.conns {
		var list []*op
		var at *int64
		post := func() {
			if len(list) == 0 {
				return
			}
			s := &step{on: h, do: x.recvText(h, c, list), why: "implied by what is sent"}
			if at == nil {
				x.setup = append(x.setup, s)
			} else {
				s.at = *at
				x.steps = append(x.steps, s)
			}
			list = nil
		}
		for _, o := range c.asks[1-h].ops {
			if !o.receives() || o.answered && o.status == ib.WRFlushErr || o.unready() {
				continue
			}
			if n := len(o.rnr); n > 0 {
				post()
				t := between(o.rnr[n-1], max(o.done, o.rnr[n-1]))
				at = &t
			}
			if list = append(list, o); len(list) == mostReceives {
				post()
				t := o.at
				at = &t
			}
			x.sides[h].sink = max(x.sides[h].sink, o.length)
		}
		post()
	}
}

// mostReceives is how many are posted at once.
const mostReceives = 16384

// unready reports whether a request met RNR NAKs to the last.
func (o *op) unready() bool { return len(o.rnr) > 0 && !o.answered }

// gaveUp reports whether it was not repeated any more, in a capture that ends
// at an instant.
func (o *op) gaveUp(end int64) bool {
	return o.unready() && end-o.rnr[len(o.rnr)-1] > 2*int64(ib.RNRTimer(o.timer))
}

// posts plans the requests, those together that followed each other without a
// pause.
func (x *plan) posts() {
	for _, c := range x.conns {
		for side := range c.asks {
			var cur *step
			var was *op
			for _, o := range c.asks[side].ops {
				x.place(o)
				if cur == nil || len(cur.ops) == mostTogether || !x.follows(was, o) {
					cur = &step{at: o.at, on: side}
					x.steps = append(x.steps, cur)
				}
				cur.ops = append(cur.ops, o)
				was = o
			}
		}
	}
}

// mostTogether is how many requests stand in one list.
const mostTogether = 64

// follows reports whether a request was posted with the one before it, as far
// as one can tell: it left as soon as the link was done with that, and as much is
// known of its end.
func (x *plan) follows(a, b *op) bool {
	const pause = 100 // ns
	wire := float64(min(a.length, a.conn.mtu)+overhead) * x.perByte[a.side]
	return b.at-a.last <= pause+int64(1.25*wire) && a.answered == b.answered && !a.gaveUp(x.end) && len(b.rnr) == 0
}

// overhead is what a packet has around its payload, more or less.
const overhead = 100

// pace finds how long a byte takes on the wire, by the large packets of a host
// that come closest behind one another; 10 Gb/s if there are none.
func (x *plan) pace(h int) float64 {
	best := 0.8 // ns
	var last *packet
	for _, k := range x.pair.packets {
		if x.pair.end(k) != h {
			continue
		}
		if last != nil && len(last.payload) >= 1024 && k.at > last.at {
			best = min(best, float64(k.at-last.at)/float64(len(last.payload)+overhead))
		}
		last = k
	}
	return best
}

// place notes which memory of its own a request needs.
func (x *plan) place(o *op) {
	s := x.sides[o.side]
	pd := s.pd[o.conn]
	if !o.brings() {
		s.sink = max(s.sink, o.length)
		if o.length > 0 {
			s.local[[2]int{placeSink, pd}] = true
		}
		return
	}
	if o.length == 0 {
		return
	}
	if s.sends.fills == nil {
		s.sends.fills, s.sends.where = map[string]int{}, map[string]int{}
	}
	s.sends.limit = x.limit
	p, ok := s.sends.put(o.data)
	x.limit = s.sends.limit
	if !ok {
		p = s.zeros(o.length)
	}
	o.from = p
	s.local[[2]int{p.fill, pd}] = true
}

// zeros is a place that stands for a payload that found no room.
func (s *side) zeros(n uint32) place {
	s.sends.limit = 1
	p, ok := s.sends.put(make([]byte, n))
	if !ok {
		panic("replay: no room for a byte")
	}
	return p
}
