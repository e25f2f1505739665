package ib

// An Encap is how packets are wrapped on a link: native InfiniBand, or RoCEv2
// over one of the two versions of IP.
type Encap uint8

// The wrappings. A RoCEv2 packet travels in UDP to port 4791 (IBA annex A17).
const (
	InfiniBand Encap = iota
	RoCEv4
	RoCEv6
)

// The sizes in bytes of what stands around the transport headers.
const (
	LRHBytes      = 8
	GRHBytes      = 40
	ICRCBytes     = 4
	VCRCBytes     = 2
	EthernetBytes = 14 // without VLAN tag
	IPv4Bytes     = 20
	IPv6Bytes     = 40
	UDPBytes      = 8
	FCSBytes      = 4
	PreambleBytes = 8  // with start delimiter
	GapBytes      = 12 // the least that passes between two frames
)

// RoCEPort is the UDP port of RoCEv2.
const RoCEPort = 4791

var encapNames = vocabulary{"Encap", "", []string{
	InfiniBand: "ib", RoCEv4: "roce_v4", RoCEv6: "roce_v6",
}}

// String returns the word of a configuration: ib, roce_v4 or roce_v6.
func (e Encap) String() string { return encapNames.name(int(e)) }

// ParseEncap returns the wrapping that s names.
func ParseEncap(s string) (Encap, bool) {
	i, ok := encapNames.value(s)
	return Encap(i), ok
}

// EncapNames returns the names of the wrappings.
func EncapNames() []string { return encapNames.words() }

// overheads are the bytes that a packet takes on the wire beyond transport
// headers, payload and padding. Local traffic of a subnet carries no GRH;
// preamble and gap count, for nothing else can use that time.
var overheads = [...]uint32{
	InfiniBand: LRHBytes + ICRCBytes + VCRCBytes,
	RoCEv4:     PreambleBytes + EthernetBytes + IPv4Bytes + UDPBytes + ICRCBytes + FCSBytes + GapBytes,
	RoCEv6:     PreambleBytes + EthernetBytes + IPv6Bytes + UDPBytes + ICRCBytes + FCSBytes + GapBytes,
}

// WireBytes returns what a packet of opcode o with a payload of n bytes takes
// on the wire, padding, preamble and gap included. No RoCE packet is short of
// Ethernet's least frame.
func (e Encap) WireBytes(o Opcode, n uint32) uint32 {
	return overheads[e] + uint32(o.Bytes()) + (n+3)&^3
}
