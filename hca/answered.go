package hca

import (
	"encoding/binary"

	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// acknowledged acts on an ACK or a NAK.
func (h *HCA) acknowledged(now sim.Time, q *qp, p *wirePacket) {
	before, ok := q.sender.Covers(p.BTH.PSN, p.AETH.Syndrome)
	if !ok {
		return
	}
	if q.reads > 0 {
		if w := h.owedData(q); w != nil && w.owed().Sub(before) < 0 {
			// An answer with data was lost: this one speaks of what lies behind it.
			h.advance(now, q, w.owed(), p)
			h.react(now, q, q.sender.Missing(), nil)
			return
		}
	}
	if p.AETH.Syndrome.IsACK() {
		h.advance(now, q, before, p)
		return
	}
	a := q.sender.Receive(p.BTH.PSN, p.AETH.Syndrome)
	h.advance(now, q, before, p)
	h.react(now, q, a, p)
}

// owed returns the PSN of the next packet of the answer to a READ or atomic.
func (w *wr) owed() ib.PSN { return w.first.Add(w.got) }

// owedData returns the oldest READ or atomic whose answer is not whole.
func (h *HCA) owedData(q *qp) *wr {
	if q.reads == 0 {
		return nil
	}
	for id := q.wrs.head; id != none; {
		w := h.wrs.At(id)
		if w.takesAnswerData() && w.packets > 0 && w.got < w.packets && w.status == ib.Success {
			return w
		}
		id = w.next
	}
	return nil
}

// advance retires what lies before psn. The trail that answer p brought is taken
// by the newest of them, if it is that one's.
func (h *HCA) advance(now sim.Time, q *qp, psn ib.PSN, p *wirePacket) {
	if !q.sender.Acknowledged(psn) {
		return
	}
	var own *sim.Trail // of the oldest, which is retired now
	for id := q.wrs.head; id != none; {
		w := h.wrs.At(id)
		if w.packets > 0 && !w.takesAnswerData() && w.status == ib.Success {
			d := w.last().Sub(psn)
			if d >= 0 {
				break
			}
			if newest := d == -1; newest || w.next == none {
				if t := h.brought(q, w, p); t != nil && id == q.wrs.head {
					own = t
				} else if t != nil {
					w.trail = *t
				}
				if newest {
					break
				}
			}
		}
		id = w.next
	}
	h.restartTimer(now, q)
	h.retire(now, q, own)
}

// brought returns the trail of answer p if it is that of w, else nil: what is
// acknowledged is all that lies before, and what made the peer say so may be a
// packet of another request, such as an older one that came twice.
func (h *HCA) brought(q *qp, w *wr, p *wirePacket) *sim.Trail {
	if p == nil || p.Op != q.attr.SQ.WQEs[w.slot].Op || p.Trail.Start != w.trail.Start {
		return nil
	}
	return &p.Trail
}

// react does what the transport says about a loss or a refusal. p is the
// answer, nil when a timer spoke.
func (h *HCA) react(now sim.Time, q *qp, a rc.Answer, p *wirePacket) {
	switch a.Reaction {
	case rc.Resend:
		h.resend(now, q, a.PSN)
	case rc.Wait:
		q.round++
		q.cursor = none
		h.await(now, q, waitRNR)
		h.timers.Stop(q.timer)
		h.flush(now, q)
		h.timers.Arm(q.timer+1, now.Add(sim.Duration(ib.RNRTimer(a.Timer))*sim.Nanosecond))
	case rc.Fail:
		h.failRemotely(now, q, a, p)
	case rc.Stale, rc.Advance: // nothing more than advance does
	}
}

// failRemotely fails the request that a NAK or the last retry speaks of.
func (h *HCA) failRemotely(now sim.Time, q *qp, a rc.Answer, p *wirePacket) {
	found := false
	for id := q.wrs.head; id != none; {
		w := h.wrs.At(id)
		if w.packets > 0 && w.last().Sub(a.PSN) >= 0 {
			found = true
			w.status = a.Status
			if t := h.brought(q, w, p); t != nil {
				w.trail = *t
			} else {
				w.trail.Step(PartRetry, now)
			}
			break
		}
		id = w.next
	}
	if !found {
		return // it speaks of a packet made by hand
	}
	q.stopped = true
	h.retire(now, q, nil)
}

// answeredData takes a READ response or the answer to an atomic: it must be
// the next one owed.
func (h *HCA) answeredData(now sim.Time, q *qp, id uint32) {
	p := h.Packets.At(id)
	w := h.owedData(q)
	if w == nil || p.BTH.PSN != w.owed() || p.BTH.Opcode.IsReadResponse() == w.atomic() {
		late := w == nil || p.BTH.PSN.Sub(w.owed()) < 0
		h.drop(now, id)
		if !late {
			h.react(now, q, q.sender.Missing(), nil)
		}
		return
	}
	if p.BTH.Opcode == ib.RCAtomicAck {
		binary.LittleEndian.PutUint64(h.Packets.Payload(id, 8), p.AtomicAck.Original)
	}
	wid := h.idOf(q, w)
	before := uint64(w.got) * uint64(q.mtu)
	w.got++
	h.advance(now, q, p.BTH.PSN.Add(1), p)
	w.refs++
	aid, ar := h.newArrival(q, id, p)
	ar.wr, ar.skip = wid, before
	if !h.seekSink(now, q, aid) {
		h.sink(now, q, aid)
	}
}

// idOf returns the handle of a request of the queue.
func (h *HCA) idOf(q *qp, w *wr) uint32 {
	id := q.wrs.head
	for h.wrs.At(id) != w {
		id = h.wrs.At(id).next
	}
	return id
}

// scattered notes that the writes of one response packet are on their way.
func (h *HCA) scattered(now sim.Time, q *qp, id uint32, ar *arrival) {
	w := h.wrs.At(ar.wr)
	p := ar.pkt
	if !w.orphan && w.status == ib.Success && p.BTH.Opcode.Ends() {
		w.done = true
		w.trail = p.Trail
		w.trail.Step(PartNIC, now)
	}
	h.unref(ar.wr)
	ar.wr = none
	h.free(now, id, ar)
	h.giveRead(now, q, w)
	h.retire(now, q, nil)
}

// giveRead lets another READ or atomic go once w is over.
func (h *HCA) giveRead(now sim.Time, q *qp, w *wr) {
	if !w.takesAnswerData() || w.released || w.orphan || !w.done && w.status == ib.Success {
		return
	}
	w.released = true
	q.reads--
	h.kick(now, q, waitReads)
	if q.reads == 0 {
		h.kick(now, q, waitFence)
	}
}

// failScatter fails a READ or atomic whose sink was refused (LOC-2, LOC-3),
// with one status everywhere: send_lkey_fail_status is of sources.
func (h *HCA) failScatter(now sim.Time, q *qp, ar *arrival, r Refusal) {
	w := h.wrs.At(ar.wr)
	if w.orphan || w.status != ib.Success {
		return
	}
	w.status = ib.LocProtErr
	w.trail = ar.pkt.Trail
	q.stopped = true
	if r.Fault == tpt.OK {
		r.Fault = tpt.NoTranslation
	}
	r.Op, r.Status = q.attr.SQ.WQEs[w.slot].Op, w.status
	h.Refused.Emit(r)
	h.retire(now, q, nil)
}
