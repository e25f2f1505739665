package host

import (
	"hcasim/ib"
	"hcasim/sim"
)

// Completed schedules the poll that finds a completion. It is the adapter's
// to call, as the completion becomes visible.
func (h *Host) Completed(now sim.Time, n ib.CQN) {
	cq := h.cqs[n]
	if cq.Manual {
		return
	}
	cq.busy = max(cq.busy, now).Add(h.Params.CPU.Poll)
	h.engine.At(cq.busy, h.driver.poll, uint32(n))
}

// poller takes completions.
type poller struct{ host *Host }

// Fire returns one completion from a poll.
func (p poller) Fire(now sim.Time, n uint32) {
	h := p.host
	cq := h.cqs[n]
	if c := cq.Ring.Pop(); c != nil {
		h.take(c)
		h.Completion(now, cq, c)
	}
}

// take frees the slots of the queue that a completion speaks of: a send
// completion those of all requests up to its own.
func (h *Host) take(c *ib.CQE) {
	q := h.qps.at(c.QPN)
	if q == nil {
		return
	}
	if c.Recv {
		if r := q.receives(); r.taken != r.posted {
			r.taken++
		}
		return
	}
	if c.Retired-q.freed <= q.sent-q.freed { // else it is from before a reset
		q.freed = c.Retired
	}
}

// receives returns the queue that a queue pair receives from.
func (q *QP) receives() *recvSide {
	if q.srq != nil {
		return &q.srq.recv
	}
	return &q.recv
}

// Poll is ibv_poll_cq on a manual queue: at most n completions, oldest first,
// handed to Completion one by one. It returns how many there were.
func (h *Host) Poll(now sim.Time, cq *CQ, n int) int {
	for i := range n {
		c := cq.Ring.Pop()
		if c == nil {
			return i
		}
		h.take(c)
		h.Completion(now, cq, c)
	}
	return n
}
