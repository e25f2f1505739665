package hca

import (
	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// UC and UD have no answers: a request is over when its last packet has been
// handed on, and a responder that cannot take a message drops what is left of
// it in silence (REM-14).

// reliable reports whether the peer acknowledges.
func (q *qp) reliable() bool { return q.attr.Type == ib.RC }

// sent lets a packet of an unreliable service go, if there is room, and retires
// its request with its last.
func (h *HCA) sent(now sim.Time, q *qp, j *job) bool {
	t := j.pkt.Trail
	if !h.tx[wire.Requests].send(now, q, j.packet) {
		return false
	}
	psn, w := j.psn, h.wrs.At(j.wr)
	h.dropHead(&q.jobs)
	if psn == w.last() {
		w.trail = t
		w.trail.Step(PartNIC, now)
	}
	q.sender.Acknowledged(psn.Add(1))
	h.retire(now, q, nil)
	return true
}

// judgeUnreliable takes one request packet of UC or UD through the steps that
// need no memory. It returns false if the packet has to wait where it is.
func (h *HCA) judgeUnreliable(now sim.Time, q *qp, id uint32) bool {
	p := h.Packets.At(id)
	o := p.BTH.Opcode
	if !q.responds() || serviceOf(o) != q.attr.Type {
		h.drop(now, id)
		return true
	}
	if !h.follows(q, p) || q.attr.Access&rc.Need(o) != rc.Need(o) {
		q.dropping = true
		h.drop(now, id)
		return true
	}
	takes := rc.TakesReceive(o) && (!o.IsWrite() || o.Ends())
	if takes && q.immediate != 0 {
		return false // which receive is next is not known yet (ORD-5)
	}
	if takes && !q.open.taken {
		if q.rq.left() == 0 {
			q.dropping = true
			h.drop(now, id)
			return true
		}
		if !h.haveReceive(now, q) {
			return false
		}
		if o.IsSend() {
			h.takeReceive(now, q, p)
			q.receiving++
		}
	}
	n := uint32(len(p.Payload))
	if !q.responder.LengthFits(&p.Headers, n, q.mtu) {
		q.dropping = true
		h.drop(now, id)
		return true
	}
	if o.IsSend() && h.received(q, p)+uint64(n)+q.grh() > q.open.total {
		return h.overlong(now, q, id)
	}
	h.accept(now, q, id, p)
	return true
}

// grhBytes is what a datagram's receive buffer begins with, filled or not.
const grhBytes = 40

// grh returns the bytes that stand before the data in a receive buffer.
func (q *qp) grh() uint64 {
	if q.attr.Type == ib.UD {
		return grhBytes
	}
	return 0
}

// serviceOf returns the service that a packet belongs to.
func serviceOf(o ib.Opcode) ib.QPType {
	switch o >> 5 {
	case 0:
		return ib.RC
	case 1:
		return ib.UC
	default:
		return ib.UD
	}
}

// follows reports whether a packet goes on with the message under way, or
// begins a new one: a UC message that lost a packet is dropped up to its end.
func (h *HCA) follows(q *qp, p *wirePacket) bool {
	if q.attr.Type == ib.UD {
		return p.DETH.QKey == q.attr.QKey
	}
	if p.BTH.Opcode.Starts() {
		q.message++
		q.dropping = false
		q.responder.Message.Open = false
		q.responder.Expected = p.BTH.PSN
		return true
	}
	return !q.dropping && p.BTH.PSN == q.responder.Expected && q.responder.InOrder(p.BTH.Opcode)
}

// overlong ends a receive that is too small, when those before it have ended
// (ORD-6): it returns false if it has to wait. A datagram is dropped instead.
func (h *HCA) overlong(now sim.Time, q *qp, id uint32) bool {
	switch {
	case q.attr.Type == ib.UD:
		h.drop(now, id)
		return true
	case q.receiving > 1:
		return false
	}
	p := h.Packets.At(id)
	h.Refused.Emit(Refusal{At: now, QPN: q.qpn, Op: p.Op, Remote: true, Rule: "LOC-12"})
	ar := arrival{recv: q.open}
	h.completeReceive(now, q, &ar, p, h.Variant.RecvShortStatus)
	h.drop(now, id)
	h.toError(now, q)
	return true
}

// refuseUnreliable deals with refused memory: of a peer's key in silence, of
// a receive buffer with a failed receive.
func (h *HCA) refuseUnreliable(now sim.Time, q *qp, ar *arrival, r Refusal) {
	p := ar.pkt
	r.NAK = 0
	h.Refused.Emit(r)
	q.deadMessage = ar.message
	if ar.message == q.message {
		q.dropping = true
	}
	if ar.recv.taken {
		h.completeReceive(now, q, ar, p, h.Variant.RecvLKeyFailStatus)
		h.toError(now, q)
	}
}

// immediate takes the receive of a UC WRITE with immediate that was granted: that
// of a SEND that broke off, or else the oldest. Messages behind it have waited.
func (h *HCA) immediate(now sim.Time, q *qp, ar *arrival) {
	q.immediate = 0
	switch {
	case q.open.taken:
		ar.recv, q.open.taken = q.open, false
	case q.rq.next != q.rq.fetched: // else another queue pair took what was shared
		ar.recv = h.take(now, q.rq)
		q.receiving++
	}
}

// ungranted goes on behind a UC WRITE that was refused and took no receive.
func (h *HCA) ungranted(now sim.Time, ar *arrival) {
	if q := ar.q; ar.serial != 0 && ar.serial == q.immediate && ar.life == q.life {
		q.immediate = 0
		h.respond(now, q)
	}
}
