package lang

import (
	"fmt"

	"hcasim/ib"
)

// traffic completes a load.
func (c *checker) traffic(t *Traffic, host string, s *Step) {
	if len(t.QP) == 0 {
		t.QP = make([]Ref, 1)
		if d := c.defaulted(&t.QP[0], host, KindQP, s.Pos, "qp: declares one under the host"); d != nil && d.count > 0 {
			t.QP[0].Index = Whole
		}
	}
	peer := host
	for i := range t.QP {
		if d := c.resolve(&t.QP[i], search{hosts: []string{host}, arrays: true, kinds: "qp"}); d != nil && d.peer.Host != "" {
			peer = d.peer.Host
		}
	}
	if t.Opcode != nil {
		if len(t.Mix) > 0 {
			c.in(t.Pos, "opcode", "opcode and mix both say what is posted", "say one")
		}
		t.Mix = Shares{{t.Pos, *t.Opcode, 1}}
	}
	if len(t.Mix) == 0 {
		c.at(t.Pos, 1, "traffic of what?", "opcode: RDMA_WRITE, or mix: {RDMA_WRITE: 3, RDMA_READ: 1}")
	}
	c.places(t, host, peer)
	for _, share := range t.Mix {
		if share.Opcode == ib.WRBindMW {
			if len(t.Mix) > 1 || t.Mode == "pingpong" {
				c.at(share.Pos, 1, "binds stand alone in a traffic", "a step of their own, or a loop")
			}
			continue
		}
		if takes[share.Opcode]&takesSGE == 0 || takes[share.Opcode]&takesInvalidate != 0 {
			c.at(share.Pos, 1, fmt.Sprintf("traffic does not post %s", share.Opcode.Short()), "a loop does")
		}
	}
	c.window(t)
	c.offered(t)
	switch {
	case t.Count == nil && t.Time == nil:
		c.at(t.Pos, 1, "traffic without an end", "count: says how many, time: how long")
	case t.Count != nil && t.Time != nil:
		c.in(t.Pos, "time", "count and time both say when it ends", "say one")
	}
}

// offered holds an offered load to what goes with that.
func (c *checker) offered(t *Traffic) {
	switch {
	case t.Rate == nil:
	case t.Mode == "pingpong":
		c.in(t.Pos, "rate", "pingpong goes as fast as both sides answer", "mode: stream offers a rate")
	case t.Rate.Unit != UnitOps && t.Rate.Unit != UnitRate:
		c.in(t.Pos, "rate", "a rate is in op/s or bit/s", "such as 5Mop/s or 40Gb/s")
	case t.Rate.Value == 0:
		c.in(t.Pos, "rate", "at this rate nothing is ever offered", "such as 5Mop/s or 40Gb/s")
	}
	switch {
	case t.Arrival != "" && t.Rate == nil:
		c.in(t.Pos, "arrival", "arrival spaces requests offered at a rate", "rate: says which")
	case t.Pick != "" && t.Rate == nil && t.Window == nil:
		c.in(t.Pos, "pick", "each queue pair keeps its own requests in flight: none is picked", "rate: or window: picks one")
	}
	switch t.Arrival { // one word for each, of which there is one hash
	case "constant":
		t.Arrival = "even"
	case "poisson":
		t.Arrival = "exponential"
	}
}

// window holds a load over queue pairs drawn at random to what goes with that: it
// posts a batch anew when one of those in flight has ended.
func (c *checker) window(t *Traffic) {
	if t.Window == nil {
		return
	}
	for _, m := range []struct {
		said        bool
		field, what string
	}{
		{t.Depth != nil, "depth", "depth and window both say how many are in flight"},
		{t.Rate != nil, "rate", "rate and window both say when a request is posted"},
		{t.Mode == "pingpong", "mode", "pingpong has one message in flight, not a window of them"},
		{t.SignalEvery != nil && *t.SignalEvery > 1, "signal_every", "each completion posts anew in a window, and some requests would have none"},
	} {
		if m.said {
			c.in(t.Pos, m.field, m.what, "say one")
		}
	}
	if t.Batch != nil && *t.Batch > *t.Window {
		c.in(t.Pos, "batch", fmt.Sprintf("a batch of %d with %d in flight is never posted", *t.Batch, *t.Window), "window: at least as much as batch")
	}
}

