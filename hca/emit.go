package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

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
