package sim

import "fmt"

// LinkParams are the ends and numbers of a link.
type LinkParams struct {
	From, To Member
	Latency  Cycles // from sending to being seen, 1 to 63
	Depth    int    // most values inside; at least 1, and 2 for one value a cycle
}

// A Link joins two members of a domain. It is registered: what is sent in a
// cycle is seen Latency cycles later, and a place freed in a cycle is usable from
// the next, so it does not matter which of the two ticks first.
type Link[T any] struct {
	domain  *Domain
	name    string
	params  LinkParams
	inside  Ring[linked[T]]
	freed   int    // places freed in cycle freedIn
	freedIn Cycles // not usable before the next
	refused bool   // From waits for a place
}

type linked[T any] struct {
	value T
	seen  Cycles
}

// NewLink returns an empty link. To is woken when there is something to see, and
// From, after a refusal, when there is a place again.
func NewLink[T any](d *Domain, name string, p LinkParams) *Link[T] {
	if p.Latency < 1 || p.Latency >= rows || p.Depth < 1 {
		panic(fmt.Sprintf("sim: %s: link with latency %d and depth %d, want 1 to 63 and at least 1",
			name, p.Latency, p.Depth))
	}
	l := &Link[T]{domain: d, name: name, params: p}
	d.engine.keep(l)
	return l
}

// Send puts v on the link, or returns false when it is full: From then ticks in
// the cycle in which there is a place again.
func (l *Link[T]) Send(v T) bool {
	now := l.domain.Cycle()
	full := l.inside.Len()
	if l.freedIn == now {
		full += l.freed
	}
	if full >= l.params.Depth {
		l.refuse(now)
		return false
	}
	l.inside.Push(linked[T]{v, now + l.params.Latency})
	l.domain.wakeAt(l.params.To, now+l.params.Latency)
	return true
}

// refuse sees to it that From ticks when there is a place: in the next cycle when
// one was freed in this one already, else in the one after a place is freed.
func (l *Link[T]) refuse(now Cycles) {
	if l.freedIn == now && l.freed > 0 {
		l.domain.wakeAt(l.params.From, now+1)
		return
	}
	l.refused = true
}

// Ready reports, in a tick of To, whether there is a value to see in this cycle.
func (l *Link[T]) Ready() bool {
	return l.inside.Len() > 0 && l.inside.Peek().seen <= l.domain.cycle
}

// Peek returns the oldest value where it lies. Ready must hold.
func (l *Link[T]) Peek() *T { return &l.inside.Peek().value }

// Pop takes the oldest value off the link. Ready must hold.
func (l *Link[T]) Pop() T {
	now := l.domain.cycle
	if l.freedIn != now {
		l.freed, l.freedIn = 0, now
	}
	l.freed++
	if l.refused {
		l.refused = false
		l.domain.wakeAt(l.params.From, now+1)
	}
	v := l.inside.Pop()
	if v.seen > now || !l.domain.ticking {
		panic(fmt.Sprintf("sim: %s at %v: value taken before it is there, or outside a tick", l.name, l.domain.engine.now))
	}
	return v.value
}

// Len returns how many values are inside, seen or not.
func (l *Link[T]) Len() int { return l.inside.Len() }
