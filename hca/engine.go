package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A packetEngine works on one packet after another, for as long as the packet's
// kind says, and waits with it for its context if contexts block. Sending and
// receiving have one each, or take turns at one (engine: shared).
//
// What is received and finds the engine busy stays in its pipeline, and is asked
// for again. With an engine of their own, requests are spaced as they enter the
// pipeline; that costs no event.
type packetEngine struct {
	hca     *HCA
	clock   *sim.Clock
	freeAt  sim.Time     // the first edge at which the next packet can be taken
	spent   sim.Interval // up to where it is busy, on its clock, with the fraction that freeAt leaves out
	id      sim.HandlerID
	shared  bool
	waits   bool     // for a context
	wakeAt  sim.Time // when Fire is due; Never: it is not
	refused bool     // a pipeline waits for its turn
	sent    bool     // the last packet was one to be sent
	yielded bool     // the other side has given up its turn at this instant
	asked   sim.Time // when pipelines were last resumed by it: they offer by events of their own
	resumed sim.Time // when one was last resumed by anybody

	packet  uint32 // received, that has it awaited; none: the scheduler has,
	qpn     ib.QPN // for this queue pair
	fetched uint32 // received, whose context has come for it
}

func (e *packetEngine) init(h *HCA, name string, shared bool) {
	e.hca, e.shared, e.clock = h, shared, &h.clock
	e.packet, e.fetched, e.wakeAt, e.asked, e.resumed = none, none, sim.Never, sim.Never, sim.Never
	e.id = h.engine.Register(name, e)
}

// free returns when the next packet can be taken: Never while a context is
// awaited.
func (e *packetEngine) free(now sim.Time) sim.Time {
	switch {
	case e.waits:
		return sim.Never
	case now <= e.freeAt:
		return e.freeAt
	default:
		return e.clock.After(now, 0)
	}
}

// keep takes a packet.
func (e *packetEngine) keep(now sim.Time, gap sim.Interval, sent bool) {
	e.delay(now, gap)
	e.sent, e.yielded = sent, false
	e.hca.worked(!sent, gap)
}

// delay keeps the next packet for longer from being taken. Who comes at the very
// edge that is free goes on where the last left off; fractions add up so.
func (e *packetEngine) delay(now sim.Time, gap sim.Interval) {
	if now > e.freeAt {
		e.spent = e.clock.Next(now).Whole()
	}
	e.spent += gap
	e.freeAt = e.clock.Edge(sim.Cycles((e.spent + sim.PerCycle - 1) / sim.PerCycle))
}

// hold keeps everybody from being taken before the next edge.
func (e *packetEngine) hold(now sim.Time) {
	e.spent = max(e.spent, e.clock.Next(now).Whole())
	e.delay(e.freeAt, 0) // for freeAt
}

// offers reports whether a packet that was received can be taken now. If it can
// not, its pipeline is resumed when it can. Pipelines deliver at edges, but for
// the instant at which they are resumed.
func (e *packetEngine) offers(now sim.Time) bool {
	return now >= e.freeAt && now != e.resumed && !e.waits && (!e.shared || !e.first()) || e.grants(now)
}

// first reports whether what is to be sent goes before what was received.
func (e *packetEngine) first() bool {
	return !e.sent && !e.yielded && e.hca.sched.ready.Len() > 0
}

// grants is what offers is in general.
func (e *packetEngine) grants(now sim.Time) bool {
	at := e.free(now)
	if at <= now && e.shared && e.first() {
		e.yielded, at = true, now
		e.hca.sched.arm(now)
	} else if at <= now {
		return true
	}
	e.refuse(now)
	if at < e.wakeAt {
		e.wakeAt = at
		e.hca.engine.At(at, e.id, 0)
	}
	return false
}

// refuse has a pipeline wait for its turn.
func (e *packetEngine) refuse(now sim.Time) {
	if !e.refused {
		e.hca.stall(now, StallReceive, false)
	}
	e.refused = true
}

// yields reports whether what is to be sent lets a waiting pipeline go first.
func (e *packetEngine) yields(now sim.Time) bool {
	if !e.shared || !e.sent || e.yielded || !e.refused && e.asked != now {
		return false
	}
	e.yielded = true
	if e.refused {
		e.resume(now)
	}
	return true
}

