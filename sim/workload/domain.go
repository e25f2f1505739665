package workload

import "hcasim/sim"

// ClockHz is the clock of TICK and CHAIN.
const ClockHz = 1_000_000_000

// Ticks is TICK: members of a clock domain that do next to nothing in every
// cycle.
type Ticks struct {
	engine *sim.Engine
	clock  sim.Clock
	idlers []idler
	cycles sim.Cycles // that have been run
}

// An idler is a member that ticks in every cycle.
type idler struct{ sum uint64 }

// Tick counts the cycle, and wants the next.
func (t *idler) Tick(_ sim.Time, n sim.Cycles) sim.Cycles {
	t.sum += uint64(n)
	return 1
}

// NewTicks makes a domain with n members.
func NewTicks(n int) *Ticks {
	t := &Ticks{engine: sim.NewEngine(), clock: sim.NewClock(ClockHz), idlers: make([]idler, n)}
	d := sim.NewDomain(t.engine, "domain", t.clock)
	for i := range t.idlers {
		d.Add("idler", &t.idlers[i])
	}
	for i := range t.idlers {
		d.Wake(sim.Member(i))
	}
	t.engine.Run(0)
	return t
}

// Events runs n ticks, rounded up to whole cycles.
func (t *Ticks) Events(n int) {
	t.cycles += sim.Cycles((n + len(t.idlers) - 1) / len(t.idlers))
	t.engine.Run(t.clock.Edge(t.cycles))
}

// A Chain is CHAIN: members joined by bounded links, of which the first makes a
// message in every cycle and the last takes them.
type Chain struct {
	engine  *sim.Engine
	clock   sim.Clock
	hoppers []hopper
	cycles  sim.Cycles // that have been run
	hops    int
}

// A hopper passes one message a cycle on.
type hopper struct {
	in, out *sim.Link[uint64]
	hops    *int
}

// Tick passes a message on if there is one, and room for it.
func (h *hopper) Tick(_ sim.Time, n sim.Cycles) sim.Cycles {
	if h.in == nil { // the first makes the messages
		h.out.Send(uint64(n))
		return 1
	}
	if !h.in.Ready() {
		return 0
	}
	if h.out == nil { // the last takes them
		h.in.Pop()
		*h.hops++
	} else if h.out.Send(*h.in.Peek()) {
		h.in.Pop()
		*h.hops++
	}
	return 0
}

// NewChain makes a chain of n members with links 4 deep, and runs it until it is
// full.
func NewChain(n int) *Chain {
	c := &Chain{engine: sim.NewEngine(), clock: sim.NewClock(ClockHz), hoppers: make([]hopper, n)}
	d := sim.NewDomain(c.engine, "domain", c.clock)
	for i := range c.hoppers {
		c.hoppers[i].hops = &c.hops
		d.Add("hopper", &c.hoppers[i])
	}
	for i := range n - 1 {
		l := sim.NewLink[uint64](d, "link", sim.LinkParams{From: sim.Member(i), To: sim.Member(i + 1), Latency: 1, Depth: 4})
		c.hoppers[i].out, c.hoppers[i+1].in = l, l
	}
	d.Wake(0)
	c.run(100)
	return c
}

// Events runs n hops, rounded up to whole cycles.
func (c *Chain) Events(n int) { c.run(sim.Cycles((n + len(c.hoppers) - 2) / (len(c.hoppers) - 1))) }

func (c *Chain) run(n sim.Cycles) {
	c.cycles += n
	c.engine.Run(c.clock.Edge(c.cycles))
}

// Hops is how many messages were passed on so far, by all members.
func (c *Chain) Hops() int { return c.hops }
