package hca

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// A recvQueue is a receive queue: of one queue pair, or shared by several.
// Counters run freely.
type recvQueue struct {
	srqn     ib.SRQN // 0: of one queue pair
	ring     *ib.RecvRing
	pd       ib.PDN // whose regions its buffers are (PD-2)
	posted   uint32 // as the doorbell said
	fetched  uint32 // requests on chip
	next     uint32 // to be taken by a message
	done     uint32 // of one queue pair: to be completed
	fetching bool
	life     uint32            // lives begun by a reset
	asked    span              // the last fetch
	limit    uint32            // shared: an event is raised once fewer are left; 0 none
	waiting  sim.Ring[ib.QPN]  // shared: queue pairs whose packets wait for a fetch
	returned sim.Ring[receive] // shared: taken by messages that were sent away; before all others
}

// left returns how many requests no message has taken.
func (r *recvQueue) left() uint32 { return r.posted - r.next + uint32(r.returned.Len()) }

// ready reports whether the oldest request that is left is on chip.
func (r *recvQueue) ready() bool { return r.next != r.fetched || r.returned.Len() > 0 }

// clear forgets all requests.
func (r *recvQueue) clear() {
	r.posted, r.fetched, r.next, r.done, r.fetching = 0, 0, 0, 0, false
	r.life++
}

// CreateSRQ makes a shared receive queue over a ring in host memory.
func (h *HCA) CreateSRQ(pd ib.PDN, ring *ib.RecvRing, limit uint32) (ib.SRQN, ib.Errno) {
	n := ib.SRQN(len(h.srqs))
	if r := h.Table.Apply(&tpt.Command{Op: tpt.CreateSRQ, PD: pd, SRQN: n}); r.Errno != ib.OK {
		return 0, r.Errno
	}
	h.srqs = append(h.srqs, &recvQueue{srqn: n, ring: ring, pd: pd, limit: limit})
	return n, ib.OK
}

// DestroySRQ ends a shared receive queue; EBUSY while a queue pair uses it.
func (h *HCA) DestroySRQ(n ib.SRQN) ib.Errno {
	r := h.srq(n)
	if r == nil {
		return ib.ENOENT
	}
	for _, s := range h.qps.All() {
		if q := s.q; q != nil && q.rq == r {
			return ib.EBUSY
		}
	}
	if res := h.Table.Apply(&tpt.Command{Op: tpt.DestroySRQ, PD: r.pd, SRQN: n}); res.Errno != ib.OK {
		return res.Errno
	}
	h.srqs[n] = nil
	return ib.OK
}

// LimitSRQ asks for an event once fewer than limit requests are left.
func (h *HCA) LimitSRQ(n ib.SRQN, limit uint32) ib.Errno {
	r := h.srq(n)
	if r == nil {
		return ib.ENOENT
	}
	r.limit = limit
	return ib.OK
}

// srq returns a shared receive queue by number, or nil.
func (h *HCA) srq(n ib.SRQN) *recvQueue {
	if int(n) >= len(h.srqs) {
		return nil
	}
	return h.srqs[n]
}

// take gives the oldest request to a message.
func (h *HCA) take(now sim.Time, r *recvQueue) (got receive) {
	if r.returned.Len() > 0 {
		got = r.returned.Pop()
	} else {
		slot := r.ring.Slot(r.next)
		r.next++
		e := &r.ring.WQEs[slot]
		got = receive{taken: true, slot: slot, id: e.ID, op: e.Op}
		for _, s := range r.ring.SGE(slot) {
			got.total += uint64(s.Length)
		}
	}
	if r.limit != 0 && r.left() < r.limit {
		r.limit = 0 // the event is raised once, until it is armed again; it is no fault, so async_events does not matter
		h.completer.raise(now, ib.EQE{Event: ib.EventSRQLimitReached, SRQN: r.srqn})
	}
	return got
}

// recvFetch reads receive requests from their rings, several at a time.
type recvFetch struct {
	hca    *HCA
	client pcie.ClientID
	reads  sim.Pool[recvRead]
}

// A recvRead is one fetch under way.
type recvRead struct {
	qpn   ib.QPN // of one queue pair
	srqn  ib.SRQN
	count uint32
	life  uint32
}

func (f *recvFetch) init(h *HCA) {
	f.hca = h
	f.client = h.Bus.Client(h.Name+".rwqe", f)
}

// fetch reads the next requests of the queue that q receives from.
func (f *recvFetch) fetch(now sim.Time, q *qp) {
	r := q.rq
	if r.fetching || r.fetched == r.posted {
		return
	}
	r.fetching = true
	slot := r.ring.Slot(r.fetched)
	n := min(r.posted-r.fetched, f.hca.Params.RecvPrefetch, uint32(len(r.ring.WQEs)-slot))
	r.asked = span{from: now}
	id := f.reads.Get()
	*f.reads.At(id) = recvRead{qpn: q.qpn, srqn: r.srqn, count: n, life: r.life}
	f.hca.Bus.Read(now, pcie.Request{
		Addr: r.ring.Base + uint64(slot)*uint64(r.ring.Stride), Len: n * r.ring.Stride,
		Client: f.client, Handle: id, Class: pcie.Fetch,
	})
}

// Served does nothing: the requests are read from the typed ring.
func (f *recvFetch) Served(sim.Time, uint32, uint32, uint32) {}

// Done makes the requests available, and lets those go on who wait for them.
func (f *recvFetch) Done(now sim.Time, id uint32, ok bool) {
	got := *f.reads.At(id)
	f.reads.Put(id)
	if !ok {
		panic("hca: the IOMMU refused a receive request fetch")
	}
	h := f.hca
	if got.srqn != 0 {
		f.shared(now, &got)
		return
	}
	q := h.qp(got.qpn)
	if q == nil || q.rq.life != got.life {
		return
	}
	q.rq.arrived(now, got.count)
	h.respond(now, q)
}

func (f *recvFetch) shared(now sim.Time, got *recvRead) {
	r := f.hca.srq(got.srqn)
	if r == nil {
		return
	}
	r.arrived(now, got.count)
	for n := r.waiting.Len(); n > 0; n-- {
		if q := f.hca.qp(r.waiting.Pop()); q != nil {
			f.hca.respond(now, q)
		}
	}
}

func (r *recvQueue) arrived(now sim.Time, n uint32) {
	r.fetching = false
	r.fetched += n
	r.asked.until = now
}