// places completes where a load goes.
func (c *checker) places(t *Traffic, host, peer string) {
	if len(t.Mix) > 0 && t.Mix[0].Opcode == ib.WRBindMW {
		c.pattern(&t.Target, host, t.Pos, KindMW, "mw")
		c.pattern(&t.Source, host, t.Pos, KindMR, "mr")
		return
	}
	c.pattern(&t.Target, peer, t.Pos, KindMR, "mr,mw")
	c.pattern(&t.Source, host, t.Pos, KindMR, "mr,mw")
}

// pattern completes one of them: the first of a kind, or one of some kinds.
func (c *checker) pattern(p *Pattern, host string, pos Pos, first Kind, kinds string) {
	if p.Pos.Line == 0 {
		p.Pos = pos
	}
	if len(p.Of) == 0 {
		p.Of = make([]Ref, 1)
		if d := c.defaulted(&p.Of[0], host, first, p.Pos, "of: names regions or windows"); d != nil && d.count > 0 {
			p.Of[0].Index = Whole
		}
	}
	for i := range p.Of {
		c.resolve(&p.Of[i], search{hosts: []string{host}, arrays: true, kinds: kinds})
	}
}

// dma completes DMA of the adapter itself.
func (c *checker) dma(a *DMA, host string, s *Step) {
	var buf *decl
	if a.Of.Given() {
		buf = c.resolve(&a.Of, search{hosts: []string{host}, kinds: "mem,mr"})
	} else {
		buf = c.defaulted(&a.Of, host, KindMem, s.Pos, "of: names memory")
	}
	if buf == nil || buf.length == nil {
		return
	}
	whole, size := *buf.length, a.Payload()
	if a.Offset >= whole {
		c.in(a.Pos, "offset", fmt.Sprintf("the window begins behind %s of %s", a.Of.Name, whole), "")
		return
	}
	window := whole - a.Offset
	if a.Window != nil {
		window = *a.Window
	}
	switch {
	case window > whole-a.Offset:
		c.in(a.Pos, "window", fmt.Sprintf("the window leaves %s of %s", a.Of.Name, whole), "")
	case size > window:
		c.in(a.Pos, "size", fmt.Sprintf("%s do not fit into a window of %s", size, window), "")
	}
}

// fault completes a failure on purpose.
func (c *checker) fault(f *Fault, host string, s *Step) {
	if (f.Wire == "") == (f.Command == "") {
		c.at(f.Pos, 1, "a fault is one of wire and command", "such as fault: {wire: drop}")
	}
	if f.From.Text == "" {
		f.From.Text = host
	}
	c.host(f.From)
	c.resolve(&f.QP, search{hosts: []string{f.From.Text}, kinds: "qp"})
	if f.Wire == "delay" && f.Delay == 0 {
		c.at(f.Pos, 1, "delay by how much?", "delay: 10us")
	}
}

// packet completes a packet made by hand.
func (c *checker) packet(p *Packet, host string, s *Step) {
	qp := c.defaulted(&p.QP, host, KindQP, s.Pos, "qp: declares one under the host")
	peer := lost
	if qp != nil {
		peer = qp.peer.Host
	}
	o := p.Opcode.Value
	if !o.Known() {
		return
	}
	if o.HasRETH() || o.HasAtomicETH() {
		if p.Remote == nil {
			p.Remote = &Remote{Pos: p.Pos}
		}
		c.remote(p.Remote, host, peer, p.Pos)
	} else if p.Remote != nil {
		c.at(p.Remote.Pos, 1, fmt.Sprintf("%s has no address", o.Short()), "")
	}
	if p.Invalidate != nil && peer != lost {
		c.key(p.Invalidate, Ref{}, peer, host)
	}
	for _, m := range []struct {
		said, has bool
		name      string
	}{
		{p.Imm != nil, o.HasImm(), "imm"}, {p.Invalidate != nil, o.HasIETH(), "invalidate"},
		{p.Syndrome != nil, o.HasAETH(), "syndrome"}, {p.MSN != nil, o.HasAETH(), "msn"},
		{p.Add != nil, o == ib.RCFetchAdd, "add"}, {p.Compare != nil, o == ib.RCCompareSwap, "compare"},
		{p.Swap != nil, o == ib.RCCompareSwap, "swap"},
	} {
		if m.said && !m.has {
			c.in(p.Pos, m.name, fmt.Sprintf("%s has no %s", o.Short(), m.name), "")
		}
	}
}
