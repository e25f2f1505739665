package hca

import (
	"hcasim/ib"
	"hcasim/sim"
)

// retire ends the requests at the front of a send queue that are over, in
// posting order (H1). A failed one moves the queue pair to ERR (QP-1), but
// not before those in front of it had their own result (LOC-16). t, if not nil,
// is the trail of the oldest.
func (h *HCA) retire(now sim.Time, q *qp, t *sim.Trail) {
	for q.wrs.head != none && q.state < ib.SQE { // else in an error state
		id := q.wrs.head
		w := h.wrs.At(id)
		switch {
		case w.status != ib.Success:
			h.end(now, q, id, w, w.status, nil)
			if q.reliable() || h.Variant.UnreliableSendErr {
				h.toError(now, q)
			} else {
				h.toSendError(now, q)
			}
			return
		case w.packets == 0 || w.takesAnswerData():
			if !w.done {
				return
			}
		case w.last().Sub(q.sender.Unacked) >= 0:
			return
		}
		h.end(now, q, id, w, ib.Success, t)
		t = nil
	}
	if q.wrs.head == none {
		h.settle(q)
		h.kick(now, q, waitEarlier)
	}
}

// settle lets what no request stands behind, packets made by hand, count as
// answered.
func (h *HCA) settle(q *qp) {
	if q.sender.Outstanding() {
		q.sender.Acknowledged(q.sender.Next)
		h.timers.Stop(q.timer)
	}
}

// end retires the oldest request with a status. t is its trail, nil: as it
// keeps it.
func (h *HCA) end(now sim.Time, q *qp, id uint32, w *wr, s ib.WCStatus, t *sim.Trail) {
	q.wrs.head = w.next
	if q.wrs.head == none {
		q.wrs.tail = none
	}
	if q.cursor == id {
		q.cursor = w.next
	}
	if s == ib.Success && w.takesAnswerData() {
		h.giveRead(now, q, w)
	}
	if t == nil {
		t = &w.trail
	}
	t.Step(PartQueue, now)
	if h.Params.WQERoom != 0 {
		h.leaves(now, q, w.slot)
	}
	h.report(now, q, w.counter, &q.attr.SQ.WQEs[w.slot], s, t, w.sealed)
	w.orphan = true
	if w.refs == 0 {
		h.wrs.Put(id)
	}
}

// unref counts out something that was under way for a request.
func (h *HCA) unref(id uint32) {
	w := h.wrs.At(id)
	if w.refs--; w.refs == 0 && w.orphan {
		h.wrs.Put(id)
	}
}

// report writes the completion of a send request, if it has one: signaled
// requests do, and failed ones (QP-4).
func (h *HCA) report(now sim.Time, q *qp, counter uint32, e *ib.WQE, s ib.WCStatus, t *sim.Trail, sealed ib.Index) {
	if s == ib.Success && e.Flags&ib.Signaled == 0 && !q.attr.SigAll {
		if h.Retired.On() {
			h.quiet = Retirement{At: now, QPN: q.qpn, Op: e.Op, Status: s, Trail: *t}
			h.Retired.Emit(&h.quiet)
		}
		return
	}
	id, c := h.completer.begin(now, q.attr.SendCQ, t)
	if c == nil {
		return
	}
	c.cqe = ib.CQE{}
	c.cqe.ID, c.cqe.QPN, c.cqe.Status, c.cqe.Op = e.ID, q.qpn, s, e.Op
	c.cqe.Opcode, c.cqe.ByteLen, c.cqe.Retired = completionOpcode(e.Opcode), uint32(e.Length), counter+1
	c.sealed = sealed
	h.completer.write(now, id, c)
}

func completionOpcode(o ib.WROpcode) ib.WCOpcode {
	switch o {
	case ib.WRRDMAWrite, ib.WRRDMAWriteWithImm:
		return ib.WCRDMAWrite
	case ib.WRRDMARead:
		return ib.WCRDMARead
	case ib.WRAtomicCmpAndSwp:
		return ib.WCCompSwap
	case ib.WRAtomicFetchAndAdd:
		return ib.WCFetchAdd
	case ib.WRBindMW:
		return ib.WCBindMW
	case ib.WRLocalInv:
		return ib.WCLocalInv
	case ib.WRRegMR:
		return ib.WCRegMR
	default:
		return ib.WCSend
	}
}

