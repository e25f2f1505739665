package run

import (
	"strconv"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A View is a run as those see it who watch it: for captures, traces and
// stories. It gives the probes of both sides, and tells to which op it belongs
// what they show. Watching changes nothing (W3): a watcher reads, copies what
// it keeps, and schedules nothing.
type View struct {
	Hosts [2]HostView
	Link  *wire.Link
	// Ended shows every op as its result reaches the caller: of a verb when it
	// returns, of a work request with its completion or, without one, as it
	// retires. It is the run's own: a watcher copies what it keeps.
	Ended *sim.Probe[*Op]

	r *runner
}

// A HostView is one side of a run, at the same end of the link.
type HostView struct {
	Name string
	Host *host.Host
	HCA  *hca.HCA

	r    *runner
	side *side
}

// view returns what watchers see of a world that is declared.
func (r *runner) view() *View {
	v := &View{Link: r.world.link, Ended: &r.ended, r: r}
	for i, x := range r.world.sides {
		v.Hosts[i] = HostView{x.name, x.host, x.hca, r, x}
	}
	return v
}

// Now returns the simulated time.
func (v *View) Now() sim.Time { return v.r.world.engine.Now() }

// Op returns the op that the model knows by a number, as far as it has come;
// false if there is none any more.
func (v *View) Op(number uint32) (Op, bool) {
	if int(number) >= v.r.ops.Made() {
		return Op{}, false
	}
	o := v.r.ops.At(number)
	switch {
	case !o.live:
		return Op{}, false
	case o.load == nil:
		return o.Op, true
	}
	return o.load.view(o), true
}

// Follow asks that the parts of some requests are kept in their order, as
// Op.Legs: f says of which, by the number of the model.
func (v *View) Follow(f func(number uint32) bool) {
	for i := range v.Hosts {
		h := v.Hosts[i].HCA
		before := h.Followed
		h.Followed = func(op uint32) bool { return before != nil && before(op) || f(op) }
	}
}

// view is an op of a load, of which only the figures are kept otherwise.
func (l *load) view(o *op) Op {
	q, side := l.qps[o.slot], l.st.side
	if o.back { // of a ping-pong
		q, side = q.back, l.r.world.peer(side)
	}
	out := o.Op
	out.ID = l.st.id + "." + strconv.FormatUint(o.number, 10)
	out.Step, out.Line, out.Host, out.QP = l.st.Number, l.t.Pos.Line, side.name, q.qp.spelling()
	out.Request = l.offer.mix[o.share].Opcode.String()
	return out
}

// show tells watchers of a request of a load that has ended.
func (r *runner) show(now sim.Time, l *load, o *op, s ib.WCStatus) {
	if r.ended.On() {
		out := l.view(o)
		out.Done, out.Status, out.End = true, s, now
		if o.trail.Legs() != nil { // of a load, only of those that are followed
			part := *o
			part.Op = out
			part.parts(now)
			out, o.trail = part.Op, sim.Trail{}
		}
		r.ended.Emit(&out)
	}
}

// QP returns the name of a queue pair; of an array's element with its number.
func (h *HostView) QP(n ib.QPN) string {
	if q := h.side.qps[n]; q != nil {
		return q.spelling()
	}
	return ""
}

// ObjectOf returns the name of the region or window that has a table entry; ""
// of one without.
func (h *HostView) ObjectOf(i ib.Index) string { return h.r.ownerName(h.side)(i) }
