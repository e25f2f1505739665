package hca

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
)

// A cq is the adapter's side of a completion queue.
type cq struct {
	number   ib.CQN
	ring     *ib.CQRing
	reserved uint32 // counter of the next completion to be written
	overrun  bool
	notice   notice
}

// completer writes completions and events to host memory, in posted order
// behind the data (H5).
type completer struct {
	hca    *HCA
	client pcie.ClientID
	events pcie.ClientID
	writes sim.Pool[completion]
	raised sim.Ring[ib.EQE]
	count  uint64 // events written, for their addresses
}

// A completion is a CQE on its way to memory.
type completion struct {
	q      *cq
	addr   uint64
	cqe    ib.CQE
	sealed ib.Index   // the entry whose change it reports
	ends   Retirement // as it is reported in the end; its Trail is booked meanwhile
}

func (c *completer) init(h *HCA) {
	c.hca = h
	c.client = h.Bus.Client(h.Name+".cqe", c)
	c.events = h.Bus.Client(h.Name+".event", eventWriter{c})
}

// CreateCQ makes a completion queue over a ring in host memory.
func (h *HCA) CreateCQ(ring *ib.CQRing) ib.CQN {
	n := ib.CQN(len(h.cqs))
	h.cqs = append(h.cqs, &cq{number: n, ring: ring})
	h.notices.Add()
	return n
}

// DestroyCQ ends a completion queue; EBUSY while a queue pair uses it.
func (h *HCA) DestroyCQ(n ib.CQN) ib.Errno {
	if int(n) >= len(h.cqs) || h.cqs[n] == nil {
		return ib.ENOENT
	}
	for _, s := range h.qps.All() {
		if q := s.q; q != nil && (q.attr.SendCQ == n || q.attr.RecvCQ == n) {
			return ib.EBUSY
		}
	}
	h.cqs[n] = nil
	return ib.OK
}

// complete writes a completion. It may report the change of an entry.
func (c *completer) complete(now sim.Time, n ib.CQN, e *ib.CQE, t *sim.Trail, sealed ib.Index) {
	if id, w := c.begin(now, n, t); w != nil {
		w.cqe, w.sealed = *e, sealed
		c.write(now, id, w)
	}
}

// begin takes the next place in a completion queue. If there is none it
// returns nil: the queue is overrun.
func (c *completer) begin(now sim.Time, n ib.CQN, t *sim.Trail) (id uint32, w *completion) {
	q := c.hca.cqs[n]
	if q.overrun {
		return 0, nil
	}
	if q.reserved-q.ring.Consumer >= uint32(len(q.ring.CQEs)) {
		q.overrun = true
		c.raise(now, ib.EQE{Event: ib.EventCQErr, CQN: n})
		return 0, nil
	}
	id = c.writes.Get()
	w = c.writes.At(id)
	slot := uint64(q.reserved) & uint64(len(q.ring.CQEs)-1)
	q.reserved++
	w.q, w.addr = q, q.ring.Base+slot*uint64(q.ring.Stride)
	w.ends.Trail = *t
	return id, w
}

// write sends a completion that is filled in on its way.
func (c *completer) write(now sim.Time, id uint32, w *completion) {
	c.hca.Bus.Write(now, pcie.Request{Addr: w.addr, Len: w.q.ring.Stride, Client: c.client, Handle: id})
}

// Served makes the completion visible.
func (c *completer) Served(now sim.Time, id, offset, _ uint32) {
	if offset > 0 {
		return
	}
	w := c.writes.At(id)
	w.q.ring.Push(&w.cqe)
	w.ends.Trail.Step(PartCQE, now)
	if w.sealed != 0 {
		c.hca.Visible.Emit(w.sealed)
	}
}

// Done tells the software.
func (c *completer) Done(now sim.Time, id uint32, ok bool) {
	if !ok {
		panic("hca: the IOMMU refused a completion")
	}
	h := c.hca
	w := c.writes.At(id)
	if h.Retired.On() {
		r, e := &w.ends, &w.cqe
		r.At, r.QPN, r.Op, r.Recv, r.Status, r.CQE = now, e.QPN, e.Op, e.Recv, e.Status, true
		h.Retired.Emit(r)
	}
	h.Software.Completed(now, w.q.number)
	if w.q.notice.armed {
		h.noticed(now, w.q, &w.cqe)
	}
	c.writes.Put(id)
}

// raise writes an asynchronous event about a queue pair, if the adapter has
// them.
func (h *HCA) raise(now sim.Time, q *qp, t ib.EventType) {
	if h.Variant.AsyncEvents {
		h.completer.raise(now, ib.EQE{Event: t, QPN: q.qpn})
	}
}

func (c *completer) raise(now sim.Time, e ib.EQE) {
	c.hca.Raised.Emit(e)
	c.tell(now, e)
}

// eventSlots is the length of the event ring.
const eventSlots = 256

// eventWriter writes events. Posted writes are committed in order, so the
// oldest event is the one committed.
type eventWriter struct{ *completer }

// Served does nothing: Done reports.
func (eventWriter) Served(sim.Time, uint32, uint32, uint32) {}

// Done tells the software of the oldest event.
func (w eventWriter) Done(now sim.Time, _ uint32, _ bool) {
	w.hca.Software.Event(now, w.raised.Pop())
}
