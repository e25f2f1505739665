package workload

import "hcasim/sim"

// A Ring is the least that any queue can cost: first in first out, times are
// not looked at, and the call. The zero Ring is empty and ready.
type Ring struct {
	handlers []sim.Handler
	ring     sim.Ring[event]
	stopped  bool
}

// Register gives h an address.
func (q *Ring) Register(_ string, h sim.Handler) sim.HandlerID {
	q.handlers = append(q.handlers, h)
	return sim.HandlerID(len(q.handlers) - 1)
}

// At puts an event behind the others.
func (q *Ring) At(t sim.Time, h sim.HandlerID, arg uint32) { q.ring.Push(event{t, h, arg}) }

// Run fires events until none is left or Stop was called.
func (q *Ring) Run(sim.Time) bool {
	q.stopped = false
	for q.ring.Len() > 0 && !q.stopped {
		ev := q.ring.Pop()
		q.handlers[ev.h].Fire(ev.at, ev.arg)
	}
	return q.ring.Len() == 0
}

// Stop makes Run return after the current event.
func (q *Ring) Stop() { q.stopped = true }
