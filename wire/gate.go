package wire

import "hcasim/sim"

// A gate is what a sender knows of one receive buffer at the other end: with
// credits, the room in it; with pause, whether it asked to wait. What it does
// not know yet is on its way back in news, which nobody reads before it
// arrives.
type gate struct {
	packets uint32    // credits: room for packets
	bytes   sim.Bytes // credits: room for bytes
	paused  bool
	news    sim.Ring[news]
	awaited sim.Time // instant of the pump event ordered for news, sim.Never for none
}

// news is one message of a receiver to the sender: room that became free, or
// the beginning or end of a pause.
type news struct {
	at     sim.Time // when the sender has it
	bytes  sim.Bytes
	paused bool
}

// open reports whether a packet of n bytes may go now, and if not, when news
// arrives that may change it: sim.Never if none is under way.
func (g *gate) open(f flow, now sim.Time, n sim.Bytes) (ok bool, at sim.Time) {
	for g.news.Len() > 0 && g.news.Peek().at <= now {
		g.hear(f, g.news.Pop())
	}
	switch {
	case f == flowDrop, f == flowPause && !g.paused, f == flowCredits && g.packets > 0 && g.bytes >= n:
		return true, now
	case g.news.Len() > 0:
		return false, g.news.Peek().at
	}
	return false, sim.Never
}

func (g *gate) hear(f flow, n news) {
	if f == flowPause {
		g.paused = n.paused
		return
	}
	g.packets++
	g.bytes += n.bytes
}

// take uses up the room of one packet.
func (g *gate) take(f flow, n sim.Bytes) {
	if f == flowCredits {
		g.packets--
		g.bytes -= n
	}
}

// await orders a pump event for when news arrives, unless one is pending.
func (d *direction) await(g *gate, at sim.Time) {
	if at != sim.Never && at != g.awaited {
		g.awaited = at
		d.link.engine.At(at, d.id, pumpEvent)
	}
}

// tell sends news to a class's sender. If it waits for just that it is woken; if
// it waits for earlier news it will read on by itself.
func (d *direction) tell(c Class, n news) {
	q := &d.send[c]
	q.gate.news.Push(n)
	if !q.empty() && q.gate.news.Len() == 1 {
		d.await(&q.gate, n.at)
	}
}

// freed tells the sender, if it counts credits, that a packet's room is free.
func (d *direction) freed(now sim.Time, c Class, n sim.Bytes) {
	if d.flow == flowCredits {
		d.tell(c, news{at: now.Add(d.delay), bytes: n})
	}
}
