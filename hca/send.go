package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
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

// emit makes the next packet of the request that is being sent.
func (h *HCA) emit(now sim.Time, q *qp) bool {
	w := h.wrs.At(q.cursor)
	h.granted = h.timing.sending[w.opcode]
	if w.status != ib.Success { // what is behind is not sent, nor sent again
		q.cursor = none
		return true
	}
	if w.packets == 0 || w.takesAnswerData() && w.got == w.packets {
		h.forward(now, q, w)
		return true
	}
	if !q.credit && !h.buffers.TakeOrWait(1, h.gatherer.granted, uint32(q.qpn)) {
		h.await(now, q, waitBuffer)
		return false
	}
	q.credit = false
	e := &q.attr.SQ.WQEs[w.slot]
	id := h.Packets.Get()
	p := h.Packets.At(id)
	p.Op = e.Op
	p.Trail = w.trail
	if w.resent {
		p.Trail.Step(PartRetry, now)
	} else {
		p.Trail.Step(PartQueue, now)
	}
	jobID, j := h.newJob(q, &q.jobs, id, p)
	j.wr, j.round = q.cursor, q.round
	if w.takesAnswerData() {
		fillQuestion(q, w, e, p)
		j.psn = p.BTH.PSN
		h.forward(now, q, w)
		h.flush(now, q)
		return true
	}
	n := fill(q, w, e, p)
	j.psn = p.BTH.PSN
	h.collect(now, q, w, e, jobID, j, n)
	if w.sent == w.packets {
		h.forward(now, q, w)
	}
	if h.jobs.At(q.jobs.head).pending == 0 {
		h.flush(now, q)
	}
	return true
}

// forward moves the cursor behind w.
func (h *HCA) forward(now sim.Time, q *qp, w *wr) {
	q.cursor = w.next
	if h.fetchAhead(q) {
		h.fetcher.send(now, q)
	}
}

func (h *HCA) fetchAhead(q *qp) bool {
	return q.fetched != q.posted && q.fetched-q.next <= h.Params.WQEPrefetch/2
}

// fillQuestion makes the headers of a READ request or an atomic.
func fillQuestion(q *qp, w *wr, e *ib.WQE, p *wirePacket) {
	p.BTH = ib.BTH{Opcode: ib.RCReadRequest, DestQP: q.attr.Dest, PSN: w.first.Add(w.got), PKey: ib.DefaultPKey, AckReq: true}
	switch w.opcode {
	case ib.WRRDMARead:
		done := uint64(w.got) * uint64(q.mtu)
		p.RETH = ib.RETH{VA: e.RemoteAddr + done, RKey: e.RKey, Length: uint32(w.length - done)}
		w.sent = w.packets
		return
	case ib.WRAtomicCmpAndSwp:
		p.BTH.Opcode = ib.RCCompareSwap
	default:
		p.BTH.Opcode = ib.RCFetchAdd
	}
	p.BTH.PSN = w.first.Add(w.sent)
	p.Atomic = ib.AtomicETH{VA: e.RemoteAddr, RKey: e.RKey, Swap: e.Swap, Compare: e.Compare}
	w.sent = 1
}

// fill makes the headers of the next packet of a SEND or WRITE, and returns
// the bytes that it carries.
func fill(q *qp, w *wr, e *ib.WQE, p *wirePacket) (n uint32) {
	b := &p.BTH
	b.DestQP, b.PSN, b.PKey = q.attr.Dest, w.first.Add(w.sent), ib.DefaultPKey
	first, last := w.sent == 0, w.sent+1 == w.packets
	b.Opcode = packetOpcode(w.opcode, first, last)
	switch q.attr.Type {
	case ib.RC:
		b.AckReq = last
	case ib.UC:
		b.Opcode += ib.UCSendFirst - ib.RCSendFirst
	case ib.UD:
		b.Opcode += ib.UDSendOnly - ib.RCSendOnly
		b.DestQP, p.DETH = e.DestQP, ib.DETH{QKey: e.QKey, SrcQP: q.qpn}
	}
	b.Solicited = last && w.flags&ib.Solicited != 0
	if b.Opcode.HasRETH() {
		p.RETH = ib.RETH{VA: e.RemoteAddr, RKey: e.RKey, Length: uint32(w.length)}
	}
	if b.Opcode.HasImm() {
		p.Imm.Data = e.Imm
	}
	if b.Opcode.HasIETH() {
		p.IETH.RKey = e.RKey
	}
	done := uint64(w.sent) * uint64(q.mtu)
	w.sent++
	return uint32(min(w.length-done, uint64(q.mtu)))
}

// collect starts the gathering of n bytes: inline ones came with the request,
// others are one access per piece of the list.
func (h *HCA) collect(now sim.Time, q *qp, w *wr, e *ib.WQE, jobID uint32, j *job, n uint32) {
	buf := h.Packets.Payload(j.packet, n)
	ring := q.attr.SQ
	if w.flags&ib.Inline != 0 {
		done := int(w.sent-1) * int(q.mtu)
		copy(buf, ring.InlineData(w.slot)[done:])
		return
	}
	sges := ring.SGE(w.slot)
	for at := uint32(0); at < n; {
		s := &sges[w.sge]
		if w.offset == s.Length { // also a piece of length 0, whose key is not looked at
			w.sge, w.offset = w.sge+1, 0
			continue
		}
		part := min(n-at, s.Length-w.offset)
		h.reach(now, e.Op, StageLookup)
		h.gatherer.ask(now, q.sendStream, jobID, j, at, &tpt.Access{
			Key: ib.Key(s.LKey), PD: q.attr.PD, QPN: q.qpn,
			Judge: tpt.Range{VA: s.Addr, Length: uint64(s.Length)},
			Move:  tpt.Range{VA: s.Addr + uint64(w.offset), Length: uint64(part)},
		})
		at += part
		w.offset += part
	}
	if h.Variant.SGEUpfront && w.sent == 1 {
		h.checkRest(now, q, jobID, j, sges[min(int(w.sge)+1, len(sges)):])
	}
}

// checkRest has the pieces of later packets judged before the first one leaves
// (LOC-7, sge_check: upfront). They move nothing yet.
func (h *HCA) checkRest(now sim.Time, q *qp, jobID uint32, j *job, rest []ib.SGE) {
	for i := range rest {
		if s := &rest[i]; s.Length > 0 {
			h.gatherer.ask(now, q.sendStream, jobID, j, 0, &tpt.Access{
				Key: ib.Key(s.LKey), PD: q.attr.PD, QPN: q.qpn, Judge: tpt.Range{VA: s.Addr, Length: uint64(s.Length)},
			})
		}
	}
}

// packetOpcode returns the opcode of one packet of a SEND or WRITE.
func packetOpcode(o ib.WROpcode, first, last bool) ib.Opcode {
	if o == ib.WRRDMAWrite && first && last {
		return ib.RCWriteOnly
	}
	write := o == ib.WRRDMAWrite || o == ib.WRRDMAWriteWithImm
	base := ib.RCSendFirst
	if write {
		base = ib.RCWriteFirst
	}
	switch {
	case first && !last:
		return base
	case !first && !last:
		return base + 1
	}
	op := base + 2 // last
	if first {
		op = base + 4 // only
	}
	switch o {
	case ib.WRSendWithImm, ib.WRRDMAWriteWithImm:
		return op + 1
	case ib.WRSendWithInv:
		if first {
			return ib.RCSendOnlyInv
		}
		return ib.RCSendLastInv
	default:
		return op
	}
}
