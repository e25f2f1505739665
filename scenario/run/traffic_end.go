package run

import (
	"fmt"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// retired takes the end of an unsignaled request. The software does not see
// it: the request's slot is posted again with the next completion.
func (l *load) retired(o *op, t *hca.Retirement) {
	l.book(t.At, o, t.Status)
	q := l.qps[o.slot]
	l.rest(q, t.Op)
	switch {
	case l.ended == l.posted:
		l.over(t.At)
	case l.waiting > 0 && l.ended+l.waiting == l.posted: // nothing is in flight that would have a completion
		l.attend(t.At, q)
	}
}

// completed takes a completion, and posts as many requests as are idle.
func (l *load) completed(now sim.Time, o *op, c *ib.CQE) {
	switch {
	case c.Recv:
		l.received(now, o, c)
		return
	case l.ponging:
		l.acknowledged(now, o, c)
		return
	}
	q := l.qps[o.slot]
	if l.t.Turn != nil {
		now = l.seen(now, q)
	}
	l.book(now, o, c.Status)
	l.rest(q, c.Op)
	l.peak.complete(now, q.confirm(l.signalEvery))
	switch {
	case l.t.Window != nil:
		l.draw(now)
	case l.period == 0:
		l.fill(now, q)
	case l.failed:
		l.shed(now)
	default:
		l.attend(now, q)
	}
	if l.ended == l.posted {
		l.over(now)
	}
}

// confirm returns how many measured requests the software knows to have
// completed, with a completion that each every-th asks for: those before it are
// done too.
func (q *loadQP) confirm(every uint64) uint64 {
	n := min(every, q.posted-q.known)
	q.known += n
	cold := min(n, q.cold)
	q.cold -= cold
	return n - cold
}

// book measures a request, unless it belongs to the warm-up.
func (l *load) book(now sim.Time, o *op, s ib.WCStatus) {
	l.ended++
	l.r.show(now, l, o, s)
	if s != ib.Success {
		l.status(o, s)
	}
	if o.measured {
		res := &l.results[o.share]
		res.Count++
		if s == ib.Success {
			res.Bytes += o.Bytes
		}
		res.Latency.Add(now.Sub(o.Start))
	}
	l.span.end(now, o.measured)
}

// status notes a request that failed; the first of them is the reason.
func (l *load) status(o *op, s ib.WCStatus) {
	if !l.failed {
		l.reason = s
	}
	l.failed = true
	l.results[o.share].Failed++
}

// over settles the step when nothing is in flight and nothing will be.
func (l *load) over(now sim.Time) {
	if l.more(now) || l.ended != l.posted || l.st.verbs == 0 {
		return
	}
	l.close(now)
}

// close ends the step.
func (l *load) close(now sim.Time) {
	l.st.verbs--
	elapsed := l.span.close()
	for i := range l.results {
		if res := &l.results[i]; res.Count > 0 || res.Failed > 0 {
			res.Elapsed, res.Peak = elapsed, l.peak.best
			if l.period > 0 {
				res.Arrivals, res.Backlog = l.closed.Sub(l.opened), l.most
			}
			l.r.result.Traffic = append(l.r.result.Traffic, *res)
		}
	}
	for _, h := range l.pool {
		l.r.ops.At(h).live = false
		l.r.ops.Put(h)
	}
	for _, q := range l.qps {
		if q.short {
			l.r.rec.stall(q.qp.side.end, sendSlots, now, true)
		}
		for _, h := range q.idle {
			l.r.ops.At(h).live = false
			l.r.ops.Put(h)
		}
		q.idle = nil
	}
	l.complain()
	l.r.check(now, l.st)
}

// complain makes requests that failed a failure of the run: figures of a load
// that broke off mean nothing. A step that expects faults is none of these.
func (l *load) complain() {
	if e := l.st.Expect; !l.failed || e != nil && (e.Fault != nil || e.WC != nil) {
		return
	}
	n := uint64(0)
	for i := range l.results {
		n += l.results[i].Failed
	}
	l.r.brokeOff(l.t.Pos, l.st, "traffic", "no request to fail", fmt.Sprintf("%d failed, the first with %v", n, l.reason))
}

// brokeOff makes a load that broke off a failure of the run.
func (r *runner) brokeOff(pos lang.Pos, st *step, what, expected, got string) {
	r.result.Asked++
	r.result.Failures = append(r.result.Failures, Failure{Pos: pos, Op: st.id, What: what, Expected: expected, Got: got})
}
