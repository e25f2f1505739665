package host

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A recvSide is the software's end of a receive queue, of one queue pair or
// shared.
type recvSide struct {
	ring   *ib.RecvRing
	posted uint32 // requests posted, by counter
	taken  uint32 // known to be over
}

// An SRQ is a shared receive queue as the software holds it.
type SRQ struct {
	N  ib.SRQN
	PD *PD

	recv recvSide
	gone bool
}

// A RecvWR is a work request as software hands it to ibv_post_recv.
type RecvWR struct {
	ID  uint64
	Op  uint32
	SGE []ib.SGE
}

// PostRecv is ibv_post_recv of a list. It returns when the call returns, the
// first error, and the number of requests that were posted (POST-2). On a
// queue pair with a shared receive queue it is EINVAL.
func (h *Host) PostRecv(now sim.Time, q *QP, wrs []RecvWR) (done sim.Time, errno ib.Errno, posted int) {
	if q.gone || q.State == ib.Reset || q.recv.ring == nil {
		return now, ib.EINVAL, 0
	}
	return h.post(now, &q.recv, ib.Doorbell(q.N, ib.DoorbellRecv), wrs)
}

// SRQ returns the shared queue that the receives of q come from, nil if it has
// its own.
func (q *QP) SRQ() *SRQ { return q.srq }

// CheckPostRecv says what ibv_post_recv of w would return now, and the rule
// that refuses. It changes nothing: who was refused may ask again, for the
// rule.
func (h *Host) CheckPostRecv(q *QP, w *RecvWR) (ib.Errno, string) {
	switch {
	case q.gone:
		return ib.EINVAL, "DER-5"
	case q.State == ib.Reset:
		return ib.EINVAL, "1.5"
	case q.recv.ring == nil: // its receives come from a shared queue
		return ib.EINVAL, ""
	}
	return q.recv.check(w)
}

// check holds one request to the sizes of the queue.
func (s *recvSide) check(w *RecvWR) (ib.Errno, string) {
	switch {
	case s.posted-s.taken >= uint32(len(s.ring.WQEs)):
		return ib.ENOMEM, "QP-9"
	case len(w.SGE) > s.ring.MaxSGE:
		return ib.EINVAL, "QP-9"
	}
	return ib.OK, ""
}

// PostSRQRecv is ibv_post_srq_recv of a list, with results as of PostRecv.
func (h *Host) PostSRQRecv(now sim.Time, s *SRQ, wrs []RecvWR) (done sim.Time, errno ib.Errno, posted int) {
	return h.post(now, &s.recv, ib.Doorbell(ib.QPN(s.N), ib.DoorbellSRQ), wrs)
}

func (h *Host) post(now sim.Time, side *recvSide, doorbell uint64, wrs []RecvWR) (done sim.Time, errno ib.Errno, posted int) {
	at := now
	ring := side.ring
	for i := range wrs {
		w := &wrs[i]
		if errno, _ = side.check(w); errno != ib.OK {
			break
		}
		at = at.Add(h.Params.CPU.Post)
		slot := ring.Slot(side.posted)
		side.posted++
		ring.WQEs[slot] = ib.RWQE{ID: w.ID, NumSGE: uint8(len(w.SGE)), Op: w.Op}
		copy(ring.SGEs[slot*ring.MaxSGE:], w.SGE)
		posted++
	}
	if posted > 0 {
		h.bells.ring(at, bell{doorbell, side.posted, 8})
	}
	return at, errno, posted
}

// CreateSRQ is ibv_create_srq for maxWR requests of maxSGE pieces, zero for
// the host's. Limit arms SRQ_LIMIT_REACHED. ENOMEM: no run of free frames holds
// the ring.
func (h *Host) CreateSRQ(now sim.Time, s *SRQ, pd *PD, maxWR, maxSGE, limit uint32, then Then) {
	v := h.begin(now, then)
	z := QPSizes{Recv: maxWR, MaxSGE: maxSGE}
	h.sizes(&z)
	ring := h.recvRing(z)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if ring == nil {
			v.refuse(now, ib.ENOMEM, "")
			return
		}
		c := ib.QPCommand{Op: ib.CreateSRQ, PD: pd.N, RQ: ring, Limit: limit}
		v.ask(now, queueCommand(c), nil, func(now sim.Time, slot *tpt.CommandSlot) {
			*s = SRQ{N: slot.SRQN, PD: pd, recv: recvSide{ring: ring}}
			v.done(now)
		})
	})
}

// ModifySRQ is ibv_modify_srq: it arms SRQ_LIMIT_REACHED.
func (h *Host) ModifySRQ(now sim.Time, s *SRQ, limit uint32, then Then) {
	h.srqCommand(now, s, ib.QPCommand{Op: ib.ModifySRQ, SRQN: s.N, Limit: limit}, then, func() {})
}

// DestroySRQ is ibv_destroy_srq.
func (h *Host) DestroySRQ(now sim.Time, s *SRQ, then Then) {
	h.srqCommand(now, s, ib.QPCommand{Op: ib.DestroySRQ, SRQN: s.N}, then, func() { s.gone = true })
}

func (h *Host) srqCommand(now sim.Time, s *SRQ, c ib.QPCommand, then Then, after func()) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if s.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, queueCommand(c), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			after()
			v.done(now)
		})
	})
}
