package hca

import (
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
)

// A scheduler grants send queues their turns: one packet, or one local
// request, a grant. A queue that has used its turn goes to the end.
type scheduler struct {
	hca   *HCA
	id    sim.HandlerID
	ready sim.Ring[ib.QPN]
	armed bool
	rests *qp      // alone in the schedule with nothing to do; or nil
	until sim.Time // when its next turn comes, for which no event is needed: it would find nothing
}

func (s *scheduler) init(h *HCA) {
	s.hca = h
	s.id = h.engine.Register(h.Name+".schedule", s)
}

// add puts a queue pair into the schedule, if it does not stand there.
func (s *scheduler) add(now sim.Time, q *qp) {
	if s.rests != nil {
		s.rouse(now)
	}
	if q.scheduled {
		return
	}
	q.scheduled = true
	s.ready.Push(q.qpn)
	s.arm(now)
}

// again schedules a queue that has used its turn for the next.
func (s *scheduler) again(now sim.Time, q *qp) {
	if q.idle() && !q.credit && s.ready.Len() == 0 {
		q.scheduled, s.rests, s.until = true, q, s.hca.sends.freeAt
		return
	}
	s.add(now, q)
}

// rouse gives the queue that rests the turn that it would have, unless that
// has passed.
func (s *scheduler) rouse(now sim.Time) {
	q := s.rests
	s.rests, q.scheduled = nil, false
	if now < s.until {
		s.add(now, q)
	}
}

func (s *scheduler) arm(now sim.Time) {
	if s.armed || s.ready.Len() == 0 || s.hca.sends.waits {
		return
	}
	s.armed = true
	s.hca.engine.At(s.hca.sends.free(now), s.id, 0)
}

// Fire grants one turn. A queue that cannot use it passes it on.
func (s *scheduler) Fire(now sim.Time, _ uint32) {
	s.armed = false
	e := s.hca.sends
	if now < e.freeAt || e.waits || e.shared && e.yields(now) {
		s.arm(now)
		return
	}
	for s.ready.Len() > 0 && !e.waits {
		q := s.hca.qp(s.ready.Pop())
		if q == nil {
			continue
		}
		q.scheduled = false
		if s.hca.serve(now, q) {
			e.keep(now, s.hca.granted, true)
			s.again(now, q)
			break
		}
		if q.credit && q.wait != waitContext { // what it was to send has been acknowledged meanwhile
			q.credit = false
			s.hca.buffers.Give(1)
		}
	}
	if s.ready.Len() > 0 {
		s.arm(now)
	}
}

// serve lets a send queue use its turn and reports whether it did.
func (h *HCA) serve(now sim.Time, q *qp) bool {
	if q.idle() || !q.present && !h.present(now, q) {
		return false
	}
	q.present = false
	if q.cursor == none && !h.begin(now, q) {
		return false
	}
	return q.cursor == none || h.emit(now, q)
}

// idle reports whether a queue has nothing to do in its turn.
func (q *qp) idle() bool {
	return q.wait != waitNothing || !q.sends() ||
		q.cursor == none && (q.stopped || q.next == q.posted || q.state == ib.SQD)
}

// present reports whether the context of a send queue is on chip. If not, the
// queue waits for it, and maybe the engine with it.
func (h *HCA) present(now sim.Time, q *qp) bool {
	where := h.Unit.Context(now, h.context, q.qpn, uint32(q.qpn))
	if where == mtp.Here {
		return true
	}
	if where == mtp.Coming {
		h.sends.await(none, q.qpn)
	}
	q.askedQPC = span{from: now}
	h.await(now, q, waitContext)
	return false
}

// sendContext wakes send queues whose context has come.
type sendContext struct{ hca *HCA }

// ContextReady lets the send queue go on: it has its context for its next turn,
// whatever takes the place of the copy meanwhile.
func (c sendContext) ContextReady(now sim.Time, handle uint32) {
	if q := c.hca.qp(ib.QPN(handle)); q != nil {
		q.present = true
		q.askedQPC.until = now
		c.hca.kick(now, q, waitContext)
	}
	c.hca.sends.came(now, none, ib.QPN(handle))
}
