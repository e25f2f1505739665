package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// CreateQP makes a queue pair in the state that attr says. It is what the
// command does, and what a scenario does before time begins.
func (h *HCA) CreateQP(attr *ib.QPAttr) (ib.QPN, ib.Errno) {
	n, errno := h.numberFor(attr.Wanted)
	if errno != ib.OK {
		return 0, errno
	}
	if attr.SQ.MaxInline > int(h.Params.MaxInline) {
		return 0, ib.EINVAL
	}
	rq := &recvQueue{ring: attr.RQ, pd: attr.PD}
	if attr.SRQ != 0 {
		if rq = h.srq(attr.SRQ); rq == nil {
			return 0, ib.ENOENT
		}
	}
	if r := h.Table.Apply(&tpt.Command{Op: tpt.CreateQP, PD: attr.PD, QPN: n}); r.Errno != ib.OK {
		return 0, r.Errno
	}
	q := &qp{
		qpn: n, state: ib.Reset, rq: rq, cursor: none, emitting: none,
		wrs: list{none, none}, jobs: list{none, none}, replies: list{none, none},
		sendStream: h.Unit.Stream(), recvStream: h.Unit.Stream(), replyStream: h.Unit.Stream(),
		life: h.births << 16,
	}
	h.births++
	if q.rq.srqn == 0 {
		q.rq.life = q.life
	}
	h.enroll(n, q)
	q.attr = *attr
	if h.Params.WQEAgain {
		q.along = make([]bool, len(attr.SQ.WQEs))
	}
	h.enter(q, attr.State)
	return n, ib.OK
}

// numberFor returns the number of a new queue pair: the one wanted, if it is
// within the table and nobody has it, else one that nobody ever had.
func (h *HCA) numberFor(wanted ib.QPN) (ib.QPN, ib.Errno) {
	switch {
	case wanted == 0:
		return max(firstQPN, ib.QPN(h.qps.Len())), ib.OK
	case wanted < firstQPN, uint32(wanted-firstQPN) >= h.Params.Limit.QP:
		return 0, ib.EINVAL
	case h.qp(wanted) != nil:
		return 0, ib.EBUSY
	}
	return wanted, ib.OK
}

// A seat is a number of a queue pair, and the two timers that whoever has it
// uses.
type seat struct {
	q     *qp    // nil: nobody has it
	timer uint32 // one more than the first of the two; 0: nobody ever had it
}

// enroll enters a queue pair under its number.
func (h *HCA) enroll(n ib.QPN, q *qp) {
	s := h.qps.Make(ib.Index(n))
	if s.timer == 0 {
		s.timer = h.timers.Add() + 1
		h.timers.Add()
		h.timedBy = append(h.timedBy, n)
	}
	s.q, q.timer = q, s.timer-1
}

// enter puts a queue pair into a state without the steps between.
func (h *HCA) enter(q *qp, s ib.QPState) {
	a := &q.attr
	q.mtu = a.PathMTU
	q.timeout = sim.Duration(ib.ACKTimeout(a.Timeout)) * sim.Nanosecond
	if s == ib.RTR || s == ib.RTS {
		q.responder.Expected = a.RQPSN
		q.saved = make([]savedAtomic, max(1, int(a.MaxDestRdAtomic)))
	}
	if s == ib.RTS {
		q.sender.Start(a.SQPSN, a.RetryCnt, a.RNRRetry)
	}
	q.state = s
}

