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
	pipe    *sim.Pipe[uint32]
	waiting sim.Ring[ib.QPN] // queue pairs that were refused
}

// connect makes the pipelines on both sides of the port and joins them to it.
func (h *HCA) connect() {
	port := h.Link.Port(h.End)
	p := &h.Params
	for _, class := range [...]wire.Class{wire.Requests, wire.Answers} {
		t := &h.tx[class]
		t.hca, t.class = h, class
		t.pipe = sim.NewPipe(h.engine, h.Name+".tx."+class.String(), h.clock,
			sim.PipeParams{Latency: p.Transmit, Interval: p.PacketGap, Depth: int(p.PipeDepth)}, t.leave)
		t.pipe.OnRoom(t.room)
		port.OnRoom(class, t.pipe.Resume)

		sink := h.takeRequest
		if class == wire.Answers {
			sink = h.takeAnswer
		}
		h.rx[class] = sim.NewPipe(h.engine, h.Name+".rx."+class.String(), h.clock,
			sim.PipeParams{Latency: p.Receive, Interval: p.PacketGap, Depth: int(p.PipeDepth)}, sink)
		rx := h.rx[class]
		port.Accept(class, func(now sim.Time, id uint32) bool { return rx.Send(now, id) })
		rx.OnRoom(func(now sim.Time) { port.Resume(now, class) })
	}
}

// send takes a packet, or remembers that q waits.
func (t *transmit) send(now sim.Time, q *qp, packet uint32) bool {
	if t.pipe.Send(now, packet) {
		return true
	}
	t.waiting.Push(q.qpn)
	return false
}

// room lets those try again that were refused.
func (t *transmit) room(now sim.Time) {
	t.hca.sendCrafted(now)
	for n := t.waiting.Len(); n > 0; n-- {
		q := t.hca.qp(t.waiting.Pop())
		switch {
		case q == nil:
		case t.class == wire.Requests:
			t.hca.flush(now, q)
		default:
			t.hca.reply(now, q)
		}
	}
}

// leave hands a packet to the wire and gives its buffer back.
func (t *transmit) leave(now sim.Time, id uint32) bool {
	h := t.hca
	p := h.Packets.At(id)
	response := p.BTH.Opcode.IsReadResponse()
	part := PartNIC
	if t.class == wire.Answers {
		part = PartRemote
	}
	before := p.Trail
	p.Trail.Step(part, now)
	if !h.Link.Port(h.End).Send(now, id) {
		p.Trail = before
		return false
	}
	switch {
	case t.class == wire.Requests:
		h.buffers.Give(1)
	case response:
		h.responses.Give(1)
	}
	return true
}
