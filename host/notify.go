package host

import (
	"hcasim/ib"
	"hcasim/sim"
)

// Events of both kinds wait in queues of their own until a program takes them:
// those of completion queues, and asynchronous ones. A program that asks for
// one before it is there sleeps until the interrupt.

// eventQueue is the events of one kind that nobody has taken, and those who
// wait for one. One of the two is empty.
type eventQueue struct {
	unread  []unread
	waiting []func(now sim.Time, e ib.EQE)
}

// unread is an event, and when the interrupt has told of it.
type unread struct {
	ib.EQE
	at sim.Time
}

// put hands an event to the one who has waited longest, or keeps it.
func (q *eventQueue) put(h *Host, now sim.Time, e ib.EQE) {
	at := now.Add(h.Params.CPU.Interrupt)
	if len(q.waiting) == 0 {
		q.unread = append(q.unread, unread{e, at})
		return
	}
	then := q.waiting[0]
	q.waiting = q.waiting[1:]
	h.later.at(at, func(now sim.Time) { then(now, e) })
}

// take waits for the oldest event.
func (q *eventQueue) take(h *Host, now sim.Time, then func(now sim.Time, e ib.EQE)) {
	if len(q.unread) == 0 {
		q.waiting = append(q.waiting, then)
		return
	}
	u := q.unread[0]
	q.unread = q.unread[1:]
	h.later.at(max(now, u.at), func(now sim.Time) { then(now, u.EQE) })
}

// Event hands an event to the software. It is the adapter's to call.
func (h *Host) Event(now sim.Time, e ib.EQE) {
	if e.Completion {
		h.cqs[e.CQN].events.put(h, now, e)
		return
	}
	if h.Raised != nil {
		h.Raised(now, e)
	}
	h.events.put(h, now, e)
}

// ReqNotify is ibv_req_notify_cq: the next completion, or the next that is
// solicited or a failure, raises one event. It returns when the call returns.
func (h *Host) ReqNotify(now sim.Time, cq *CQ, solicited bool) (done sim.Time, errno ib.Errno) {
	if cq.gone {
		return now, ib.EINVAL
	}
	value := uint32(cq.N)
	if solicited {
		value |= ib.ArmSolicited
	}
	at := now.Add(h.Params.CPU.Post)
	h.bells.ring(at, bell{ib.Doorbell(0, ib.DoorbellArm), value, 8})
	return at, ib.OK
}

// GetCQEvent is ibv_get_cq_event of one completion queue; ack is
// ibv_ack_cq_events, without which the queue is never destroyed.
func (h *Host) GetCQEvent(now sim.Time, cq *CQ, ack bool, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap, func(now sim.Time) {
		cq.events.take(h, now, func(now sim.Time, _ ib.EQE) {
			if !ack {
				cq.unacked++
			}
			v.out.Device = now.Sub(v.start) - v.out.CPU
			v.done(now)
		})
	})
}

// GetAsyncEvent is ibv_get_async_event.
func (h *Host) GetAsyncEvent(now sim.Time, then func(now sim.Time, e ib.EQE, o Outcome)) {
	v := h.begin(now, nil)
	v.work(now, h.Params.CPU.Trap, func(now sim.Time) {
		h.events.take(h, now, func(now sim.Time, e ib.EQE) {
			v.out.Device = now.Sub(v.start) - v.out.CPU
			then(now, e, v.out)
		})
	})
}
