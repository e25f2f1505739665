package wire

import (
	"fmt"
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
	link   *Link
	line   *sim.Line
	delay  sim.Duration // one way; credits and pauses take as long to come back
	queued int          // packets in the send queues
	depth  int          // of each of them
	count  uint64       // packets that entered
	next   sim.Time     // of the earliest pump event pending, sim.Never for none
	id     sim.HandlerID
	flow   flow
	from   End
	send   [classes]sendQueue
	recv   [classes]buffer
	held   holds
}

// A sendQueue holds the packets of a class that wait for the wire.
type sendQueue struct {
	gate    gate
	packets sim.Ring[uint32]
	twin    uint32 // a copy that goes before them
	twice   bool
	refused bool // a sender waits to be woken
	stalled bool // it waits for credits, or for the end of a pause
	wake    []func(now sim.Time)
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
	d := &direction{link: l, from: from, flow: f, delay: p.Propagation(), depth: int(p.SendQueue), next: sim.Never}
	name := l.name + "." + from.String() + from.Peer().String()
	d.id = e.Register(name, d)
	// What is on the wire is bounded by its speed and by flow control.
	d.line = sim.NewLine(e, name+".line", sim.LineParams{
		Rate: p.Rate, Cap: p.Efficiency, Delay: d.delay, Depth: math.MaxInt,
	}, d.arrive)
	d.held.timers = sim.NewTimers(e, name+".held", d.release)
	for c, b := range [classes]BufferParams{Requests: p.Requests, Answers: p.Answers} {
		d.send[c].gate = gate{packets: b.Packets, bytes: b.Bytes, due: sim.Never, awaited: sim.Never}
		d.recv[c] = buffer{BufferParams: b, sink: d.nobody(Class(c))}
	}
	return d
}

// nobody is the sink of a class that none was set for.
func (d *direction) nobody(c Class) func(now sim.Time, h uint32) bool {
	return func(now sim.Time, _ uint32) bool {
		panic(fmt.Sprintf("wire: %s at %v: nobody accepts %v at %v", d.link.name, now, c, d.from.Peer()))
	}
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
	l := d.link
	p := l.pool.At(h)
	c := ClassOf(p.BTH.Opcode)
	q := &d.send[c]
	if q.packets.Len() >= d.depth {
		if !q.refused {
			d.stall(now, c, true, false)
		}
		q.refused = true
		return false
	}
	if len(p.Payload) > l.mtu {
		l.tooLong(now, p)
	}
	l.address(p, c, d.from)
	if d.queued == 0 && d.line.Free() <= now && q.gate.open(d.flow, now, p.Bytes) {
		d.judge(q, h, p) // straight through, as most of the time
		d.enter(now, q, h, p)
		return true
	}
	q.packets.Push(h)
	d.queued++
	d.pump(now)
	return true
}

// pump puts the next packet on the wire if the wire is free and something may
// go, and sees to being called again.
func (d *direction) pump(now sim.Time) {
	if d.queued == 0 {
		return // a Send pumps again
	}
	if free := d.line.Free(); free > now {
		d.wakeAt(free)
		return
	}
	if c, ok := d.arbitrate(now); ok { // else a Send, a credit or the end of a pause
		d.sendHead(now, c)
	}
}

// arbitrate picks the class that sends: answers before requests (W3).
func (d *direction) arbitrate(now sim.Time) (c Class, ok bool) {
	for _, c := range [...]Class{Answers, Requests} {
		q := &d.send[c]
		if q.empty() {
			continue
		}
		if q.gate.open(d.flow, now, d.link.pool.At(q.head()).Bytes) {
			if q.stalled {
				q.stalled = false
				d.stall(now, c, false, true)
			}
			return c, true
		}
		if !q.stalled {
			q.stalled = true
			d.stall(now, c, false, false)
		}
		d.await(&q.gate)
	}
	return 0, false
}

// sendHead puts the head of a send queue on the wire.
func (d *direction) sendHead(now sim.Time, c Class) {
	q := &d.send[c]
	h := q.head()
	p := d.link.pool.At(h)
	d.queued--
	if q.twice {
		q.twice, p.Fate = false, Copy
	} else {
		q.packets.Pop()
		if q.refused {
			q.refused = false
			d.stall(now, c, true, true)
			d.link.engine.At(now, d.id, roomEvent+uint32(c))
		}
		d.judge(q, h, p)
	}
	d.enter(now, q, h, p)
}

// judge decides what the packet that enters next will meet on the wire.
func (d *direction) judge(q *sendQueue, h uint32, p *Packet) {
	p.Fate = Sound
	if len(d.link.faults) != 0 || p.BadICRC {
		d.strike(q, h, p)
	}
}

// strike lets the faults have their way with a packet, and makes the copy that
// is to follow it.
func (d *direction) strike(q *sendQueue, h uint32, p *Packet) {
	if d.link.judge(p) {
		q.twin, q.twice = d.link.pool.Clone(h), true
		d.queued++
	}
}

// enter gives a packet to the serialiser.
func (d *direction) enter(now sim.Time, q *sendQueue, h uint32, p *Packet) {
	l := d.link
	q.gate.take(d.flow, p.Bytes)
	if l.apart {
		p.Trail.Step(l.parts.Queue, now)
	}
	d.line.Send(now, h, p.Bytes)
	left := d.line.Free()
	p.Number, p.Entered, p.Left, p.Arrives = d.count, now, left, left.Add(d.delay)
	d.count++
	if l.Tap.On() {
		l.Tap.Emit(p)
	}
	if d.queued > 0 {
		d.wakeAt(left)
	}
}
