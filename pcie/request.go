package pcie

import "hcasim/sim"

// A ClientID names one of the endpoint's units that move data over the bus.
type ClientID uint16

// A Class says what a read is for. Law of classes, lowest first: fetches of
// tables, contexts and work requests; payload; answers (what a response to the
// other side is made of). Writes have no class: posted writes must keep their
// order, whatever they carry.
type Class uint8

// The classes of reads.
const (
	Fetch Class = iota
	Payload
	Answer
	classes
)

var classNames = [classes]string{Fetch: "fetch", Payload: "payload", Answer: "answer"}

func (c Class) String() string { return classNames[c] }

// A Request is one DMA of a client: a read, or a posted write.
type Request struct {
	Addr    uint64   // bus address of the first byte
	Len     uint32   // bytes; 0 is a lone TLP without data, which still keeps its place in the order
	Client  ClientID // who asks, and is told
	Handle  uint32   // the client's own name for it
	Class   Class    // reads only
	Relaxed bool     // writes only: may be committed before earlier writes
	Direct  bool     // past the endpoint's DMA engines: neither their overheads nor their gaps
}

// A Client issues DMA and moves the bytes itself: the bus carries none.
type Client interface {
	// Served is called at the instant at which the root complex reads or commits
	// n bytes, offset bytes into the request. The client moves them now.
	Served(now sim.Time, handle uint32, offset, n uint32)
	// Done is called once per request: when the last completion is back and the
	// endpoint has handled it (read), or when the last byte is committed (write).
	// ok is false if any part of it was refused; refused parts were not Served.
	Done(now sim.Time, handle uint32, ok bool)
}

// A Memory is what stands behind the root complex: caches, DRAM, IOMMU.
type Memory interface {
	// Access begins one access, which lies within a 4 KiB page, at now. It
	// returns the instant at which the data can be had, or stored; ok is false if
	// the access is refused, and ready is then when that is known.
	Access(now sim.Time, addr uint64, n uint32, write bool) (ready sim.Time, ok bool)
}

// A Guard is a Memory that can say beforehand what it will refuse.
type Guard interface {
	// Reaches reports whether the device may write the n > 0 bytes at addr. A
	// refusal counts as one of an access.
	Reaches(now sim.Time, addr uint64, n uint32) bool
}

// A Device is the other end of the CPU's stores.
type Device interface {
	// MMIO is called when a posted write from the CPU has arrived whole.
	MMIO(now sim.Time, addr uint64, value uint32)
}

// request is a DMA from issue to Done, in one cache line.
type request struct {
	addr    uint64
	issued  sim.Time // Read or Write was called
	sent    sim.Time // its first TLP was given to the link
	served  sim.Time // its last part so far was read or committed
	size    uint32
	handle  uint32
	cut     uint32 // bytes already cut into TLPs
	next    uint32 // bytes of the next TLP
	parts   uint32 // TLPs cut and not yet answered
	fence   uint32 // reads: posted requests issued before it
	client  ClientID
	class   Class
	relaxed bool
	direct  bool
	write   bool
	failed  bool // a part was refused
}

// whole reports whether there is nothing more to cut, of a request of which a
// TLP has been cut.
func (r *request) whole() bool { return r.cut == r.size }

// ended reports whether all parts were cut and answered.
func (r *request) ended() bool { return r.parts == 0 && r.whole() }

// asked is r as its client wrote it.
func (r *request) asked() Request {
	return Request{Addr: r.addr, Len: r.size, Client: r.client, Handle: r.handle,
		Class: r.class, Relaxed: r.relaxed, Direct: r.direct}
}

// issue takes a request in, of which no TLP is larger than limit.
func (b *Bus) issue(now sim.Time, q *Request, write bool, limit uint32) uint32 {
	h := b.requests.Get()
	r := b.requests.At(h)
	r.addr, r.size, r.handle = q.Addr, q.Len, q.Handle
	r.client, r.class, r.relaxed, r.direct = q.Client, q.Class, q.Relaxed, q.Direct
	r.write, r.failed = write, false
	r.cut, r.parts = 0, 0
	r.next = cutEnd(q.Addr, q.Len, limit, b.link.packed)
	r.fence = b.tx.issued
	r.issued = now
	return h
}
