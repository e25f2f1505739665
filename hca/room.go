package hca

import (
	"hcasim/ib"
	"hcasim/sim"
)

// What a send queue has on chip is bounded (wqe_room): a request keeps its
// places until it is over, as it may have to be sent again, or to say where an
// answer goes. Those that find no room are as good as not brought by their
// doorbell, and all behind them too, for requests come in order.

// places returns what a request takes on chip: its inline data stand apart.
func places(e *ib.WQE) uint32 {
	if e.Flags&ib.Inline == 0 {
		return 1
	}
	return 1 + uint32((e.Length+wqeBlock-1)/wqeBlock)
}

// fits reports whether there is room for the next n requests, and how many places
// are taken with them. One finds room on an empty chip whatever it takes.
func (h *HCA) fits(q *qp, n uint32) (taken uint32, ok bool) {
	if h.Params.WQERoom == 0 {
		return 0, true
	}
	ring, sum := q.attr.SQ, q.places
	for i := range n {
		sum += places(&ring.WQEs[ring.Slot(q.fetched+i)])
	}
	return sum, sum <= h.Params.WQERoom || q.places == 0 && n == 1
}

// takeOn books the next n requests as on chip, if there is room for all of them;
// along says that they came with their doorbell.
func (h *HCA) takeOn(q *qp, n uint32, along bool) bool {
	taken, ok := h.fits(q, n)
	if !ok {
		return false
	}
	q.places = taken
	if h.Params.WQEAgain {
		for i := range n {
			q.along[q.attr.SQ.Slot(q.fetched+i)] = along
		}
	}
	q.fetched += n
	return true
}

// leaves gives the places of a request that is over to the next ones.
func (h *HCA) leaves(now sim.Time, q *qp, slot int) {
	if h.Params.WQERoom == 0 {
		return
	}
	q.places -= places(&q.attr.SQ.WQEs[slot])
	if q.fetched == q.posted || !q.sends() || q.stopped || !h.fetchAhead(q) {
		return
	}
	if h.fetcher.send(now, q); q.fetching && q.wait == waitRoom {
		h.await(now, q, waitWQE)
	}
}

// blocks returns the basic blocks that a fetch reads for a request: all of its
// slot, if it does not look at what it reads.
func (h *HCA) blocks(q *qp, e *ib.WQE) uint32 {
	if h.Params.WQEWhole {
		return q.attr.SQ.Stride / wqeBlock
	}
	return uint32(e.Slots)
}

// wholeFrom returns the blocks of a whole fetch, which ends with the ring.
func (h *HCA) wholeFrom(q *qp, slot int) uint32 {
	ring := q.attr.SQ
	return min(h.Params.WQEPrefetch, uint32(len(ring.WQEs)-slot)*ring.Stride/wqeBlock)
}

// slotAddr returns where a request stands in host memory.
func (q *qp) slotAddr(slot int) uint64 {
	return q.attr.SQ.Base + uint64(slot)*uint64(q.attr.SQ.Stride)
}

// missed keeps the engine of what is received for a fetch.
func (h *HCA) missed(now sim.Time, hold sim.Interval) {
	h.takes.delay(now, hold)
	h.worked(true, hold)
}

// seekSink has an answer wait for its request to be fetched again (wqe_again).
// It reports false if the adapter knows where the data go, and nothing waits
// in front of them.
func (h *HCA) seekSink(now sim.Time, q *qp, arrival uint32) bool {
	id := h.arrivals.At(arrival).wr
	w := h.wrs.At(id)
	if !h.Params.WQEAgain || (w.sinkHere || q.along[w.slot]) && q.sinks.Len() == 0 {
		return false
	}
	q.sinks.Push(arrival)
	if w.seeking || w.sinkHere || q.along[w.slot] {
		return true
	}
	w.seeking = true
	h.missed(now, h.Params.Gap.Again)
	h.fetcher.read(now, wqeRead{q.qpn, 1, q.life, id}, q.slotAddr(w.slot), h.blocks(q, &q.attr.SQ.WQEs[w.slot])*wqeBlock)
	return true
}

// sinkKnown lets the answers go on, in order, whose requests are on chip.
func (h *HCA) sinkKnown(now sim.Time, q *qp, id uint32) {
	h.wrs.At(id).sinkHere = true
	for q.sinks.Len() > 0 {
		w := h.wrs.At(h.arrivals.At(*q.sinks.Peek()).wr)
		if !w.sinkHere && !q.along[w.slot] {
			return
		}
		a := q.sinks.Pop()
		h.arrivals.At(a).pkt.Trail.Step(PartWQE, now)
		h.sink(now, q, a)
	}
}

// sink places the payload of an answer.
func (h *HCA) sink(now sim.Time, q *qp, id uint32) {
	a := h.arrivals.At(id)
	w := h.wrs.At(a.wr)
	n := uint64(len(a.pkt.Payload))
	if w.orphan || n == 0 { // orphan: flushed while it waited, nothing lands behind that
		a.dropped = w.orphan
		h.placed(now, q, id, a)
		return
	}
	h.scatter(now, q, id, q.attr.SQ.SGE(w.slot), a.skip, n)
}

// forgetSinks drops the answers that wait, at a reset.
func (h *HCA) forgetSinks(now sim.Time, q *qp) {
	for q.sinks.Len() > 0 {
		id := q.sinks.Pop()
		a := h.arrivals.At(id)
		a.dropped = true
		h.placed(now, nil, id, a)
	}
}
