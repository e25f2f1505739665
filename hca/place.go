package hca

import (
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// place writes the payload of packets to host memory: one access per piece,
// one posted write per physical piece.
type place struct {
	hca    *HCA
	unit   mtp.ClientID
	bus    pcie.ClientID
	pieces sim.Pool[placing]
}

// A Landing is bytes that reach memory by the authority of a key.
type Landing struct {
	At    sim.Time
	Addr  uint64
	N     uint32
	Key   ib.Key
	Entry tpt.Entry // the copy that granted it
	Op    uint32    // the sender's number of the request, when a peer's
	QPN   ib.QPN
}

// A placing is an access of an arrival, from asking to its last byte written.
type placing struct {
	arrival *arrival
	id      uint32 // its handle
	access  uint32 // to release when the last write has landed; none: released
	offset  uint32
	left    uint8
	denied  bool // no page can be had
	start   [mtp.MaxPieces]uint32
	addr    [mtp.MaxPieces]uint64
	landing Landing // of the piece that lands
}

func (p *place) init(h *HCA) {
	p.hca = h
	p.unit = h.Unit.Client("place", p, h.Params.Turns.Place)
	p.bus = h.Bus.Client(h.Name+".place", p)
}

// ask submits the access of one piece. What a peer sends goes through the
// stream of the responder, what it answers through that of the requester.
func (p *place) ask(now sim.Time, stream mtp.StreamID, arrivalID uint32, ar *arrival, offset uint32, a *tpt.Access) {
	ar.asked++
	id := p.pieces.Get()
	pl := p.pieces.At(id)
	pl.arrival, pl.id, pl.access, pl.offset, pl.denied = ar, arrivalID, none, offset, false
	p.hca.Unit.Submit(now, p.unit, stream, id, a)
}

// Resolved sends the writes of a granted piece on their way, or refuses.
func (p *place) Resolved(now sim.Time, handle uint32, a *mtp.Access) {
	h := p.hca
	pl := p.pieces.At(handle)
	ar := pl.arrival
	ar.asked--
	q := h.owner(ar)
	dead := ar.dropped || q == nil
	switch {
	case dead:
	case ar.wr == none:
		a.Account(now, &ar.pkt.Trail, PartRemoteMPT, PartRemoteMTT, PartRemote)
	default:
		a.Account(now, &ar.pkt.Trail, PartMPT, PartMTT, PartNIC)
		dead = h.wrs.At(ar.wr).status != ib.Success // nothing lands behind a failed request
	}
	if dead || a.Fault != tpt.OK || a.N == 0 || !h.reaches(now, a) {
		p.without(now, handle, pl, q, a, dead)
		return
	}
	p.write(now, handle, pl, q, a)
	h.placed(now, q, pl.id, ar)
}

// without ends a piece of which nothing is written: dead, refused, of no bytes,
// or out of reach. One that lacks a page waits for it, or is sent away.
func (p *place) without(now sim.Time, handle uint32, pl *placing, q *qp, a *mtp.Access, dead bool) {
	h := p.hca
	id, ar := pl.id, pl.arrival
	if !dead && h.pager.faults(a) && !pl.denied && (ar.wr != none || !q.denies(a)) {
		if ar.wr != none {
			ar.asked++ // it is still to be answered
			h.pager.park(now, parked{piece: handle, stream: q.replyStream}, a)
			return
		}
		p.pieces.Put(handle)
		ar.dropped = true
		h.sendAway(now, q, ar, a)
		h.placed(now, nil, id, ar)
		return
	}
	p.pieces.Put(handle)
	switch {
	case a.Fault != tpt.OK && !dead:
		h.refusePlace(now, q, id, ar, a)
	case dead || a.N == 0:
		if a.Fault == tpt.OK {
			h.Unit.Release(now, a.ID)
		}
		ar.dropped = ar.dropped || dead
		h.placed(now, q, id, ar)
	default:
		h.refuseReach(now, q, id, ar, a)
		h.Unit.Release(now, a.ID)
	}
}

// reaches reports whether the host lets the adapter at all pieces of a granted
// access.
func (h *HCA) reaches(now sim.Time, a *mtp.Access) bool {
	for i := range a.N {
		if !h.Bus.Reaches(now, a.Pieces[i].Addr, a.Pieces[i].Length) {
			return false
		}
	}
	return true
}

// refuseReach refuses what the host's IOMMU will not let through.
func (h *HCA) refuseReach(now sim.Time, q *qp, id uint32, ar *arrival, a *mtp.Access) {
	ar.dropped = true
	r := Refusal{At: now, QPN: q.qpn, Fault: tpt.NoTranslation, Rule: "3.2-10", Access: a.Access, Entry: a.Entry}
	if ar.wr != none {
		r.Rule = "3.1-8"
		h.failScatter(now, q, ar, r)
	} else {
		r.NAK = ib.NAKRemoteOperational
		h.refuse(now, q, ar, r)
	}
	h.placed(now, nil, id, ar)
}

// write issues the posted writes of a granted piece. Once they are issued
// their order is the bus's; only relaxed ones are awaited (M5).
func (p *place) write(now sim.Time, handle uint32, pl *placing, q *qp, a *mtp.Access) {
	h := p.hca
	l := &pl.landing
	l.Key, l.Entry, l.Op, l.QPN = a.Key, a.Entry, pl.arrival.pkt.Op, q.qpn
	relaxed := a.Entry.Rights&ib.RelaxedOrdering != 0
	pl.left = a.N
	pl.arrival.writes += uint32(a.N)
	at := pl.offset
	for i := range a.N {
		pl.addr[i], pl.start[i] = a.Pieces[i].Addr, at
		at += a.Pieces[i].Length
		h.Bus.Write(now, pcie.Request{
			Addr: a.Pieces[i].Addr, Len: a.Pieces[i].Length,
			Client: p.bus, Handle: handle*mtp.MaxPieces + uint32(i), Relaxed: relaxed,
		})
	}
	if relaxed {
		pl.access = a.ID
	} else {
		h.Unit.Release(now, a.ID)
	}
}

// Served commits bytes: target memory changes at this instant.
func (p *place) Served(now sim.Time, handle, offset, n uint32) {
	pl := p.pieces.At(handle / mtp.MaxPieces)
	i := handle % mtp.MaxPieces
	h := p.hca
	from := pl.start[i] + offset
	addr := pl.addr[i] + uint64(offset)
	h.Memory.Write(addr, pl.arrival.pkt.Payload[from:from+n])
	if h.Landed.On() {
		pl.landing.At, pl.landing.Addr, pl.landing.N = now, addr, n
		h.Landed.Emit(&pl.landing)
	}
}

// Done ends one write.
func (p *place) Done(now sim.Time, handle uint32, ok bool) {
	pl := p.pieces.At(handle / mtp.MaxPieces)
	h := p.hca
	id, ar := pl.id, pl.arrival
	ar.writes--
	if pl.left--; pl.left == 0 {
		if pl.access != none {
			h.Unit.Release(now, pl.access)
		}
		p.pieces.Put(handle / mtp.MaxPieces)
	}
	if !ok {
		h.iommuFault(now, ar)
	}
	h.free(now, id, ar)
}

// placed goes on with an arrival whose accesses have all been granted.
func (h *HCA) placed(now sim.Time, q *qp, id uint32, ar *arrival) {
	if ar.asked > 0 {
		return
	}
	ar.executed = true
	if ar.dropped || q == nil {
		if ar.wr != none {
			h.unref(ar.wr)
		}
		h.ungranted(now, ar)
		h.free(now, id, ar)
		return
	}
	if h.Executed.On() {
		h.Executed.Emit(Execution{At: now, QPN: q.qpn, Op: ar.pkt.Op, Answer: ar.wr != none, PSN: ar.pkt.BTH.PSN})
	}
	if ar.wr != none {
		h.scattered(now, q, id, ar)
	} else {
		h.execute(now, q, id, ar)
	}
}

// refusePlace answers a refusal: of the peer's key or of a receive buffer on
// the responder, of a sink on the requester.
func (h *HCA) refusePlace(now sim.Time, q *qp, id uint32, ar *arrival, a *mtp.Access) {
	ar.dropped = true
	r := Refusal{At: now, QPN: q.qpn, Fault: a.Fault, Rule: a.Fault.Rule(a.Entry, a.Access), Access: a.Access, Entry: a.Entry}
	switch {
	case ar.wr != none:
		h.failScatter(now, q, ar, r)
	case a.Remote && a.Fault != tpt.NoTranslation:
		r.NAK = ib.NAKRemoteAccess
		h.refuse(now, q, ar, r)
	default: // 3.2 step 10, LOC-11
		r.NAK = ib.NAKRemoteOperational
		h.refuse(now, q, ar, r)
	}
	h.placed(now, nil, id, ar)
}
