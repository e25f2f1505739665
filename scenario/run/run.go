package run

import (
	"fmt"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/sim"
	"hcasim/tpt"
)

// MaxTime is the simulated time after which a run that does not say run.until
// is stopped.
const MaxTime = 60 * sim.Second

// keptOps bounds the ops of which a Result has a record each.
const keptOps = 100_000

// A Plan is a scenario with everything that it leaves to others.
type Plan struct {
	Scenario *lang.Scenario
	Params   []*config.World // of each host
	Variant  tpt.Variant
	// Unwatched leaves out all that only looks: a test compares the two.
	Unwatched bool
	// Onlooker is called whenever a probe has something to show: for measuring
	// what watching costs.
	Onlooker func()
	// Watch is given the run before its first step.
	Watch func(*View)
}

// A runner is a run under way.
type runner struct {
	plan   Plan
	world  *world
	result *Result
	limit  sim.Time
	failed error // the model cannot do what the file declares

	hand     map[lang.Ref]bool      // queues polled by hand, by host and name
	owners   [2]map[ib.Index]*named // by end of the link
	ops      sim.Pool[op]
	steps    map[string]*step  // by id and by number
	requests map[string]string // id of an op, by the id that a file gives a request
	settled  []*step           // since the last judging, in order
	started  []*step           // steps that may be looked at again in the end
	unjudged int               // steps that have begun and are not judged yet
	learned  uint64            // keys of objects
	spoken   *mention
	armed    []*step  // steps that begin at a moment of their own
	coming   []*named // with a key that the list being posted makes
	holding  []*step  // with requests that SQD may hold
	later    later
	dmas     dmaClient
	measured *window // of the load that ended last
	rec      recorder
	ended    sim.Probe[*Op]
}

// A later runs functions at instants.
type later struct {
	engine *sim.Engine
	id     sim.HandlerID
	calls  sim.Pool[func(now sim.Time)]
}

func (l *later) at(t sim.Time, f func(now sim.Time)) {
	h := l.calls.Get()
	*l.calls.At(h) = f
	l.engine.At(t, l.id, h)
}

// Fire runs one of them.
func (l *later) Fire(now sim.Time, h uint32) {
	f := *l.calls.At(h)
	*l.calls.At(h) = nil
	l.calls.Put(h)
	f(now)
}

// Run runs a scenario to its end. An error is a mistake of the file that only
// the model could find; refusals and unmet expectations are in the Result.
func Run(p Plan) (*Result, error) {
	r, err := prepare(p)
	if err != nil {
		return nil, err
	}
	return r.play()
}

// prepare builds the world of a plan, with all that is declared in it.
func prepare(p Plan) (*runner, error) {
	s := p.Scenario
	r := &runner{
		plan: p, world: build(s, p.Params, p.Variant), result: &Result{Name: s.Name},
		steps: map[string]*step{}, requests: map[string]string{}, owners: [2]map[ib.Index]*named{{}, {}},
		hand: handPolled(s), spoken: mentions(s),
	}
	r.later.engine = r.world.engine
	r.later.id = r.world.engine.Register("steps", &r.later)
	r.limit = sim.Time(Until(s))
	r.listen()
	if err := r.declare(); err != nil {
		return nil, err
	}
	r.rec.watch(r)
	if p.Watch != nil {
		p.Watch(r.view())
	}
	return r, nil
}

// play runs the steps to the end.
func (r *runner) play() (*Result, error) {
	r.top(r.plan.Scenario.Ops)
	r.finish()
	if r.failed != nil {
		return nil, r.failed
	}
	return r.result, nil
}

// Until returns the limit of simulated time.
func Until(s *lang.Scenario) sim.Duration {
	if s.Run.Until != nil {
		return *s.Run.Until
	}
	return MaxTime
}

// listen joins the hosts' software to the steps.
func (r *runner) listen() {
	for _, x := range r.world.sides {
		x.host.Completion = func(now sim.Time, _ *host.CQ, c *ib.CQE) {
			if o := r.ops.At(c.Op); o.load != nil {
				o.load.completed(now, o, c)
			} else {
				r.completed(now, x, o, c)
			}
		}
		x.hca.Retired.Watch(func(t *hca.Retirement) {
			if o := r.ops.At(t.Op); o.load == nil {
				r.retired(o, t)
			} else {
				if t.Trail.Legs() != nil {
					o.trail = t.Trail
				}
				if !t.CQE {
					o.load.retired(o, t)
				}
			}
		})
		x.dma = x.host.Bus.Client(x.name+".dma", &r.dmas)
	}
}

