package hca

import (
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// On-demand paging: an access that is granted but finds no page asks the
// driver for it. What can wait here waits: a requester's pieces and the
// packets of a READ response. A peer's request cannot: it is sent away with an
// RNR NAK and comes again.

// A pager keeps the accesses that wait for pages, and what was asked.
type pager struct {
	hca      *HCA
	client   pcie.ClientID
	written  sim.Ring[ib.PageRequest] // events on their way to memory
	asked    []ib.PageRequest         // not answered yet
	parked   []parked
	hopeless []ib.Index // regions for which the driver has said no
}

// parked is an access that waits.
type parked struct {
	index   ib.Index
	gather  bool // else place
	piece   uint32
	stream  mtp.StreamID
	request tpt.Access
}

func (g *pager) init(h *HCA) {
	g.hca = h
	g.client = h.Bus.Client(h.Name+".page-request", g)
}

// faults reports whether a refused access may be granted once a page is there.
func (g *pager) faults(a *mtp.Access) bool {
	if a.Fault != tpt.NoTranslation || a.Entry.Rights&ib.OnDemand == 0 {
		return false
	}
	for _, i := range g.hopeless {
		if i == a.Key.Index() {
			return false
		}
	}
	return true
}

// ask requests the pages of an access, unless somebody has.
func (g *pager) ask(now sim.Time, a *mtp.Access) {
	r := ib.PageRequest{Index: a.Key.Index(), Addr: a.Move.VA, Length: a.Move.Length, Write: a.Need&^ib.RemoteRead != 0}
	for _, o := range g.asked {
		if o == r {
			return
		}
	}
	g.asked = append(g.asked, r)
	g.written.Push(r)
	g.hca.Bus.Write(now, pcie.Request{Addr: g.hca.Events, Len: ib.EQEBytes, Client: g.client})
}

// park keeps an access until its pages have come.
func (g *pager) park(now sim.Time, p parked, a *mtp.Access) {
	g.ask(now, a)
	p.index, p.request = a.Key.Index(), a.Access
	g.parked = append(g.parked, p)
}

// Served does nothing: Done reports.
func (g *pager) Served(sim.Time, uint32, uint32, uint32) {}

// Done tells the driver of the oldest request.
func (g *pager) Done(now sim.Time, _ uint32, _ bool) {
	g.hca.Software.PageRequest(now, g.written.Pop())
}

// resolve lets the accesses to a region go on: the driver has answered one
// request. Those that still find no page ask again, unless it said no.
func (g *pager) resolve(now sim.Time, index ib.Index, ok bool) {
	keep := g.asked[:0]
	for _, r := range g.asked {
		if r.Index != index {
			keep = append(keep, r)
		}
	}
	g.asked = keep
	g.trust(index, ok)
	waiting := g.parked
	g.parked = nil
	for _, p := range waiting {
		switch {
		case p.index != index:
			g.parked = append(g.parked, p)
		case p.gather:
			g.hca.Unit.Submit(now, g.hca.gatherer.unit, p.stream, p.piece, p.request)
		default:
			g.hca.Unit.Submit(now, g.hca.placer.unit, p.stream, p.piece, p.request)
		}
	}
}

// trust notes whether pages of a region can come at all.
func (g *pager) trust(index ib.Index, ok bool) {
	keep := g.hopeless[:0]
	for _, i := range g.hopeless {
		if i != index {
			keep = append(keep, i)
		}
	}
	if !ok {
		keep = append(keep, index)
	}
	g.hopeless = keep
}

// sendAway answers a peer's request whose page is missing with an RNR NAK:
// the responder is as it was before it, and what was accepted behind it comes
// again too.
func (h *HCA) sendAway(now sim.Time, q *qp, id uint32, a *mtp.Access) {
	h.pager.ask(now, a)
	ar := h.arrivals.At(id)
	behind := q.serial - ar.serial + 1
	q.deadFrom, q.deadTo = ar.serial, q.serial
	q.unanswered -= behind
	if h.Packets.At(ar.packet).BTH.Opcode.IsAtomic() {
		q.atomics -= behind
	} else {
		q.atomics = 0
	}
	q.responder, q.open = ar.before, ar.openBefore
	if q.rq.srqn == 0 {
		q.rq.next = ar.nextBefore
	} else if ar.recv.taken {
		q.open = ar.recv
	}
	q.held = false
	p := h.Packets.At(ar.packet)
	q.responder.NotReady()
	h.nak(now, q, p, p.BTH.PSN, ib.RNRNAK(q.attr.MinRNRTimer))
	h.respond(now, q)
}
