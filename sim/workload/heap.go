package workload

import "hcasim/sim"

// A Queue is what a Walk can run on: the engine, or a yardstick.
type Queue interface {
	Register(name string, h sim.Handler) sim.HandlerID
	At(t sim.Time, h sim.HandlerID, arg uint32)
	Run(limit sim.Time) bool
	Stop()
}

// An event is as large as the engine's.
type event struct {
	at  sim.Time
	h   sim.HandlerID
	arg uint32
}

// A Heap is an engine over a plain 4-ary heap of values. Equal times are in
// order by a sequence number. The zero Heap is empty and ready.
type Heap struct {
	handlers []sim.Handler
	heap     []heapEvent
	seq      uint64
	stopped  bool
}

type heapEvent struct {
	event
	seq uint64
}

func (a *heapEvent) before(b *heapEvent) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

// Register gives h an address.
func (q *Heap) Register(_ string, h sim.Handler) sim.HandlerID {
	q.handlers = append(q.handlers, h)
	return sim.HandlerID(len(q.handlers) - 1)
}

// At schedules an event.
func (q *Heap) At(t sim.Time, h sim.HandlerID, arg uint32) {
	ev := heapEvent{event{t, h, arg}, q.seq}
	q.seq++
	q.heap = append(q.heap, ev)
	h4 := q.heap
	i := len(h4) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !ev.before(&h4[up]) {
			break
		}
		h4[i] = h4[up]
		i = up
	}
	h4[i] = ev
}

// Run fires events until none is left, the next is later than limit, or Stop
// was called.
func (q *Heap) Run(limit sim.Time) bool {
	q.stopped = false
	for len(q.heap) > 0 && q.heap[0].at <= limit && !q.stopped {
		ev := q.pop()
		q.handlers[ev.h].Fire(ev.at, ev.arg)
	}
	return len(q.heap) == 0
}

func (q *Heap) pop() event {
	h := q.heap
	top := h[0].event
	n := len(h) - 1
	ev := h[n]
	h = h[:n]
	q.heap = h
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, n); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&ev) {
			break
		}
		h[i] = h[least]
		i = least
	}
	if n > 0 {
		h[i] = ev
	}
	return top
}

// Stop makes Run return after the current event.
func (q *Heap) Stop() { q.stopped = true }
