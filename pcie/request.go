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

// A request is a DMA from issue to Done. Its first TLP, which most have alone,
// lies in its record, and has its handle. Further TLPs, and stores of the CPU,
// are records of which the rest is not used.
type request struct {
	TLP
	asked  Request
	issued sim.Time // Read or Write was called
	sent   sim.Time // its first TLP was given to the link
	served sim.Time // its last part so far was read or committed
	cut    uint32   // bytes already cut into TLPs
	next   uint32   // bytes of the next TLP
	parts  uint32   // TLPs cut and not yet answered
	fence  uint32   // reads: posted requests issued before it
	failed bool     // a part was refused
}

// write reports whether it is a write: the TLP of a read becomes its completion.
func (r *request) write() bool { return r.Kind == MWr }

// whole reports whether there is nothing more to cut, of a request of which a
// TLP has been cut.
func (r *request) whole() bool { return r.cut == r.asked.Len }

// ended reports whether all parts were cut and answered.
func (r *request) ended() bool { return r.parts == 0 && r.whole() }

// issue takes a request in, with its first TLP.
func (b *Bus) issue(now sim.Time, q *Request, kind Kind) {
	t, h := &b.tx, b.records.Get()
	r := b.records.At(h)
	r.asked = *q
	r.Kind, r.Addr, r.Client, r.Relaxed, r.Refused = kind, q.Addr, q.Client, q.Relaxed, false
	r.of, r.Bytes, r.Count = h, b.link.head(q.Addr), 1
	r.issued, r.cut, r.parts, r.fence, r.failed = now, 0, 0, t.issued, false
	b.live++
	if kind == MRd {
		r.Len = cutEnd(q.Addr, q.Len, b.link.MRRS, b.link.packed)
		r.next = r.Len
		b.queueRead(now, h, r)
		return
	}
	r.Len = cutEnd(q.Addr, q.Len, b.link.MPS, b.link.packed)
	r.next = r.Len
	r.Bytes += r.Len
	t.issued++
	if late := b.link.device.writeOverhead(r); late != 0 || t.entering > 0 {
		t.enterAt = max(t.enterAt, now.Add(late))
		t.entering++
		b.engine.At(t.enterAt, b.enterID, h)
		return
	}
	b.queueWrite(now, h, r)
}

// part makes the next TLP of request h, which is not its first.
func (b *Bus) part(h uint32, r *request) (p uint32, tlp *TLP) {
	p = b.records.Get()
	tlp = &b.records.At(p).TLP
	tlp.Kind, tlp.Addr, tlp.Client, tlp.Relaxed, tlp.Refused = MRd, r.Addr+uint64(r.cut), r.Client, r.Relaxed, false
	tlp.of, tlp.Len, tlp.Bytes, tlp.Count = h, r.next, b.link.head(tlp.Addr), 1
	if r.write() {
		tlp.Kind, tlp.Bytes = MWr, tlp.Bytes+r.next
	}
	return p, tlp
}