// toError puts a queue pair into ERR: what is outstanding ends with flush
// errors, in posting order per queue (QP-3).
func (h *HCA) toError(now sim.Time, q *qp) {
	from := q.state
	q.state = ib.Err
	h.moved(now, q, from)
	if from == ib.Err || from == ib.Reset {
		return
	}
	h.lack(now, q, false)
	for q.wrs.head != none {
		id := q.wrs.head
		h.end(now, q, id, h.wrs.At(id), ib.WRFlushErr, nil)
	}
	h.stopSending(now, q)
	h.flushSends(now, q)
	h.flushReceives(now, q)
	if !q.faulted {
		h.dropAnswers(now, q)
	}
	h.respond(now, q) // drops what waits
}

// stopSending ends all that the send side has under way.
func (h *HCA) stopSending(now sim.Time, q *qp) {
	q.round++
	q.cursor, q.reads = none, 0
	h.await(now, q, waitNothing)
	h.timers.Stop(q.timer)
	h.timers.Stop(q.timer + 1)
	for q.jobs.head != none {
		h.Packets.Put(h.jobs.At(q.jobs.head).packet)
		h.buffers.Give(1)
		h.dropHead(&q.jobs)
	}
	if q.credit {
		q.credit = false
		h.buffers.Give(1)
	}
}

// toSendError puts a queue pair of an unreliable service into SQE: its send
// queue is flushed, its receive side goes on (QP-2).
func (h *HCA) toSendError(now sim.Time, q *qp) {
	from := q.state
	q.state = ib.SQE
	h.moved(now, q, from)
	for q.wrs.head != none {
		id := q.wrs.head
		h.end(now, q, id, h.wrs.At(id), ib.WRFlushErr, nil)
	}
	h.stopSending(now, q)
	h.flushSends(now, q)
}

// abandon forgets everything without completions: reset, destroy.
func (h *HCA) abandon(now sim.Time, q *qp) {
	for q.wrs.head != none {
		id := q.wrs.head
		w := h.wrs.At(id)
		q.wrs.head = w.next
		w.orphan = true
		if w.refs == 0 {
			h.wrs.Put(id)
		}
	}
	q.wrs.tail = none
	h.stopSending(now, q)
	h.dropAnswers(now, q)
	for q.waiting.Len() > 0 {
		h.drop(now, q.waiting.Pop())
	}
}

// flushSends ends the requests of a queue in ERR that were never begun.
func (h *HCA) flushSends(now sim.Time, q *qp) {
	for q.next != q.posted {
		slot := q.attr.SQ.Slot(q.next)
		var t sim.Trail
		rung := now
		if q.rings.Len() > 0 {
			rung = q.rings.At(q.rings.Len() - 1).at
		}
		t.Begin(min(sim.Time(q.attr.SQ.WQEs[slot].Stamp), rung))
		if h.Followed != nil && h.Followed(q.attr.SQ.WQEs[slot].Op) {
			t.Follow()
		}
		t.Step(PartDoorbell, rung)
		t.Step(PartQueue, now)
		q.next++
		h.report(now, q, q.next-1, &q.attr.SQ.WQEs[slot], ib.WRFlushErr, &t, 0)
	}
	q.fetched, q.places = q.next, 0
}

// flushReceives ends the receive requests of a queue pair in ERR. Those of a
// shared queue stay there (QP-6).
func (h *HCA) flushReceives(now sim.Time, q *qp) {
	r := q.rq
	q.open = receive{}
	if r.srqn != 0 {
		for q.lent.Len() > 0 {
			q.lent.Pop()
		}
		if h.Variant.AsyncEvents {
			h.raise(now, q, ib.EventQPLastWQEReached)
		}
		return
	}
	for r.done != r.posted {
		e := &r.ring.WQEs[r.ring.Slot(r.done)]
		r.done++
		var t sim.Trail
		t.Begin(now)
		h.completer.complete(now, q.attr.RecvCQ, &ib.CQE{ID: e.ID, QPN: q.qpn, Status: ib.WRFlushErr, Recv: true, Op: e.Op, Opcode: ib.WCRecv}, &t, 0)
	}
	r.next, r.fetched = r.done, r.done
}