// top runs the steps of the scenario itself, one after another.
func (r *runner) top(steps []lang.Step) {
	for i := range steps {
		if r.result.End == Limit || r.result.End == Stopped || r.failed != nil {
			return
		}
		r.topStep(&steps[i], "")
	}
}

// topStep starts one step and, unless the step says otherwise, lets the
// engine run until nothing moves.
func (r *runner) topStep(s *lang.Step, iteration string) {
	if loop, ok := s.Do.(*lang.Loop); ok {
		for i := range loop.Times {
			round := loop.Round(i)
			for k := range round {
				r.topStep(&round[k], join(iteration, i+1))
			}
			if r.result.End == Limit || r.result.End == Stopped || r.failed != nil {
				return
			}
		}
		return
	}
	if w, ok := s.Do.(*lang.Wait); ok {
		r.wait(s, w, iteration)
		return
	}
	st := r.newStep(s, iteration)
	if detached(s) {
		r.arm(st)
		return
	}
	r.begin(r.world.engine.Now(), st)
	r.drain()
}

// detached reports whether the next step does not wait for this one.
func detached(s *lang.Step) bool {
	switch s.Do.(type) {
	case *lang.Fault:
		return true
	default:
		return s.Async || s.At != nil || s.After != nil
	}
}

// drain lets the engine run until nothing moves, then judges what settled.
func (r *runner) drain() {
	for {
		if !r.world.engine.Run(r.limit) {
			r.stop()
			break
		}
		if !r.settleHeld() {
			break
		}
	}
	r.judgeSettled()
}

// stop notes that run.until was reached.
func (r *runner) stop() {
	r.result.End = Limit
	if r.plan.Scenario.Run.Stop {
		r.result.End = Stopped
	}
}

// finish lets all that is left come to its end and closes the result.
func (r *runner) finish() {
	if r.result.End == Finished {
		r.drain()
	}
	r.judgeAll()
	res := r.result
	res.Now, res.Events = r.world.engine.Now(), r.world.engine.Fired()
	if res.End != Stopped {
		if waits := r.world.waits(); !r.excused() {
			res.Waits = waits
		}
		r.unsettled()
		if res.End == Finished && len(res.Waits) > 0 {
			res.End = Stuck
		}
	}
	r.rec.close(r)
	if len(res.Broken) > 0 && !r.rec.broken {
		res.End = Broken
	}
}

// excused reports whether there are requests in flight that may be: those of
// steps that say pending, and those that SQD holds. What the adapter has under
// way is taken to be theirs.
func (r *runner) excused() bool {
	for _, st := range r.started {
		for _, h := range st.ops {
			if o := r.ops.At(h); !o.Done && !o.Recv && r.mayRest(st, o) {
				return true
			}
		}
	}
	return false
}

// mayRest reports whether an op need not end.
func (r *runner) mayRest(st *step, o *op) bool {
	if st.mayPend() || o.Recv {
		return true
	}
	n := r.world.named(o.Host, o.QP)
	if n == nil || n.qp == nil {
		return false
	}
	state, _ := n.side.hca.QPState(n.qp.N)
	return state == ib.SQD
}

// unsettled lists the steps that are unfinished and do not say they may be.
func (r *runner) unsettled() {
	say := func(st *step, what string) { r.result.Waits = append(r.result.Waits, "step "+st.id+what) }
	for _, st := range r.started {
		open := false
		for _, h := range st.ops {
			o := r.ops.At(h)
			open = open || !o.Done && !r.mayRest(st, o)
		}
		switch {
		case open:
			say(st, " has not settled: "+st.openOps(r))
		case st.verbs > 0 && !st.mayPend():
			say(st, " has not settled: "+st.Verb)
		}
	}
	for _, st := range r.armed {
		switch {
		case st.started || st.mayPend():
		case st.At != nil && sim.Time(*st.At) > r.limit:
			say(st, fmt.Sprintf(" never began: at: %v is beyond the limit of simulated time", *st.At))
		default:
			say(st, " never began: what it comes after has not happened")
		}
	}
}