// ModifyQP changes attributes and state. An illegal transition is EINVAL and
// changes nothing; the rule behind is named.
func (h *HCA) ModifyQP(now sim.Time, n ib.QPN, mask ib.QPAttrMask, attr *ib.QPAttr) (ib.Errno, string) {
	q := h.qp(n)
	if q == nil {
		return ib.ENOENT, "DER-5"
	}
	if mask&ib.MaskState != 0 && !mayEnter(q.attr.Type, q.state, attr.State) {
		if attr.State == ib.SQE && q.attr.Type == ib.RC {
			return ib.EINVAL, "QP-1"
		}
		return ib.EINVAL, "1.5"
	}
	a := &q.attr
	if mask&ib.MaskAccess != 0 {
		a.Access = attr.Access
	}
	if mask&ib.MaskPath != 0 {
		a.Dest, a.PathMTU = attr.Dest, attr.PathMTU
		q.mtu = attr.PathMTU
	}
	if mask&ib.MaskPSN != 0 {
		a.SQPSN, a.RQPSN = attr.SQPSN, attr.RQPSN
	}
	if mask&ib.MaskRetry != 0 {
		a.Timeout, a.RetryCnt, a.RNRRetry, a.MinRNRTimer = attr.Timeout, attr.RetryCnt, attr.RNRRetry, attr.MinRNRTimer
		q.sender.RetryCnt, q.sender.RNRRetry = a.RetryCnt, a.RNRRetry
		q.timeout = sim.Duration(ib.ACKTimeout(a.Timeout)) * sim.Nanosecond
	}
	if mask&ib.MaskReads != 0 {
		a.MaxRdAtomic, a.MaxDestRdAtomic = attr.MaxRdAtomic, attr.MaxDestRdAtomic
	}
	if mask&ib.MaskQKey != 0 {
		a.QKey = attr.QKey
	}
	if mask&ib.MaskState != 0 {
		h.transit(now, q, attr.State)
	}
	return ib.OK, ""
}

// mayEnter reports whether ibv_modify_qp may lead from one state to another.
func mayEnter(t ib.QPType, from, to ib.QPState) bool {
	switch to {
	case ib.Reset, ib.Err:
		return true
	case ib.Init:
		return from == ib.Reset || from == ib.Init
	case ib.RTR:
		return from == ib.Init
	case ib.RTS:
		return from == ib.RTR || from == ib.RTS || from == ib.SQD || from == ib.SQE && t != ib.RC
	case ib.SQD:
		return from == ib.RTS
	default: // SQE is entered by the adapter alone, and never for RC (QP-1)
		return false
	}
}

func (h *HCA) transit(now sim.Time, q *qp, to ib.QPState) {
	from := q.state
	switch {
	case to == ib.Err:
		h.toError(now, q)
		return
	case to == ib.Reset:
		h.clear(now, q)
	case to == ib.RTS && q.state == ib.SQE:
		q.stopped = false
	case to == ib.RTR, to == ib.RTS && q.state == ib.RTR:
		h.enter(q, to)
	}
	q.state = to
	h.moved(now, q, from)
	if to == ib.RTS && q.wait == waitNothing {
		h.sched.add(now, q)
	}
}

// moved tells of a queue pair that was in another state.
func (h *HCA) moved(now sim.Time, q *qp, from ib.QPState) {
	if h.Moved.On() && q.state != from {
		h.Moved.Emit(Move{now, q.qpn, q.state})
	}
}

// clear forgets all requests without completions (QP-7).
func (h *HCA) clear(now sim.Time, q *qp) {
	h.abandon(now, q)
	h.lack(now, q, false)
	q.round++
	q.life++
	h.forgetSinks(now, q)
	q.posted, q.fetched, q.next, q.fetching = 0, 0, 0, false
	q.places = 0
	if q.rq.srqn == 0 {
		q.rq.clear()
	}
	q.open, q.immediate, q.receiving = receive{}, 0, 0
	q.stopped, q.faulted, q.held = false, false, false
	q.unanswered, q.atomics, q.denied = 0, 0, ib.PageRequest{}
	q.responder.Message.Open = false
	for q.rings.Len() > 0 {
		q.rings.Pop()
	}
	for q.lent.Len() > 0 {
		q.lent.Pop()
	}
}

// DestroyQP ends a queue pair, or names the rule that refuses. Its number is
// not used again unless somebody wants it (QPD-5).
func (h *HCA) DestroyQP(now sim.Time, n ib.QPN) (ib.Errno, string) {
	q := h.qp(n)
	if q == nil {
		return ib.ENOENT, "DER-5"
	}
	if r := h.Table.Apply(&tpt.Command{Op: tpt.DestroyQP, PD: q.attr.PD, QPN: n}); r.Errno != ib.OK {
		return r.Errno, r.Rule
	}
	q.state = ib.Reset
	h.clear(now, q)
	if q.jobs.head != none || q.replies.head != none {
		panic("hca: a packet outlived its queue pair")
	}
	h.Unit.ForgetContext(n)
	h.qps.Find(ib.Index(n)).q = nil
	return ib.OK, ""
}
