package run

import (
	"strings"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
	"hcasim/wire"
)

// A trigger is a step that waits for a moment in the life of another.
type trigger struct {
	after *lang.After
	step  *step
	seen  uint32
	done  bool
}

func on(name lang.Name, x *side) bool { return name.Text == "" || name.Text == x.name }

// await arms a step that starts after something else.
func (c *recorder) await(r *runner, st *step) {
	a := st.After
	if other := r.steps[a.ID]; other != nil && a.Event == nil && a.Packet == 0 && a.Response == 0 && a.Stage == "" {
		r.afterStep(other, st)
		return
	}
	if len(c.triggers) == 0 {
		c.observe(r)
	}
	c.triggers = append(c.triggers, &trigger{after: a, step: st})
}

// afterStep starts st when other has settled.
func (r *runner) afterStep(other, st *step) {
	start := func(now sim.Time) {
		r.later.at(now.Add(st.After.Delay), func(now sim.Time) { r.begin(now, st) })
	}
	if other.started && other.verbs == 0 && (other.open == 0 || other.receives() && st.After.ID == "") {
		start(r.world.engine.Now())
		return
	}
	other.whenDone = append(other.whenDone, start)
}

// hit starts the steps whose trigger matches.
func (c *recorder) hit(r *runner, now sim.Time, matches func(t *trigger) bool) {
	for _, t := range c.triggers {
		if t.done || !matches(t) {
			continue
		}
		t.done = true
		r.later.at(now.Add(t.after.Delay), func(now sim.Time) { r.begin(now, t.step) })
	}
}

// stage starts the steps that wait for op h to reach a stage.
func (c *recorder) stage(r *runner, now sim.Time, h uint32, stage string) {
	c.hit(r, now, func(t *trigger) bool { return t.after.Stage == stage && c.isOf(r, t, h) })
}

// isOf reports whether op h belongs to what a trigger names: a step, or one
// request of it.
func (c *recorder) isOf(r *runner, t *trigger, h uint32) bool {
	o := r.ops.At(h)
	if !o.live {
		return false
	}
	if id, request := r.requests[t.after.ID]; request {
		return o.ID == id
	}
	return o.ID == r.opOf(t.after.ID) || o.ID == t.after.ID || r.steps[t.after.ID] != nil && r.steps[t.after.ID] == o.step
}

// opOf returns the id of the op that an id of a file means: a request, the one
// op of a step, or s.2, which is the second of step s.
func (r *runner) opOf(id string) string {
	if op, request := r.requests[id]; request {
		return op
	}
	if st := r.steps[id]; st != nil {
		return st.id
	}
	name, rest, _ := strings.Cut(id, ".")
	if st := r.steps[name]; st != nil {
		return st.id + "." + rest
	}
	return ""
}

// observe attaches the probes that triggers need.
func (c *recorder) observe(r *runner) {
	for _, x := range r.world.sides {
		x.hca.Executed.Watch(func(e hca.Execution) {
			c.hit(r, e.At, func(t *trigger) bool {
				want := t.after.Packet
				if e.Answer {
					want = t.after.Response
				}
				if want == 0 || !c.isOf(r, t, e.Op) {
					return false
				}
				t.seen++
				return t.seen == want
			})
			if !e.Answer {
				c.stage(r, e.At, e.Op, "responder-check")
			}
		})
		x.hca.Landed.Watch(func(l *hca.Landing) { c.stage(r, l.At, l.Op, "responder-dma") })
		x.hca.Retired.Watch(func(t *hca.Retirement) { c.stage(r, t.At, t.Op, "cqe") })
		x.hca.Reached.Watch(func(s hca.Stage) { c.stage(r, s.At, s.Op, stageNames[s.Stage]) })
	}
	r.world.link.Tap.Watch(func(p *wire.Packet) {
		stage := "send"
		if p.Class == wire.Answers {
			stage = "answer"
		}
		c.stage(r, p.Entered, p.Op, stage)
	})
}

// stageNames are the words of files for the stages that adapters report.
var stageNames = map[hca.StageKind]string{
	hca.StageDoorbell: "doorbell", hca.StageWQE: "wqe-fetch", hca.StageLookup: "mpt-lookup",
	hca.StageCheck: "mpt-check", hca.StagePages: "mtt-lookup", hca.StageDMA: "dma", hca.StageReceive: "receive",
}

// inject arms a failure on purpose.
func (r *runner) inject(st *step, f *lang.Fault) {
	if f.Wire != "" {
		r.injectWire(st, f)
		return
	}
	n := 1
	if f.Count != nil {
		n = int(*f.Count)
	}
	r.rec.failing[f.Command] += n
}

// opsOf is the ops of a step, or one request, that a file names.
type opsOf struct {
	r    *runner
	what trigger
}

// Has reports whether an op is one of them.
func (o *opsOf) Has(op uint32) bool { return o.r.rec.isOf(o.r, &o.what, op) }

func (r *runner) injectWire(st *step, f *lang.Fault) {
	kind, _ := wire.ParseFaultKind(f.Wire)
	w := wire.Fault{Kind: kind, Nth: uint64(f.Skip) + 1, Count: 1, PPM: wire.Always, Delay: f.Delay}
	if f.Probability != nil {
		w.PPM, w.Count = uint32(*f.Probability), 0
	}
	if f.Count != nil {
		w.Count = uint64(*f.Count)
	}
	if kind == wire.Reorder && w.Delay == 0 {
		w.Delay = sim.Millisecond
	}
	from := st.side
	if f.From.Text != "" {
		from = r.side(f.From.Text)
	}
	if from != nil {
		w.ByFrom, w.From = true, from.end
	}
	if f.Opcode != nil {
		w.ByOpcode, w.Opcode = true, *f.Opcode
	}
	n := r.object(f.QP)
	if n == nil && f.PSN != nil && f.PSN.Relative { // counted from where one queue pair is: the first
		n = r.firstQP(from)
	}
	if n != nil && n.qp != nil {
		w.ByQP, w.DestQP = true, n.qp.Attr.Dest
	}
	if f.PSN != nil {
		w.ByPSN, w.PSN = true, r.psn(f.PSN, n)
	}
	if f.Of != "" {
		w.Of = &opsOf{r, trigger{after: &lang.After{ID: f.Of}}}
	}
	r.world.link.AddFault(w)
}

// firstQP returns the queue pair that a host declares first, nil for none.
func (r *runner) firstQP(x *side) *named {
	if x == nil || len(x.setup.QP) == 0 {
		return nil
	}
	return x.names[x.setup.QP[0].Name]
}

// psn returns the packet number that a file means: absolute, or counted from
// the next that the queue pair sends.
func (r *runner) psn(p *lang.PSN, n *named) ib.PSN {
	if !p.Relative || n == nil || n.qp == nil {
		return ib.PSN(uint32(p.Value) & 0xFFFFFF)
	}
	next, _ := n.side.hca.NextPSN(n.qp.N)
	return next.Add(uint32(p.Value) & 0xFFFFFF)
}
