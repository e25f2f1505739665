package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
)

func (r *runner) declareQueues(x *side) (err error) {
	for i := range x.setup.CQ {
		c := &x.setup.CQ[i]
		cq := r.newCQ(x, c.Name, &c.Value)
		depth := uint32(0)
		if c.Value.Depth != nil {
			depth = *c.Value.Depth
		}
		x.host.CreateCQ(0, cq, depth, x.cqeBytes(), outcome(c.Pos, "completion queue "+c.Name, &err))
		x.add(c.Name, lang.Whole, &named{cq: cq})
	}
	for i := range x.setup.SRQ {
		s := &x.setup.SRQ[i]
		srq := &host.SRQ{}
		x.host.CreateSRQ(0, srq, r.object(s.Value.PD).pd, or(s.Value.MaxWR, 0), or(s.Value.MaxSGE, 0), or(s.Value.Limit, 0), outcome(s.Pos, "shared receive queue "+s.Name, &err))
		x.add(s.Name, lang.Whole, &named{srq: srq})
	}
	return err
}

func (x *side) cqeBytes() uint32 { return uint32(x.hca.Params.CQEBytes) }

func (r *runner) declareQPs(x *side) (err error) {
	for i := range x.setup.QP {
		q := &x.setup.QP[i]
		each(q.Value.Count, func(index int) {
			if err == nil {
				err = r.declareQP(x, q.Name, &q.Value, index)
			}
		})
	}
	return err
}

// declareQP makes one queue pair, connected to a peer that is made in the
// same way: numbers are given in the order of the file.
func (r *runner) declareQP(x *side, name string, q *lang.QP, index int) (err error) {
	attr, sizes := queueAttr(&q.QPAttr)
	attr.Type, attr.State = ib.RC, ib.RTS
	if q.QPN != nil {
		attr.Wanted = ib.QPN(*q.QPN) + ib.QPN(max(index, 0))
	}
	if q.Type != nil {
		attr.Type = *q.Type
	}
	if q.State != nil {
		attr.State = *q.State
	}
	if q.Peer.Given() {
		peer := q.Peer
		if index != lang.Whole {
			peer.Index = index
		}
		attr.Dest = r.numberOf(peer)
		if p := r.declared(peer); p != nil && q.RQPSN == nil && p.PSN != nil {
			attr.RQPSN = ib.PSN(*p.PSN)
		}
	}
	send, recv := r.queuesOf(x, q)
	if send == nil {
		cq := &host.CQ{Manual: r.byHand(x, name)}
		x.host.CreateCQ(0, cq, 2*max(sizes.Send, x.host.Params.Queue.Send)+2*max(sizes.Recv, x.host.Params.Queue.Recv), x.cqeBytes(), outcome(q.Pos, "completion queue of "+name, &err))
		send, recv = cq, cq
	}
	sizes.SRQ = r.sharedOf(q)
	qp := &host.QP{}
	x.host.CreateQP(0, qp, r.object(q.PD).pd, send, recv, attr, sizes, outcome(q.Pos, "queue pair "+name, &err))
	x.add(name, index, &named{qp: qp})
	return err
}

// queuesOf returns the completion queues that a queue pair names, nil if none.
func (r *runner) queuesOf(_ *side, q *lang.QP) (send, recv *host.CQ) {
	if n := r.object(q.CQ); n != nil {
		send, recv = n.cq, n.cq
	}
	if n := r.object(q.SendCQ); n != nil {
		send = n.cq
	}
	if n := r.object(q.RecvCQ); n != nil {
		recv = n.cq
	}
	if send == nil {
		send = recv
	}
	if recv == nil {
		recv = send
	}
	return send, recv
}

// sharedOf returns the shared receive queue of a queue pair, nil for none.
func (r *runner) sharedOf(q *lang.QP) *host.SRQ {
	if n := r.object(q.SRQ); n != nil {
		return n.srq
	}
	return nil
}

// declared returns the declaration of a queue pair.
func (r *runner) declared(ref lang.Ref) *lang.QP {
	q, _ := r.side(ref.Host).setup.QP.Get(ref.Name)
	return q
}

// numberOf returns the number that a declared queue pair has or will have.
func (r *runner) numberOf(ref lang.Ref) ib.QPN {
	n := firstQPN
	for i := range r.side(ref.Host).setup.QP {
		q := &r.side(ref.Host).setup.QP[i]
		first := ib.QPN(or(q.Value.QPN, uint32(n)))
		if q.Name == ref.Name {
			return first + ib.QPN(max(ref.Index, 0))
		}
		n = max(n, first+ib.QPN(or(q.Value.Count, 1)))
	}
	return 0
}

const firstQPN ib.QPN = 0x10

// queueAttr returns the attributes of a queue pair with the language's
// defaults.
func queueAttr(a *lang.QPAttr) (ib.QPAttr, host.QPSizes) {
	attr := ib.QPAttr{
		Access: or(a.Access, 0), PathMTU: or(a.MTU, 1024), Timeout: or(a.Timeout, 14), RetryCnt: or(a.RetryCnt, 7),
		RNRRetry: or(a.RNRRetry, 7), MinRNRTimer: or(a.MinRNRTimer, 12),
		MaxRdAtomic: or(a.MaxRdAtomic, 16), MaxDestRdAtomic: or(a.MaxDestRdAtomic, 16),
		SQPSN: ib.PSN(or(a.PSN, 100)), RQPSN: ib.PSN(or(a.RQPSN, 100)), SigAll: or(a.SigAll, false), QKey: or(a.QKey, 0),
	}
	z := host.QPSizes{Send: or(a.SQ, 0), Recv: or(a.RQ, 0), MaxSGE: or(a.MaxSGE, 0), MaxInline: -1}
	if a.MaxInline != nil {
		z.MaxInline = int(*a.MaxInline)
	}
	return attr, z
}
