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
	packet     uint32
	qpn        ib.QPN
	life       uint32 // of the queue pair
	wr         uint32 // READ response, atomic answer: the request; else none
	msn        uint32
	asked      uint32       // accesses under way
	writes     uint32       // DMA writes under way
	message    uint32       // UC: of the queue pair
	serial     uint32       // of the requests accepted by the queue pair, from 1
	before     rc.Responder // what the queue pair was before it accepted this one
	openBefore receive
	nextBefore uint32
	skip       uint64 // answers: bytes of the READ before this packet
	bytes      uint32 // of the message so far, this packet included
	recv       receive
	executed   bool // nothing more will be asked
	dropped    bool // a fault, its own or an earlier one's
}

// takeRequest takes a request packet out of the receive pipeline.
func (h *HCA) takeRequest(now sim.Time, id uint32) bool {
	if h.taken == h.Params.ReceiveBuffers {
		return false // drop resumes
	}
	p := h.Packets.At(id)
	q := h.qp(p.BTH.DestQP)
	where := mtp.Here
	if known := q != nil && q.responds() && ours(p.BTH.PKey); !known {
		q = nil
	}
	if where = h.contextOf(now, q, id, PartRemote, PartRemoteQPC); where == mtp.Coming {
		return false
	}
	h.taken++
	h.reach(now, p.Op, StageReceive)
	switch {
	case q == nil:
		h.drop(now, id)
	case where == mtp.Here:
		h.request(now, q, id)
	}
	return true
}

// contextOf has the engine take a packet that was received, and says where the
// context of its queue pair is; Coming also when the engine is busy: the packet
// stays in its pipeline. Packets of no queue pair need none, and answers find on
// chip what is kept of requests that are outstanding: a READ costs two contexts in
// all, one at each end, by the rates of three adapters (FaSST, eRPC, Storm).
func (h *HCA) contextOf(now sim.Time, q *qp, id uint32, before, waited sim.Part) mtp.Presence {
	e := h.takes
	if !e.offers(now) {
		return mtp.Coming
	}
	p := h.Packets.At(id)
	where := mtp.Here
	if e.fetched == id {
		e.fetched = none
		p.Trail.Step(waited, now)
	} else if p.Trail.Step(before, now); q != nil && !p.BTH.Opcode.IsResponse() {
		where = h.Unit.Context(now, h.inbound, q.qpn, id)
	}
	switch {
	case where == mtp.Coming:
		e.await(id, q.qpn)
		e.refused = true
	case e.shared:
		e.keep(now, h.receiving(p), false)
	}
	return where
}

// ours reports whether a packet belongs to the partition of all adapters: its
// full and its limited members may speak with full ones (IBA 10.9).
func ours(key uint16) bool { return key&0x7FFF == 0x7FFF }

// takeAnswer takes an answer packet out of the receive pipeline.
func (h *HCA) takeAnswer(now sim.Time, id uint32) bool {
	q := h.qp(h.Packets.At(id).BTH.DestQP)
	if known := q != nil && q.sends() && ours(h.Packets.At(id).BTH.PKey); !known {
		q = nil
	}
	where := h.contextOf(now, q, id, PartNIC, PartQPC)
	switch {
	case where == mtp.Coming:
		return false
	case q == nil:
		h.drop(now, id)
	case where == mtp.Here:
		h.answered(now, q, id)
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
	answer := p.BTH.Opcode.IsResponse()
	if answer {
		p.Trail.Step(PartQPC, now)
	} else {
		p.Trail.Step(PartRemoteQPC, now)
	}
	switch {
	case q == nil, answer && !q.sends(), !answer && !q.responds():
		h.drop(now, id)
	case answer:
		h.answered(now, q, id)
	default:
		h.request(now, q, id)
	}
}

// request queues a request packet behind those that are not yet judged.
func (h *HCA) request(now sim.Time, q *qp, id uint32) {
	q.waiting.Push(id)
	h.respond(now, q)
}

// newArrival begins the work on a packet.
func (h *HCA) newArrival(q *qp, packet uint32) uint32 {
	id := h.arrivals.Get()
	*h.arrivals.At(id) = arrival{packet: packet, qpn: q.qpn, life: q.life, wr: none}
	return id
}

// owner returns the queue pair that an arrival belongs to, or nil if it is
// gone, was reset since, or does not respond to requests any more.
func (h *HCA) owner(a *arrival) *qp {
	q := h.qp(a.qpn)
	switch {
	case q == nil || q.life != a.life:
		return nil
	case a.wr != none:
		return q
	case q.faulted || !q.responds(),
		!q.reliable() && a.message == q.deadMessage && a.message != 0,
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
		if rx := h.rx[wire.Requests]; rx.Stalled() {
			h.takes.resumed = now
			rx.Resume(now)
		}
	}
	h.Packets.Put(id)
}

// free ends an arrival once nothing of it is under way.
func (h *HCA) free(now sim.Time, id uint32) {
	a := h.arrivals.At(id)
	if a.executed && a.asked == 0 && a.writes == 0 {
		h.drop(now, a.packet)
		h.arrivals.Put(id)
	}
}

// scatter asks for the accesses that place n bytes of an arrival's payload
// into a list of pieces, from byte skip of the list on. It reports how many
// it asked for.
func (h *HCA) scatter(now sim.Time, q *qp, id uint32, sges []ib.SGE, skip, n uint64) {
	whole := h.Variant.RecvOverlongWhole
	pd := q.attr.PD
	if h.arrivals.At(id).wr == none {
		pd = q.rq.pd
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
		if whole || h.arrivals.At(id).wr != none {
			judge = tpt.Range{VA: s.Addr, Length: uint64(s.Length)}
		}
		h.placer.ask(now, q, id, uint32(at), tpt.Access{
			Key: ib.Key(s.LKey), PD: pd, QPN: q.qpn, Need: ib.LocalWrite, Judge: judge, Move: move,
		})
		at += part
		skip = 0
	}
}
