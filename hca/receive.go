package hca

import (
	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// An arrival is a packet with payload, or a request, while it is worked on.
type arrival struct {
	q        *qp
	pkt      *wirePacket
	packet   uint32 // its handle
	life     uint32 // of the queue pair
	wr       uint32 // READ response, atomic answer: the request; else none
	msn      uint32 // with it, if it ends its message
	asked    uint32 // accesses under way
	writes   uint32 // DMA writes under way
	message  uint32 // UC: of the queue pair
	serial   uint32 // of the requests accepted by the queue pair, from 1
	bytes    uint32 // of the message so far, this packet included
	executed bool   // nothing more will be asked
	dropped  bool   // a fault, its own or an earlier one's
	alone    bool   // a message by itself that takes no receive
	past     past   // unless alone
	recv     receive
	skip     uint64 // answers: bytes of the READ before this packet
	next     uint32 // of the receive queue, before it accepted this one
}

// A past is what a queue pair was before it accepted a request.
type past struct {
	responder rc.Responder
	open      receive
}

// recall keeps what goBack needs. It is called before a request is accepted.
func (ar *arrival) recall(q *qp, o ib.Opcode) {
	if ar.alone = o.Only() && !q.open.taken && !rc.TakesReceive(o); ar.alone {
		return
	}
	ar.past = past{q.responder, q.open}
	if q.open.taken && (o.Starts() || o.IsWrite()) { // taken by this packet
		ar.past.open.taken = false
		ar.next--
	}
}

// giveBack returns to a shared queue what messages behind a request, which are to
// come again, have taken from it. The request's own message keeps its own.
func (ar *arrival) giveBack(q *qp) {
	own := func(r receive) bool { return ar.recv.taken && r.slot == ar.recv.slot }
	for range q.lent.Len() {
		switch l := q.lent.Pop(); {
		case l.serial < ar.serial:
			q.lent.Push(l)
		case !own(l.recv):
			q.rq.returned.Push(l.recv)
		}
	}
	if q.rq.srqn != 0 && q.open.taken && !own(q.open) {
		q.rq.returned.Push(q.open)
	}
}

// goBack makes a queue pair what it was before it accepted a request.
func (ar *arrival) goBack(q *qp) {
	if ar.alone {
		q.responder.Back(ar.pkt.BTH.PSN, ar.msn)
		q.open.taken = false
	} else {
		q.responder, q.open = ar.past.responder, ar.past.open
	}
	if q.rq.srqn == 0 {
		q.rq.next = ar.next
	} else if ar.recv.taken {
		q.open = ar.recv
	}
}

// completed returns how many messages were completed before a request, whatever
// has been accepted behind it since (IBA C9-148). A duplicate is one of them.
func (ar *arrival) completed() uint32 {
	if ar.serial == 0 || !ar.pkt.BTH.Opcode.Ends() {
		return ar.msn
	}
	return (ar.msn - 1) & 0xFFFFFF
}

// takeRequest takes a request packet out of the receive pipeline.
func (h *HCA) takeRequest(now sim.Time, id uint32) bool {
	if h.taken == h.Params.ReceiveBuffers {
		if !h.full {
			h.full = true
			h.stall(now, StallReceiveBuffers, false)
		}
		return false // drop resumes
	}
	p := h.Packets.At(id)
	q := h.qp(p.BTH.DestQP)
	if q != nil && !(q.responds() && ours(p.BTH.PKey)) {
		q = nil
	}
	where := h.contextOf(now, q, id, p)
	if where == mtp.Coming {
		return false
	}
	h.taken++
	h.reach(now, p.Op, StageReceive)
	switch {
	case q == nil:
		h.drop(now, id)
	case where == mtp.Here:
		h.request(now, q, id, p)
	}
	return true
}

// contextOf has the engine take a request that was received, and says where the
// context of its queue pair is; Coming also when the engine is busy: the packet
// stays in its pipeline. Packets of no queue pair need none.
func (h *HCA) contextOf(now sim.Time, q *qp, id uint32, p *wirePacket) mtp.Presence {
	e := h.takes
	if !e.offers(now) {
		return mtp.Coming
	}
	where := mtp.Here
	if e.fetched == id {
		e.fetched = none
		p.Trail.Step(PartRemoteQPC, now)
	} else if p.Trail.Step(PartRemote, now); q != nil {
		where = h.Unit.Context(now, h.inbound, q.qpn, id)
	}
	switch {
	case where == mtp.Coming:
		e.await(id, q.qpn)
		e.refuse(now)
	case e.shared:
		e.keep(now, h.receiving(p), false)
	}
	return where
}

// ours reports whether a packet belongs to the partition of all adapters: its
// full and its limited members may speak with full ones (IBA 10.9).
func ours(key uint16) bool { return key&0x7FFF == 0x7FFF }

// takeAnswer takes an answer packet out of the receive pipeline. Answers find on
// chip what is kept of requests that are outstanding: a READ costs two contexts in
// all, one at each end, by the rates of three adapters (FaSST, eRPC, Storm).
func (h *HCA) takeAnswer(now sim.Time, id uint32) bool {
	p := h.Packets.At(id)
	q := h.qp(p.BTH.DestQP)
	if q != nil && !(q.sends() && ours(p.BTH.PKey)) {
		q = nil
	}
	e := h.takes
	if !e.offers(now) {
		return false
	}
	p.Trail.Step(PartNIC, now)
	if e.shared {
		e.keep(now, h.receiving(p), false)
	}
	switch o := p.BTH.Opcode; {
	case q != nil && o == ib.RCAck:
		h.acknowledged(now, q, p)
		h.Packets.Put(id)
	case q != nil && (o.IsReadResponse() || o == ib.RCAtomicAck):
		h.answeredData(now, q, id)
	default:
		h.drop(now, id)
	}
	return true
}

// receiveContext lets packets go on whose queue pair's context has come.
type receiveContext struct{ hca *HCA }

// ContextReady hands the packet to its side.
func (c receiveContext) ContextReady(now sim.Time, id uint32) {
	h := c.hca
	if h.takes.came(now, id, h.Packets.At(id).BTH.DestQP) {
		return // its pipeline hands it over again
	}
	p := h.Packets.At(id)
	q := h.qp(p.BTH.DestQP)
	p.Trail.Step(PartRemoteQPC, now)
	if q == nil || !q.responds() {
		h.drop(now, id)
		return
	}
	h.request(now, q, id, p)
}

// request judges a request packet, or queues it behind those that are not yet
// judged.
func (h *HCA) request(now sim.Time, q *qp, id uint32, p *wirePacket) {
	if q.waiting.Len() > 0 || q.held || q.responding {
		q.waiting.Push(id)
		h.respond(now, q)
		return
	}
	q.responding = true
	if !h.judge(now, q, id, p) {
		q.waiting.Push(id)
	}
	q.responding = false
}

// newArrival begins the work on a packet.
func (h *HCA) newArrival(q *qp, packet uint32, p *wirePacket) (id uint32, ar *arrival) {
	id = h.arrivals.Get()
	ar = h.arrivals.At(id)
	ar.q, ar.pkt, ar.packet, ar.life, ar.wr = q, p, packet, q.life, none
	ar.asked, ar.writes, ar.message, ar.serial = 0, 0, 0, 0
	ar.executed, ar.dropped, ar.recv.taken = false, false, false
	return id, ar
}

// owner returns the queue pair that an arrival belongs to, or nil if it is
// gone, was reset since, or does not respond to requests any more.
func (h *HCA) owner(a *arrival) *qp {
	q := a.q
	switch {
	case q.life != a.life: // also of one that is gone
		return nil
	case a.wr != none:
		return q
	case q.faulted || !q.responds(),
		a.message != 0 && a.message == q.deadMessage && !q.reliable(),
		a.serial != 0 && a.serial >= q.deadFrom && a.serial <= q.deadTo: // sent away
		return nil
	}
	return q
}

// drop is done with a packet that came in. Those that requests came in have a
// receive buffer to give back.
func (h *HCA) drop(now sim.Time, id uint32) {
	if wire.ClassOf(h.Packets.At(id).BTH.Opcode) == wire.Requests {
		h.taken--
		if h.full {
			h.full = false
			h.stall(now, StallReceiveBuffers, true)
		}
		if rx := h.rx[wire.Requests]; rx.Stalled() {
			h.takes.resumed = now
			rx.Resume(now)
		}
	}
	h.Packets.Put(id)
}

// free ends an arrival once nothing of it is under way.
func (h *HCA) free(now sim.Time, id uint32, a *arrival) {
	if a.executed && a.asked == 0 && a.writes == 0 {
		h.forget(now, id, a)
	}
}

func (h *HCA) forget(now sim.Time, id uint32, a *arrival) {
	h.drop(now, a.packet)
	h.arrivals.Put(id)
}

// scatter asks for the accesses that place n bytes of an arrival's payload
// into a list of pieces, from byte skip of the list on. It reports how many
// it asked for.
func (h *HCA) scatter(now sim.Time, q *qp, id uint32, sges []ib.SGE, skip, n uint64) {
	whole := h.Variant.RecvOverlongWhole
	ar := h.arrivals.At(id)
	pd, stream := q.rq.pd, q.recvStream
	if ar.wr != none {
		pd, stream = q.attr.PD, q.replyStream
	}
	at := uint64(0)
	for i := range sges {
		s := &sges[i]
		if at == n {
			return
		}
		if skip >= uint64(s.Length) {
			skip -= uint64(s.Length)
			continue
		}
		part := min(n-at, uint64(s.Length)-skip)
		move := tpt.Range{VA: s.Addr + skip, Length: part}
		judge := move
		if whole || ar.wr != none {
			judge = tpt.Range{VA: s.Addr, Length: uint64(s.Length)}
		}
		h.placer.ask(now, stream, id, ar, uint32(at), &tpt.Access{
			Key: ib.Key(s.LKey), PD: pd, QPN: q.qpn, Need: ib.LocalWrite, Judge: judge, Move: move,
		})
		at += part
		skip = 0
	}
}
