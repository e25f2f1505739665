package ib

import (
	"errors"
	"hash/crc32"
)

// errNoHeader is what ICRC says of bytes that are no RoCE packet.
var errNoHeader = errors.New("ib: neither a GRH nor an IP header with UDP before the packet")

const (
	nextUDP = 17
	nextIBA = 0x1B // GRH: the BTH follows (IBA 8.3)
)

// lrhMask stands for the LRH that a RoCE packet does not have.
var lrhMask = [LRHBytes]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// ICRC returns the invariant CRC of a RoCE packet: p runs from its GRH
// (RoCEv1) or IP header (RoCEv2) to its last byte of padding. What routers may
// change counts as all ones (IBA 7.8.1 and A17.3.3). On the wire the CRC
// follows little-endian.
func ICRC(p []byte) (uint32, error) {
	n, err := transportOffset(p)
	if err != nil || len(p) < n+BTHBytes {
		return 0, errNoHeader
	}
	var head [IPv6Bytes + UDPBytes + BTHBytes]byte
	n += BTHBytes
	maskNetwork(head[:copy(head[:], p[:n])])
	sum := crc32.Update(0, crc32.IEEETable, lrhMask[:])
	sum = crc32.Update(sum, crc32.IEEETable, head[:n])
	return crc32.Update(sum, crc32.IEEETable, p[n:]), nil
}

// transportOffset returns where the BTH begins behind the network headers.
func transportOffset(p []byte) (int, error) {
	switch {
	case len(p) >= IPv4Bytes+UDPBytes && p[0] == 0x45 && p[9] == nextUDP:
		return IPv4Bytes + UDPBytes, nil
	case len(p) >= IPv6Bytes+UDPBytes && p[0]>>4 == 6 && p[6] == nextUDP:
		return IPv6Bytes + UDPBytes, nil
	case len(p) >= GRHBytes && p[0]>>4 == 6 && p[6] == nextIBA:
		return GRHBytes, nil
	}
	return 0, errNoHeader
}

// maskNetwork sets to ones what may change on the way, in network headers that
// end with a BTH.
func maskNetwork(h []byte) {
	bth := len(h) - BTHBytes
	if h[0]>>4 == 4 {
		h[1], h[8], h[10], h[11] = 0xff, 0xff, 0xff, 0xff // ToS, TTL, checksum
	} else {
		h[0] |= 0x0f // traffic class and flow label
		h[1], h[2], h[3], h[7] = 0xff, 0xff, 0xff, 0xff
	}
	if bth != GRHBytes || h[6] == nextUDP && h[0]>>4 == 6 {
		h[bth-2], h[bth-1] = 0xff, 0xff // UDP checksum
	}
	h[bth+4] = 0xff // resv8a
}

// NativeICRC returns the invariant CRC of an InfiniBand packet: p runs from its
// LRH to its last byte of padding. The packet has a GRH if its LNH bits say so.
// ok is false when p ends before its BTH does.
func NativeICRC(p []byte) (sum uint32, ok bool) {
	var head [LRHBytes + GRHBytes + BTHBytes]byte
	n := LRHBytes + BTHBytes
	if len(p) > 1 && p[1]&3 == lnhGlobal {
		n += GRHBytes
	}
	if len(p) < n {
		return 0, false
	}
	copy(head[:], p[:n])
	head[0] |= 0xf0 // virtual lane
	if n > LRHBytes+BTHBytes {
		maskNetwork(head[LRHBytes:n])
	}
	head[n-BTHBytes+4] = 0xff
	sum = crc32.Update(0, crc32.IEEETable, head[:n])
	return crc32.Update(sum, crc32.IEEETable, p[n:]), true
}

const (
	lnhLocal  = 2 // LRH: a BTH follows
	lnhGlobal = 3 // LRH: a GRH follows
)

// VCRC returns the variant CRC of an InfiniBand packet: p runs from its LRH to
// its ICRC. It is the 16-bit CRC of polynomial 0x100B, bits reflected, ones
// before and inverted after (IBA 7.8.2). On the wire it follows little-endian,
// as the ICRC does.
func VCRC(p []byte) uint16 {
	sum := ^uint16(0)
	for _, b := range p {
		sum = sum>>8 ^ vcrcTable[byte(sum)^b]
	}
	return ^sum
}

// vcrcTable holds the CRC of every byte.
var vcrcTable = func() (table [256]uint16) {
	const reflected = 0xD008
	for i := range table {
		sum := uint16(i)
		for range 8 {
			sum = sum>>1 ^ reflected*(sum&1)
		}
		table[i] = sum
	}
	return table
}()
