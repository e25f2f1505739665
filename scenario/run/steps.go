package run

import (
	"fmt"
	"strconv"
	"strings"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A step is one entry of ops, in one iteration of its loops, from its start
// on.
type step struct {
	*lang.Step
	id        string // as its ops are called, without the request
	side      *side
	started   bool
	judged    bool
	told      bool     // its expectation was judged while SQD held its requests
	verbs     int      // verb calls that have not returned
	open      int      // ops that have not ended
	ops       []uint32 // handles; kept until judged
	done      []Op     // ended, in the order of ops; filled in when judged
	badWR     int      // from 1; 0 none
	before    moment   // the state of the world as it began
	event     *event   // get_event: what it returned
	polled    [2]int   // poll_cq: the completions that it returned, from and to
	settledAt sim.Time
	whenDone  []func(now sim.Time)
}

// An op is an Op under way.
type op struct {
	load     *load
	step     *step
	number   uint64 // load: of its request, from 1
	landed   uint64 // load: bytes that have come
	slot     uint32 // load: which of its queue pairs
	share    uint8  // load: which share of its mix
	measured bool   // load: it counts
	back     bool   // load: of the other end
	live     bool
	Op
	trail sim.Trail
}

// join makes the id of an iteration.
func join(iteration string, i uint64) string {
	if iteration == "" {
		return strconv.FormatUint(i, 10)
	}
	return iteration + "." + strconv.FormatUint(i, 10)
}

// newStep enters a step.
func (r *runner) newStep(s *lang.Step, iteration string) *step {
	st := &step{Step: s, id: strconv.Itoa(s.Number)}
	if iteration != "" {
		st.id += "." + iteration
	}
	if s.On.Text != "" {
		st.side = r.side(s.On.Text)
	}
	if iteration == "" || r.spoken.steps[st.id] {
		r.steps[st.id] = st
	}
	if s.ID != "" {
		r.steps[s.ID] = st
	}
	return st
}

func (r *runner) side(name string) *side { return r.world.side(name) }

// arm starts a step at its own moment, or at once without waiting for it.
func (r *runner) arm(st *step) {
	now := r.world.engine.Now()
	if st.At != nil || st.After != nil {
		r.armed = append(r.armed, st)
	}
	switch {
	case st.At != nil:
		r.later.at(max(now, sim.Time(*st.At)), func(now sim.Time) { r.begin(now, st) })
	case st.After != nil:
		r.rec.await(r, st)
	default:
		r.begin(now, st)
	}
}

// begin starts a step, as soon as the CPU of its host is free.
func (r *runner) begin(now sim.Time, st *step) {
	if st.side != nil && st.side.free > now {
		r.later.at(st.side.free, func(now sim.Time) { r.begin(now, st) })
		return
	}
	st.started = true
	st.before = r.before(st)
	r.unjudged++
	r.keep(st)
	r.do(now, st)
	r.check(now, st)
}

// do carries out what a step says.
func (r *runner) do(now sim.Time, st *step) {
	switch a := st.Do.(type) {
	case *lang.PostSend:
		r.postSend(now, st, a)
	case *lang.PostRecv:
		r.postRecv(now, st, a)
	case *lang.Parallel:
		r.parallel(now, st, a)
	case *lang.Traffic:
		r.traffic(now, st, a)
	case *lang.DMA:
		r.dma(now, st, a)
	case *lang.HostAct:
		r.hostAct(now, st, a)
	case *lang.Fault:
		r.inject(st, a)
	case *lang.Packet:
		r.packet(now, st, a)
	case *lang.ReqNotify:
		r.reqNotify(now, st, a)
	case *lang.GetEvent:
		r.getEvent(now, st, a)
	case *lang.PollCQ:
		r.pollCQ(now, st, a)
	case *lang.IncRKey:
		// Nothing happens: what is asked is judged.
	default:
		r.verb(now, st)
	}
}

// parallel starts the branches at one instant; each goes on by itself.
func (r *runner) parallel(now sim.Time, st *step, p *lang.Parallel) {
	for i := range p.Branches {
		if len(p.Branches[i]) > 0 {
			st.verbs++
			r.branch(now, p.Branches[i], strings.TrimPrefix(st.id, strconv.Itoa(st.Number)), func(now sim.Time) {
				st.verbs--
				r.check(now, st)
			})
		}
	}
}

// branch runs steps one after another: each starts when the one before it has
// returned and its requests have ended.
func (r *runner) branch(now sim.Time, steps []lang.Step, iteration string, then func(now sim.Time)) {
	if len(steps) == 0 {
		then(now)
		return
	}
	s := &steps[0]
	next := func(now sim.Time) { r.branch(now, steps[1:], iteration, then) }
	switch a := s.Do.(type) {
	case *lang.Loop:
		r.rounds(now, a, 0, iteration, next)
		return
	case *lang.Wait:
		st := r.beginWait(s, strings.TrimPrefix(iteration, "."))
		after := func(now sim.Time) {
			r.endWait(st, a)
			next(now)
		}
		if a.Time != nil {
			r.later.at(now.Add(*a.Time), after)
			return
		}
		r.branchWait(now, a.IDs, after)
		return
	}
	st := r.newStep(s, strings.TrimPrefix(iteration, "."))
	if detached(s) {
		r.arm(st)
		next(now)
		return
	}
	st.whenDone = append(st.whenDone, func(now sim.Time) { r.later.at(now, next) })
	r.begin(now, st)
}

// branchWait goes on when steps have settled: those named, or all that have
// begun outside of parallel branches without being waited for.
func (r *runner) branchWait(now sim.Time, ids []lang.Name, next func(now sim.Time)) {
	for i, id := range ids {
		st := r.steps[id.Text]
		if st == nil || st.started && st.verbs == 0 && st.open == 0 {
			continue
		}
		st.whenDone = append(st.whenDone, func(now sim.Time) {
			r.later.at(now, func(now sim.Time) { r.branchWait(now, ids[i+1:], next) })
		})
		return
	}
	next(now)
}

// rounds runs the rounds of a loop within a branch.
func (r *runner) rounds(now sim.Time, l *lang.Loop, i uint64, iteration string, then func(now sim.Time)) {
	if i == l.Times {
		then(now)
		return
	}
	r.branch(now, l.Round(i), join(strings.TrimPrefix(iteration, "."), i+1), func(now sim.Time) { r.rounds(now, l, i+1, iteration, then) })
}

// check settles a step whose verbs have returned and whose ops have ended.
func (r *runner) check(now sim.Time, st *step) {
	if !st.started || st.verbs > 0 || st.open > 0 && !st.receives() {
		return
	}
	st.settledAt = now
	if st.whenDone != nil {
		done := st.whenDone
		st.whenDone = nil
		for _, f := range done {
			f(now)
		}
	}
	if st.open == 0 && !st.judged && (len(r.settled) == 0 || r.settled[len(r.settled)-1] != st) {
		r.settled = append(r.settled, st)
	}
}

// receives reports whether a step posts receives: those settle when queued.
func (st *step) receives() bool {
	_, recv := st.Do.(*lang.PostRecv)
	return recv
}

// mayPend reports whether a step need not settle.
func (st *step) mayPend() bool { return st.Expect != nil && st.Expect.Pending }

// openOps names the ops that have not ended.
func (st *step) openOps(r *runner) string {
	var ids []string
	for _, h := range st.ops {
		if o := r.ops.At(h); !o.Done {
			ids = append(ids, "op "+o.ID+" ("+o.Request+")")
		}
	}
	return strings.Join(ids, ", ")
}

// newOp begins an op of a step.
func (r *runner) newOp(now sim.Time, st *step, wr int, request string) (uint32, *op) {
	h := r.ops.Get()
	o := r.ops.At(h)
	id := st.id
	if wr > 0 {
		id = fmt.Sprintf("%s.%d", st.id, wr)
	}
	*o = op{step: st, live: true}
	o.Op = Op{ID: id, Step: st.Number, Line: st.Pos.Line, Request: request, Start: now, End: now}
	if st.side != nil {
		o.Host = st.side.name
	}
	st.ops = append(st.ops, h)
	st.open++
	return h, o
}

// retired takes what the adapter says of a request that ended: where its time
// went. An unsignaled one has ended with that.
func (r *runner) retired(o *op, t *hca.Retirement) {
	o.trail = t.Trail
	if t.CQE {
		return
	}
	o.Unsignaled = true
	r.end(t.At, o, t.Status)
}

// completed takes a completion that a poll returned.
func (r *runner) completed(now sim.Time, x *side, o *op, c *ib.CQE) {
	r.rec.completion(now, x, c, o)
	r.rec.stage(r, now, c.Op, "poll")
	r.end(now, o, c.Status)
}

// end closes an op: its parts are the adapter's, with the CPU's on both ends.
func (r *runner) end(now sim.Time, o *op, s ib.WCStatus) {
	o.Done, o.Status, o.End = true, s, now
	o.parts(now)
	r.ended.Emit(&o.Op)
	st := o.step
	st.open--
	r.check(now, st)
}

// parts fills in where the time of a request went.
func (o *op) parts(now sim.Time) {
	t := &o.trail
	for p := range hca.NumParts {
		o.Parts[p] = t.Spent[p]
	}
	if o.Recv {
		o.Parts = [hca.NumParts]sim.Duration{}
		return
	}
	o.Legs = t.Legs()
	o.Parts[hca.PartPost] += t.Start.Sub(o.Start)
	o.Parts[hca.PartPoll] += now.Sub(t.Mark)
}

// returned closes the op of a verb.
func (r *runner) returned(now sim.Time, o *op, out host.Outcome) {
	o.Done, o.Verb, o.End = true, true, now
	o.Errno, o.Rereg = out.Errno, out.Rereg
	o.Parts[hca.PartPost], o.Parts[hca.PartNIC] = out.CPU, out.Device
	if out.Errno != ib.OK && out.Rule != "" {
		f := Fault{At: now, Host: o.Host, Op: o.ID, Rule: out.Rule}
		o.Faults = append(o.Faults, f)
		r.rec.fault(f)
	}
	r.ended.Emit(&o.Op)
	st := o.step
	st.open--
	st.verbs--
	r.check(now, st)
}
