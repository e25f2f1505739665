package timeline

import "hcasim/sim"

// A clock is that of an adapter, as it is drawn within a window.
type clock struct {
	clock  sim.Clock
	signal *signal
	n      sim.Cycles // the edge that is next, rising
	low    bool       // or falling after it
}

// drawClocks makes the clocks of both adapters begin with the window.
func (w *vcd) drawClocks() {
	for i := range w.view.Hosts {
		c := sim.NewClock(w.view.Hosts[i].HCA.Params.Clock)
		s := &signal{host: i, module: "clock", name: "clk", code: code(len(w.signals)), form: bit, first: "0", shown: "0"}
		w.signals = append(w.signals, s)
		w.clocks = append(w.clocks, &clock{clock: c, signal: s, n: c.Next(w.options.From)})
	}
}

// at is when the clock changes next.
func (c *clock) at() sim.Time {
	t := c.clock.Edge(c.n)
	if c.low {
		t += (c.clock.Edge(c.n+1) - t) / 2
	}
	return t
}

// tick writes the edges of all clocks before t.
func (w *vcd) tick(t sim.Time) {
	for {
		next := sim.Never
		for _, c := range w.clocks {
			next = min(next, c.at())
		}
		if next >= t {
			return
		}
		w.time(next)
		for _, c := range w.clocks {
			if c.at() == next {
				w.edge(c)
			}
		}
	}
}

// edge writes one.
func (w *vcd) edge(c *clock) {
	c.signal.shown = "1"
	if c.low {
		c.signal.shown = "0"
		c.n++
	}
	c.low = !c.low
	w.put(c.signal)
}
