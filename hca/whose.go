package hca

import (
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/wire"
)

// Whose says to which request a piece of the adapter's work belongs, for those
// who watch a bus or the translation unit: there work has a handle that is its
// client's own. It answers while the work is under way.

// WhoseDMA returns the poster's number of the request that a DMA serves: of
// several that are fetched together the first. What serves none, such as a
// fetch of table entries, has none.
func (h *HCA) WhoseDMA(client pcie.ClientID, handle uint32) (op uint32, ok bool) {
	switch client {
	case h.gatherer.bus:
		return h.gatherer.pieces.At(handle / mtp.MaxPieces).job.pkt.Op, true
	case h.placer.bus:
		return h.placer.pieces.At(handle / mtp.MaxPieces).arrival.pkt.Op, true
	case h.atomics.bus:
		return h.whoseArrival(h.atomics.ops.At(handle).arrival)
	case h.completer.client:
		return h.completer.writes.At(handle).cqe.Op, true
	case h.fetcher.client:
		return h.whoseFetch(h.fetcher.reads.At(handle))
	case h.receives.client:
		return h.whoseReceive(h.receives.reads.At(handle))
	}
	return 0, false
}

// WhoseAccess returns the same of an access that the translation unit reports.
func (h *HCA) WhoseAccess(a *mtp.Access) (op uint32, ok bool) {
	switch a.Client() {
	case h.gatherer.unit:
		return h.gatherer.pieces.At(a.Handle).job.pkt.Op, true
	case h.placer.unit:
		return h.placer.pieces.At(a.Handle).arrival.pkt.Op, true
	case h.atomics.unit:
		return h.whoseArrival(h.atomics.ops.At(a.Handle).arrival)
	}
	return 0, false
}

// WhoseChange returns the same of a change of the tables: none of one that the
// driver asked for.
func (h *HCA) WhoseChange(c *mtp.Changed) (op uint32, ok bool) {
	switch c.Client.(type) {
	case localChange:
		w := h.wrs.At(c.Handle)
		if q := h.qp(w.qpn); q != nil && !w.orphan {
			return q.attr.SQ.WQEs[w.slot].Op, true
		}
	case remoteInvalidate:
		return h.whoseArrival(c.Handle)
	}
	return 0, false
}

func (h *HCA) whoseArrival(id uint32) (op uint32, ok bool) {
	if ar := h.arrivals.At(id); ar.pkt != nil {
		return ar.pkt.Op, true
	}
	return 0, false
}

// whoseFetch returns the first request that a fetch of a send queue is to
// bring.
func (h *HCA) whoseFetch(r *wqeRead) (op uint32, ok bool) {
	q := h.qp(r.qpn)
	if q == nil || q.life != r.life {
		return 0, false
	}
	if r.again != none {
		return q.attr.SQ.WQEs[h.wrs.At(r.again).slot].Op, true
	}
	if r.count == 0 {
		return 0, false
	}
	return q.attr.SQ.WQEs[q.attr.SQ.Slot(q.fetched)].Op, true
}

// whoseReceive does so of a receive queue.
func (h *HCA) whoseReceive(got *recvRead) (op uint32, ok bool) {
	r := h.srq(got.srqn)
	if got.srqn == 0 {
		q := h.qp(got.qpn)
		if q == nil || q.rq.life != got.life {
			return 0, false
		}
		r = q.rq
	}
	if r == nil || got.count == 0 {
		return 0, false
	}
	return r.ring.WQEs[r.ring.Slot(r.fetched)].Op, true
}

// A UnitID names the part of the adapter that a DMA is for.
type UnitID uint8

// The parts that read and write host memory.
const (
	UnitOther    UnitID = iota
	UnitWQE             // work requests
	UnitRecv            // receive requests
	UnitTable           // entries, translations and contexts
	UnitGather          // payload that is sent
	UnitPlace           // payload that came
	UnitAtomic          // the word of an atomic
	UnitCQE             // completions
	UnitEvent           // asynchronous events
	UnitCommand         // device commands
	UnitPageList        // pages of a fast registration
)

var unitNames = [...]string{
	UnitOther: "other", UnitWQE: "WQE fetch", UnitRecv: "RECV fetch", UnitTable: "table fetch", UnitGather: "gather",
	UnitPlace: "place", UnitAtomic: "atomic", UnitCQE: "CQE", UnitEvent: "event", UnitCommand: "command", UnitPageList: "page list",
}

// String returns the part in words.
func (u UnitID) String() string { return unitNames[u] }

// UnitOf returns which part a DMA is for.
func (h *HCA) UnitOf(client pcie.ClientID) UnitID {
	switch client {
	case h.fetcher.client:
		return UnitWQE
	case h.receives.client:
		return UnitRecv
	case h.gatherer.bus:
		return UnitGather
	case h.placer.bus:
		return UnitPlace
	case h.atomics.bus:
		return UnitAtomic
	case h.completer.client:
		return UnitCQE
	case h.completer.events, h.pager.client:
		return UnitEvent
	case h.commands.client, h.commands.answered:
		return UnitCommand
	case h.lists.client:
		return UnitPageList
	}
	if h.Unit.Serves(client) {
		return UnitTable
	}
	return UnitOther
}

// Sending reports every packet of a class that leaves the transmit pipeline for
// the wire; the value of a hop is its handle, in Packets.
func (h *HCA) Sending(c wire.Class) *sim.Probe[sim.Hop] { return &h.tx[c].pipe.Passed }

// Receiving reports every packet of a class as it is taken out of the receive
// pipeline: in the order in which they came in, since the value of a hop may be
// a packet's handle no more.
func (h *HCA) Receiving(c wire.Class) *sim.Probe[sim.Hop] { return &h.rx[c].Passed }
