package hca

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
)

// wqeBlock is the size of a basic block of a send queue.
const wqeBlock = 64

// wqeFetch reads work requests from the rings in host memory, several at a
// time. What a fetch reads is decided when it starts: the slots do not change
// until they are retired. What finds room when it comes, it brings.
type wqeFetch struct {
	hca    *HCA
	client pcie.ClientID
	reads  sim.Pool[wqeRead]
}

// A wqeRead is one fetch under way.
type wqeRead struct {
	qpn   ib.QPN
	count uint32
	life  uint32
	again uint32 // the request that is fetched for its answer; none: the next ones are fetched
}

func (f *wqeFetch) init(h *HCA) {
	f.hca = h
	f.client = h.Bus.Client(h.Name+".wqe", f)
}

// send fetches the next requests of a send queue.
func (f *wqeFetch) send(now sim.Time, q *qp) {
	ring := q.attr.SQ
	slot := ring.Slot(q.fetched)
	if q.fetching || q.fetched == q.posted {
		return
	}
	if _, ok := f.hca.fits(q, 1); !ok {
		return // leaves sends again
	}
	n, blocks := uint32(0), uint32(0)
	for q.fetched+n != q.posted && slot+int(n) < len(ring.WQEs) {
		e := &ring.WQEs[slot+int(n)]
		b := f.hca.blocks(q, e)
		if n > 0 && blocks+b > f.hca.Params.WQEPrefetch {
			break
		}
		n++
		blocks += b
	}
	if f.hca.Params.WQEWhole {
		blocks = max(blocks, f.hca.wholeFrom(q, slot))
	}
	q.fetching = true
	q.askedWQE = span{from: now}
	f.read(now, wqeRead{q.qpn, n, q.life, none}, q.slotAddr(slot), blocks*wqeBlock)
}

func (f *wqeFetch) read(now sim.Time, r wqeRead, addr uint64, n uint32) {
	h := f.reads.Get()
	*f.reads.At(h) = r
	f.hca.Bus.Read(now, pcie.Request{Addr: addr, Len: n, Client: f.client, Handle: h, Class: pcie.Fetch})
}

// Served does nothing: the requests are read from the typed ring.
func (f *wqeFetch) Served(sim.Time, uint32, uint32, uint32) {}

// Done makes the requests available.
func (f *wqeFetch) Done(now sim.Time, handle uint32, ok bool) {
	r := *f.reads.At(handle)
	f.reads.Put(handle)
	h := f.hca
	q := h.qp(r.qpn)
	if q == nil || q.life != r.life {
		return
	}
	if !ok {
		panic("hca: the IOMMU refused a work request fetch")
	}
	if r.again != none {
		h.sinkKnown(now, q, r.again)
		return
	}
	q.fetching = false
	for range r.count {
		if q.fetched == q.posted || !h.takeOn(q, 1, false) {
			break // flushed meanwhile, or read for nothing
		}
	}
	q.askedWQE.until = now
	h.kick(now, q, waitWQE)
}
