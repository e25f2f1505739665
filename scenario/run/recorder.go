package run

import (
	"fmt"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/scenario/lang"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// A recorder keeps what the probes tell, for expectations and the result. It
// changes nothing.
type recorder struct {
	faults      []Fault
	events      []event
	packets     []packet
	completions []completion
	sees        bool // packets are kept
	triggers    []*trigger
	landings    []landing
	lands       bool           // landings are kept
	placed      bool           // places of pages are kept
	failing     map[string]int // device commands that are to fail
	counts      counters
}

// counters are the figures that every run has.
type counters struct {
	packets, bytes uint64 // on the wire
	ops            uint64
	mptHit, mptAsk [2]uint64
	mttHit, mttAsk [2]uint64
	changes        [2]uint64
}

// An event is an asynchronous event, or a fault of the IOMMU.
type event struct {
	at   sim.Time
	side *side
	eqe  ib.EQE
}

// A packet is one that entered the wire.
type packet struct {
	at      sim.Time
	from    *side
	headers ib.Headers
	payload uint32
	op      uint32
	fate    wire.Fate
}

// A completion is one that a poll returned.
type completion struct {
	at   sim.Time
	side *side
	cqe  ib.CQE
	op   string
	step *step
}

// A landing is bytes that reached memory by a key.
type landing struct {
	at   sim.Time
	side *side
	key  ib.Key
	n    uint32
}

// A moment is how far the recorder was when something began.
type moment struct {
	at                                   sim.Time
	faults, events, packets, completions int
	marks                                [2]host.Mark
	keys                                 map[*named]ib.Key
	counts                               map[string]uint64
	places                               map[*named][]uint64
}

// moment notes the present state.
func (r *runner) moment() moment {
	c := &r.rec
	m := moment{
		at: r.world.engine.Now(), faults: len(c.faults), events: len(c.events),
		packets: len(c.packets), completions: len(c.completions),
	}
	if c.remembers(r) {
		for i, x := range r.world.sides {
			m.marks[i] = x.host.Pager.Memory.Mark()
		}
		m.keys = map[*named]ib.Key{}
		for _, x := range r.world.sides {
			for _, n := range x.names {
				if len(n.keys) > 0 {
					m.keys[n] = n.key()
				}
			}
		}
		m.counts = r.census()
		if c.placed {
			m.places = r.places()
		}
	}
	return m
}

// remembers reports whether the state of the world is kept at the beginning
// of each step: too much for long runs, which do not ask for it.
func (c *recorder) remembers(r *runner) bool { return len(r.steps) < 10_000 }

// census counts the objects of all hosts.
func (r *runner) census() map[string]uint64 {
	all := map[string]uint64{}
	for _, x := range r.world.sides {
		u := x.hca.Table.Usage()
		pinned := uint64(0)
		for _, p := range x.host.Processes {
			pinned += p.Pinned() / 4096
		}
		for what, n := range map[string]uint64{
			"pd": uint64(u.PD), "mr": uint64(u.MR), "mw": uint64(u.MW), "qp": uint64(u.QP),
			"srq": uint64(u.SRQ), "mtt": uint64(u.MTT), "pinned": pinned,
		} {
			all[x.name+"."+what] = n
		}
	}
	return all
}

// watch attaches the recorder to the probes.
func (c *recorder) watch(r *runner) {
	c.failing = map[string]int{}
	c.sees, c.lands = wants(r.plan.Scenario)
	c.placed = wantsPlaces(r.plan.Scenario)
	for _, x := range r.world.sides {
		x.host.Pager.Memory.Record(wantsMemory(r.plan.Scenario))
		x.host.Raised = func(now sim.Time, e ib.EQE) {
			c.events = append(c.events, event{now, x, e})
			c.hit(r, now, func(t *trigger) bool { return t.after.Event != nil && *t.after.Event == e.Event && on(t.after.On, x) })
		}
		x.hca.Refused.Watch(func(f hca.Refusal) { c.refused(r, x, &f) })
		x.hca.Unit.Changes.Watch(func(ch mtp.Changed) { c.changed(r, x, ch) })
		if !r.plan.Unwatched {
			x.watch = mtp.Watch(x.hca.Unit, x.name)
			x.hca.Visible.Watch(x.watch.Visible)
			x.hca.Landed.Watch(func(l hca.Landing) { x.watch.Landed(l.At, l.Key, &l.Entry) })
			x.hca.Unit.Judgements.Watch(func(j mtp.Judgement) { c.counts.judged(int(x.end), j.Access) })
			x.hca.Unit.Translations.Watch(func(j mtp.Judgement) { c.counts.translated(int(x.end), j.Access) })
		}
		if c.lands {
			x.hca.Landed.Watch(func(l hca.Landing) { c.landings = append(c.landings, landing{l.At, x, l.Key, l.N}) })
		}
	}
	r.world.link.Tap.Watch(func(p wire.Passage) { c.passed(r, p) })
}

func (c *counters) judged(end int, a *mtp.Access) {
	if a.Judge.Length == 0 {
		return
	}
	c.mptAsk[end]++
	if a.MPTHit {
		c.mptHit[end]++
	}
}

func (c *counters) translated(end int, a *mtp.Access) {
	c.mttAsk[end]++
	if a.MTTHit {
		c.mttHit[end]++
	}
}

// refused books a refusal at its op.
func (c *recorder) refused(r *runner, x *side, f *hca.Refusal) {
	out := Fault{
		At: f.At, Host: x.name, QPN: f.QPN, Remote: f.Remote, Status: f.Status, NAK: f.NAK,
		Cause: f.Fault, Rule: f.Rule, Access: f.Access, Entry: f.Entry,
	}
	if o := r.ops.At(f.Op); o.live && o.load == nil {
		out.Op = o.ID
		o.Faults = append(o.Faults, out)
	}
	c.fault(out)
}

func (c *recorder) fault(f Fault) { c.faults = append(c.faults, f) }

// changed keeps the keys of the objects that scenarios name.
func (c *recorder) changed(r *runner, x *side, ch mtp.Changed) {
	if ch.Done {
		c.counts.changes[x.end]++
		return
	}
	res := ch.Result
	for _, i := range [...]ib.Index{res.Touched[0], res.Touched[1]} {
		n := r.owners[x.end][i]
		if n == nil {
			continue
		}
		e := x.hca.Table.Entry(i)
		key := ib.MakeKey(i, e.KeyByte)
		n.dead = e.State != tpt.Valid
		if e.State == tpt.Absent { // the index is free for another object
			delete(r.owners[x.end], i)
			continue
		}
		if key != n.key() || e.State == tpt.Valid && ch.Command.Op == tpt.BindMW {
			n.learn(key)
		}
		if n.mw != nil && e.State == tpt.Valid {
			n.start = e.Start
		}
	}
}

// passed keeps a packet that entered the wire.
func (c *recorder) passed(r *runner, p wire.Passage) {
	c.counts.packets++
	c.counts.bytes += uint64(p.Packet.Bytes)
	if !c.sees {
		return
	}
	c.packets = append(c.packets, packet{
		at: p.Entered, from: r.world.sides[p.From], headers: p.Packet.Headers,
		payload: uint32(len(p.Packet.Payload)), op: p.Packet.Op, fate: p.Fate,
	})
}

// completion keeps what a poll returned.
func (c *recorder) completion(now sim.Time, x *side, e *ib.CQE, o *op) {
	c.completions = append(c.completions, completion{now, x, *e, o.ID, o.step})
}

// failsCommand reports whether the next device command of a name is to fail,
// and uses that up.
func (c *recorder) failsCommand(name string) bool {
	if c.failing[name] == 0 {
		return false
	}
	c.failing[name]--
	return true
}

// close writes the figures into the result.
func (c *recorder) close(r *runner) {
	res := r.result
	res.Faults = c.faults
	for _, x := range r.world.sides {
		if x.watch != nil {
			res.Broken = append(res.Broken, x.watch.Broken()...)
		}
	}
	stat := func(name string, v uint64, unit, doc string) {
		res.Stats = append(res.Stats, Stat{name, fmt.Sprint(v), unit, doc})
	}
	stat("time", uint64(res.Now), "ps", "Simulated time at the end of the run.")
	stat("events", res.Events, "", "Events of the engine.")
	stat("ops", c.counts.ops, "", "Verb calls and work requests.")
	stat("faults", uint64(len(c.faults)), "", "Refusals, of keys and of requests.")
	stat("wire.packets", c.counts.packets, "", "Packets that entered the wire, both ways.")
	stat("wire.bytes", c.counts.bytes, "B", "Their bytes on the wire.")
	for _, x := range r.world.sides {
		i := int(x.end)
		stat(x.name+".mpt.lookups", c.counts.mptAsk[i], "", "Protection entries looked up.")
		stat(x.name+".mpt.hits", c.counts.mptHit[i], "", "Of these, found on chip.")
		stat(x.name+".mtt.lookups", c.counts.mttAsk[i], "", "Accesses translated.")
		stat(x.name+".mtt.hits", c.counts.mttHit[i], "", "Of these, with all pages found on chip.")
		stat(x.name+".changes", c.counts.changes[i], "", "Changes of the tables.")
	}
}

// wants reports whether packets and landings are to be kept: whether any
// expectation looks at them.
func wants(s *lang.Scenario) (packets, landings bool) {
	visit(s, func(e *lang.Expect) {
		packets = packets || e.Packets != nil || e.NAK != nil
		landings = landings || e.NoBytesAfter != ""
	})
	return packets, landings
}

// wantsMemory reports whether any expectation looks at memory.
func wantsMemory(s *lang.Scenario) (yes bool) {
	visit(s, func(e *lang.Expect) { yes = yes || len(e.Memory) > 0 || e.NoBytesAfter != "" })
	return yes
}

// visit calls f for every expectation of a scenario.
func visit(s *lang.Scenario, f func(e *lang.Expect)) {
	for _, e := range s.Expect {
		visitExpect(e, f)
	}
	visitSteps(s.Ops, f)
}

func visitSteps(steps []lang.Step, f func(e *lang.Expect)) {
	for i := range steps {
		visitExpect(steps[i].Expect, f)
		switch a := steps[i].Do.(type) {
		case *lang.Loop:
			for _, round := range a.Rounds {
				visitSteps(round, f)
			}
		case *lang.Parallel:
			for _, b := range a.Branches {
				visitSteps(b, f)
			}
		}
	}
}

func visitExpect(e *lang.Expect, f func(e *lang.Expect)) {
	if e == nil {
		return
	}
	f(e)
	for i := range e.Any {
		visitExpect(&e.Any[i], f)
	}
	visitExpect(e.Not, f)
	for i := range e.Under {
		visitExpect(&e.Under[i].Value, f)
	}
}
