package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

type answerKind uint8

const (
	answerACK  answerKind = iota // or a NAK
	answerREAD                   // the packets of a READ response
	answerAtomic
)

// An answer stands in the order of answers of its queue pair (H3).
type answer struct {
	next     uint32
	kind     answerKind
	psn      ib.PSN
	msn      uint32
	syndrome ib.Syndrome
	op       uint32 // the sender's number of the request
	value    uint64 // atomic: the original
	waits    bool   // atomic: for the operation work to find it
	work     uint32

	va      uint64 // READ: what is asked
	key     ib.RKey
	length  uint32
	emitted uint32 // packets made
	packets uint32
	jobs    list // made and not yet sent
	trail   sim.Trail
}

// ack acknowledges everything through p: at once if no answer waits in front.
func (h *HCA) ack(now sim.Time, q *qp, p *wirePacket, msn uint32) {
	if tx := &h.tx[wire.Answers]; q.replies.head == none && q.reliable() && tx.pipe.Room() {
		id := h.Packets.Get()
		k := h.Packets.At(id)
		k.Trail = p.Trail
		k.Trail.Step(PartRemote, now)
		k.Op, k.BTH.Opcode, k.BTH.DestQP, k.BTH.PSN, k.BTH.PKey = p.Op, ib.RCAck, q.attr.Dest, p.BTH.PSN, ib.DefaultPKey
		k.AETH = ib.AETH{Syndrome: ib.ACKNoCredit, MSN: msn}
		tx.send(now, q, id)
		return
	}
	h.pushAck(now, q, answer{psn: p.BTH.PSN, syndrome: ib.ACKNoCredit, msn: msn, op: p.Op}, p)
}

// nak refuses the request at psn, before which msn messages were completed.
func (h *HCA) nak(now sim.Time, q *qp, p *wirePacket, psn ib.PSN, s ib.Syndrome, msn uint32) {
	h.pushAck(now, q, answer{psn: psn, syndrome: s, msn: msn, op: p.Op}, p)
}

// pushAck appends an acknowledgement. One that still waits is overtaken by
// the next: acknowledgements are cumulative.
func (h *HCA) pushAck(now sim.Time, q *qp, a answer, p *wirePacket) {
	if !q.reliable() {
		return
	}
	a.kind, a.trail = answerACK, p.Trail
	a.trail.Step(PartRemote, now)
	if q.replies.tail != none {
		if t := h.answers.At(q.replies.tail); t.kind == answerACK && t.syndrome.IsACK() && a.syndrome.IsACK() {
			a.next, a.jobs = t.next, t.jobs
			*t = a
			return
		}
	}
	h.push(now, q, a)
}

func (h *HCA) push(now sim.Time, q *qp, a answer) (id uint32) {
	id = h.answers.Get()
	a.next, a.jobs = none, list{none, none}
	*h.answers.At(id) = a
	if q.replies.tail == none {
		q.replies.head = id
	} else {
		h.answers.At(q.replies.tail).next = id
	}
	q.replies.tail = id
	if a.kind == answerREAD && q.emitting == none {
		q.emitting = id
	}
	h.respondRead(now, q)
	h.reply(now, q)
	return id
}

// answerRead begins the response to a READ that was granted.
func (h *HCA) answerRead(now sim.Time, q *qp, p *wirePacket, msn uint32) {
	a := answer{kind: answerREAD, psn: p.BTH.PSN, msn: msn, op: p.Op, va: p.RETH.VA, key: p.RETH.RKey, length: p.RETH.Length, trail: p.Trail}
	a.packets = max(1, (a.length+q.mtu-1)/q.mtu)
	h.push(now, q, a)
}

// atomicAnswer makes the answer to an atomic, whose value is still to come.
func atomicAnswer(p *wirePacket, msn uint32) answer {
	return answer{kind: answerAtomic, psn: p.BTH.PSN, msn: msn, syndrome: ib.ACKNoCredit, op: p.Op, trail: p.Trail}
}

// respondRead makes response packets while there are buffers for them.
func (h *HCA) respondRead(now sim.Time, q *qp) {
	for q.emitting != none && !q.starving {
		a := h.answers.At(q.emitting)
		if a.emitted == a.packets {
			q.emitting = h.nextRead(a.next)
			continue
		}
		if !h.responses.TakeOrWait(1, h.atomics.granted, uint32(q.qpn)) {
			q.starving = true
			h.stall(now, StallAnswerBuffers, false)
			return
		}
		h.emitResponse(now, q, q.emitting)
	}
}

// nextRead returns the first READ answer from id on.
func (h *HCA) nextRead(id uint32) uint32 {
	for id != none && h.answers.At(id).kind != answerREAD {
		id = h.answers.At(id).next
	}
	return id
}

// responseGrant hands a response buffer to a queue pair that waits for it.
type responseGrant struct{ hca *HCA }

// Fire makes the packet that the buffer is for.
func (g responseGrant) Fire(now sim.Time, qpn uint32) {
	h := g.hca
	h.stall(now, StallAnswerBuffers, true)
	q := h.qp(ib.QPN(qpn))
	if q == nil || !q.starving {
		h.responses.Give(1)
		return
	}
	q.starving = false
	if q.emitting == none {
		h.responses.Give(1)
		return
	}
	h.emitResponse(now, q, q.emitting)
	h.respondRead(now, q)
	h.reply(now, q) // a response without data is whole at once
}

