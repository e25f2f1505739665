package wire

import (
	"fmt"

	"hcasim/ib"
	"hcasim/sim"
)

// MaxPayload is the longest payload that a packet can have, in bytes.
const MaxPayload = 4096

// A Class is what a packet is to the link. Answers have their own queues,
// buffers and credits and never wait behind requests.
type Class uint8

// The classes of packets.
const (
	Requests Class = iota
	Answers
	classes
)

// ClassOf returns the class of packets of opcode o. What has no meaning is a
// request.
func ClassOf(o ib.Opcode) Class {
	if o.IsResponse() {
		return Answers
	}
	return Requests
}

// String returns requests or answers.
func (c Class) String() string {
	if c == Answers {
		return "answers"
	}
	return "requests"
}

// An End is one of the two ends of a link.
type End uint8

// The two ends.
const (
	A End = iota
	B
)

// Peer returns the other end.
func (e End) Peer() End { return e ^ 1 }

// String returns A or B.
func (e End) String() string { return string('A' + rune(e)) }

// A Packet is one packet between its making and its consumption. Whoever holds
// its handle owns it: the sender until Send takes it, the link while it is on
// the way, the receiver once its sink took it.
type Packet struct {
	ib.Headers
	Payload []byte // empty for none; its array is the packet's own. See Pool.Payload
	Passage
	Op      uint32 // number of the sender's own record; no wire carries it
	passes  uint32 // Late: how many packets overtake it, 0 for any number
	BadICRC bool   // made wrong on purpose: the receiver will discard it
	out     bool   // somebody owns it
	hold    sim.Duration
	Trail   sim.Trail // where its time went; its maker begins it
}

// A Pool is the packets of one world, addressed by handle. Packets and their
// buffers are used again and never freed.
type Pool struct {
	packets sim.Pool[Packet]
	buffers [][MaxPayload]byte // that no packet has yet
	made    int
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{} }

// Get returns a packet with zero headers and no payload. Its Trail and Passage
// are left over from earlier use.
func (p *Pool) Get() uint32 {
	h := p.packets.Get()
	pkt := p.packets.At(h)
	pkt.Headers = ib.Headers{}
	pkt.Payload = pkt.Payload[:0]
	pkt.Op, pkt.BadICRC, pkt.out = 0, false, true
	return h
}

// At returns the packet of handle h. The pointer is good until Put.
func (p *Pool) At(h uint32) *Packet { return p.packets.At(h) }

// Payload gives packet h a payload of n bytes, at most MaxPayload, and returns
// it. Its contents are left over from earlier use.
func (p *Pool) Payload(h, n uint32) []byte {
	if n > MaxPayload {
		panic(fmt.Sprintf("wire: payload of %d bytes in one packet", n))
	}
	pkt := p.packets.At(h)
	if n != 0 && cap(pkt.Payload) == 0 {
		pkt.Payload = p.buffer()
	}
	pkt.Payload = pkt.Payload[:n]
	return pkt.Payload
}

// buffer makes room for the payload of a packet that never had one.
func (p *Pool) buffer() []byte {
	if len(p.buffers) == 0 {
		p.buffers = make([][MaxPayload]byte, max(4, min(p.made, 256)))
		p.made += len(p.buffers)
	}
	b := &p.buffers[0]
	p.buffers = p.buffers[1:]
	return b[:]
}

// Clone returns a second packet like h, with a buffer of its own.
func (p *Pool) Clone(h uint32) uint32 {
	twin := p.packets.Get()
	from, to := p.packets.At(h), p.packets.At(twin)
	own := to.Payload
	*to = *from
	to.Payload = own
	copy(p.Payload(twin, uint32(len(from.Payload))), from.Payload)
	return twin
}

// Put gives packet h back. Its owner does so once.
func (p *Pool) Put(h uint32) {
	pkt := p.packets.At(h)
	if !pkt.out {
		putTwice(h)
	}
	pkt.out = false
	p.packets.Put(h)
}

func putTwice(h uint32) { panic(fmt.Sprintf("wire: packet %d put back twice", h)) }

// Live returns how many packets somebody owns: none at the end of a run.
func (p *Pool) Live() int { return p.packets.Live() }
