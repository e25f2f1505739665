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
	waiting sim.Ring[arrival]
	held    sim.Bytes // bytes waiting
	stalled bool      // the sink refused the head
	paused  bool      // the sender was told to wait
}

// An arrival is a packet in a buffer.
type arrival struct {
	handle uint32
	bytes  sim.Bytes
	number uint64
	fate   Fate
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
	c := ClassOf(p.BTH.Opcode)
	l.book(p, l.parts.Wire, p.left)
	switch {
	case p.fate == Lost:
		// Its credit comes home as InfiniBand's does: a sender tells how much
		// it sent, and a receiver grants anew what did not arrive.
		d.freed(now, c, p.Bytes)
		l.pool.Put(h)
	case p.fate == Corrupted:
		d.freed(now, c, p.Bytes)
		d.discard(now, h, c)
	case p.fate == Late:
		d.hold(now, h, c)
	default:
		d.deliver(now, h, c)
		d.overtaken(now, c)
	}
	return true
}

// deliver puts a packet into its receive buffer, and to the sink if none is
// before it.
func (d *direction) deliver(now sim.Time, h uint32, c Class) {
	l, b := d.link, &d.recv[c]
	p := l.pool.At(h)
	l.book(p, l.parts.Flight, now)
	if !b.room(p.Bytes) {
		if d.flow == flowCredits {
			panic(fmt.Sprintf("wire: %s at %v: credits let a packet through that has no room", l.name, now))
		}
		p.fate = Overrun
		d.discard(now, h, c)
		return
	}
	b.waiting.Push(arrival{h, p.Bytes, p.number, p.fate, now})
	b.held += p.Bytes
	if !b.stalled {
		d.drain(now, c)
	}
	d.pause(now, c)
}

// discard ends a packet that no sink will see.
func (d *direction) discard(now sim.Time, h uint32, c Class) {
	l := d.link
	p := l.pool.At(h)
	if l.Received.On() {
		l.Received.Emit(Receipt{d.from, c, p.number, p.fate, now, now})
	}
	l.pool.Put(h)
}

// drain offers a buffer's packets to its sink, oldest first, until it refuses.
func (d *direction) drain(now sim.Time, c Class) {
	l, b := d.link, &d.recv[c]
	if b.sink == nil {
		panic(fmt.Sprintf("wire: %s at %v: nobody accepts %v at %v", l.name, now, c, d.from.Peer()))
	}
	b.stalled = false
	for b.waiting.Len() > 0 {
		head := *b.waiting.Peek()
		l.book(l.pool.At(head.handle), l.parts.Buffer, now)
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
