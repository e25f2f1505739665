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
	arrival uint32
	access  uint32 // to release when the last write has landed; none: released
	offset  uint32
	key     ib.Key
	entry   tpt.Entry
	addr    [mtp.MaxPieces]uint64
	start   [mtp.MaxPieces]uint32
	left    uint8
	denied  bool // no page can be had
}

func (p *place) init(h *HCA) {
	p.hca = h
	p.unit = h.Unit.Client("place", p, h.Params.Turns.Place)
	p.bus = h.Bus.Client(h.Name+".place", p)
}

// ask submits the access of one piece. What a peer sends goes through the
// stream of the responder, what it answers through that of the requester.
func (p *place) ask(now sim.Time, q *qp, arrivalID, offset uint32, a tpt.Access) {
	ar := p.hca.arrivals.At(arrivalID)
	ar.asked++
	stream := q.recvStream
	if ar.wr != none {
		stream = q.replyStream
	}
	id := p.pieces.Get()
	*p.pieces.At(id) = placing{arrival: arrivalID, offset: offset, access: none}
	p.hca.Unit.Submit(now, p.unit, stream, id, &a)
}

// Resolved sends the writes of a granted piece on their way, or refuses.
func (p *place) Resolved(now sim.Time, handle uint32, a *mtp.Access) {
	h := p.hca
	pl := p.pieces.At(handle)
	id := pl.arrival
	ar := h.arrivals.At(id)
	ar.asked--
	q := h.owner(ar)
	if !ar.dropped && q != nil {
		t := &h.Packets.At(ar.packet).Trail
		if ar.wr == none {
			a.Account(now, t, PartRemoteMPT, PartRemoteMTT, PartRemote)
		} else {
			a.Account(now, t, PartMPT, PartMTT, PartNIC)
		}
	}
	dead := ar.dropped || q == nil ||
		ar.wr != none && h.wrs.At(ar.wr).status != ib.Success // nothing lands behind a failed request
	if !dead && h.pager.faults(a) && !pl.denied && (ar.wr != none || !q.denies(a)) {
		if ar.wr != none {
			ar.asked++ // it is still to be answered
			h.pager.park(now, parked{piece: handle, stream: q.replyStream}, a)
			return
		}
		p.pieces.Put(handle)
		ar.dropped = true
		h.sendAway(now, q, id, a)
		h.placed(now, nil, id)
		return
	}
	switch {
	case a.Fault != tpt.OK && !dead:
		p.pieces.Put(handle)
		h.refusePlace(now, q, id, a)
	case dead || a.N == 0:
		if a.Fault == tpt.OK {
			h.Unit.Release(now, a.ID)
		}
		p.pieces.Put(handle)
		ar.dropped = ar.dropped || dead
		h.placed(now, q, id)
	case !h.reaches(now, a):
		p.pieces.Put(handle)
		h.refuseReach(now, q, id, a)
		h.Unit.Release(now, a.ID)
	default:
		p.write(now, handle, a)
		h.placed(now, q, id)
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
func (h *HCA) refuseReach(now sim.Time, q *qp, id uint32, a *mtp.Access) {
	ar := h.arrivals.At(id)
	ar.dropped = true
	r := Refusal{At: now, QPN: q.qpn, Fault: tpt.NoTranslation, Rule: "3.2-10", Access: a.Access, Entry: a.Entry}
	if ar.wr != none {
		r.Rule = "3.1-8"
		h.failScatter(now, q, ar, r)
	} else {
		r.NAK = ib.NAKRemoteOperational
		h.refuse(now, q, id, r)
	}
	h.placed(now, nil, id)
}

// write issues the posted writes of a granted piece. Once they are issued
// their order is the bus's; only relaxed ones are awaited (M5).
func (p *place) write(now sim.Time, handle uint32, a *mtp.Access) {
	h := p.hca
	pl := p.pieces.At(handle)
	pl.left, pl.key, pl.entry = a.N, a.Key, a.Entry
	relaxed := a.Entry.Rights&ib.RelaxedOrdering != 0
	at := pl.offset
	for i := range a.N {
		pl.addr[i], pl.start[i] = a.Pieces[i].Addr, at
		at += a.Pieces[i].Length
	}
	h.arrivals.At(pl.arrival).writes += uint32(a.N)
	for i := range a.N {
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
	pkt := h.Packets.At(h.arrivals.At(pl.arrival).packet)
	from := pl.start[i] + offset
	addr := pl.addr[i] + uint64(offset)
	h.Memory.Write(addr, pkt.Payload[from:from+n])
	if h.Landed.On() {
		h.Landed.Emit(Landing{now, addr, n, pl.key, pl.entry, pkt.Op, h.arrivals.At(pl.arrival).qpn})
	}
}

// Done ends one write.
func (p *place) Done(now sim.Time, handle uint32, ok bool) {
	id := handle / mtp.MaxPieces
	pl := p.pieces.At(id)
	h := p.hca
	ar := pl.arrival
	h.arrivals.At(ar).writes--
	if pl.left--; pl.left == 0 {
		if pl.access != none {
			h.Unit.Release(now, pl.access)
		}
		p.pieces.Put(id)
	}
	if !ok {
		h.iommuFault(now, ar)
	}
	h.free(now, ar)
}

// placed goes on with an arrival whose accesses have all been granted.
func (h *HCA) placed(now sim.Time, q *qp, id uint32) {
	ar := h.arrivals.At(id)
	if ar.asked > 0 {
		return
	}
	ar.executed = true
	switch {
	case ar.dropped || q == nil:
		if ar.wr != none {
			h.unref(ar.wr)
		}
		h.free(now, id)
	case ar.wr != none:
		h.executed(now, q, ar, true)
		h.scattered(now, q, id)
	default:
		h.executed(now, q, ar, false)
		h.execute(now, q, id)
	}
}

func (h *HCA) executed(now sim.Time, q *qp, ar *arrival, answer bool) {
	if h.Executed.On() {
		p := h.Packets.At(ar.packet)
		h.Executed.Emit(Execution{At: now, QPN: q.qpn, Op: p.Op, Answer: answer, PSN: p.BTH.PSN})
	}
}

// refusePlace answers a refusal: of the peer's key or of a receive buffer on
// the responder, of a sink on the requester.
func (h *HCA) refusePlace(now sim.Time, q *qp, id uint32, a *mtp.Access) {
	ar := h.arrivals.At(id)
	ar.dropped = true
	r := Refusal{At: now, QPN: q.qpn, Fault: a.Fault, Rule: a.Fault.Rule(a.Entry, a.Access), Access: a.Access, Entry: a.Entry}
	switch {
	case ar.wr != none:
		h.failScatter(now, q, ar, r)
	case a.Remote && a.Fault != tpt.NoTranslation:
		r.NAK = ib.NAKRemoteAccess
		h.refuse(now, q, id, r)
	default: // 3.2 step 10, LOC-11
		r.NAK = ib.NAKRemoteOperational
		h.refuse(now, q, id, r)
	}
	h.placed(now, nil, id)
}
