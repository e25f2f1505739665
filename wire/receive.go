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
	if p.Fate == Sound && b.waiting.Len() == 0 && p.Bytes <= b.Bytes && d.held.used == 0 && !l.apart {
		// Straight through, as most of the time.
		if a := (arrival{h, Sound, p.Bytes, p.Number, now}); !d.hand(now, b, p, a) {
			b.stalled = true
			b.keep(a)
			d.pause(now, c)
		}
		return true
	}
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
	return true
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

// hand offers a packet to the sink of its class. Once taken it is no longer
// the link's.
func (d *direction) hand(now sim.Time, b *buffer, p *Packet, a arrival) bool {
	l, c := d.link, p.Class
	if l.booked {
		p.Trail.Step(l.parts.Buffer, now)
	}
	if !b.sink(now, a.handle) {
		return false
	}
	d.freed(now, c, a.bytes)
	if l.Received.On() {
		l.Received.Emit(Receipt{d.from, c, a.number, a.fate, a.at, now})
	}
	return true
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
	b := &d.recv[c]
	b.stalled = false
	for b.waiting.Len() > 0 {
		head := *b.waiting.Peek()
		if !d.hand(now, b, d.link.pool.At(head.handle), head) {
			b.stalled = true
			break
		}
		b.waiting.Pop()
		b.held -= head.bytes
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
