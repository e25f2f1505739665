package timeline

import (
	"hcasim/hca"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A passing is a packet between the two adapters.
type passing struct {
	of     *journey
	opcode ib.Opcode
	psn    ib.PSN
}

func (p *passing) args() []arg { return []arg{count("PSN", uint64(p.psn))} }

// watchStages notes the points of a request's way.
func (h *hostWatch) watchStages() {
	h.view.HCA.Reached.Watch(func(s hca.Stage) {
		j := h.r.of(s.Op)
		if j == nil || j.host != h.i || j.ended {
			return
		}
		if s.Stage == hca.StageDoorbell {
			j.rung = s.At
			h.rung(s.At, j)
		} else if s.Stage == hca.StageWQE {
			j.fetched = s.At
		}
	})
	h.view.HCA.Retired.Watch(func(t *hca.Retirement) {
		if j := h.r.of(t.Op); j != nil && j.host == h.i && !j.ended {
			j.retired = t.At
		}
	})
}

// watchPackets shows packets in the pipelines to the wire and from it, and in
// the hands of the responder.
func (h *hostWatch) watchPackets() {
	a := h.view.HCA
	for _, class := range [...]wire.Class{wire.Requests, wire.Answers} {
		a.Sending(class).Watch(func(hop sim.Hop) {
			p := a.Packets.At(hop.Value)
			h.emit(h.show(unitTransmit, hop.Entered, hop.Accepted, h.r.of(p.Op), p.BTH.Opcode.String(), count("PSN", uint64(p.BTH.PSN))))
		})
		a.Receiving(class).Watch(func(hop sim.Hop) { h.taken(class, &hop) })
	}
	a.Executed.Watch(func(x hca.Execution) {
		if j := h.r.of(x.Op); j != nil && !x.Answer {
			if t, ok := j.executed(h.i, x.PSN, false); ok {
				h.emit(h.show(unitRespond, t.at, x.At, j, t.opcode.String(), count("PSN", uint64(t.psn))))
			}
		}
	})
}

// entered shows a packet on the wire that this host sends.
func (h *hostWatch) entered(p *wire.Packet) {
	j := h.r.of(p.Op)
	if j != nil && j.host == h.i && j.sent == 0 {
		j.sent = p.Entered
		if o := p.BTH.Opcode; o == ib.RCReadRequest || o.IsAtomic() {
			h.r.reads(j, p.Entered, true)
		}
	}
	name := p.BTH.Opcode.String()
	if p.Fate != wire.Sound {
		name += ": " + p.Fate.String()
	}
	if p.BTH.Opcode.IsResponse() && p.AETH.Syndrome.IsNAK() {
		name += ": " + p.AETH.Syndrome.String()
	}
	args := []arg{count("PSN", uint64(p.BTH.PSN)), count("bytes", uint64(p.Bytes)), words("arrives", p.Arrives.String())}
	h.emit(h.show(unitWire, p.Entered, p.Left, j, name, args...))
	if p.Fate == wire.Lost {
		h.flag(p.Left, j, "packet lost", args...)
		return
	}
	h.r.count(h.i, p.Entered, "on the wire, not taken yet", "packets", 1)
	h.r.hosts[p.Dst].onWire[p.Number] = &passing{j, p.BTH.Opcode, p.BTH.PSN}
}

// received takes a packet that came in, or was discarded.
func (h *hostWatch) received(t *wire.Receipt) {
	p := h.onWire[t.Number]
	if p == nil {
		return
	}
	delete(h.onWire, t.Number)
	h.r.count(int(t.From), t.Accepted, "on the wire, not taken yet", "packets", -1)
	if t.Fate == wire.Corrupted || t.Fate == wire.Overrun {
		h.flag(t.Accepted, p.of, "packet discarded: "+t.Fate.String(), p.args()...)
		return
	}
	h.coming[t.Class] = append(h.coming[t.Class], p)
}

// taken shows a packet that has passed the receive pipeline.
func (h *hostWatch) taken(class wire.Class, hop *sim.Hop) {
	list := h.coming[class]
	if len(list) == 0 {
		return
	}
	p := list[0]
	h.coming[class] = list[:copy(list, list[1:])]
	h.emit(h.show(unitReceive, hop.Entered, hop.Accepted, p.of, p.opcode.String(), p.args()...))
	if j := p.of; j != nil {
		switch {
		case class == wire.Requests:
			j.taken = append(j.taken, taking{hop.Accepted, h.i, p.psn, p.opcode})
		case j.host == h.i && !j.ended:
			j.answered = hop.Accepted
			if o := p.opcode; o.IsReadResponse() && o.Ends() || o == ib.RCAtomicAck {
				h.r.reads(j, hop.Accepted, false)
			}
		}
	}
}
