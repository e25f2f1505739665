package hca

import (
	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// respond judges the request packets that wait, in order, until one of them
// has to wait for something.
func (h *HCA) respond(now sim.Time, q *qp) {
	if q.responding {
		return // judging a packet led here
	}
	q.responding = true
	for q.waiting.Len() > 0 && (!q.held || !q.responds()) {
		id := *q.waiting.Peek()
		if !h.judge(now, q, id, h.Packets.At(id)) {
			break
		}
		q.waiting.Pop()
	}
	q.responding = false
}

// A defect is a reason to refuse a request before any key is looked at.
type defect struct {
	nak  ib.Syndrome
	rule string
}

// judge takes one request through the steps of 3.2 that need no memory. It
// returns false if the packet has to wait where it is: every answer speaks of
// all that came before, so what was accepted is executed first.
func (h *HCA) judge(now sim.Time, q *qp, id uint32, p *wirePacket) bool {
	if !q.reliable() {
		return h.judgeUnreliable(now, q, id)
	}
	o := p.BTH.Opcode
	switch {
	case !q.responds() || q.faulted || serviceOf(o) != ib.RC: // step 1
		h.drop(now, id)
		return true
	case q.unanswered > 0 && p.BTH.PSN != q.responder.Expected,
		q.atomics > 0 && !o.IsAtomic(): // ORD-5
		return false
	case p.BTH.PSN != q.responder.Expected: // step 2
		h.outOfOrder(now, q, id, p)
		return true
	}
	if d := h.defective(q, p); d.rule != "" { // steps 3 and 4
		return h.refusePacket(now, q, id, d)
	}
	takes := rc.TakesReceive(o) && (!o.IsWrite() || o.Ends())
	if takes && !q.open.taken { // step 5
		if q.rq.left() == 0 {
			return h.notReady(now, q, id)
		}
		if !h.haveReceive(now, q) {
			return false
		}
		h.takeReceive(now, q, p)
	}
	n := uint32(len(p.Payload))
	if !q.responder.LengthFits(&p.Headers, n, q.mtu) { // step 6
		return h.refusePacket(now, q, id, defect{ib.NAKInvalidRequest, "3.2-6"})
	}
	if takes && o.IsSend() && h.received(q, p)+uint64(n) > q.open.total {
		return h.tooShort(now, q, id)
	}
	if o.IsAtomic() && p.Atomic.VA%8 != 0 && !h.Variant.AtomicKeyFirst { // step 7
		return h.refusePacket(now, q, id, defect{ib.NAKInvalidRequest, "3.2-7"})
	}
	h.accept(now, q, id, p)
	return true
}

// outOfOrder deals with a request that is not the one expected.
func (h *HCA) outOfOrder(now sim.Time, q *qp, id uint32, p *wirePacket) {
	switch q.responder.Sequence(p.BTH.PSN) {
	case rc.Duplicate:
		h.duplicate(now, q, id)
		return
	case rc.Gap:
		h.nak(now, q, p, q.responder.Expected, ib.NAKPSNSequence, q.responder.MSN)
	case rc.Ignore, rc.Fresh:
	}
	h.drop(now, id)
}

// received returns the bytes of its message that came before p.
func (h *HCA) received(q *qp, p *wirePacket) uint64 {
	if p.BTH.Opcode.Starts() {
		return 0
	}
	return uint64(q.responder.Message.Done)
}

// defective makes the checks of steps 3 and 4: sequence of opcodes, rights of
// the queue pair, READs and atomics allowed at all.
func (h *HCA) defective(q *qp, p *wirePacket) defect {
	o := p.BTH.Opcode
	need := rc.Need(o)
	switch {
	case !q.responder.InOrder(o):
		return defect{ib.NAKInvalidRequest, "3.2-3"}
	case !rc.Supported(o):
		return defect{ib.NAKInvalidRequest, "3.2-4"}
	case q.attr.Access&need != need:
		return defect{ib.NAKInvalidRequest, "QP-11"}
	case need&(ib.RemoteRead|ib.RemoteAtomic) != 0 && q.attr.MaxDestRdAtomic == 0:
		return defect{ib.NAKInvalidRequest, "3.2-4"}
	default:
		return defect{}
	}
}

// haveReceive reports whether the oldest receive request is on chip. If not,
// respond is called again when it is.
func (h *HCA) haveReceive(now sim.Time, q *qp) bool {
	if q.rq.ready() {
		if q.lacking {
			h.lack(now, q, false)
		}
		return true
	}
	h.receives.fetch(now, q)
	if !q.lacking {
		h.lack(now, q, true)
	}
	if q.rq.srqn != 0 {
		q.rq.waiting.Push(q.qpn)
	}
	return false
}

// lack notes whether a queue pair waits for the fetch of a receive request.
func (h *HCA) lack(now sim.Time, q *qp, lacking bool) {
	if q.lacking != lacking {
		q.lacking = lacking
		h.stall(now, StallRWQE, !lacking)
	}
}

// takeReceive gives the oldest receive request to the message of p.
func (h *HCA) takeReceive(now sim.Time, q *qp, p *wirePacket) {
	q.open = h.take(now, q.rq)
	charge(&p.Trail, PartRemoteWQE, q.rq.asked)
	p.Trail.Step(PartRemote, now)
	if q.rq.fetched-q.rq.next <= h.Params.RecvPrefetch/2 {
		h.receives.fetch(now, q)
	}
}

// accept advances the transport past a request and asks for the memory that
// it needs (steps 8 and 9).
func (h *HCA) accept(now sim.Time, q *qp, id uint32, p *wirePacket) {
	o := p.BTH.Opcode
	n := uint32(len(p.Payload))
	done := h.received(q, p)
	aid, ar := h.newArrival(q, id, p)
	ar.next = q.rq.next
	if ar.alone = o == ib.RCWriteOnly && !q.open.taken; !ar.alone {
		ar.recall(q, o)
	}
	q.responder.Accept(&p.Headers, n, q.mtu)
	q.unanswered++
	q.serial++
	ar.serial, ar.message = q.serial, q.message
	ar.msn, ar.bytes = q.responder.MSN, q.responder.Message.Done
	switch {
	case o.IsWrite() && !q.reliable(): // its receive is taken when it is granted
		if rc.TakesReceive(o) {
			q.immediate = ar.serial
		}
	case q.open.taken:
		ar.recv = q.open
		if q.open.taken = !(o.Ends() && rc.TakesReceive(o)); !q.open.taken && q.rq.srqn != 0 {
			q.lent.Push(lent{ar.serial, ar.recv})
		}
	}
	q.held = o.HasIETH() // what comes behind is judged by what it leaves (ORD-5)
	switch {
	case o.IsWrite():
		m := &q.responder.Message
		before := uint64(m.Done) - uint64(n)
		ask := tpt.Access{
			Key: ib.Key(m.RKey), PD: q.attr.PD, QPN: q.qpn, Need: ib.RemoteWrite, Remote: true,
			Judge: tpt.Range{VA: m.VA + before, Length: uint64(m.Length) - before},
			Move:  tpt.Range{VA: m.VA + before, Length: uint64(n)},
		}
		if h.Variant.RangePerPacket {
			ask.Judge = ask.Move
		}
		h.placer.ask(now, q.recvStream, aid, ar, 0, &ask)
	case o.IsSend() && n > 0:
		h.scatter(now, q, aid, q.rq.ring.SGE(ar.recv.slot), done+q.grh(), uint64(n))
	case o == ib.RCReadRequest:
		h.placer.ask(now, q.recvStream, aid, ar, 0, readAsk(q, p))
	case o.IsAtomic():
		q.atomics++
		h.atomics.ask(now, q, aid, &tpt.Access{
			Key: ib.Key(p.Atomic.RKey), PD: q.attr.PD, QPN: q.qpn, Need: ib.RemoteAtomic, Remote: true,
			Judge: tpt.Range{VA: p.Atomic.VA, Length: 8},
		})
	default: // a SEND of nothing
		h.placer.ask(now, q.recvStream, aid, ar, 0, &tpt.Access{PD: q.attr.PD, QPN: q.qpn, Need: rc.Need(o), Remote: true})
	}
}

// readAsk returns the access that judges a READ request as a whole. It moves
// nothing: each packet of the response asks again (REM-9).
func readAsk(q *qp, p *wirePacket) *tpt.Access {
	return &tpt.Access{
		Key: ib.Key(p.RETH.RKey), PD: q.attr.PD, QPN: q.qpn, Need: ib.RemoteRead, Remote: true,
		Judge: tpt.Range{VA: p.RETH.VA, Length: uint64(p.RETH.Length)},
	}
}

// execute goes on with a request whose memory has been granted (step 10).
func (h *HCA) execute(now sim.Time, q *qp, id uint32, ar *arrival) {
	p := ar.pkt
	o := p.BTH.Opcode
	switch {
	case o == ib.RCWriteOnly: // there is nothing else to it
		h.ack(now, q, p, ar.msn)
	case o == ib.RCReadRequest:
		h.answerRead(now, q, p, ar.msn)
	case !o.Ends():
		if p.BTH.AckReq {
			h.ack(now, q, p, ar.msn)
		}
	case o.HasIETH():
		h.invalidate(now, q, id, ar)
		return
	default:
		if q.immediate == ar.serial && ar.serial != 0 {
			h.immediate(now, q, ar)
		}
		if ar.recv.taken {
			h.completeReceive(now, q, ar, p, ib.Success)
		}
		h.ack(now, q, p, ar.msn)
	}
	h.free(now, id, ar)
	h.answeredOne(now, q)
}

// answeredOne notes that the answer to a request stands in the order of answers.
// Packets may have waited for it.
func (h *HCA) answeredOne(now sim.Time, q *qp) {
	if q.unanswered--; q.waiting.Len() > 0 {
		h.respond(now, q)
	}
}

// invalidate lets the peer kill a key: after all that came before it, before
// all that comes behind it (ORD-5).
func (h *HCA) invalidate(now sim.Time, q *qp, id uint32, ar *arrival) {
	p := ar.pkt
	ar.asked++ // it lasts until the table unit has answered
	h.Unit.Change(now, remoteInvalidate{h}, id, &tpt.Command{
		Op: tpt.RemoteInv, Key: ib.Key(p.IETH.RKey), PD: q.attr.PD, QPN: q.qpn,
	})
}

// remoteInvalidate waits for the table unit.
type remoteInvalidate struct{ hca *HCA }

// Wanted is true: what the peer has sent is carried out.
func (c remoteInvalidate) Wanted(uint32) bool { return true }

// Changed completes the receive, and answers as the rules say (INV-9, INV-10).
func (c remoteInvalidate) Changed(now sim.Time, id uint32, r *tpt.Result) {
	h := c.hca
	ar := h.arrivals.At(id)
	ar.asked--
	q := h.owner(ar)
	if q == nil {
		h.free(now, id, ar)
		return
	}
	q.held = false
	p := ar.pkt
	p.Trail.Step(PartRemote, now)
	if r.Status == ib.Success {
		h.completeReceive(now, q, ar, p, ib.Success)
		h.ack(now, q, p, ar.msn)
		h.free(now, id, ar)
		h.answeredOne(now, q)
		return
	}
	refusal := Refusal{At: now, QPN: q.qpn, Op: p.Op, Remote: true, Fault: r.Fault, Rule: r.Rule}
	switch h.Variant.RemoteInvFail {
	case "ack":
		h.ack(now, q, p, ar.msn)
	case "nak_access":
		refusal.NAK = ib.NAKRemoteAccess
		h.nak(now, q, p, p.BTH.PSN, ib.NAKRemoteAccess, ar.completed())
	}
	h.Refused.Emit(refusal)
	q.faulted = true
	h.completeReceive(now, q, ar, p, h.Variant.RemoteInvFailRecvStatus)
	h.toError(now, q)
	h.free(now, id, ar)
}

// completeReceive reports the end of a receive request.
func (h *HCA) completeReceive(now sim.Time, q *qp, ar *arrival, p *wirePacket, s ib.WCStatus) {
	o := p.BTH.Opcode
	c := ib.CQE{ID: ar.recv.id, QPN: q.qpn, Status: s, Recv: true, Op: ar.recv.op, Opcode: ib.WCRecv}
	c.ByteLen = ar.bytes + uint32(q.grh())
	c.Solicited = p.BTH.Solicited
	if o.IsWrite() {
		c.Opcode = ib.WCRecvRDMAWithImm
	}
	if o.HasDETH() {
		c.SrcQP = p.DETH.SrcQP
	}
	if o.HasImm() {
		c.Imm, c.Flags = p.Imm.Data, ib.WithImm
	}
	if o.HasIETH() {
		c.InvalidatedKey, c.Flags = p.IETH.RKey, ib.WithInv
	}
	if q.rq.done++; !q.reliable() {
		q.receiving--
	} else if q.lent.Len() > 0 && q.lent.Peek().recv.slot == ar.recv.slot {
		q.lent.Pop()
	}
	h.completer.complete(now, q.attr.RecvCQ, &c, &p.Trail, ib.Key(c.InvalidatedKey).Index())
}
