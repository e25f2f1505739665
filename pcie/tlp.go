package pcie

import "hcasim/sim"

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
// of their total length, in the record of the request TLP; the tap TLPs shows
// each alone.
type TLP struct {
	Sent    sim.Time // given to the link
	Entered sim.Time // first bit on the link: until then it waited for those before
	At      sim.Time // last bit there
	Addr    uint64   // of its first byte
	Len     uint32   // bytes it asks for or carries; of a Cpl, unless shown alone, those asked for
	Bytes   uint32   // of the link
	of      uint32   // the request that it is a part of; of a CPU store the value
	Client  ClientID
	Tag     uint16 // of a read request and its completions; which line of a CPU store
	Kind    Kind
	Count   uint8 // TLPs that it stands for
	Refused bool  // memory does not let it through
	Relaxed bool  // relaxed ordering attribute
	last    bool  // last line of a CPU store
}

// leave notes that the TLP is given to a link of which the entrance is free at
// free.
func (t *TLP) leave(now, free sim.Time) { t.Sent, t.Entered = now, max(now, free) }
