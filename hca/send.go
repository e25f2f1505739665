package hca

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A wr is a send request from its beginning to its retirement.
type wr struct {
	wrState
	trail sim.Trail
}

type wrState struct {
	next     uint32 // begun after it
	counter  uint32 // in the send ring
	slot     int
	length   uint64
	first    ib.PSN
	packets  uint32 // PSNs it takes; 0: local
	sent     uint32 // packets emitted in this round
	got      uint32 // READ: response packets received in order
	sge      int    // where the next packet's bytes begin: in which piece
	offset   uint32 // and how far into it
	refs     uint32 // things under way that will come back to it
	opcode   ib.WROpcode
	flags    ib.SendFlags
	status   ib.WCStatus
	resent   bool
	done     bool     // local: changed; READ, atomic: the data are on their way to memory
	orphan   bool     // retired: the last of refs frees it
	listing  bool     // local: its page list is being read
	cut      bool     // local: one in front of it was refused, it is not to change anything
	released bool     // its READ slot was given back
	seeking  bool     // READ, atomic: it is fetched again for its answer
	sinkHere bool     // and has been
	qpn      ib.QPN   // local: the queue pair
	sealed   ib.Index // local: the entry that changed
}

// takesAnswerData reports whether the peer's answer carries data.
func (w *wr) takesAnswerData() bool {
	return w.opcode >= ib.WRRDMARead && w.opcode <= ib.WRAtomicFetchAndAdd
}

func (w *wr) atomic() bool {
	return w.opcode == ib.WRAtomicCmpAndSwp || w.opcode == ib.WRAtomicFetchAndAdd
}

// last returns the PSN of the last packet.
func (w *wr) last() ib.PSN { return w.first.Add(w.packets - 1) }

// begin starts the next request of a send queue, or says what it waits for.
func (h *HCA) begin(now sim.Time, q *qp) bool {
	if q.next == q.fetched {
		r := waitRoom
		if h.fetcher.send(now, q); q.fetching {
			r = waitWQE
		}
		h.await(now, q, r)
		return false
	}
	slot := q.attr.SQ.Slot(q.next)
	e := &q.attr.SQ.WQEs[slot]
	if (q.local || e.Flags&ib.Fence != 0 || e.Opcode > ib.WRSendWithImm) && h.mustWait(now, q, e) {
		return false
	}
	id := h.wrs.Get()
	w := h.wrs.At(id)
	w.wrState = wrState{}
	w.next, w.counter, w.slot = none, q.next, slot
	w.opcode, w.flags, w.length = e.Opcode, e.Flags, e.Length
	q.next++
	q.local = local(e.Opcode)
	h.trace(now, q, &w.trail, e)
	h.reach(now, e.Op, StageWQE)
	if q.wrs.tail == none {
		q.wrs.head = id
	} else {
		h.wrs.At(q.wrs.tail).next = id
	}
	q.wrs.tail = id
	if h.fetchAhead(q) {
		h.fetcher.send(now, q)
	}
	h.granted = h.Params.Schedule
	switch {
	case (w.length > maxMessage || w.atomic() || q.attr.Type == ib.UD) && !h.acceptable(now, q, w, e):
		h.retire(now, q, nil)
	case q.local:
		h.granted = h.timing.sending[e.Opcode]
		h.change(now, q, id, e)
	default:
		h.number(q, w)
		q.cursor = id
	}
	return true
}

// mustWait says whether the next request of a queue has to wait, and for what
// (4.5). A SEND or WRITE without a fence waits for binds and the like alone.
func (h *HCA) mustWait(now sim.Time, q *qp, e *ib.WQE) bool {
	reads := e.Opcode == ib.WRRDMARead || e.Opcode == ib.WRAtomicCmpAndSwp || e.Opcode == ib.WRAtomicFetchAndAdd
	switch {
	case q.changing(h, local(e.Opcode)):
		h.await(now, q, waitLocal)
	case e.Opcode == ib.WRLocalInv && !h.Variant.LocalInvRelaxed && q.wrs.head != none: // ORD-2
		h.await(now, q, waitEarlier)
	case e.Flags&ib.Fence != 0 && q.reads > 0: // ORD-4
		h.await(now, q, waitFence)
	case reads && q.reads >= uint32(q.attr.MaxRdAtomic):
		h.await(now, q, waitReads)
	}
	return q.wait != waitNothing
}

