package run

import (
	"fmt"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// queueVerb carries out the verbs on queues.
func (r *runner) queueVerb(now sim.Time, st *step, o *op, then host.Then, made *func()) {
	x := st.side
	switch a := st.Do.(type) {
	case *lang.CreateCQ:
		cq := r.newCQ(x, a.As.Text, a)
		o.Object = a.As.Text
		*made = func() { x.add(a.As.Text, lang.Whole, &named{cq: cq}) }
		x.host.CreateCQ(now, cq, or(a.Depth, 0), x.cqeBytes(), then)
	case *lang.CreateSRQ:
		srq := &host.SRQ{}
		o.Object = a.As.Text
		*made = func() { x.add(a.As.Text, lang.Whole, &named{srq: srq}) }
		x.host.CreateSRQ(now, srq, r.object(a.PD).pd, or(a.MaxWR, 0), or(a.MaxSGE, 0), or(a.Limit, 0), then)
	case *lang.ModifySRQ:
		o.Object = a.SRQ.Name
		x.host.ModifySRQ(now, r.object(a.SRQ).srq, or(a.Limit, 0), then)
	case *lang.CreateAH:
		r.createAH(now, st, o, a, then, made)
	case *lang.CreateQP:
		r.createQP(now, st, o, a, then, made)
	case *lang.ModifyQP:
		r.modifyQP(now, st, o, a, then)
	case *lang.DestroyQP:
		o.Object = a.QP.Name
		x.host.DestroyQP(now, r.object(a.QP).qp, then)
	case *lang.Destroy:
		o.Object = a.Of.Name
		switch n := r.object(a.Of); {
		case n.srq != nil:
			x.host.DestroySRQ(now, n.srq, then)
		case n.ah != nil:
			x.host.DestroyAH(now, n.ah, then)
		default:
			x.host.DestroyCQ(now, n.cq, then)
		}
	case *lang.Query:
		o.Object = a.Of.Name
		if st.Verb == "query_qp" {
			x.host.QueryQP(now, then)
			return
		}
		x.host.Query(now, then)
	default: // Unmodelled names it before anything runs
		panic(fmt.Sprintf("run: %v: no such verb: %s", now, st.Verb))
	}
}

// pollCQ takes what a completion queue that is polled by hand has, at most n:
// the CPU looks once, and once more for each after the first.
func (r *runner) pollCQ(now sim.Time, st *step, p *lang.PollCQ) {
	cq := r.polledBy(p)
	if cq == nil {
		r.missing(now, st, p.CQ)
		return
	}
	h, o := r.newOp(now, st, 0, "ibv_poll_cq")
	o.Object = p.CQ.Name + p.QP.Name
	n := min(int(max(p.N, 1)), int(cq.Ring.Producer-cq.Ring.Consumer))
	done := now.Add(st.side.host.Params.CPU.Poll * sim.Duration(max(1, n)))
	st.verbs++
	st.side.free = done
	r.later.at(done, func(now sim.Time) {
		st.polled[0] = len(r.rec.completions)
		st.side.host.Poll(now, cq, n)
		st.polled[1] = len(r.rec.completions)
		o := r.ops.At(h)
		r.returned(now, o, host.Outcome{CPU: now.Sub(o.Start)})
	})
}

// polledBy returns the queue that a poll_cq looks at.
func (r *runner) polledBy(p *lang.PollCQ) *host.CQ {
	if n := r.object(p.CQ); n != nil {
		return n.cq
	}
	if n := r.object(p.QP); n != nil && n.qp != nil {
		return n.qp.SendCQ
	}
	return nil
}

// handPolled returns the queues that a scenario polls by hand, by the names
// of completion queues and of queue pairs.
func handPolled(s *lang.Scenario) map[lang.Ref]bool {
	set := map[lang.Ref]bool{}
	lang.EachStep(s.Ops, func(s *lang.Step) {
		if p, ok := s.Do.(*lang.PollCQ); ok {
			for _, ref := range [...]lang.Ref{p.CQ, p.QP} {
				set[lang.Ref{Host: ref.Host, Name: ref.Name}] = true
			}
		}
	})
	return set
}

// byHand reports whether a queue is polled by hand.
func (r *runner) byHand(x *side, name string) bool {
	return r.hand[lang.Ref{Host: x.name, Name: name}]
}

// createQP makes a queue pair, in RESET unless the step says otherwise.
func (r *runner) createQP(now sim.Time, st *step, o *op, a *lang.CreateQP, then host.Then, made *func()) {
	x := st.side
	attr, sizes := queueAttr(&a.QPAttr)
	attr.Type, attr.State = or(a.Type, ib.RC), or(a.State, ib.Reset)
	attr.Wanted = ib.QPN(or(a.QPN, 0))
	o.Object = a.As.Text
	if peer := r.object(a.Peer); peer != nil {
		attr.Dest = peer.qp.N
	}
	send, recv := r.queuesOf(x, &a.QP)
	sizes.SRQ = r.sharedOf(&a.QP)
	create := func(now sim.Time) {
		qp := &host.QP{}
		*made = func() { x.add(a.As.Text, lang.Whole, &named{qp: qp}) }
		x.host.CreateQP(now, qp, r.object(a.PD).pd, send, recv, attr, sizes, then)
	}
	if send != nil {
		create(now)
		return
	}
	cq := &host.CQ{Manual: r.byHand(x, a.As.Text)}
	x.host.CreateCQ(now, cq, 0, x.cqeBytes(), func(now sim.Time, first host.Outcome) {
		if first.Errno != ib.OK {
			then(now, first)
			return
		}
		send, recv = cq, cq
		last := then
		then = func(now sim.Time, out host.Outcome) {
			out.CPU, out.Device = out.CPU+first.CPU, out.Device+first.Device
			last(now, out)
		}
		create(now)
	})
}

// modifyQP goes through the states one after another, and sets attributes
// with the first.
func (r *runner) modifyQP(now sim.Time, st *step, o *op, a *lang.ModifyQP, then host.Then) {
	n := r.object(a.QP)
	o.Object = a.QP.Name
	attr, mask := r.modification(n, a)
	states := a.State
	var cpu, device sim.Duration // of all calls
	var next func(now sim.Time, out host.Outcome)
	next = func(now sim.Time, out host.Outcome) {
		cpu, device = cpu+out.CPU, device+out.Device
		if out.Errno != ib.OK || len(states) == 0 {
			out.CPU, out.Device = cpu, device
			then(now, out)
			return
		}
		attr.State = states[0]
		states = states[1:]
		m := mask | ib.MaskState
		mask = 0
		st.side.host.ModifyQP(now, n.qp, m, attr, next)
	}
	if len(states) > 0 {
		next(now, host.Outcome{})
		return
	}
	st.side.host.ModifyQP(now, n.qp, mask, attr, then)
}

// modification returns the attributes that a step sets.
func (r *runner) modification(n *named, a *lang.ModifyQP) (ib.QPAttr, ib.QPAttrMask) {
	attr, _ := queueAttr(&a.QPAttr)
	old := n.qp.Attr
	var mask ib.QPAttrMask
	if a.Access != nil {
		mask |= ib.MaskAccess
	}
	attr.Dest = old.Dest
	if a.MTU == nil {
		attr.PathMTU = old.PathMTU
	}
	if peer := r.object(a.Peer); peer != nil {
		attr.Dest = peer.qp.N
	}
	if a.MTU != nil || a.Peer.Given() {
		mask |= ib.MaskPath
	}
	if a.PSN != nil || a.RQPSN != nil {
		mask |= ib.MaskPSN
		keepPSN(&attr.SQPSN, a.PSN, old.SQPSN)
		keepPSN(&attr.RQPSN, a.RQPSN, old.RQPSN)
	}
	if a.Timeout != nil || a.RetryCnt != nil || a.RNRRetry != nil || a.MinRNRTimer != nil {
		mask |= ib.MaskRetry
		keep(&attr.Timeout, a.Timeout, old.Timeout)
		keep(&attr.RetryCnt, a.RetryCnt, old.RetryCnt)
		keep(&attr.RNRRetry, a.RNRRetry, old.RNRRetry)
		keep(&attr.MinRNRTimer, a.MinRNRTimer, old.MinRNRTimer)
	}
	if a.MaxRdAtomic != nil || a.MaxDestRdAtomic != nil {
		mask |= ib.MaskReads
		keep(&attr.MaxRdAtomic, a.MaxRdAtomic, old.MaxRdAtomic)
		keep(&attr.MaxDestRdAtomic, a.MaxDestRdAtomic, old.MaxDestRdAtomic)
	}
	return attr, mask | keepQKey(&attr, a.QKey, old.QKey)
}

func keepPSN(at *ib.PSN, given *uint32, old ib.PSN) {
	if given == nil {
		*at = old
	}
}

// keep leaves an attribute as it was if it is not given.
func keep(at, given *uint8, old uint8) {
	if given == nil {
		*at = old
	}
}
