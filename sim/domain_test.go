package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// router is a member of a random network: each tick it takes what it sees, mixes
// it with its own state and passes it on, if there is room.
type router struct {
	d     *Domain
	in    []*Link[uint64]
	out   []*Link[uint64]
	state uint64
	log   []uint64 // what it saw, and when
}

func (r *router) Tick(_ Time, n Cycles) Cycles {
	work := false
	for i, in := range r.in {
		if !in.Ready() {
			continue
		}
		v := *in.Peek()
		if len(r.out) > 0 && !r.out[(v+uint64(i))%uint64(len(r.out))].Send(v*3+1) {
			continue
		}
		in.Pop()
		work = true
		r.state = r.state*31 + v
		r.log = append(r.log, uint64(n), v)
	}
	switch r.state % 5 {
	case 0:
		return Cycles(r.state>>7%100) + 1 // near or beyond the rows
	case 1:
		if work {
			return 1
		}
	}
	return 0
}

// network builds and runs a random network whose members were added in the given
// order, and returns what each saw, and how it ended.
func network(order []int) (logs [][]uint64, end Time) {
	const members, links = 70, 160 // more than a word of bits
	r := rand.New(rand.NewPCG(5, 6))
	e := NewEngine()
	d := NewDomain(e, "noc", NewClock(3e9))
	routers := make([]*router, members)
	ids := make([]Member, members)
	for i := range routers {
		routers[i] = &router{d: d, state: uint64(i)}
	}
	for _, i := range order {
		ids[i] = d.Add("router", routers[i])
	}
	for range links {
		from, to := r.IntN(members-1), r.IntN(members)
		l := NewLink[uint64](d, "link", LinkParams{
			From: ids[from], To: ids[to],
			Latency: Cycles(1 + r.IntN(8)), Depth: 1 + r.IntN(3),
		})
		routers[from].out = append(routers[from].out, l)
		routers[to].in = append(routers[to].in, l)
	}
	// Engine events feed the network at odd times and at edges.
	feed := e.Register("feed", fireFunc(func(_ Time, arg uint32) {
		from := routers[arg%(members-1)]
		if len(from.out) > 0 {
			from.out[0].Send(uint64(arg))
		}
		d.Wake(ids[arg%members])
	}))
	for i := range uint32(2000) {
		at := Time(r.Uint64N(1_000_000))
		if i%2 == 0 {
			at = d.clock.Edge(d.clock.Next(at))
		}
		e.At(at, feed, i)
	}
	e.Run(3 * 1_000_000)
	for _, r := range routers {
		logs = append(logs, r.log)
	}
	return logs, e.Now()
}

// TestDomainOrderIndependent: the order in which members tick is nobody's
// business.
func TestDomainOrderIndependent(t *testing.T) {
	order := make([]int, 70)
	for i := range order {
		order[i] = i
	}
	want, wantEnd := network(order)
	total := 0
	for _, log := range want {
		total += len(log)
	}
	if total < 1000 {
		t.Fatalf("only %d things happened", total)
	}
	for range 5 {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		got, end := network(order)
		if end != wantEnd {
			t.Errorf("order %v ends at %v, want %v", order, end, wantEnd)
		}
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("order %v: router %d saw something else", order, i)
			}
		}
	}
}

// sleeper records its ticks and answers from a list.
type sleeper struct {
	answers []Cycles
	ticks   []Cycles
	at      []Time
}

func (s *sleeper) Tick(now Time, n Cycles) Cycles {
	s.ticks = append(s.ticks, n)
	s.at = append(s.at, now)
	if len(s.answers) == 0 {
		return 0
	}
	again := s.answers[0]
	s.answers = s.answers[1:]
	return again
}

// TestDomainWhen: a tick comes in the very cycle that was asked for, and a
// wake-up at the first edge after it; asleep, a domain has no event.
func TestDomainWhen(t *testing.T) {
	for _, f := range []Hertz{1e9, 3e9, 644_531_250} {
		e := NewEngine()
		clock := NewClock(f)
		d := NewDomain(e, "domain", clock)
		s := &sleeper{answers: []Cycles{1, 2, 63, 64, 65, 1000, 0}}
		m := d.Add("sleeper", s)
		if e.Live() != 0 {
			t.Error("a domain asleep has an event")
		}
		d.Wake(m)
		d.Wake(m)
		if e.Live() != 1 {
			t.Errorf("%d events, want one per domain", e.Live())
		}
		e.Run(Never)
		want := []Cycles{1, 2, 4, 67, 131, 196, 1196}
		if !slices.Equal(s.ticks, want) {
			t.Errorf("%v: ticked in %v, want %v", f, s.ticks, want)
		}
		for i, n := range s.ticks {
			if s.at[i] != clock.Edge(n) {
				t.Errorf("tick %d at %v, want %v", n, s.at[i], clock.Edge(n))
			}
		}
		// From outside: on an edge, just before one, just after one.
		s.ticks = nil
		wake := e.Register("wake", fireFunc(func(Time, uint32) { d.Wake(m) }))
		e.At(clock.Edge(2000), wake, 0)
		e.At(clock.Edge(3000)-1, wake, 0)
		e.At(clock.Edge(4000)+1, wake, 0)
		e.Run(Never)
		if want := []Cycles{2001, 3000, 4001}; !slices.Equal(s.ticks, want) {
			t.Errorf("%v: woken in %v, want %v", f, s.ticks, want)
		}
	}
}