// changing reports whether the next request has to wait for binds, invalidates
// or registrations that are not in force yet (ORD-1, ORD-3). Another of them
// need not, up to a depth: the table unit makes one change after the other.
func (q *qp) changing(h *HCA, another bool) bool {
	if q.wrs.tail == none || !h.wrs.At(q.wrs.tail).changing() {
		return false
	}
	if !another || h.wrs.At(q.wrs.tail).listing {
		return true
	}
	n := uint32(0)
	for id := q.wrs.head; id != none; id = h.wrs.At(id).next {
		if h.wrs.At(id).changing() {
			n++
		}
	}
	return n >= h.Params.LocalDepth
}

// changing reports whether a request changes the tables and has not done so.
func (w *wr) changing() bool { return local(w.opcode) && !w.done && w.status == ib.Success }

// trace begins the trail of a request that begins: it left the CPU with its
// doorbell, then waited for its context, its fetch and its turn.
func (h *HCA) trace(now sim.Time, q *qp, t *sim.Trail, e *ib.WQE) {
	rung := now
	for q.rings.Len() > 0 {
		r := *q.rings.Peek()
		left := int32(r.upTo - q.next) // requests behind this one that it covers too
		if left <= 0 {
			q.rings.Pop()
		}
		if left >= 0 {
			rung = r.at
			break
		}
	}
	t.Begin(min(sim.Time(e.Stamp), rung))
	if h.Followed != nil && h.Followed(e.Op) {
		t.Follow()
	}
	t.Step(PartDoorbell, max(rung, t.Mark))
	if q.askedQPC.until > t.Mark {
		charge(t, PartQPC, q.askedQPC)
	}
	if q.askedWQE.until > t.Mark {
		charge(t, PartWQE, q.askedWQE)
	}
	t.Step(PartQueue, now)
}

// charge books a span to a part, as far as it is not booked yet; the time
// before it was spent waiting.
func charge(t *sim.Trail, p sim.Part, s span) {
	if s.until <= t.Mark {
		return
	}
	t.Step(PartQueue, max(s.from, t.Mark))
	t.Step(p, s.until)
}

// acceptable makes the checks that need no key. A request that fails one
// ends at its turn, and nothing of it is sent.
func (h *HCA) acceptable(now sim.Time, q *qp, w *wr, e *ib.WQE) bool {
	switch {
	case w.length > maxMessage, q.attr.Type == ib.UD && w.length > uint64(q.mtu): // POST-5; a datagram is one packet
		h.failLocally(now, q, w, ib.LocLenErr, "POST-5")
	case w.atomic() && w.length != 8 && !h.Variant.AtomicBadSGEImmediate: // LOC-6
		h.failLocally(now, q, w, ib.LocLenErr, "LOC-6")
	case q.attr.Type == ib.UD && e.Opcode != ib.WRSend && e.Opcode != ib.WRSendWithImm: // QP-8
		h.failLocally(now, q, w, ib.LocQPOpErr, "QP-8")
	case q.attr.Type == ib.UD && e.AHPD != q.attr.PD: // a foreign address handle
		h.failLocally(now, q, w, ib.LocQPOpErr, "PD-1")
	default:
		return true
	}
	return false
}

const maxMessage = 1 << 31

// failLocally marks a request as failed for a reason that no key gave.
func (h *HCA) failLocally(now sim.Time, q *qp, w *wr, s ib.WCStatus, rule string) {
	w.status = s
	q.stopped = true
	h.Refused.Emit(Refusal{At: now, QPN: q.qpn, Op: q.attr.SQ.WQEs[w.slot].Op, Status: s, Rule: rule})
}

// number gives a request its PSNs.
func (h *HCA) number(q *qp, w *wr) {
	w.packets = 1
	if w.length > uint64(q.mtu) {
		w.packets = uint32((w.length + uint64(q.mtu) - 1) / uint64(q.mtu))
	}
	w.first = q.sender.Next
	q.sender.Next = w.first.Add(w.packets)
	if w.takesAnswerData() {
		q.reads++
	}
}
