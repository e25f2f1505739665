package host

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// CreateCQ is ibv_create_cq. ENOMEM: no run of free frames holds the ring.
func (h *Host) CreateCQ(now sim.Time, cq *CQ, depth uint32, cqeBytes uint32, then Then) {
	v := h.begin(now, then)
	if depth == 0 {
		depth = h.Params.Queue.CQ
	}
	n := powerOfTwo(depth)
	addr, ok := h.Allocate(uint64(n) * uint64(cqeBytes))
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if !ok {
			v.refuse(now, ib.ENOMEM, "")
			return
		}
		ring := ib.NewCQRing(addr, cqeBytes, n)
		v.ask(now, queueCommand(ib.QPCommand{Op: ib.CreateCQ, CQ: ring, Count: cq.Count, Period: uint64(cq.Period)}), nil, func(now sim.Time, s *tpt.CommandSlot) {
			cq.N, cq.Ring = s.CQN, ring
			for len(h.cqs) <= int(cq.N) {
				h.cqs = append(h.cqs, nil)
			}
			h.cqs[cq.N] = cq
			v.done(now)
		})
	})
}

// DestroyCQ is ibv_destroy_cq. It does not return while events of the queue
// are not acknowledged.
func (h *Host) DestroyCQ(now sim.Time, cq *CQ, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if cq.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		if cq.unacked > 0 {
			return
		}
		v.ask(now, queueCommand(ib.QPCommand{Op: ib.DestroyCQ, CQN: cq.N}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			cq.gone = true
			v.done(now)
		})
	})
}

// QPSizes are the capacities of a queue pair; zero takes the host's.
type QPSizes struct {
	Send, Recv, MaxSGE uint32
	MaxInline          int  // -1 takes the host's
	SRQ                *SRQ // nil: the queue pair has a receive queue of its own
}

// CreateQP is ibv_create_qp, and the steps up to attr.State. ENOMEM: no run of
// free frames holds a ring.
func (h *Host) CreateQP(now sim.Time, q *QP, pd *PD, send, recv *CQ, attr ib.QPAttr, z QPSizes, then Then) {
	v := h.begin(now, then)
	h.sizes(&z)
	attr.PD, attr.SendCQ, attr.RecvCQ = pd.N, send.N, recv.N
	room := h.rings(&attr, z)
	if z.SRQ != nil {
		attr.RQ, attr.SRQ = nil, z.SRQ.N
	}
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if !room {
			v.refuse(now, ib.ENOMEM, "")
			return
		}
		v.ask(now, queueCommand(ib.QPCommand{Op: ib.CreateQP, Attr: attr}), nil, func(now sim.Time, s *tpt.CommandSlot) {
			*q = QP{N: s.QPN, PD: pd, SendCQ: send, RecvCQ: recv, Attr: attr, State: attr.State, MaxInline: z.MaxInline, recv: recvSide{ring: attr.RQ}, srq: z.SRQ}
			h.qps.set(q.N, q)
			v.done(now)
		})
	})
}

// sizes fills in the host's.
func (h *Host) sizes(z *QPSizes) {
	p := &h.Params.Queue
	if z.Send == 0 {
		z.Send = p.Send
	}
	if z.Recv == 0 {
		z.Recv = p.Recv
	}
	if z.MaxSGE == 0 {
		z.MaxSGE = p.MaxSGE
	}
	if z.MaxInline < 0 {
		z.MaxInline = int(p.MaxInline)
	}
}

// rings makes both queues, or none where there is no memory for both.
func (h *Host) rings(attr *ib.QPAttr, z QPSizes) (ok bool) {
	if attr.SQ = h.sendRing(z); attr.SQ == nil {
		return false
	}
	if attr.RQ = h.recvRing(z); attr.RQ == nil {
		h.giveBack(attr.SQ.Base, uint64(len(attr.SQ.WQEs))*uint64(attr.SQ.Stride))
		return false
	}
	return true
}

// sendRing makes a send queue, nil where there is no memory for it. A slot is
// as large as the largest request.
func (h *Host) sendRing(z QPSizes) *ib.SendRing {
	blocks := uint8(3) // of a bind
	for _, t := range [...]ib.QPType{ib.RC, ib.UD} {
		inline := ib.WQE{Opcode: ib.WRRDMAWrite, Flags: ib.Inline, Length: uint64(z.MaxInline)}
		pieces := ib.WQE{Opcode: ib.WRAtomicCmpAndSwp, NumSGE: uint8(z.MaxSGE)}
		blocks = max(blocks, slots(&inline, t), slots(&pieces, t))
	}
	stride := uint32(blocks) * 64
	n := powerOfTwo(z.Send)
	addr, ok := h.Allocate(uint64(n) * uint64(stride))
	if !ok {
		return nil
	}
	return ib.NewSendRing(addr, stride, n, int(z.MaxSGE), z.MaxInline)
}

// recvRing makes a receive queue, nil where there is no memory for it.
func (h *Host) recvRing(z QPSizes) *ib.RecvRing {
	stride := ib.SGEBytes * z.MaxSGE
	n := powerOfTwo(z.Recv)
	addr, ok := h.Allocate(uint64(n) * uint64(stride))
	if !ok {
		return nil
	}
	return ib.NewRecvRing(addr, stride, n, int(z.MaxSGE))
}

// ModifyQP is ibv_modify_qp.
func (h *Host) ModifyQP(now sim.Time, q *QP, mask ib.QPAttrMask, attr ib.QPAttr, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if q.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, queueCommand(ib.QPCommand{Op: ib.ModifyQP, QPN: q.N, Mask: mask, Attr: attr}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			q.modified(mask, &attr)
			if mask&ib.MaskState != 0 {
				q.State = attr.State
				if attr.State == ib.Reset {
					q.sent, q.freed, q.recv.posted, q.recv.taken = 0, 0, 0, 0
				}
			}
			v.done(now)
		})
	})
}

// modified books the attributes that a modify has set.
func (q *QP) modified(mask ib.QPAttrMask, attr *ib.QPAttr) {
	a := &q.Attr
	if mask&ib.MaskAccess != 0 {
		a.Access = attr.Access
	}
	if mask&ib.MaskPath != 0 {
		a.Dest, a.PathMTU = attr.Dest, attr.PathMTU
	}
	if mask&ib.MaskPSN != 0 {
		a.SQPSN, a.RQPSN = attr.SQPSN, attr.RQPSN
	}
	if mask&ib.MaskRetry != 0 {
		a.Timeout, a.RetryCnt, a.RNRRetry, a.MinRNRTimer = attr.Timeout, attr.RetryCnt, attr.RNRRetry, attr.MinRNRTimer
	}
	if mask&ib.MaskReads != 0 {
		a.MaxRdAtomic, a.MaxDestRdAtomic = attr.MaxRdAtomic, attr.MaxDestRdAtomic
	}
	if mask&ib.MaskQKey != 0 {
		a.QKey = attr.QKey
	}
}

// DestroyQP is ibv_destroy_qp.
func (h *Host) DestroyQP(now sim.Time, q *QP, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if q.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, queueCommand(ib.QPCommand{Op: ib.DestroyQP, QPN: q.N}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			q.gone = true
			h.qps.set(q.N, nil)
			v.done(now)
		})
	})
}
