package hca

import (
	"hcasim/ib"
	"hcasim/sim"
)

// Each queue pair has two timers: its number is that of the acknowledge
// timer, the next one the RNR timer's.

// startTimer starts the acknowledge timer unless it runs.
func (h *HCA) startTimer(now sim.Time, q *qp) {
	if !h.timers.Armed(q.timer) {
		h.restartTimer(now, q)
	}
}

// restartTimer gives the oldest request a full timeout again.
func (h *HCA) restartTimer(now sim.Time, q *qp) {
	if q.timeout == 0 || !q.sender.Outstanding() {
		h.timers.Stop(q.timer)
		return
	}
	h.timers.Arm(q.timer, now.Add(q.timeout))
}

// timeout takes an expired timer of either kind.
func (h *HCA) timeout(now sim.Time, index uint32) {
	q := h.timed(index)
	if q == nil {
		return
	}
	if index != q.timer {
		h.kick(now, q, waitRNR)
		h.resend(now, q, q.sender.Unacked)
		return
	}
	if q.sender.Outstanding() && q.wait != waitRNR {
		h.react(now, q, q.sender.Timeout(), nil)
	}
}

// timed returns the queue pair whose timer index is.
func (h *HCA) timed(index uint32) *qp { return h.qp(h.timedBy[index/2]) }

// resend goes back to the request that psn belongs to and sends everything
// from there again (go-back-N), up to a request that has failed (LOC-1).
func (h *HCA) resend(now sim.Time, q *qp, psn ib.PSN) {
	q.round++
	q.cursor = none
	for id := q.wrs.head; id != none; {
		w := h.wrs.At(id)
		if w.status != ib.Success {
			break
		}
		if w.packets > 0 && w.last().Sub(psn) >= 0 {
			h.rewind(q, w, psn)
			if q.cursor == none && !(w.takesAnswerData() && w.got == w.packets) {
				q.cursor = id
			}
		}
		id = w.next
	}
	h.flush(now, q)
	h.restartTimer(now, q)
	switch q.wait {
	case waitReads, waitFence, waitEarlier, waitRoom: // for answers that only what is sent again can bring
		h.await(now, q, waitNothing)
	default:
	}
	if q.wait == waitNothing {
		h.sched.add(now, q)
	}
}

// rewind sets a request back to the packet at psn, or to its beginning if it
// lies behind.
func (h *HCA) rewind(q *qp, w *wr, psn ib.PSN) {
	w.resent = true
	w.sent, w.sge, w.offset = 0, 0, 0
	if w.takesAnswerData() {
		return // continues where its answer stopped
	}
	if d := psn.Sub(w.first); d > 0 {
		w.sent = uint32(d)
	}
	if w.flags&ib.Inline != 0 {
		return
	}
	skip := uint64(w.sent) * uint64(q.mtu)
	sges := q.attr.SQ.SGE(w.slot)
	for w.sge < len(sges) && skip >= uint64(sges[w.sge].Length) {
		skip -= uint64(sges[w.sge].Length)
		w.sge++
	}
	w.offset = uint32(skip)
}
