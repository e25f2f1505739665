package wire

import (
	"fmt"

	"hcasim/sim"
)

// A buffer holds the packets of a class that arrived, until the receiver takes
// them.
type buffer struct {
	BufferParams
	sink    func(now sim.Time, h uint32) bool
	held    sim.Bytes // bytes waiting
	stalled bool      // the sink refused the head
	paused  bool      // the sender was told to wait
	waiting sim.Ring[arrival]
}

// An arrival is a packet in a buffer.
type arrival struct {
	handle uint32
	fate   Fate
	bytes  sim.Bytes
	number uint64
	at     sim.Time
}

func (b *buffer) room(n sim.Bytes) bool {
	return b.waiting.Len() < int(b.Packets) && b.held+n <= b.Bytes
}

// above reports whether more than ppm of the buffer is in use, by packets or by
// bytes.
func (b *buffer) above(ppm uint32) bool {
	return uint64(b.waiting.Len())*Always > uint64(b.Packets)*uint64(ppm) ||
		uint64(b.held)*Always > uint64(b.Bytes)*uint64(ppm)
}

// arrive is where the last bit of a packet comes in. The serialiser is never
// refused: what has no room was not sent, or is discarded here.
func (d *direction) arrive(now sim.Time, h uint32) bool {
	l := d.link
	p := l.pool.At(h)
	c := p.Class
	b := &d.recv[c]
	if p.Fate != Sound || b.waiting.Len() != 0 || p.Bytes > b.Bytes || d.held.used != 0 || l.apart {
		d.unusual(now, h, p)
		return true
	}
	// As most of the time: nothing is before it, and the sink takes it.
	n, number := p.Bytes, p.Number
	if l.booked {
		p.Trail.Step(l.parts.Buffer, now)
	}
	if !b.sink(now, h) {
		b.stalled = true
		b.keep(arrival{h, Sound, n, number, now})
		d.pause(now, c)
		return true
	}
	if d.flow == flowCredits {
		d.tell(c, news{at: now.Add(d.delay), bytes: uint32(n)})
	}
	if l.Received.On() {
		l.Received.Emit(Receipt{d.from, c, number, Sound, now, now})
	}
	return true
}

// unusual is arrive of a packet with a fate, behind others, or whose way is
// booked in parts.
func (d *direction) unusual(now sim.Time, h uint32, p *Packet) {
	l, c := d.link, p.Class
	if l.apart {
		p.Trail.Step(l.parts.Wire, p.Left)
	}
	switch p.Fate {
	case Lost:
		// Its credit comes home as InfiniBand's does: a sender tells how much
		// it sent, and a receiver grants anew what did not arrive.
		d.freed(now, c, p.Bytes)
		l.pool.Put(h)
	case Corrupted:
		d.freed(now, c, p.Bytes)
		d.discard(now, h, p)
	case Late:
		d.hold(now, h, p)
	default:
		d.deliver(now, h, p)
		if d.held.used > 0 {
			d.overtaken(now, c)
		}
	}
}

// deliver puts a packet into its receive buffer, and to the sink if none is
// before it.
func (d *direction) deliver(now sim.Time, h uint32, p *Packet) {
	l, c := d.link, p.Class
	b := &d.recv[c]
	if l.apart {
		p.Trail.Step(l.parts.Flight, now)
	}
	if !b.room(p.Bytes) {
		d.overrun(now, h, p)
		return
	}
	b.keep(arrival{h, p.Fate, p.Bytes, p.Number, now})
	if !b.stalled {
		d.drain(now, c)
	}
	d.pause(now, c)
}

// keep takes a packet in behind the others.
func (b *buffer) keep(a arrival) {
	b.waiting.Push(a)
	b.held += a.bytes
}

// overrun discards a packet that finds no room.
func (d *direction) overrun(now sim.Time, h uint32, p *Packet) {
	if d.flow == flowCredits {
		panic(fmt.Sprintf("wire: %s at %v: credits let a packet through that has no room", d.link.name, now))
	}
	p.Fate = Overrun
	d.discard(now, h, p)
}

// discard ends a packet that no sink will see.
func (d *direction) discard(now sim.Time, h uint32, p *Packet) {
	l := d.link
	if l.Received.On() {
		l.Received.Emit(Receipt{d.from, p.Class, p.Number, p.Fate, now, now})
	}
	l.pool.Put(h)
}

// drain offers a buffer's packets to its sink, oldest first, until it refuses.
func (d *direction) drain(now sim.Time, c Class) {
	l, b := d.link, &d.recv[c]
	b.stalled = false
	for b.waiting.Len() > 0 {
		head := *b.waiting.Peek()
		if l.booked {
			l.pool.At(head.handle).Trail.Step(l.parts.Buffer, now)
		}
		if !b.sink(now, head.handle) {
			b.stalled = true
			break
		}
		b.waiting.Pop()
		b.held -= head.bytes
		d.freed(now, c, head.bytes)
		if l.Received.On() {
			l.Received.Emit(Receipt{d.from, c, head.number, head.fate, head.at, now})
		}
	}
	d.pause(now, c)
}

// pause tells the sender to wait, or to go on, when the buffer has crossed one
// of its two marks.
func (d *direction) pause(now sim.Time, c Class) {
	if d.flow != flowPause {
		return
	}
	b, p := &d.recv[c], &d.link.params
	switch {
	case !b.paused && b.above(p.PauseAt):
		b.paused = true
	case b.paused && !b.above(p.ResumeAt):
		b.paused = false
	default:
		return
	}
	d.tell(c, news{at: now.Add(d.delay), paused: b.paused})
}
