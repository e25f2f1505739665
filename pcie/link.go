package pcie

import "hcasim/sim"

// page is the boundary that no request crosses (PCIe base specification 2.2.7).
const page = 4096

// A Link is what two ends train to, and what its TLPs cost.
type Link struct {
	Generation uint32
	Lanes      uint32
	MPS        uint32      // bytes
	MRRS       uint32      // bytes
	Rate       sim.BitRate // raw, of one direction, after line coding
	Share      uint32      // of it that TLPs get, ppm

	low, high  uint32 // bytes of a request TLP beside data, address below 4 GiB or above
	completion uint32 // of a completion
	cut        uint32 // largest completion
	packed     bool   // the endpoint cuts as late as it may
	serve      bool   // reads behind posted writes are fetched at once

	host   HostParams
	device DeviceParams
}

// RawRate is the bit rate of one direction after line coding: 8b/10b up to
// generation 2, 128b/130b up to 5; in 6 the 236 TLP bytes of a 256-byte flit.
func RawRate(generation, lanes uint32) sim.BitRate {
	rates := [...]struct{ transfers, data, line uint64 }{
		1: {2_500_000_000, 8, 10},
		2: {5_000_000_000, 8, 10},
		3: {8_000_000_000, 128, 130},
		4: {16_000_000_000, 128, 130},
		5: {32_000_000_000, 128, 130},
		6: {64_000_000_000, 236, 256},
	}
	r := rates[generation]
	return sim.BitRate(r.transfers * uint64(lanes) * r.data / r.line)
}

// Header and framing bytes of TLPs.
const (
	header3DW = 12
	header4DW = 16
	framing   = 8 // STP 1, sequence 2, LCRC 4, END 1; from generation 3 an STP token of 4 and LCRC 4
	ecrc      = 4
)

// charged returns l with what its TLPs cost worked out.
func (l Link) charged() Link {
	overhead := l.host.TLPExtra
	if l.Generation < 6 { // flits carry sequence and CRC themselves
		overhead += framing
	}
	if l.host.ECRC {
		overhead += ecrc
	}
	l.low, l.high, l.completion = header4DW+overhead, header4DW+overhead, header3DW+overhead
	if l.host.AddrBits == 32 {
		l.low = header3DW + overhead
	}
	l.cut = l.MPS
	if l.host.Cut == CutRCB {
		l.cut = uint32(l.host.RCB)
	}
	l.packed, l.serve = l.device.Cut == Packed, l.host.ReadOrder == OrderServe
	return l
}

// RequestBytes are the link bytes of a request TLP at addr, beside its data.
func (l Link) RequestBytes(addr uint64) uint32 { return l.head(addr) }

// head is RequestBytes of a link where it lies: it is large.
func (l *Link) head(addr uint64) uint32 {
	if addr>>32 == 0 {
		return l.low
	}
	return l.high
}

// CompletionBytes are the link bytes of a completion, beside its data.
func (l Link) CompletionBytes() uint32 { return l.completion }
