package talk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"

	"github.com/gopacket/gopacket/layers"

	"hcasim/ib"
)

// A Packet is a frame that is understood.
type Packet struct {
	Frame   int      // number in the file, from 1
	At      int64    // ns since 1970, or of the clock of whoever captured
	End     int      // host that sent it: 0 is A, 1 is B
	Encap   ib.Encap // what it was wrapped in
	Headers ib.Headers
	Payload []byte

	src, dst address
	u        int64 // packet number within its direction, beyond 24 bits; 0: it fits nothing
}

// Why a frame is not used, beside the names of protocols.
const (
	skipCut       = "cut short by the capture's snap length"
	skipFragment  = "fragments of IP"
	skipOtherUDP  = "UDP to other ports"
	skipTunnel    = "tunnels"
	skipMalformed = "malformed"
	skipICRC      = "ICRC wrong"
	skipCNP       = "congestion notifications"
	skipUD        = "datagrams (UD and management)"
	skipRoCEv1    = "RoCEv1"
	skipPCIe      = "TLPs of PCIe"
	skipExtended  = "IPv6 with extension headers"
)

// etherTypes are the other protocols that are told by name.
var etherTypes = map[uint16]string{
	0x0806: "ARP", 0x88CC: "LLDP", 0x8808: "pause frames", 0x8809: "LACP", 0x8915: skipRoCEv1, 0x6558: skipTunnel, 0x8847: skipTunnel, 0x8864: skipTunnel,
}

// protocols are those of IP.
var protocols = map[byte]string{1: "ICMP", 2: "IGMP", 4: skipTunnel, 6: "TCP", 41: skipTunnel, 47: skipTunnel, 58: "ICMPv6", 89: "OSPF", 132: "SCTP"}

// extensions of IPv6 that may stand before UDP: options of each hop, a route,
// a checked sum, options of the destination, mobility. No adapter sends RoCEv2
// with them.
var extensions = []byte{0, 43, 51, 60, 135}

// tunnelPorts of UDP: VXLAN, GENEVE, GTP. What is inside is not looked at.
var tunnelPorts = map[uint16]bool{4789: true, 8472: true, 6081: true, 2152: true}

// decode reads a frame. Why it is not used is said in skip, and of malformed
// ones what is wrong in detail.
func decode(f *frame) (p *Packet, skip, detail string) {
	switch {
	case f.link == linkUpper:
		return nil, skipPCIe, ""
	case len(f.data) < f.length:
		return nil, skipCut, ""
	case f.link == layers.LinkTypeEthernet:
		return decodeEthernet(f)
	case f.link == linkERF:
		return decodeERF(f)
	default:
		return nil, fmt.Sprintf("of link type %d", int(f.link)), ""
	}
}

// The link types of our own captures that gopacket does not name.
const (
	linkERF   layers.LinkType = 197
	linkUpper layers.LinkType = 252
)

func malformed(format string, args ...any) (*Packet, string, string) {
	return nil, skipMalformed, fmt.Sprintf(format, args...)
}

func decodeEthernet(f *frame) (*Packet, string, string) {
	const vlan, provider = 0x8100, 0x88A8
	d := f.data
	if len(d) < ib.EthernetBytes {
		return malformed("%d bytes are no Ethernet frame", len(d))
	}
	kind, d := binary.BigEndian.Uint16(d[12:]), d[14:]
	for tags := 0; (kind == vlan || kind == provider) && tags < 4; tags++ {
		if len(d) < 4 {
			return malformed("it ends inside a VLAN tag")
		}
		kind, d = binary.BigEndian.Uint16(d[2:]), d[4:]
	}
	switch kind {
	case 0x0800:
		return decodeIPv4(f, d)
	case 0x86DD:
		return decodeIPv6(f, d)
	}
	if name, known := etherTypes[kind]; known {
		return nil, name, ""
	}
	if kind < 0x600 {
		return nil, "IEEE 802.3", ""
	}
	return nil, fmt.Sprintf("EtherType 0x%04x", kind), ""
}

func decodeIPv4(f *frame, d []byte) (*Packet, string, string) {
	if len(d) < ib.IPv4Bytes || d[0]>>4 != 4 || d[0]&15 < 5 {
		return malformed("no IPv4 header")
	}
	head, total := int(d[0]&15)*4, int(binary.BigEndian.Uint16(d[2:]))
	switch {
	case total < head || total > len(d):
		return malformed("IPv4 says %d bytes, and there are %d", total, len(d))
	case binary.BigEndian.Uint16(d[6:])&0x3FFF != 0:
		return nil, skipFragment, ""
	case d[9] != 17:
		return foreign(d[9])
	case ib.IPv4Checksum(d[:head]) != 0:
		return malformed("the checksum of its IPv4 header is wrong")
	}
	src, _ := netip.AddrFromSlice(d[12:16])
	dst, _ := netip.AddrFromSlice(d[16:20])
	return decodeUDP(f, &Packet{src: address{ip: src}, dst: address{ip: dst}, Encap: ib.RoCEv4}, d[:total], head)
}

