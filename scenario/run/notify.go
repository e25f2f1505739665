package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// reqNotify asks a completion queue for an event.
func (r *runner) reqNotify(now sim.Time, st *step, a *lang.ReqNotify) {
	n := r.object(a.CQ)
	if n == nil {
		r.missing(now, st, a.CQ)
		return
	}
	h, o := r.newOp(now, st, 0, "ibv_req_notify_cq")
	o.Object = a.CQ.Name
	st.verbs++
	done, errno := st.side.host.ReqNotify(now, n.cq, a.SolicitedOnly)
	st.side.free = done
	r.later.at(done, func(now sim.Time) {
		r.returned(now, r.ops.At(h), host.Outcome{Errno: errno, CPU: done.Sub(r.ops.At(h).Start)})
	})
}

// getEvent waits for an event: of a completion queue, or an asynchronous one,
// which is what event: is then held to.
func (r *runner) getEvent(now sim.Time, st *step, a *lang.GetEvent) {
	n := r.object(a.CQ)
	if a.CQ.Given() && n == nil {
		r.missing(now, st, a.CQ)
		return
	}
	x := st.side
	name := "ibv_get_async_event"
	if n != nil {
		name = "ibv_get_cq_event"
	}
	h, o := r.newOp(now, st, 0, name)
	o.Object = a.CQ.Name
	st.verbs++
	if n != nil {
		x.host.GetCQEvent(now, n.cq, a.Ack, func(now sim.Time, out host.Outcome) { r.returned(now, r.ops.At(h), out) })
		return
	}
	x.host.GetAsyncEvent(now, func(now sim.Time, e ib.EQE, out host.Outcome) {
		st.event = &event{at: now, side: x, eqe: e}
		r.returned(now, r.ops.At(h), out)
	})
}

// told returns the events that an expectation is about: what a get_event has
// returned, else all since the step began.
func (v *verdict) told() []event {
	if g, ok := v.st.Do.(*lang.GetEvent); ok && !g.CQ.Given() {
		if v.st.event == nil {
			return nil
		}
		return []event{*v.st.event}
	}
	return v.r.rec.events[v.from.events:]
}

// newCQ makes a completion queue as a scenario wants it.
func (r *runner) newCQ(x *side, name string, c *lang.CreateCQ) *host.CQ {
	return &host.CQ{Manual: r.byHand(x, name), Count: or(c.Count, 0), Period: or(c.Period, 0)}
}