// TestDomainWokenEarlier: input wakes a domain that would tick later, and the
// later tick still comes.
func TestDomainWokenEarlier(t *testing.T) {
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	s := &sleeper{answers: []Cycles{50}}
	m := d.Add("sleeper", s)
	d.Wake(m)
	wake := e.Register("wake", fireFunc(func(Time, uint32) { d.Wake(m) }))
	e.At(10_500, wake, 0)
	e.Run(Never)
	if want := []Cycles{1, 11, 51}; !slices.Equal(s.ticks, want) {
		t.Errorf("ticked in %v, want %v", s.ticks, want)
	}
	if e.Live() != 0 {
		t.Errorf("%d events left", e.Live())
	}
}

// TestDomainWithoutQueue: a domain that runs on without the queue fires the same
// events at the same times as one that other events keep interrupting, and keeps
// to Run's limit.
func TestDomainWithoutQueue(t *testing.T) {
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	s := &sleeper{answers: slices.Repeat([]Cycles{1}, 99)}
	d.Wake(d.Add("sleeper", s))
	if e.Run(50_000) || len(s.ticks) != 50 || e.Now() != 50_000 {
		t.Errorf("%d ticks by %v, want 50 by 50ns", len(s.ticks), e.Now())
	}
	var seen []int
	other := e.Register("other", fireFunc(func(Time, uint32) { seen = append(seen, len(s.ticks)) }))
	e.At(60_000, other, 0)
	e.At(70_500, other, 0)
	if !e.Run(Never) || len(s.ticks) != 100 {
		t.Errorf("%d ticks, want 100", len(s.ticks))
	}
	// The event at 60 ns was scheduled before that edge was, so it comes first.
	if want := []int{59, 70}; !slices.Equal(seen, want) {
		t.Errorf("others saw %v ticks, want %v", seen, want)
	}
	if e.Fired() != 102 {
		t.Errorf("%d events, want 102", e.Fired())
	}
}

// TestDomainAmidBatch: a domain does not run on while events of the same instant
// are still to come.
func TestDomainAmidBatch(t *testing.T) {
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	s := &sleeper{answers: slices.Repeat([]Cycles{1}, 9)}
	d.Wake(d.Add("sleeper", s))
	var h HandlerID
	h = e.Register("other", fireFunc(func(now Time, again uint32) {
		if now != 5000 {
			t.Errorf("fired at %v, want 5ns", now)
		}
		if again == 1 {
			e.At(now, h, 0)
		} else if len(s.ticks) != 5 {
			t.Errorf("%d ticks, want 5: the fifth was scheduled before this", len(s.ticks))
		}
	}))
	for range 40 {
		e.At(5000, h, 1)
	}
	e.Run(Never)
	if len(s.ticks) != 10 {
		t.Errorf("%d ticks, want 10", len(s.ticks))
	}
}

// TestLinkRegistered: a place freed in a cycle is usable from the next, and what
// is sent is seen Latency cycles later, exactly.
func TestLinkRegistered(t *testing.T) {
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	var l *Link[Cycles]
	var refused, sent []Cycles
	type seen struct{ at, sent Cycles }
	var got []seen
	from := d.Add("from", tickFunc(func(n Cycles) Cycles {
		if len(sent) == 4 {
			return 0
		}
		if !l.Send(n) {
			refused = append(refused, n)
			return 0
		}
		sent = append(sent, n)
		return 1
	}))
	to := d.Add("to", tickFunc(func(n Cycles) Cycles {
		if l.Ready() {
			got = append(got, seen{n, l.Pop()})
		}
		return 0
	}))
	l = NewLink[Cycles](d, "link", LinkParams{From: from, To: to, Latency: 3, Depth: 1})
	d.Wake(from)
	e.Run(Never)
	// Sent in 1, seen and popped in 4, the place is usable in 5, and so on.
	if want := []Cycles{1, 5, 9, 13}; !slices.Equal(sent, want) {
		t.Errorf("sent in %v, want %v", sent, want)
	}
	if want := []Cycles{2, 6, 10}; !slices.Equal(refused, want) {
		t.Errorf("refused in %v, want %v: once, and then asleep", refused, want)
	}
	if want := []seen{{4, 1}, {8, 5}, {12, 9}, {16, 13}}; !slices.Equal(got, want) {
		t.Errorf("seen %v, want %v", got, want)
	}
}

type tickFunc func(n Cycles) Cycles

func (f tickFunc) Tick(_ Time, n Cycles) Cycles { return f(n) }
