package run

import (
	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/scenario/lang"
	"hcasim/scenario/run/keys"
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
	lands       bool // landings are kept
	placed      bool // places of pages are kept
	broken      bool // coherence is expected to be broken
	recall      memory
	failing     map[string]int // device commands that are to fail
	counts      counters
	opcodes     opcodeCounts
	lines       [2][numStalls]line
}

// An event is an asynchronous event, or a fault of the IOMMU.
type event struct {
	at   sim.Time
	side *side
	eqe  ib.EQE

	iommu bool // not of the adapter: an access to addr was not let through
	addr  uint64
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

// A landing is bytes of a step's requests that reached memory.
type landing struct {
	at   sim.Time
	side *side
	step *step
	n    uint32
}

// A moment is how far the recorder was when something began.
type moment struct {
	tally
	events, packets, completions int
	broken                       [2]int // violations of coherence
	marks                        [2]host.Mark
	learned                      uint64 // keys
	counts                       map[string]uint64
	places                       map[*named][]uint64
}

// moment notes the present state.
func (r *runner) moment() moment {
	c := &r.rec
	m := moment{
		tally: r.tally(r.world.engine.Now()), events: len(c.events),
		packets: len(c.packets), completions: len(c.completions),
	}
	for i, x := range r.world.sides {
		if x.watch != nil {
			m.broken[i] = len(x.watch.Broken())
		}
	}
	for i, x := range r.world.sides {
		m.marks[i] = x.host.Pager.Memory.Mark()
	}
	m.learned = r.learned
	m.counts = r.census()
	if c.placed {
		m.places = r.places()
	}
	return m
}

// before notes the state in which a step finds the world, as far as anybody
// will ask.
func (r *runner) before(st *step) moment {
	if st.Expect == nil && !r.rec.placed {
		return moment{tally: tally{at: r.world.engine.Now()}}
	}
	return r.moment()
}

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
	c.sees, c.lands, c.broken = wants(r.plan.Scenario)
	c.recall = recall(r.plan.Scenario)
	c.placed = wantsPlaces(r.plan.Scenario)
	for _, x := range r.world.sides {
		x.host.Pager.Memory.Record(wantsMemory(r.plan.Scenario))
		x.host.Raised = func(now sim.Time, e ib.EQE) {
			c.events = append(c.events, event{at: now, side: x, eqe: e})
			c.hit(r, now, func(t *trigger) bool { return t.after.Event != nil && *t.after.Event == e.Event && on(t.after.On, x) })
		}
		c.watchIOMMU(x)
		x.hca.Refused.Watch(func(f hca.Refusal) { c.refused(r, x, &f) })
		if !r.plan.Unwatched { // before the recorder forgets who owns what
			x.keys = keys.Watch(x.hca.Unit, x.hca.Table, x.name, &c.counts.keys, r.ownerName(x))
		}
		x.hca.Unit.Changes.Watch(func(ch mtp.Changed) { c.changed(r, x, ch) })
		if !r.plan.Unwatched {
			x.watch = mtp.Watch(x.hca.Unit, x.name)
			x.hca.Visible.Watch(x.watch.Visible)
			x.hca.Landed.Watch(func(l *hca.Landing) { x.watch.Landed(l.At, l.Key, &l.Entry) })
			c.watchLookups(x)
			c.watchStalls(x)
		}
		c.watchBus(x)
		if c.lands {
			x.hca.Landed.Watch(func(l *hca.Landing) { c.landed(r, x, l) })
		}
	}
	r.world.link.Tap.Watch(func(p *wire.Packet) {
		n := uint64(p.Bytes)
		h := &c.counts.hosts[p.Src]
		h.wire.add(1, n, p.Left.Sub(p.Entered))
		if p.Fate != wire.Copy {
			h.sent[p.Class]++
		}
		c.opcodes.add(p.BTH.Opcode, n)
		if c.sees {
			c.keep(r, p)
		}
	})
	if !r.plan.Unwatched {
		c.watchWire(r.world.link)
	}
	if r.plan.Onlooker != nil {
		r.world.onlook(r.plan.Onlooker)
	}
}

// landed keeps bytes that reached memory, by the step that sent them.
func (c *recorder) landed(r *runner, x *side, l *hca.Landing) {
	if o := r.ops.At(l.Op); o.live {
		c.landings = append(c.landings, landing{l.At, x, o.step, l.N})
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
	if x.keys != nil {
		x.keys.Refused(&f.Access, f.Fault)
	}
}

func (c *recorder) fault(f Fault) { c.faults = append(c.faults, f) }

// changed keeps the keys of the objects that scenarios name.
func (c *recorder) changed(r *runner, x *side, ch mtp.Changed) {
	if ch.Done {
		c.counts.hosts[x.end].changes++
		return
	}
	res := ch.Result
	for _, i := range [...]ib.Index{res.Touched[0], res.Touched[1]} {
		n := r.owners[x.end][i]
		e := x.hca.Table.Entry(i)
		if a := x.arrayOf(i); n == nil && a != nil && ch.Command.Op == tpt.BindMW && e.State == tpt.Valid {
			a.bound(i, boundAt(ch.Command, &e))
		}
		if n == nil {
			continue
		}
		key := ib.MakeKey(i, e.KeyByte)
		n.dead = e.State != tpt.Valid
		if e.State == tpt.Absent { // the index is free for another object
			delete(r.owners[x.end], i)
			continue
		}
		if key != n.key() || e.State == tpt.Valid && ch.Command.Op == tpt.BindMW {
			r.learn(n, key)
		}
		if ch.Command.Op == tpt.BindMW && e.State == tpt.Valid {
			n.start = boundAt(ch.Command, &e)
		}
		if ch.Command.Op == tpt.FastRegMR && n.mr != nil {
			n.mr.LKey, n.mr.RKey = ib.LKey(res.Key), res.RKey
		}
	}
}

// boundAt is where a window begins that a command bound: accesses may be
// judged by the region's start (mw_range: mr).
func boundAt(c *tpt.Command, e *tpt.Entry) uint64 {
	if e.Rights&ib.ZeroBased != 0 {
		return 0
	}
	return c.VA
}

// keep keeps a packet for the expectations.
func (c *recorder) keep(r *runner, p *wire.Packet) {
	c.packets = append(c.packets, packet{
		at: p.Entered, from: r.world.sides[p.Src], headers: p.Headers,
		payload: uint32(len(p.Payload)), op: p.Op, fate: p.Fate,
	})
}

// completion keeps what a poll returned.
func (c *recorder) completion(now sim.Time, x *side, e *ib.CQE, o *op) {
	if c.recall.completions {
		c.completions = append(c.completions, completion{now, x, *e, o.ID, o.step})
	}
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
		if x.keys != nil {
			r.closeKeys(x)
		}
	}
	now := r.tally(r.world.engine.Now())
	res.Stats = stats(r.figures(&tally{}, &now))
	if m := r.measured; m != nil {
		res.Measured = stats(r.figures(&m.from, &m.to))
	}
}

// wants reports whether packets and landings are to be kept: whether any
// expectation looks at them; and whether one says that coherence is broken.
func wants(s *lang.Scenario) (packets, landings, broken bool) {
	visit(s, func(e *lang.Expect) {
		packets = packets || e.Packets != nil || e.NAK != nil
		landings = landings || e.NoBytesAfter != ""
		broken = broken || e.Coherence == "broken"
	})
	return packets, landings, broken
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
	lang.EachStep(s.Ops, func(s *lang.Step) { visitExpect(s.Expect, f) })
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
