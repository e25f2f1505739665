package wire

import "hcasim/sim"

// A gate is what a sender knows of one receive buffer at the other end: with
// credits, the room in it; with pause, whether it asked to wait. What it does
// not know yet is on its way back in news, which nobody reads before it
// arrives.
type gate struct {
	due     sim.Time       // when the oldest news arrives, sim.Never for none
	oldest  news           // which is this
	bytes   sim.Bytes      // credits: room for bytes
	packets uint32         // credits: room for packets
	paused  bool           // pause: the receiver asked to wait
	later   sim.Ring[news] // behind the oldest
	awaited sim.Time       // instant of the pump event ordered for news, sim.Never for none
}

// news is one message of a receiver to the sender: room that became free, or
// the beginning or end of a pause.
type news struct {
	at     sim.Time // when the sender has it
	bytes  uint32
	paused bool
}

// open reports whether a packet of n bytes may go now.
func (g *gate) open(f flow, now sim.Time, n sim.Bytes) bool {
	for g.due <= now {
		g.hear(f, g.oldest)
		if g.later.Len() == 0 {
			g.due = sim.Never
			break
		}
		g.oldest = g.later.Pop()
		g.due = g.oldest.at
	}
	if f == flowCredits {
		return g.packets > 0 && g.bytes >= n
	}
	return f == flowDrop || !g.paused
}

// hear takes in news that has arrived.
func (g *gate) hear(f flow, n news) {
	if f == flowPause {
		g.paused = n.paused
		return
	}
	g.packets++
	g.bytes += sim.Bytes(n.bytes)
}

// take uses up the room of one packet.
func (g *gate) take(f flow, n sim.Bytes) {
	if f == flowCredits {
		g.packets--
		g.bytes -= n
	}
}

// await orders a pump event for when news arrives that may open the gate,
// unless one is pending or no news is under way.
func (d *direction) await(g *gate) {
	if g.due != sim.Never && g.due != g.awaited {
		g.awaited = g.due
		d.link.engine.At(g.due, d.id, pumpEvent)
	}
}

// tell sends news to a class's sender. If it waits for just that it is woken; if
// it waits for earlier news it will read on by itself.
func (d *direction) tell(c Class, n news) {
	q := &d.send[c]
	g := &q.gate
	if g.due != sim.Never {
		g.later.Push(n)
		return
	}
	g.due, g.oldest = n.at, n
	if !q.empty() {
		d.await(g)
	}
}

// freed tells the sender, if it counts credits, that a packet's room is free.
func (d *direction) freed(now sim.Time, c Class, n sim.Bytes) {
	if d.flow == flowCredits {
		d.tell(c, news{at: now.Add(d.delay), bytes: uint32(n)})
	}
}
