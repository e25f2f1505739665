package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A transmit is the pipeline from a whole packet to the wire, of one class.
type transmit struct {
	hca     *HCA
	class   wire.Class
	part    sim.Part // that its latency is
	port    *wire.Port
	pipe    *sim.Pipe
	waiting sim.Ring[ib.QPN] // queue pairs that were refused
}

// connect makes the pipelines on both sides of the port and joins them to it. A
// packet keeps the entrance of a receive pipeline for as long as the engine,
// unless that is shared and spaces packets itself.
func (h *HCA) connect() {
	port := h.Link.Port(h.End)
	p := &h.Params
	for _, class := range [...]wire.Class{wire.Requests, wire.Answers} {
		t := &h.tx[class]
		t.hca, t.class, t.part, t.port = h, class, PartNIC, port
		latency, sink := p.Transmit, h.takeRequest
		if class == wire.Answers {
			latency, sink, t.part = p.Answer, h.takeAnswer, PartRemote
		}
		t.pipe = sim.NewPipe(h.engine, h.Name+".tx."+class.String(), h.clock,
			sim.PipeParams{Latency: latency, Interval: wholeCycles(p.PacketGap), Depth: int(p.PipeDepth)}, t.leave)
		t.pipe.OnRoom(t.room)
		port.OnRoom(class, t.pipe.Resume)

		h.rx[class] = sim.NewPipe(h.engine, h.Name+".rx."+class.String(), h.clock,
			sim.PipeParams{Latency: p.Receive, Interval: wholeCycles(p.PacketGap), Depth: int(p.PipeDepth)}, sink)
		rx := h.rx[class]
		if gap := p.PacketGap; h.takes.shared {
			port.Accept(class, func(now sim.Time, id uint32) bool { return rx.SendFor(now, id, gap) || h.crowd(now, class) })
		} else {
			port.Accept(class, func(now sim.Time, id uint32) bool {
				gap := h.receiving(h.Packets.At(id))
				if !rx.SendFor(now, id, gap) {
					return h.crowd(now, class)
				}
				h.worked(true, gap)
				return true
			})
		}
		rx.OnRoom(func(now sim.Time) {
			h.crowded[class] = false
			h.stall(now, StallRxRequests+uint8(class), true)
			port.Resume(now, class)
		})
	}
}

// crowd notes that a packet waits before a receive pipeline.
func (h *HCA) crowd(now sim.Time, class wire.Class) (taken bool) {
	if !h.crowded[class] {
		h.crowded[class] = true
		h.stall(now, StallRxRequests+uint8(class), false)
	}
	return false
}

// wholeCycles rounds down, as pipelines catch up after a stall.
func wholeCycles(i sim.Interval) sim.Cycles { return sim.Cycles(i / sim.PerCycle) }

// send takes a packet, or remembers that q waits.
func (t *transmit) send(now sim.Time, q *qp, packet uint32) bool {
	if t.pipe.SendFor(now, packet, t.hca.Params.PacketGap) {
		return true
	}
	if !q.refused[t.class] { // it may try more than once before there is room
		q.refused[t.class] = true
		t.hca.stall(now, StallTxRequests+uint8(t.class), false)
		t.waiting.Push(q.qpn)
	}
	return false
}

// room lets those try again that were refused.
func (t *transmit) room(now sim.Time) {
	t.hca.sendCrafted(now)
	for n := t.waiting.Len(); n > 0; n-- {
		q := t.hca.qp(t.waiting.Pop())
		t.hca.stall(now, StallTxRequests+uint8(t.class), true)
		if q == nil {
			continue
		}
		q.refused[t.class] = false
		if t.class == wire.Requests {
			t.hca.flush(now, q)
		} else {
			t.hca.reply(now, q)
		}
	}
}

// leave hands a packet to the wire and gives its buffer back.
func (t *transmit) leave(now sim.Time, id uint32) bool {
	if !t.port.Room(t.class) {
		return t.port.Send(now, id) // refused, and resumed when there is room
	}
	h := t.hca
	p := h.Packets.At(id)
	o := p.BTH.Opcode
	p.Trail.Step(t.part, now)
	if !t.port.Send(now, id) {
		panic("hca: the wire refused a packet for which it had room")
	}
	switch {
	case t.class == wire.Requests:
		h.buffers.Give(1)
	case o.IsReadResponse():
		h.responses.Give(1)
	}
	return true
}