func foreign(protocol byte) (*Packet, string, string) {
	if name, known := protocols[protocol]; known {
		return nil, name, ""
	}
	return nil, fmt.Sprintf("IP protocol %d", protocol), ""
}

func decodeIPv6(f *frame, d []byte) (*Packet, string, string) {
	const fragment = 44
	if len(d) < ib.IPv6Bytes || d[0]>>4 != 6 {
		return malformed("no IPv6 header")
	}
	total := ib.IPv6Bytes + int(binary.BigEndian.Uint16(d[4:]))
	switch {
	case total > len(d):
		return malformed("IPv6 says %d bytes, and there are %d", total, len(d))
	case d[6] == fragment:
		return nil, skipFragment, ""
	case slices.Contains(extensions, d[6]):
		return nil, skipExtended, ""
	case d[6] != 17:
		return foreign(d[6])
	}
	src, _ := netip.AddrFromSlice(d[8:24])
	dst, _ := netip.AddrFromSlice(d[24:40])
	return decodeUDP(f, &Packet{src: address{ip: src}, dst: address{ip: dst}, Encap: ib.RoCEv6}, d[:total], ib.IPv6Bytes)
}

// decodeUDP reads on behind an IP header of so many bytes; d ends where IP
// says.
func decodeUDP(f *frame, p *Packet, d []byte, head int) (*Packet, string, string) {
	if len(d) < head+ib.UDPBytes {
		return malformed("it ends inside its UDP header")
	}
	port, length := binary.BigEndian.Uint16(d[head+2:]), int(binary.BigEndian.Uint16(d[head+4:]))
	switch {
	case tunnelPorts[port]:
		return nil, skipTunnel, ""
	case port != ib.RoCEPort:
		return nil, skipOtherUDP, ""
	case head+length != len(d):
		return malformed("UDP says %d bytes, IP leaves it %d", length, len(d)-head)
	case length < ib.UDPBytes+ib.BTHBytes+ib.ICRCBytes:
		return malformed("too short for a BTH and an ICRC")
	}
	end := len(d) - ib.ICRCBytes
	sum, err := ib.ICRC(d[:end])
	if err != nil {
		return malformed("IP options before RoCEv2")
	}
	if sum != binary.LittleEndian.Uint32(d[end:]) {
		return nil, skipICRC, ""
	}
	return decodeTransport(f, p, d[head+ib.UDPBytes:end])
}

// decodeERF reads a native packet in a record of Endace's format.
func decodeERF(f *frame) (*Packet, string, string) {
	const head, infiniBand = 16, 21
	d := f.data
	if len(d) < head || d[8]&0x7F != infiniBand {
		return nil, "ERF records of other types", ""
	}
	if d[8]&0x80 != 0 {
		return malformed("ERF extension headers")
	}
	if n := int(binary.BigEndian.Uint16(d[14:])); n > len(d)-head {
		return nil, skipCut, ""
	}
	d = d[head : head+int(binary.BigEndian.Uint16(d[14:]))]
	if len(d) < ib.LRHBytes+ib.BTHBytes+ib.ICRCBytes+ib.VCRCBytes {
		return malformed("%d bytes are no InfiniBand packet", len(d))
	}
	n := int(binary.BigEndian.Uint16(d[4:])&0x7FF)*4 + ib.VCRCBytes
	switch {
	case n > len(d) || n < ib.LRHBytes+ib.BTHBytes+ib.ICRCBytes+ib.VCRCBytes:
		return malformed("LRH says %d bytes, and there are %d", n, len(d))
	case d[1]&3 != 2:
		return nil, "InfiniBand with a GRH, or raw", ""
	}
	end := n - ib.VCRCBytes - ib.ICRCBytes
	if sum, ok := ib.NativeICRC(d[:end]); !ok || sum != binary.LittleEndian.Uint32(d[end:]) {
		return nil, skipICRC, ""
	}
	p := &Packet{Encap: ib.InfiniBand}
	p.dst = address{lid: true, n: binary.BigEndian.Uint16(d[2:])}
	p.src = address{lid: true, n: binary.BigEndian.Uint16(d[6:])}
	return decodeTransport(f, p, d[ib.LRHBytes:end])
}

// decodeTransport reads from the BTH to the last byte of padding.
func decodeTransport(f *frame, p *Packet, d []byte) (*Packet, string, string) {
	h, payload, err := ib.Decode(d)
	if err != nil {
		return malformed("%v", err)
	}
	o := h.BTH.Opcode
	switch {
	case o == ib.CongestionNotified:
		return nil, skipCNP, ""
	case o.HasDETH() || h.BTH.DestQP <= 1:
		return nil, skipUD, ""
	case p.src == p.dst:
		return nil, "from a host to itself", ""
	case len(payload) > 4096:
		return malformed("a payload of %d bytes; no path MTU is greater than 4096", len(payload))
	}
	p.Frame, p.At, p.Headers, p.Payload = f.number, f.at, h, bytes.Clone(payload)
	return p, "", ""
}
