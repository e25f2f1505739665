package sim

// An event is what the queue holds: 16 bytes without a pointer.
type event struct {
	at      Time
	handler HandlerID
	arg     uint32
}

type queued struct {
	event
	seq uint64
}

type ladder struct {
	heap []queued
	seq  uint64
}

func (q *ladder) len() uint64 { return uint64(len(q.heap)) }
func (q *ladder) next() Time  { return q.heap[0].at }

func (a queued) before(b queued) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func (q *ladder) push(ev event) {
	q.heap = append(q.heap, queued{ev, q.seq})
	q.seq++
	h := q.heap
	i := len(h) - 1
	for i > 0 && h[i].before(h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

func (q *ladder) pop() event {
	h := q.heap
	top := h[0].event
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	q.heap = h
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	return top
}
