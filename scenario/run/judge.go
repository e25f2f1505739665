package run

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
	"hcasim/tpt"
)

// judgeSettled judges the steps that have settled, then closes their ops.
func (r *runner) judgeSettled() {
	settled := r.settled
	r.settled = nil
	for _, st := range settled {
		r.judgeStep(st)
	}
	r.forget()
}

// judgeAll judges, at the end of the run, what has not been judged yet:
// steps that did not settle, receives, and the run as a whole.
func (r *runner) judgeAll() {
	r.judgeSettled()
	for _, st := range r.started {
		r.judgeStep(st)
	}
	whole := &step{Step: &lang.Step{}, id: ""}
	for _, e := range r.plan.Scenario.Expect {
		r.judge(whole, e)
	}
	r.thresholds(r.plan.Scenario.Thresholds)
}

// judgeStep judges one step and moves its ops into the result.
func (r *runner) judgeStep(st *step) {
	if st.judged {
		return
	}
	st.judged = true
	r.unjudged--
	for _, h := range st.ops {
		st.done = append(st.done, r.ops.At(h).Op)
	}
	r.rec.counts.ops += uint64(len(st.ops))
	if st.Expect != nil && !st.told {
		r.judge(st, st.Expect)
	}
	open := st.ops[:0]
	for i, h := range st.ops {
		o := r.ops.At(h)
		st.done[i].Expected = st.Expect != nil
		if len(r.result.Ops) < keptOps {
			r.result.Ops = append(r.result.Ops, st.done[i])
		} else {
			r.result.Omitted++
		}
		if o.Done {
			o.live, o.Faults = false, nil
			r.ops.Put(h)
		} else {
			open = append(open, h)
		}
	}
	st.ops = open
}

// judge holds a step to what is expected of it under the run's variant.
func (r *runner) judge(st *step, e *lang.Expect) {
	v := verdict{r: r, st: st, from: st.before}
	v.expect(r.under(e))
	r.result.Failures = append(r.result.Failures, v.failures...)
	r.result.Asked += v.asked
	r.result.Held += v.asked - len(v.failures)
}

// under merges what an expectation says for the run's variant.
func (r *runner) under(e *lang.Expect) *lang.Expect {
	name := r.plan.Scenario.Variant.Base
	if name == "" {
		name = "spec"
	}
	u, ok := e.Under.Get(name)
	if !ok {
		return e
	}
	return overlay(e, u)
}

// A verdict collects what an expectation asks and what does not hold.
type verdict struct {
	r        *runner
	st       *step
	from     moment
	all      []figure // of the step's time, once they are asked for
	load     []figure // of its measured part
	asked    int
	failures []Failure
}

// hold asks one thing.
func (v *verdict) hold(ok bool, pos lang.Pos, what, expected, got string) {
	v.asked++
	if ok {
		return
	}
	f := Failure{Pos: pos, Op: v.st.id, What: what, Expected: expected, Got: got}
	f.Note = v.note()
	v.failures = append(v.failures, f)
}

// note says what the model gave as its reason, if it gave one.
func (v *verdict) note() string {
	for i := range v.st.done {
		if o := &v.st.done[i]; len(o.Faults) > 0 {
			f := &o.Faults[0]
			if f.Cause == tpt.OK {
				return fmt.Sprintf("op %s was refused at %s by rule %s", o.ID, f.Host, f.Rule)
			}
			return fmt.Sprintf("op %s was refused at %s: %v (%s)", o.ID, f.Host, f.Cause, f.Rule)
		}
	}
	return ""
}

// expect asks everything that an expectation says.
func (v *verdict) expect(e *lang.Expect) {
	if e.WC != nil {
		v.completions("wc", e.WC, v.statuses())
	}
	if e.Recv != nil {
		v.completions("recv", e.Recv, v.received())
	}
	if e.Errno != nil {
		v.errno(e)
	}
	if e.BadWR != nil {
		v.hold(int(*e.BadWR) == v.st.badWR, e.Pos, "bad_wr", fmt.Sprint(*e.BadWR), fmt.Sprint(v.st.badWR))
	}
	if e.Rereg != nil {
		got := ib.ReregOK
		for i := range v.st.done {
			got = v.st.done[i].Rereg
		}
		v.hold(got == *e.Rereg, e.Pos, "rereg", e.Rereg.String(), got.String())
	}
	if e.Event != nil {
		v.events(e.Event)
	}
	if e.Fault != nil {
		v.fault(e.Fault)
	}
	for i := range e.Memory {
		v.memory(&e.Memory[i])
	}
	for i := range e.QP {
		v.state(&e.QP[i])
	}
	for i := range e.At {
		v.host(e.At[i].Name, &e.At[i].Value)
	}
	for i := range e.Key {
		v.key(&e.Key[i])
	}
	if e.NAK != nil {
		v.nak(e.NAK)
	}
	if e.Packets != nil {
		v.packets(e.Packets)
	}
	for i := range e.Latency {
		v.latency(&e.Latency[i])
	}
	if e.NoBytesAfter != "" {
		v.noBytesAfter(e)
	}
	for i := range e.Stats {
		v.threshold(&e.Stats[i])
	}
	if e.Coherence != "" {
		v.coherence(e)
	}
	v.either(e)
}

