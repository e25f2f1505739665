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
	Payload []byte    // a part of the packet's own buffer; nil for none. See Pool.Payload
	Bytes   sim.Bytes // on the wire, all included; Send sets it
	Src     End       // Send sets both ends
	Dst     End
	Op      uint32    // number of the sender's own record; no wire carries it
	BadICRC bool      // made wrong on purpose: the receiver will discard it
	Trail   sim.Trail // where its time went; its maker begins it

	number uint64   // how many entered its direction before it
	left   sim.Time // when its last bit left
	fate   Fate
	hold   sim.Duration // Late: how long it is kept back at most
	passes uint32       // Late: how many packets overtake it, 0 for any number
	buffer *[MaxPayload]byte
	out    bool // somebody owns it
}

// A Pool is the packets of one world, addressed by handle. Packets and
// buffers are used again and never freed.
type Pool struct {
	packets sim.Pool[Packet]
	buffers []*[MaxPayload]byte // nobody's
	made    int
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{} }

// Get returns a packet with zero headers and no payload.
func (p *Pool) Get() uint32 {
	h := p.packets.Get()
	*p.packets.At(h) = Packet{out: true}
	return h
}

// At returns the packet of handle h. The pointer is good until Put.
func (p *Pool) At(h uint32) *Packet { return p.packets.At(h) }

// Payload gives packet h a payload of n bytes, at most MaxPayload, and returns
// it. Its contents are left over from earlier use.
func (p *Pool) Payload(h, n uint32) []byte {
	pkt := p.packets.At(h)
	switch {
	case n > MaxPayload:
		panic(fmt.Sprintf("wire: payload of %d bytes in one packet", n))
	case n == 0:
		pkt.Payload = nil
		return nil
	case pkt.buffer == nil:
		pkt.buffer = p.takeBuffer()
	}
	pkt.Payload = pkt.buffer[:n]
	return pkt.Payload
}

func (p *Pool) takeBuffer() *[MaxPayload]byte {
	if len(p.buffers) == 0 {
		chunk := make([][MaxPayload]byte, max(4, min(p.made, 256)))
		p.made += len(chunk)
		for i := range chunk {
			p.buffers = append(p.buffers, &chunk[i])
		}
	}
	last := len(p.buffers) - 1
	b := p.buffers[last]
	p.buffers = p.buffers[:last]
	return b
}

// Clone returns a second packet like h, with a buffer of its own.
func (p *Pool) Clone(h uint32) uint32 {
	twin := p.packets.Get()
	from, to := p.packets.At(h), p.packets.At(twin)
	*to = *from
	to.buffer, to.Payload = nil, nil
	copy(p.Payload(twin, uint32(len(from.Payload))), from.Payload)
	return twin
}

// Put gives packet h and its buffer back. Its owner does so once.
func (p *Pool) Put(h uint32) {
	pkt := p.packets.At(h)
	if !pkt.out {
		panic(fmt.Sprintf("wire: packet %d put back twice", h))
	}
	pkt.out = false
	if pkt.buffer != nil {
		p.buffers = append(p.buffers, pkt.buffer)
		pkt.buffer, pkt.Payload = nil, nil
	}
	p.packets.Put(h)
}

// Live returns how many packets somebody owns: none at the end of a run.
func (p *Pool) Live() int { return p.packets.Live() }