// emitResponse makes the next packet of a READ response.
func (h *HCA) emitResponse(now sim.Time, q *qp, id uint32) {
	a := h.answers.At(id)
	pid := h.Packets.Get()
	p := h.Packets.At(pid)
	p.Op, p.Trail = a.op, a.trail
	p.Trail.Step(PartRemote, now)
	done := a.emitted * q.mtu
	n := min(a.length-done, q.mtu)
	first, last := a.emitted == 0, a.emitted+1 == a.packets
	p.BTH = ib.BTH{Opcode: responseOpcode(first, last), DestQP: q.attr.Dest, PSN: a.psn.Add(a.emitted), PKey: ib.DefaultPKey}
	p.AETH = ib.AETH{Syndrome: ib.ACKNoCredit, MSN: a.msn}
	a.emitted++
	jobID, j := h.newJob(q, &a.jobs, pid, p)
	j.answer = id
	h.Packets.Payload(pid, n)
	if n == 0 {
		return
	}
	rest := uint64(a.length - done)
	move := tpt.Range{VA: a.va + uint64(done), Length: uint64(n)}
	judge := tpt.Range{VA: move.VA, Length: rest}
	if h.Variant.RangePerPacket {
		judge = move
	}
	h.gatherer.ask(now, q.recvStream, jobID, j, 0, &tpt.Access{
		Key: ib.Key(a.key), PD: q.attr.PD, QPN: q.qpn, Need: ib.RemoteRead, Remote: true, Judge: judge, Move: move,
	})
}

func responseOpcode(first, last bool) ib.Opcode {
	switch {
	case first && last:
		return ib.RCReadRespOnly
	case first:
		return ib.RCReadRespFirst
	case last:
		return ib.RCReadRespLast
	default:
		return ib.RCReadRespMiddle
	}
}

// reply sends the answers at the front that are whole, in PSN order.
func (h *HCA) reply(now sim.Time, q *qp) {
	for q.replies.head != none {
		a := h.answers.At(q.replies.head)
		sent := false
		switch {
		case a.kind == answerREAD:
			sent = h.replyRead(now, q, a)
		case !a.waits:
			sent = h.replyShort(now, q, a)
		}
		if !sent {
			return
		}
		h.dropAnswer(q)
	}
}

// replyShort sends an acknowledgement or an atomic's answer.
func (h *HCA) replyShort(now sim.Time, q *qp, a *answer) bool {
	id := h.Packets.Get()
	p := h.Packets.At(id)
	p.Op, p.Trail = a.op, a.trail
	p.BTH = ib.BTH{Opcode: ib.RCAck, DestQP: q.attr.Dest, PSN: a.psn, PKey: ib.DefaultPKey}
	p.AETH = ib.AETH{Syndrome: a.syndrome, MSN: a.msn}
	if a.kind == answerAtomic {
		p.BTH.Opcode = ib.RCAtomicAck
		p.AtomicAck.Original = a.value
	}
	if h.tx[wire.Answers].send(now, q, id) {
		return true
	}
	h.Packets.Put(id)
	return false
}

// replyRead sends the packets of a READ response that are whole and reports
// whether it was the last.
func (h *HCA) replyRead(now sim.Time, q *qp, a *answer) bool {
	for a.jobs.head != none {
		j := h.jobs.At(a.jobs.head)
		switch {
		case j.pending > 0:
			return false
		case j.failed:
			h.failResponse(now, q, a, j)
			return false
		case !h.tx[wire.Answers].send(now, q, j.packet):
			return false
		}
		h.dropHead(&a.jobs)
	}
	return a.emitted == a.packets
}

// failResponse stops a READ whose key died under way: a NAK takes the place
// of the packet that was refused (REM-9). The READ counts as a message: it was
// completed when it was granted (IBA C9-148; Linux rxe_resp.c).
func (h *HCA) failResponse(now sim.Time, q *qp, a *answer, j *job) {
	p := h.Packets.At(j.packet)
	r := h.gatherer.reason(j)
	r.Op, r.Remote, r.NAK = a.op, true, ib.NAKRemoteAccess
	if r.Fault == tpt.NoTranslation {
		r.NAK = ib.NAKRemoteOperational
	}
	nak := answer{kind: answerACK, psn: p.BTH.PSN, msn: a.msn, syndrome: r.NAK, op: a.op, trail: p.Trail}
	nak.trail.Step(PartRemote, now)
	h.dropAnswers(now, q)
	h.Refused.Emit(r)
	q.faulted = true
	h.push(now, q, nak)
	h.raise(now, q, ib.EventQPAccessErr)
	h.toError(now, q)
}

// dropAnswer forgets the answer at the front, which has been sent.
func (h *HCA) dropAnswer(q *qp) {
	id := q.replies.head
	a := h.answers.At(id)
	q.replies.head = a.next
	if q.replies.head == none {
		q.replies.tail = none
	}
	if q.emitting == id {
		q.emitting = h.nextRead(a.next)
	}
	a.waits = false
	h.answers.Put(id)
}

// dropAnswers forgets all answers and what was gathered for them.
func (h *HCA) dropAnswers(_ sim.Time, q *qp) {
	for q.replies.head != none {
		a := h.answers.At(q.replies.head)
		for a.jobs.head != none {
			h.Packets.Put(h.jobs.At(a.jobs.head).packet)
			h.responses.Give(1)
			h.dropHead(&a.jobs)
		}
		h.dropAnswer(q)
	}
	q.emitting = none
}
