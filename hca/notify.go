package hca

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
)

// A notice is whether and when a completion queue tells the software that
// completions have come: once for each time that it is asked to.
type notice struct {
	armed     bool
	solicited bool         // only of receives that the peer asked an event for, and of failures
	count     uint32       // moderation: after so many
	period    sim.Duration // or so long after the first; 0: at once
	since     uint32       // completions since it was armed
}

// arm asks for an event with the next completion.
func (h *HCA) arm(_ sim.Time, value uint32) {
	n := ib.CQN(value &^ ib.ArmSolicited)
	if int(n) < len(h.cqs) && h.cqs[n] != nil {
		q := &h.cqs[n].notice
		q.armed, q.solicited, q.since = true, value&ib.ArmSolicited != 0, 0
	}
}

// noticed counts a completion that has become visible towards the event that
// a queue was asked for.
func (h *HCA) noticed(now sim.Time, q *cq, e *ib.CQE) {
	t := &q.notice
	if t.solicited && !e.Solicited && e.Status == ib.Success {
		return
	}
	t.since++
	timer := uint32(q.number)
	switch {
	case t.count <= 1 && t.period == 0, t.count > 0 && t.since >= t.count:
		h.notices.Stop(timer)
		h.notify(now, timer)
	case t.period > 0 && t.since == 1:
		h.notices.Arm(timer, now.Add(t.period))
	}
}

// notify raises the event that a completion queue was asked for.
func (h *HCA) notify(now sim.Time, n uint32) {
	if q := h.cqs[n]; q != nil && q.notice.armed {
		q.notice.armed = false
		h.completer.tell(now, ib.EQE{Completion: true, CQN: q.number})
	}
}

// tell writes an event to the event ring.
func (c *completer) tell(now sim.Time, e ib.EQE) {
	c.raised.Push(e)
	slot := c.count % eventSlots
	c.count++
	c.hca.Bus.Write(now, pcie.Request{Addr: c.hca.Events + slot*ib.EQEBytes, Len: ib.EQEBytes, Client: c.events})
}
