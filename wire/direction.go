package wire

import (
	"math"

	"hcasim/sim"
)

// The arguments of a direction's events.
const (
	pumpEvent uint32 = iota
	roomEvent        // + class
	_
	drainEvent // + class
)

// A direction is one way of a link: two send queues, the arbiter between them,
// the serialiser, and the receive buffers at the far end.
type direction struct {
	link  *Link
	from  End
	id    sim.HandlerID
	line  *sim.Line[uint32]
	flow  flow
	delay sim.Duration // one way; credits and pauses take as long to come back
	next  sim.Time     // of the earliest pump event pending, sim.Never for none
	count uint64       // packets that entered
	send  [classes]sendQueue
	recv  [classes]buffer
	held  holds
}

// A sendQueue holds the packets of a class that wait for the wire.
type sendQueue struct {
	packets sim.Ring[uint32]
	twin    uint32 // a copy that goes before them
	twice   bool
	refused bool // a sender waits to be woken
	wake    []func(now sim.Time)
	gate    gate
}

func (q *sendQueue) empty() bool { return !q.twice && q.packets.Len() == 0 }

// head returns the packet that is next.
func (q *sendQueue) head() uint32 {
	if q.twice {
		return q.twin
	}
	return *q.packets.Peek()
}

func (l *Link) newDirection(e *sim.Engine, from End, f flow) *direction {
	p := &l.params
	d := &direction{link: l, from: from, flow: f, delay: p.Propagation(), next: sim.Never}
	name := l.name + "." + from.String() + from.Peer().String()
	d.id = e.Register(name, d)
	// What is on the wire is bounded by its speed and by flow control.
	d.line = sim.NewLine(e, name+".line", sim.LineParams{
		Rate: p.Rate, Cap: p.Efficiency, Delay: d.delay, Depth: math.MaxInt,
	}, d.arrive)
	d.held.timers = sim.NewTimers(e, name+".held", d.release)
	for c, b := range [classes]BufferParams{Requests: p.Requests, Answers: p.Answers} {
		d.send[c].gate = gate{packets: b.Packets, bytes: b.Bytes, awaited: sim.Never}
		d.recv[c].BufferParams = b
	}
	return d
}

// Fire takes an event of the direction. It is the engine's to call.
func (d *direction) Fire(now sim.Time, arg uint32) {
	switch {
	case arg == pumpEvent:
		d.happened(now)
		d.pump(now)
	case arg < drainEvent:
		for _, wake := range d.send[arg-roomEvent].wake {
			wake(now)
		}
	default:
		d.drain(now, Class(arg-drainEvent))
	}
}

// happened forgets the pump events that were ordered for now.
func (d *direction) happened(now sim.Time) {
	if now == d.next {
		d.next = sim.Never
	}
	for c := range d.send {
		if g := &d.send[c].gate; now == g.awaited {
			g.awaited = sim.Never
		}
	}
}

// wakeAt sees to a pump event at or before t. One more than needed does no
// harm.
func (d *direction) wakeAt(t sim.Time) {
	if t < d.next {
		d.next = t
		d.link.engine.At(t, d.id, pumpEvent)
	}
}

// offer takes a packet into its send queue, or refuses.
func (d *direction) offer(now sim.Time, h uint32) bool {
	p := d.link.pool.At(h)
	c := ClassOf(p.BTH.Opcode)
	q := &d.send[c]
	if q.packets.Len() >= int(d.link.params.SendQueue) {
		q.refused = true
		return false
	}
	d.link.address(now, p, d.from)
	q.packets.Push(h)
	d.pump(now)
	return true
}

// pump puts the next packet on the wire if the wire is free and something may
// go, and sees to being called again.
func (d *direction) pump(now sim.Time) {
	if d.line.Free() <= now {
		c, ok := d.arbitrate(now)
		if !ok {
			return // a Send, a credit or the end of a pause pumps again
		}
		d.enter(now, c)
	}
	if !d.send[Requests].empty() || !d.send[Answers].empty() {
		d.wakeAt(d.line.Free())
	}
}

// arbitrate picks the class that sends: answers before requests (W3).
func (d *direction) arbitrate(now sim.Time) (c Class, ok bool) {
	for _, c := range [...]Class{Answers, Requests} {
		q := &d.send[c]
		if q.empty() {
			continue
		}
		open, at := q.gate.open(d.flow, now, d.link.pool.At(q.head()).Bytes)
		if open {
			return c, true
		}
		d.await(&q.gate, at)
	}
	return 0, false
}

// enter puts the head of a send queue on the wire.
func (d *direction) enter(now sim.Time, c Class) {
	q, l := &d.send[c], d.link
	h := q.head()
	p := l.pool.At(h)
	if q.twice {
		q.twice = false
		p.fate, p.hold, p.passes = Copy, 0, 0
	} else {
		q.packets.Pop()
		if l.judge(p) {
			q.twin, q.twice = l.pool.Clone(h), true
		}
		if q.refused {
			q.refused = false
			l.engine.At(now, d.id, roomEvent+uint32(c))
		}
	}
	q.gate.take(d.flow, p.Bytes)
	l.book(p, l.parts.Queue, now)
	d.line.Send(now, h, p.Bytes)
	p.number, p.left = d.count, d.line.Free()
	d.count++
	if l.Tap.On() {
		l.Tap.Emit(Passage{p, h, d.from, c, p.number, p.fate, now, p.left, p.left.Add(d.delay)})
	}
}
