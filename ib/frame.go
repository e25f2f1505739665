package ib

import "encoding/binary"

// A Path is the addresses around a packet, as far as captures show them. Which
// of them stand in a frame its Encap says.
type Path struct {
	SrcMAC, DstMAC [6]byte
	SrcIP, DstIP   [16]byte // RoCEv4: the last four bytes
	SrcPort        uint16   // UDP source port; spreads flows over paths
	SrcLID, DstLID uint16
	SL             uint8 // service level, 0..15; the packet keeps to virtual lane 0
}

const hopLimit = 64

// AppendFrame writes a whole packet behind dst: from Ethernet header to ICRC
// for RoCE, whose FCS a capture leaves out, or from LRH to VCRC for
// InfiniBand. The padding is the payload's, whatever h says.
func (e Encap) AppendFrame(dst []byte, path *Path, h *Headers, payload []byte) []byte {
	headers := *h
	headers.BTH.Pad = PadFor(len(payload))
	n := headers.BTH.Opcode.Bytes() + len(payload) + int(headers.BTH.Pad) + ICRCBytes // BTH to ICRC
	start := len(dst)
	switch e {
	case InfiniBand:
		dst = path.appendLRH(dst, LRHBytes+n)
	case RoCEv4:
		start += EthernetBytes
		dst = path.appendEthernet(dst, 0x0800)
		dst = path.appendIPv4(dst, UDPBytes+n)
		dst = path.appendUDP(dst, n)
	case RoCEv6:
		start += EthernetBytes
		dst = path.appendEthernet(dst, 0x86DD)
		dst = path.appendIPv6(dst, UDPBytes+n)
		dst = path.appendUDP(dst, n)
	}
	dst = headers.Append(dst)
	dst = append(dst, payload...)
	dst = append(dst, 0, 0, 0)[:len(dst)+int(headers.BTH.Pad)]
	if e == InfiniBand {
		sum, _ := NativeICRC(dst[start:])
		dst = binary.LittleEndian.AppendUint32(dst, sum)
		return binary.LittleEndian.AppendUint16(dst, VCRC(dst[start:]))
	}
	sum, err := ICRC(dst[start:])
	if err != nil {
		panic(err) // the headers are our own
	}
	return binary.LittleEndian.AppendUint32(dst, sum)
}

// appendLRH writes a local route header; n is the packet without its VCRC.
func (p *Path) appendLRH(dst []byte, n int) []byte {
	dst = append(dst, 0, p.SL<<4|lnhLocal)
	dst = binary.BigEndian.AppendUint16(dst, p.DstLID)
	dst = binary.BigEndian.AppendUint16(dst, uint16(n/4))
	return binary.BigEndian.AppendUint16(dst, p.SrcLID)
}

func (p *Path) appendEthernet(dst []byte, etherType uint16) []byte {
	dst = append(dst, p.DstMAC[:]...)
	dst = append(dst, p.SrcMAC[:]...)
	return binary.BigEndian.AppendUint16(dst, etherType)
}

// appendIPv4 writes an IPv4 header that says "do not fragment", before n bytes.
func (p *Path) appendIPv4(dst []byte, n int) []byte {
	start := len(dst)
	dst = append(dst, 0x45, 0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(IPv4Bytes+n))
	dst = append(dst, 0, 0, 0x40, 0, hopLimit, nextUDP, 0, 0)
	dst = append(dst, p.SrcIP[12:]...)
	dst = append(dst, p.DstIP[12:]...)
	binary.BigEndian.PutUint16(dst[start+10:], IPv4Checksum(dst[start:]))
	return dst
}

func (p *Path) appendIPv6(dst []byte, n int) []byte {
	dst = append(dst, 0x60, 0, 0, 0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(n))
	dst = append(dst, nextUDP, hopLimit)
	dst = append(dst, p.SrcIP[:]...)
	return append(dst, p.DstIP[:]...)
}

// appendUDP writes a UDP header without checksum, which the ICRC makes up for
// (IBA A17.3.2), before n bytes.
func (p *Path) appendUDP(dst []byte, n int) []byte {
	dst = binary.BigEndian.AppendUint16(dst, p.SrcPort)
	dst = binary.BigEndian.AppendUint16(dst, RoCEPort)
	dst = binary.BigEndian.AppendUint16(dst, uint16(UDPBytes+n))
	return append(dst, 0, 0)
}

// IPv4Checksum adds an IPv4 header up (RFC 791): to its checksum while that
// field is zero, and to 0 once it is right.
func IPv4Checksum(h []byte) uint16 {
	sum := uint32(0)
	for i := 0; i < len(h); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(h[i:]))
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}
