package hca

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A scheduler grants send queues their turns: one packet, or one local
// request, a grant.
type scheduler struct {
	hca   *HCA
	id    sim.HandlerID
	ready sim.Ring[ib.QPN]
	free  sim.Time // when the next grant may be
	armed bool
}

func (s *scheduler) init(h *HCA) {
	s.hca = h
	s.id = h.engine.Register(h.Name+".schedule", s)
}

// add puts a queue pair into the schedule, if it does not stand there.
func (s *scheduler) add(now sim.Time, q *qp) {
	if q.scheduled {
		return
	}
	q.scheduled = true
	s.ready.Push(q.qpn)
	s.arm(now)
}

func (s *scheduler) arm(now sim.Time) {
	if s.armed || s.ready.Len() == 0 {
		return
	}
	s.armed = true
	s.hca.engine.At(max(s.hca.clock.After(now, 0), s.free), s.id, 0)
}

// Fire grants one turn. A queue that cannot use it passes it on.
func (s *scheduler) Fire(now sim.Time, _ uint32) {
	s.armed = false
	for s.ready.Len() > 0 {
		q := s.hca.qp(s.ready.Pop())
		if q == nil {
			continue
		}
		q.scheduled = false
		if s.hca.serve(now, q) {
			s.free = s.hca.clock.After(now, s.hca.Params.Schedule)
			break
		}
		if q.credit && q.wait != waitContext { // what it was to send has been acknowledged meanwhile
			q.credit = false
			s.hca.buffers.Give(1)
		}
	}
	s.arm(now)
}

// serve lets a send queue use its turn and reports whether it did.
func (h *HCA) serve(now sim.Time, q *qp) bool {
	if !q.sends() || q.wait != waitNothing {
		return false
	}
	if q.cursor == none && (q.stopped || q.next == q.posted || q.state == ib.SQD) {
		return false
	}
	if !h.Unit.Context(now, h.context, q.qpn, uint32(q.qpn)) {
		q.wait, q.askedQPC = waitContext, span{from: now}
		return false
	}
	if q.cursor == none && !h.begin(now, q) {
		return false
	}
	if q.cursor != none && !h.emit(now, q) {
		return false
	}
	h.sched.add(now, q)
	return true
}

// sendContext wakes send queues whose context has come.
type sendContext struct{ hca *HCA }

// ContextReady lets the send queue go on.
func (c sendContext) ContextReady(now sim.Time, handle uint32) {
	if q := c.hca.qp(ib.QPN(handle)); q != nil {
		q.askedQPC.until = now
		c.hca.kick(now, q, waitContext)
	}
}
