// Package pcie is the link between a device and its host: TLPs, flow-control
// credits, tags, the order in which writes are committed and reads are served,
// DMA by the device and posted stores by the CPU.
//
// A Bus is one link with what stands at its two ends:
//
//	Client.Read ──► reads, a queue per class ─┐
//	                                          ├► arbiter ──► up ──► root complex
//	Client.Write ─► overhead ─► posted queue ─┘    ▲                │ Memory.Access
//	                                               │ tags           ▼
//	                                 credits ◄─────┼─────── commit: Client.Served, Done
//	                                               │        serve:  Client.Served
//	Client.Done ◄── overhead ◄── completions ◄── down ◄─────┤
//	Device.MMIO ◄─────────────────── stores ◄──────┘        └──── CPU: Bus.MMIO
//
// Time passes in two serialisers (sim.Line, exact to the picosecond), in the
// root complex, in whatever Memory says, and in the endpoint's overhead. A write
// costs two events per TLP, a read three and one for the overhead, whatever the
// number of its completions.
//
// The endpoint's DMA engines may be slower than the link: they keep a gap between
// TLPs, a turn between requests (of a write by its blocks of 128 bytes and by 64
// bytes of its TLPs, of a read by 64 bytes of its completions), and a number of
// reads at work. All of it is off by default, and none of it is on an idle bus.
//
// What the package does not know: the bytes (a TLP carries a kind, an address, a
// length, a tag and a handle; the client moves the bytes when told), caches,
// DRAM and IOMMU (Memory), what a read is for beyond its Class, switches, other
// devices, and link errors: nothing is replayed. Payload is charged by the byte,
// as in the published model of the link, not by the double word.
//
// Begin with bus.go, then request.go and send.go.
//
// Invariants, cited in code and tests:
//
//	P1  Every byte of a request is Served once, unless it is refused; Done is
//	    called once, after the last Served, and is false if any part was refused.
//	P2  No TLP is larger than MPS or MRRS; no request crosses 4 KiB; every
//	    completion but the last of a read ends on an RCB boundary.
//	P3  A strict write is committed after all writes issued before it. A relaxed
//	    write waits for none.
//	P4  A read is served after all writes issued before it, relaxed ones too.
//	P5  A write never waits for a read: not for its tag, its credits or its room.
//	P6  A read's completions have their room before it leaves, so they never wait
//	    for a request. A tag comes home by the root complex alone.
//	P7  Completions and stores keep the order in which they reach the root port.
//	P8  Credits and tags in use never exceed what was granted, and all are home,
//	    or on their way, when the bus is Idle.
//	P9  On an idle bus a request takes exactly the time of the formulas in
//	    formula.go, and a saturated one has exactly their rate.
//	P10 Watching, and asking Waiting, changes nothing.
//
// spec-ideal is generation 4 x16, MPS 256, MRRS 4096. Beside its time on the
// link, a read takes 100 (propagation) + 150 (root complex) + 100 (propagation)
// + 100 (endpoint) = 450 ns and what memory takes, so that a cache that answers
// in 50 ns makes 500; a posted write 100 + 100 = 200 ns one way.
package pcie
