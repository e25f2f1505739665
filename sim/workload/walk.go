package workload

import (
	"math/rand/v2"

	"hcasim/sim"
)

// Stages is how many stages the chains of PIPE have; those of HOLD have one.
const Stages = 16

// A token is what an event works on: one cache line.
type token struct {
	seed uint64
	hops uint64
	_    [6]uint64
}

// A Walk is HOLD or PIPE: an event touches its token, adds the time to a
// checksum and schedules the token's next event, at the next stage.
type Walk struct {
	queue  Queue
	tokens []token
	steps  []sim.Duration // increments drawn beforehand, a power of two of them
	left   int
	sum    uint64
}

// NewWalk starts n tokens on chains of so many stages on a queue that is empty:
// an *sim.Engine, a *Heap or a *Ring.
func NewWalk(q Queue, d Distribution, n, stages int) *Walk {
	w := &Walk{queue: q, tokens: make([]token, n), steps: d.draw(1 << 10)}
	links := make([]link, stages)
	ids := make([]sim.HandlerID, stages)
	for i := range links {
		links[i].walk = w
		ids[i] = q.Register("stage", stage(q, &links[i]))
	}
	for i := range links {
		links[i].next = ids[(i+1)%stages]
	}
	for i, k := range rand.New(rand.NewPCG(3, 4)).Perm(n) {
		w.tokens[i].seed = uint64(i) * 0xd1342543de82ef95
		q.At(sim.Time(w.steps[i%len(w.steps)]), ids[i%stages], uint32(k))
	}
	return w
}

// Events fires n events.
func (w *Walk) Events(n int) {
	w.left = n
	w.queue.Run(sim.Never)
}

// Sum is the checksum over the times of all events.
func (w *Walk) Sum() uint64 { return w.sum }

// touch is the work of an event; it returns the time to the token's next.
func (w *Walk) touch(now sim.Time, k uint32) sim.Duration {
	t := &w.tokens[k]
	t.seed += 0x9e3779b97f4a7c15
	t.hops++
	w.sum += uint64(now)
	w.left--
	return w.steps[t.seed>>40&uint64(len(w.steps)-1)]
}

// A link is a stage but for the queue that it calls.
type link struct {
	walk *Walk
	next sim.HandlerID
}

// stage makes a stage that calls its queue by its own type (N1).
func stage(q Queue, l *link) sim.Handler {
	switch q := q.(type) {
	case *sim.Engine:
		return &onEngine{l, q}
	case *Heap:
		return &onHeap{l, q}
	case *Ring:
		return &onRing{l, q}
	}
	panic("workload: a queue of another kind")
}

type onEngine struct {
	*link
	queue *sim.Engine
}

func (s *onEngine) Fire(now sim.Time, k uint32) {
	w := s.walk
	s.queue.At(now+sim.Time(w.touch(now, k)), s.next, k)
	if w.left == 0 {
		s.queue.Stop()
	}
}

type onHeap struct {
	*link
	queue *Heap
}

func (s *onHeap) Fire(now sim.Time, k uint32) {
	w := s.walk
	s.queue.At(now+sim.Time(w.touch(now, k)), s.next, k)
	if w.left == 0 {
		s.queue.Stop()
	}
}

type onRing struct {
	*link
	queue *Ring
}

func (s *onRing) Fire(now sim.Time, k uint32) {
	w := s.walk
	s.queue.At(now+sim.Time(w.touch(now, k)), s.next, k)
	if w.left == 0 {
		s.queue.Stop()
	}
}
