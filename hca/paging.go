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
	hca     *HCA
	client  pcie.ClientID
	written sim.Ring[ib.PageRequest] // events on their way to memory
	asked   []asked                  // not answered yet
	parked  []parked
}

// asked is a wish of the driver, and the queue pairs whose peers were sent
// away for it.
type asked struct {
	ib.PageRequest
	away []ib.QPN
}

// parked is an access that waits.
type parked struct {
	wish    ib.PageRequest
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
	return a.Fault == tpt.NoTranslation && a.Entry.Rights&ib.OnDemand != 0
}

// wish is what an access needs of the driver.
func wish(a *mtp.Access) ib.PageRequest {
	return ib.PageRequest{Index: a.Key.Index(), Addr: a.Move.VA, Length: a.Move.Length, Write: a.Need&^ib.RemoteRead != 0}
}

// denies reports whether a request that came again was sent away for pages
// that cannot be had.
func (q *qp) denies(a *mtp.Access) bool {
	if q.denied.Length == 0 || q.denied != wish(a) {
		return false
	}
	q.denied = ib.PageRequest{}
	return true
}

// ask requests the pages of an access, unless somebody has.
func (g *pager) ask(now sim.Time, r ib.PageRequest, away ...ib.QPN) {
	for i := range g.asked {
		if g.asked[i].PageRequest == r {
			g.asked[i].away = append(g.asked[i].away, away...)
			return
		}
	}
	g.asked = append(g.asked, asked{r, away})
	g.written.Push(r)
	g.hca.Bus.Write(now, pcie.Request{Addr: g.hca.Events, Len: ib.EQEBytes, Client: g.client})
}

// park keeps an access until its pages have come.
func (g *pager) park(now sim.Time, p parked, a *mtp.Access) {
	p.wish, p.request = wish(a), a.Access
	g.ask(now, p.wish)
	g.parked = append(g.parked, p)
}

// Served does nothing: Done reports.
func (g *pager) Served(sim.Time, uint32, uint32, uint32) {}

// Done tells the driver of the oldest request.
func (g *pager) Done(now sim.Time, _ uint32, _ bool) {
	g.hca.Software.PageRequest(now, g.written.Pop())
}

// came lets the accesses go on that touch pages which have come. One that
// still misses a page asks for it again.
func (g *pager) came(now sim.Time, c *tpt.Command) {
	e := g.hca.Table.Entry(c.Index)
	size := uint64(1) << e.PageShift
	first := e.Offset(c.VA) &^ (size - 1)
	last := first + uint64(len(c.Pages))*size
	keep := g.asked[:0]
	for _, r := range g.asked {
		if at := e.Offset(r.Addr); r.Index != c.Index || at < first || at+r.Length > last {
			keep = append(keep, r)
		}
	}
	g.asked = keep
	g.resume(now, func(p *parked) bool {
		at := e.Offset(p.wish.Addr)
		return p.wish.Index == c.Index && at < last && at+p.wish.Length > first
	})
}

// deny lets the accesses be refused that wait for what the driver cannot give,
// now and when they come again.
func (g *pager) deny(now sim.Time, r ib.PageRequest) {
	keep := g.asked[:0]
	for _, o := range g.asked {
		if o.PageRequest != r {
			keep = append(keep, o)
			continue
		}
		for _, n := range o.away {
			if q := g.hca.qp(n); q != nil {
				q.denied = r
			}
		}
	}
	g.asked = keep
	g.resume(now, func(p *parked) bool {
		if p.wish != r {
			return false
		}
		if p.gather {
			g.hca.gatherer.pieces.At(p.piece).denied = true
		} else {
			g.hca.placer.pieces.At(p.piece).denied = true
		}
		return true
	})
}

// resume starts the accesses again that are chosen, in the order in which they
// were parked.
func (g *pager) resume(now sim.Time, chosen func(p *parked) bool) {
	waiting := g.parked
	g.parked = nil
	for _, p := range waiting {
		client := g.hca.placer.unit
		if p.gather {
			client = g.hca.gatherer.unit
		}
		if chosen(&p) {
			g.hca.Unit.Submit(now, client, p.stream, p.piece, &p.request)
		} else {
			g.parked = append(g.parked, p)
		}
	}
}

// sendAway answers a peer's request whose page is missing with an RNR NAK:
// the responder is as it was before it, and what was accepted behind it comes
// again too.
func (h *HCA) sendAway(now sim.Time, q *qp, ar *arrival, a *mtp.Access) {
	h.pager.ask(now, wish(a), q.qpn)
	p := ar.pkt
	behind := q.serial - ar.serial + 1
	q.deadFrom, q.deadTo = ar.serial, q.serial
	q.unanswered -= behind
	if p.BTH.Opcode.IsAtomic() {
		q.atomics -= behind
	} else {
		q.atomics = 0
	}
	ar.giveBack(q)
	ar.goBack(q)
	q.held = false
	q.responder.NotReady()
	h.nak(now, q, p, p.BTH.PSN, ib.RNRNAK(q.attr.MinRNRTimer), q.responder.MSN)
	h.respond(now, q)
}