// either asks any: and not:.
func (v *verdict) either(e *lang.Expect) {
	if e.Any != nil {
		held := false
		var why []string
		for i := range e.Any {
			w := verdict{r: v.r, st: v.st, from: v.from}
			w.expect(v.r.under(&e.Any[i]))
			held = held || len(w.failures) == 0
			for _, f := range w.failures {
				why = append(why, f.What+" is "+f.Got)
			}
		}
		v.hold(held, e.Pos, "any", "one of them to hold", strings.Join(why, "; "))
	}
	if e.Not != nil {
		w := verdict{r: v.r, st: v.st, from: v.from}
		w.expect(v.r.under(e.Not))
		v.hold(len(w.failures) > 0, e.Not.Pos, "not", "this not to hold", "it holds")
	}
}

// overlay returns e with the members that u says in place of its own.
func overlay(e, u *lang.Expect) *lang.Expect {
	out := *e
	for _, m := range []struct {
		said bool
		take func()
	}{
		{u.WC != nil, func() { out.WC = u.WC }},
		{u.Recv != nil, func() { out.Recv = u.Recv }},
		{u.Errno != nil, func() { out.Errno = u.Errno }},
		{u.BadWR != nil, func() { out.BadWR = u.BadWR }},
		{u.Rereg != nil, func() { out.Rereg = u.Rereg }},
		{u.Event != nil, func() { out.Event = u.Event }},
		{u.Fault != nil, func() { out.Fault = u.Fault }},
		{u.Memory != nil, func() { out.Memory = u.Memory }},
		{u.QP != nil, func() { out.QP = u.QP }},
		{u.At != nil, func() { out.At = u.At }},
		{u.Key != nil, func() { out.Key = u.Key }},
		{u.NAK != nil, func() { out.NAK = u.NAK }},
		{u.Packets != nil, func() { out.Packets = u.Packets }},
		{u.Latency != nil, func() { out.Latency = u.Latency }},
		{u.NoBytesAfter != "", func() { out.NoBytesAfter = u.NoBytesAfter }},
		{u.Pending, func() { out.Pending = true }},
		{u.Coherence != "", func() { out.Coherence = u.Coherence }},
		{u.Stats != nil, func() { out.Stats = u.Stats }},
		{u.Any != nil, func() { out.Any = u.Any }},
		{u.Not != nil, func() { out.Not = u.Not }},
	} {
		if m.said {
			m.take()
		}
	}
	return &out
}

// errno compares the results of the step's verbs: the first that failed, or
// the last.
func (v *verdict) errno(e *lang.Expect) {
	got := ib.OK
	for i := range v.st.done {
		if o := &v.st.done[i]; o.Verb {
			got = o.Errno
			if got != ib.OK {
				break
			}
		}
	}
	var names []string
	for _, n := range e.Errno {
		names = append(names, n.String())
	}
	v.hold(slices.Contains(e.Errno, got), e.Pos, "errno", strings.Join(names, " or "), got.String())
}

// latency compares the time that the step took.
func (v *verdict) latency(b *lang.Bound) {
	got, ok := v.r.span(v.st)
	want := string(b.Op) + " " + b.Value.String()
	bound := b.Value
	if b.Of != "" {
		want = fmt.Sprintf("%s %s x %s", b.Op, showMillionths(b.Factor), b.Of)
		other, settled := v.r.span(v.r.steps[b.Of])
		if !settled {
			v.hold(false, b.Pos, "latency", want, b.Of+" has not settled")
			return
		}
		bound = times(other, b.Factor)
		want += " = " + bound.String()
	}
	if !ok {
		v.hold(false, b.Pos, "latency", want, "it has not settled")
		return
	}
	v.hold(compare(uint64(got), b.Op, uint64(bound)), b.Pos, "latency", want, got.String())
}

// times returns d times a factor in millionths, rounded down.
func times(d sim.Duration, millionths uint64) sim.Duration {
	hi, lo := bits.Mul64(uint64(d), millionths)
	if hi >= 1_000_000 {
		return sim.Duration(math.MaxUint64)
	}
	q, _ := bits.Div64(hi, lo, 1_000_000)
	return sim.Duration(q)
}

// span returns the time of a step: from the first start of its ops to the
// last end; of a step without ops, from its begin to its settling. It has none
// before it has settled.
func (r *runner) span(st *step) (sim.Duration, bool) {
	if st == nil || !st.started || !st.judged && (st.open > 0 || st.verbs > 0) {
		return 0, false
	}
	ops := st.done
	for i := 0; !st.judged && i < len(st.ops); i++ {
		ops = append(ops, r.ops.At(st.ops[i]).Op)
	}
	if len(ops) == 0 {
		return st.settledAt.Sub(st.before.at), true
	}
	first, last := ops[0].Start, ops[0].End
	for i := range ops {
		if !ops[i].Done {
			return 0, false
		}
		first, last = min(first, ops[i].Start), max(last, ops[i].End)
	}
	return last.Sub(first), true
}

func compare(a uint64, op lang.Relation, b uint64) bool {
	switch op {
	case lang.Less:
		return a < b
	case lang.LessEqual:
		return a <= b
	case lang.Equal:
		return a == b
	case lang.NotEqual:
		return a != b
	case lang.MoreEqual:
		return a >= b
	case lang.More:
		return a > b
	}
	return false
}
