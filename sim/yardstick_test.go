package sim

// heap4 is the yardstick: an engine over a plain 4-ary heap of values. Equal
// times are in order by a sequence number.
type heap4 struct {
	handlers []Handler
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

func (q *heap4) Register(_ string, h Handler) HandlerID {
	q.handlers = append(q.handlers, h)
	return HandlerID(len(q.handlers) - 1)
}

func (q *heap4) At(t Time, h HandlerID, arg uint32) {
	ev := heapEvent{newEvent(t, h, arg), q.seq}
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

func (q *heap4) Run(limit Time) bool {
	q.stopped = false
	for len(q.heap) > 0 && q.heap[0].at <= limit && !q.stopped {
		ev := q.pop()
		q.handlers[ev.to>>32].Fire(ev.at, uint32(ev.to))
	}
	return len(q.heap) == 0
}

func (q *heap4) pop() event {
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

// floor is the least any queue can cost: a ring in which times are not looked
// at, and the call.
type floor struct {
	handlers []Handler
	ring     Ring[event]
	stopped  bool
}

func (q *floor) Register(_ string, h Handler) HandlerID {
	q.handlers = append(q.handlers, h)
	return HandlerID(len(q.handlers) - 1)
}

func (q *floor) At(t Time, h HandlerID, arg uint32) { q.ring.Push(newEvent(t, h, arg)) }

func (q *floor) Run(Time) bool {
	q.stopped = false
	for q.ring.Len() > 0 && !q.stopped {
		ev := q.ring.Pop()
		q.handlers[ev.to>>32].Fire(ev.at, uint32(ev.to))
	}
	return true
}

func (q *heap4) Stop() { q.stopped = true }
func (q *floor) Stop() { q.stopped = true }
