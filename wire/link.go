package wire

import (
	"fmt"

	"hcasim/ib"
	"hcasim/sim"
)

// A Link joins two ports.
type Link struct {
	// Tap reports every packet as it enters the wire. It is the link's, to be
	// looked at during the call only.
	Tap sim.Probe[*Packet]
	// Received reports every packet as its receiver accepts or discards it.
	Received sim.Probe[Receipt]
	// Stalls reports classes that begin and end to wait.
	Stalls sim.Probe[Stall]

	engine *sim.Engine
	pool   *Pool
	faults []plan
	parts  Parts
	booked bool
	apart  bool          // the parts are not all one
	mtu    int           // bytes
	heads  [256]uint32   // by opcode: bytes on the wire beside payload and padding
	ways   [2]*direction // by sender
	ports  [2]Port

	name   string
	params Params
	encap  ib.Encap
	seed   uint64
}

// NewLink returns a link over which the packets of pool travel. Seed decides
// where faults with a chance strike. Params that fail their Check panic.
func NewLink(e *sim.Engine, name string, p Params, pool *Pool, seed uint64) *Link {
	if err := p.Check(); err != nil {
		panic(fmt.Sprintf("wire: %s: %v", name, err))
	}
	l := &Link{engine: e, name: name, params: p, encap: p.Encap(), pool: pool, seed: seed}
	l.mtu = int(p.MTU)
	for o := range l.heads {
		l.heads[o] = l.encap.WireBytes(ib.Opcode(o), 0)
	}
	flows, _ := p.flows()
	for _, end := range [...]End{A, B} {
		l.ways[end] = l.newDirection(e, end, flows[end])
	}
	for _, end := range [...]End{A, B} {
		l.ports[end] = Port{l, end, l.ways[end], l.ways[end.Peer()]}
	}
	return l
}

// Port returns the link's edge at one end.
func (l *Link) Port(end End) *Port { return &l.ports[end] }

// Params returns the numbers the link was made with.
func (l *Link) Params() Params { return l.params }

// Book has the link book its part of every packet's time in Packet.Trail. It
// does not begin trails. Parts that are all one are booked at once, as the
// receiver is offered the packet.
func (l *Link) Book(p Parts) {
	l.parts, l.booked = p, true
	l.apart = p != Parts{p.Queue, p.Queue, p.Queue, p.Queue}
}

// address fills in what a packet owes to its way.
func (l *Link) address(p *Packet, c Class, from End) {
	n := len(p.Payload)
	p.Src, p.Dst, p.Class = from, from.Peer(), c
	p.BTH.Pad = ib.PadFor(n)
	p.Bytes = sim.Bytes(l.heads[p.BTH.Opcode] + uint32(n+3)&^3)
}

func (l *Link) tooLong(now sim.Time, p *Packet) {
	panic(fmt.Sprintf("wire: %s at %v: %v of %d bytes, mtu is %d", l.name, now, p.BTH.Opcode, len(p.Payload), l.mtu))
}

// A Port is the edge of a link that an adapter holds.
type Port struct {
	link *Link
	end  End
	out  *direction
	in   *direction
}

// Send takes packet h, whose headers and payload are complete, or returns
// false when the queue of its class is full: OnRoom then says when there is
// room again. The link sets its Passage and BTH.Pad.
func (p *Port) Send(now sim.Time, h uint32) bool { return p.out.offer(now, h) }

// Room reports whether Send would take a packet of class c now.
func (p *Port) Room(c Class) bool {
	return p.out.send[c].packets.Len() < p.out.depth
}

// OnRoom adds a function to be called when there is room for class c again
// after Send refused: once per refused period, by an event of its own, never
// from within a sink.
func (p *Port) OnRoom(c Class, wake func(now sim.Time)) {
	q := &p.out.send[c]
	q.wake = append(q.wake, wake)
}

// Accept sets the sink for packets of class c. It is called when a packet's
// last bit has arrived and those before it were taken; it owns the packet when
// it returns true. False means "not now": the class stalls until Resume, the
// other class goes on.
func (p *Port) Accept(c Class, sink func(now sim.Time, h uint32) bool) { p.in.recv[c].sink = sink }

// Resume says that the sink of class c, having refused, may be asked again: an
// event at now does so. It does nothing when there is no stall.
func (p *Port) Resume(now sim.Time, c Class) {
	b := &p.in.recv[c]
	if !b.stalled {
		return
	}
	b.stalled = false
	p.link.engine.At(now, p.in.id, drainEvent+uint32(c))
}
