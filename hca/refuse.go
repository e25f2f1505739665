package hca

import (
	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// refusePacket refuses a request that is malformed or not allowed at all: no
// key was looked at (REM-2). As all of the following, it returns false if it
// has to wait.
func (h *HCA) refusePacket(now sim.Time, q *qp, id uint32, d defect) bool {
	if q.unanswered > 0 {
		return false
	}
	p := h.Packets.At(id)
	h.Refused.Emit(Refusal{At: now, QPN: q.qpn, Op: p.Op, Remote: true, NAK: d.nak, Rule: d.rule})
	h.nak(now, q, p, p.BTH.PSN, d.nak, q.responder.MSN)
	h.drop(now, id)
	q.faulted = true
	h.raise(now, q, ib.EventQPReqErr)
	h.toError(now, q)
	return true
}

// tooShort refuses a SEND that does not fit its receive request (LOC-12): the
// fault is the receive's, so there is no event. Where the receive is said to be
// inconsistent, not short, the peer hears that its request was right.
func (h *HCA) tooShort(now sim.Time, q *qp, id uint32) bool {
	if q.unanswered > 0 {
		return false
	}
	p := h.Packets.At(id)
	nak := ib.NAKInvalidRequest
	if h.Variant.RecvShortStatus == ib.LocQPOpErr {
		nak = ib.NAKRemoteOperational
	}
	h.Refused.Emit(Refusal{At: now, QPN: q.qpn, Op: p.Op, Remote: true, NAK: nak, Rule: "LOC-12"})
	ar := arrival{recv: q.open}
	q.faulted = true
	h.nak(now, q, p, p.BTH.PSN, nak, q.responder.MSN)
	h.completeReceive(now, q, &ar, p, h.Variant.RecvShortStatus)
	h.drop(now, id)
	h.toError(now, q)
	return true
}

// notReady says that no receive request is there (REM-17). The connection
// lives on; what follows is ignored until the request comes again.
func (h *HCA) notReady(now sim.Time, q *qp, id uint32) bool {
	if q.unanswered > 0 {
		return false
	}
	p := h.Packets.At(id)
	q.responder.NotReady()
	h.nak(now, q, p, p.BTH.PSN, ib.RNRNAK(q.attr.MinRNRTimer), q.responder.MSN)
	h.drop(now, id)
	return true
}

// refuse ends the connection because memory was refused: the peer's key, or a
// receive buffer (REM-1, REM-3, REM-5, LOC-11).
func (h *HCA) refuse(now sim.Time, q *qp, ar *arrival, r Refusal) {
	p := ar.pkt
	o := p.BTH.Opcode
	r.Op, r.Remote = p.Op, true
	if !q.reliable() {
		h.refuseUnreliable(now, q, ar, r)
		return
	}
	q.faulted = true
	h.nak(now, q, p, p.BTH.PSN, r.NAK, ar.completed())
	h.Refused.Emit(r)
	switch {
	case o.IsSend() && ar.recv.taken:
		h.completeReceive(now, q, ar, p, h.Variant.RecvLKeyFailStatus)
	case rc.TakesReceive(o) && ar.recv.taken && h.Variant.WriteImmFault == "recv_8":
		h.completeReceive(now, q, ar, p, ib.LocAccessErr)
	case rc.TakesReceive(o) && ar.recv.taken && h.Variant.WriteImmFault == "recv_10":
		h.completeReceive(now, q, ar, p, ib.RemAccessErr)
	case r.NAK == ib.NAKInvalidRequest:
		h.raise(now, q, ib.EventQPReqErr)
	default:
		h.raise(now, q, ib.EventQPAccessErr)
	}
	h.toError(now, q)
}

// iommuFault refuses what the host's IOMMU did not let through.
func (h *HCA) iommuFault(now sim.Time, ar *arrival) {
	q := h.owner(ar)
	if q == nil || ar.dropped {
		return
	}
	r := Refusal{At: now, QPN: q.qpn, Fault: tpt.NoTranslation, NAK: ib.NAKRemoteOperational, Rule: "3.2-10"}
	if ar.executed { // memory went while the write was on its way: too late to tell the peer
		r.NAK = 0
		h.Refused.Emit(r)
		h.raise(now, q, ib.EventQPFatal)
		h.toError(now, q)
		return
	}
	ar.dropped = true
	if ar.wr != none {
		h.failScatter(now, q, ar, r)
		return
	}
	h.refuse(now, q, ar, r)
}

// duplicate deals with a request that was executed before: it is
// acknowledged again, a READ is done again, an atomic answered from memory
// (REM-21).
func (h *HCA) duplicate(now sim.Time, q *qp, id uint32) {
	p := h.Packets.At(id)
	switch o := p.BTH.Opcode; {
	case o == ib.RCReadRequest:
		q.unanswered++
		aid, ar := h.newArrival(q, id, p)
		ar.msn = q.responder.MSN
		h.placer.ask(now, q.recvStream, aid, ar, 0, readAsk(q, p))
		return
	case o.IsAtomic():
		for i := range q.saved {
			if s := &q.saved[i]; s.valid && s.psn == p.BTH.PSN {
				a := atomicAnswer(p, q.responder.MSN)
				a.value = s.value
				h.push(now, q, a)
			}
		}
	default:
		h.pushAck(now, q, answer{psn: q.responder.Expected.Add(1<<24 - 1), syndrome: ib.ACKNoCredit, msn: q.responder.MSN, op: p.Op}, p)
	}
	h.drop(now, id)
}
