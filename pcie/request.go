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

// A Kind is what a TLP is.
type Kind uint8

// The kinds of TLPs.
const (
	MRd  Kind = iota // read request, from the endpoint
	MWr              // posted write, from the endpoint
	CplD             // completion with data, to the endpoint
	Cpl              // completion without data: the read was refused, or asked for none
	MMIO             // posted write of the CPU, to the endpoint
)

var kindNames = [...]string{MRd: "MRd", MWr: "MWr", CplD: "CplD", Cpl: "Cpl", MMIO: "MMIO"}

func (k Kind) String() string { return kindNames[k] }

// Down reports whether TLPs of this kind travel from the host to the device.
func (k Kind) Down() bool { return k >= CplD }

// A TLP is one transaction layer packet. It has a handle, never bytes. On the
// link the completions of one read request, which leave together, are one TLP
// of their total length; TLPs shows each alone.
type TLP struct {
	At      sim.Time // last bit there; set only in what TLPs shows
	Addr    uint64   // of its first byte
	Len     uint32   // bytes it asks for or carries
	Piece   uint32   // of the bus: which part of which request; a CPU store's value
	Tag     uint16   // of a read request and its completions; which line of a CPU store
	Client  ClientID
	Kind    Kind
	Refused bool // a Cpl because memory refused
	Relaxed bool // relaxed ordering attribute
	last    bool // last line of a CPU store
}

// request is a DMA from issue to Done.
type request struct {
	Request
	issued sim.Time // Read or Write was called
	sent   sim.Time // its first TLP was given to the link
	served sim.Time // its last part so far was read or committed
	fence  uint64   // reads: posted requests issued before it
	cut    uint32   // bytes already cut into TLPs
	parts  uint32   // TLPs cut and not yet answered
	write  bool
	whole  bool // nothing more to cut
	failed bool // a part was refused
}

// piece is the part of a request that one request TLP asks for.
type piece struct {
	request uint32
	offset  uint32
	n       uint32
	tag     uint16
	refused bool
}
