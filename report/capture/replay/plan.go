package replay

import (
	"cmp"
	"slices"

	"hcasim/report/capture/talk"
)

// A plan is the scenario as it will be written: two hosts, what they have, and
// the steps in the order of their times.
type plan struct {
	talk  *talk.Talk
	conns []*conn // in the order of those of the talk
	ops   []*op
	sides [2]*side
	setup []*step // before the first packet
	steps []*step
	start int64 // of the first op in the capture, ns
	end   int64 // of the last packet
	// perByte is what a byte takes of each host, ns.
	perByte [2]float64
	notes   *talk.Notes
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

// A step is one entry of ops.
type step struct {
	at  int64 // ns, as captured; before the first packet it has none
	on  int
	ops []*op // of a post_send
	do  string
	why string // in a comment
}

// newPlan makes a plan of what was heard; limit is how many bytes of contents it
// may write out. What it chooses is added to the notes of the talk.
func newPlan(t *talk.Talk, limit int) *plan {
	x := &plan{talk: t, notes: t.Notes, limit: limit}
	x.conns, x.ops = connsOf(t)
	x.start, x.end = x.ops[0].At, t.Packets[len(t.Packets)-1].At
	for h := range x.sides {
		x.perByte[h] = x.pace(h)
		s := &side{n: h, pd: map[*conn]int{}, local: map[[2]int]bool{}, first: map[*extent][]byte{}}
		x.sides[h] = s
		found := lives(h, x.ops)
		s.domains = domainsOf(found)
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
	for _, c := range x.conns {
		for h := range c.Asks {
			x.faults(c, h)
		}
	}
	x.posts()
	slices.SortStableFunc(x.steps, func(a, b *step) int { return cmp.Compare(a.at, b.at) })
	x.finish()
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

// fill finds what the memory of a side holds, and where its CPU changed it.
func (x *plan) fill(s *side) {
	var changes []change
	s.bytes, changes = contents(s.n, x.ops)
	for _, e := range s.memory {
		data, ok := s.bytes.initial(e, x.limit)
		if !ok {
			x.notes.Add(0, "memory %s of host %s: its first contents pass the limit of data (--max-data); zeros stand for the rest", e.name, talk.Names[s.n])
		}
		s.first[e] = data
		if q := period(data); len(q) < len(data) {
			data = q
		}
		x.limit -= len(data)
	}
	for _, c := range changes {
		if len(c.data) > x.limit {
			x.notes.Add(c.before.Frame, "host %s had changed the memory that is read here; it passes the limit of data (--max-data)", talk.Names[s.n])
			continue
		}
		x.limit -= len(c.data)
		x.notes.Add(c.before.Frame, "host %s had changed the memory that is read here by itself; a store stands for it", talk.Names[s.n])
		x.steps = append(x.steps, &step{at: c.before.At, on: s.n, do: storeText(s, c), why: "not on the wire"})
	}
}

// between returns the middle of two instants.
func between(a, b int64) int64 { return a + (b-a)/2 }