// Fire lets the pipelines ask again. An event overtaken by an earlier one does
// nothing.
func (e *packetEngine) Fire(now sim.Time, _ uint32) {
	if now == e.wakeAt {
		e.wakeAt = sim.Never
		e.resume(now)
	}
}

// resume asks both pipelines again, answers first: they wait for nobody, and
// those who wait for them would starve behind requests.
func (e *packetEngine) resume(now sim.Time) {
	if e.refused {
		e.hca.stall(now, StallReceive, true)
	}
	e.refused, e.asked, e.resumed = false, now, now
	e.hca.rx[wire.Answers].Resume(now)
	e.hca.rx[wire.Requests].Resume(now)
}

// await stops the engine until a context has come: for a packet that was
// received, or, with none, for the queue pair whose turn it is.
func (e *packetEngine) await(packet uint32, n ib.QPN) { e.waits, e.packet, e.qpn = true, packet, n }

// came lets the engine go on. It reports whether it has waited for this context.
func (e *packetEngine) came(now sim.Time, packet uint32, n ib.QPN) bool {
	if !e.waits || e.packet != packet || e.qpn != n {
		return false
	}
	e.waits, e.packet = false, none
	if packet != none { // else one received may still wait for its turn with its context here
		e.fetched = packet
	}
	e.hold(now)
	e.resume(now)
	e.hca.sched.arm(now)
	return true
}

// A reception is how long packets of one opcode keep the engine that receives.
type reception struct{ gap, perByte sim.Interval }

// A timing is how long packets keep their engine, by what they are.
type timing struct {
	sending   [256]sim.Interval // by opcode of the work request
	receiving [256]reception    // by opcode of the packet
	perCell   sim.Interval
	plain     bool // what is received costs the same whatever its payload
}

// init makes the tables out of the parameters.
func (t *timing) init(p *Params) {
	g := &p.Gap
	for o := range t.sending {
		t.sending[o] = max(sending(g, ib.WROpcode(o)), p.Schedule)
	}
	for o := range t.receiving {
		r := receiving(g, ib.Opcode(o))
		t.receiving[o] = reception{max(r.gap, p.PacketGap), r.perByte}
	}
	t.perCell = g.ReceiveCell
	t.plain = g.ReceiveCell == 0 && g.ReceiveByte == 0
}

// sending returns the gap of a packet of a request.
func sending(g *GapParams, o ib.WROpcode) sim.Interval {
	switch o {
	case ib.WRRDMAWrite, ib.WRRDMAWriteWithImm:
		return g.SendWrite
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv:
		return g.SendSend
	case ib.WRRDMARead:
		return g.SendRead
	case ib.WRAtomicCmpAndSwp, ib.WRAtomicFetchAndAdd:
		return g.SendAtomic
	default:
		return g.Local
	}
}

// receiving returns the gap of a packet that came in.
func receiving(g *GapParams, o ib.Opcode) reception {
	switch {
	case wire.ClassOf(o) == wire.Answers:
		return reception{}
	case o.IsWrite():
		return reception{g.ReceiveWrite, g.ReceiveByte}
	case o == ib.RCReadRequest:
		return reception{g.ReceiveRead, g.ReceiveByte}
	case o.IsAtomic():
		return reception{g.ReceiveAtomic, g.ReceiveByte}
	default:
		return reception{g.ReceiveSend, g.ReceiveByte}
	}
}

// cellBytes is the unit in which payload is handled on chip: READ rates fall by
// a step behind 256 bytes (FaSST OSDI'16).
const cellBytes = 256

// receiving returns how long a packet that came in keeps the engine. A READ
// counts for what it asks for, up to one packet of the port's MTU.
func (h *HCA) receiving(p *wirePacket) sim.Interval {
	o := p.BTH.Opcode
	r := &h.timing.receiving[o]
	if h.timing.plain {
		return r.gap
	}
	bytes := uint32(len(p.Payload))
	if o == ib.RCReadRequest {
		bytes = min(p.RETH.Length, h.Link.Params().MTU)
	}
	cells := (max(bytes, 1) - 1) / cellBytes
	return r.gap + r.perByte*sim.Interval(bytes) + h.timing.perCell*sim.Interval(cells)
}
