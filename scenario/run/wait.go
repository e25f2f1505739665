package run

import (
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// wait settles what is under way, or lets time pass. What is expected of it is
// judged as it ends.
func (r *runner) wait(s *lang.Step, w *lang.Wait, iteration string) {
	st := r.beginWait(s, iteration)
	if w.Time == nil {
		r.drain()
		r.endWait(st, w)
		return
	}
	until := r.world.engine.Now().Add(*w.Time)
	r.later.at(until, func(sim.Time) { r.world.engine.Stop() })
	if !r.world.engine.Run(min(until, r.limit)) && until >= r.limit {
		r.stop()
	}
	r.endWait(st, w)
}

// beginWait enters a wait that expects something, and notes the state of the
// world; nil if it expects nothing.
func (r *runner) beginWait(s *lang.Step, iteration string) *step {
	if s.Expect == nil {
		return nil
	}
	st := r.newStep(s, iteration)
	st.started, st.before = true, r.before(st)
	r.unjudged++
	return st
}

// endWait judges a wait: by the requests that were awaited, and else by what
// has happened since it began.
func (r *runner) endWait(st *step, w *lang.Wait) {
	if st == nil {
		return
	}
	for _, id := range w.IDs {
		if other := r.steps[id.Text]; other != nil {
			st.done = append(st.done, other.done...)
			for _, h := range other.ops {
				if o := r.ops.At(h); !other.judged || !o.Done {
					st.done = append(st.done, o.Op)
				}
			}
		}
	}
	st.settledAt, st.judged = r.world.engine.Now(), true
	r.unjudged--
	r.judge(st, st.Expect)
}

// awaited returns the completions of the requests that a wait names; of a wait
// that names none those that have come since it began.
func (v *verdict) awaited(w *lang.Wait) (list []seen) {
	for i := range v.r.rec.completions {
		c := &v.r.rec.completions[i]
		if v.awaits(w, c) || v.lets(w) && i >= v.from.completions && !c.cqe.Recv {
			list = append(list, v.seen(c))
		}
	}
	return list
}

// awaits reports whether a wait names the request that a completion is of.
func (v *verdict) awaits(w *lang.Wait, c *completion) bool {
	for _, id := range w.IDs {
		if op, request := v.r.requests[id.Text]; request {
			if op == c.op {
				return true
			}
		} else if st := v.r.steps[id.Text]; st != nil && st == c.step {
			return true
		}
	}
	return false
}

// lets reports whether a wait is for a time, or for all steps.
func (v *verdict) lets(w *lang.Wait) bool {
	return w.Time != nil || len(w.IDs) == 1 && w.IDs[0].Text == "all"
}

// hold notes a step whose requests go to a queue pair in SQD: they may rest
// there.
func (r *runner) hold(st *step, qp *named) {
	if qp.qp.State == ib.SQD {
		r.holding = append(r.holding, st)
	}
}

// settleHeld settles, once nothing moves, the steps of which nothing is left
// but requests that SQD holds. It reports whether anything may move now. Such a
// step is judged as it stands; its completions are judged where they are
// awaited.
func (r *runner) settleHeld() (moves bool) {
	left := r.holding[:0]
	for _, st := range r.holding {
		switch {
		case st.open == 0:
		case detached(st.Step) || st.verbs > 0 || !r.rests(st):
			left = append(left, st)
		default:
			r.judgeHeld(st)
			done := st.whenDone
			st.whenDone = nil
			for _, f := range done {
				f(r.world.engine.Now())
				moves = true
			}
		}
	}
	r.holding = left
	return moves
}

// rests reports whether every request of a step has ended or is held.
func (r *runner) rests(st *step) bool {
	for _, h := range st.ops {
		if o := r.ops.At(h); !o.Done && !r.mayRest(st, o) {
			return false
		}
	}
	return true
}

// judgeHeld judges a step whose requests have not all ended.
func (r *runner) judgeHeld(st *step) {
	st.settledAt, st.told = r.world.engine.Now(), true
	if st.Expect == nil {
		return
	}
	for _, h := range st.ops {
		st.done = append(st.done, r.ops.At(h).Op)
	}
	r.judge(st, st.Expect)
	st.done = nil
}
