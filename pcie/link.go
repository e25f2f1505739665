package pcie

import (
	"errors"
	"fmt"
	"math/bits"

	"hcasim/sim"
)

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

	host   HostParams
	device DeviceParams
}

// Train returns the link of two ends: the lower generation, lanes, MPS and MRRS
// of the two. It refuses parameters that no link can have.
func Train(host HostParams, device DeviceParams) (Link, error) {
	l := Link{
		Generation: min(host.Generation, device.Generation),
		Lanes:      min(host.Lanes, device.Lanes),
		MPS:        uint32(min(host.MPS, device.MPS)),
		MRRS:       uint32(min(host.MRRS, device.MRRS)),
		Share:      host.Utilisation,
		host:       host,
		device:     device,
	}
	if err := l.check(); err != nil {
		return Link{}, err
	}
	l.Rate = RawRate(l.Generation, l.Lanes)
	if l.Share == 0 {
		l.Share = RecommendedShare(l.Generation, l.Lanes, l.MPS)
	}
	return l, nil
}

func (l Link) check() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf("pcie: "+format, args...)) }
	if l.Generation < 1 || l.Generation > 6 {
		refuse("generation %d: want 1 to 6", l.Generation)
	}
	for _, lanes := range []uint32{l.host.Lanes, l.device.Lanes} {
		if lanes == 0 || lanes > 32 || (bits.OnesCount32(lanes) != 1 && lanes != 12) {
			refuse("lanes %d: want 1, 2, 4, 8, 12, 16 or 32", lanes)
		}
	}
	sizes := []struct {
		name string
		n    sim.Bytes
		low  sim.Bytes
	}{
		{"mps of the host", l.host.MPS, 128}, {"mps of the device", l.device.MPS, 128},
		{"mrrs of the host", l.host.MRRS, 128}, {"mrrs of the device", l.device.MRRS, 128},
		{"rcb", l.host.RCB, 64},
	}
	for _, s := range sizes {
		if s.n < s.low || s.n > page || bits.OnesCount64(uint64(s.n)) != 1 {
			refuse("%s %v: want a power of two from %v to 4KiB", s.name, s.n, s.low)
		}
	}
	if l.host.RCB > 128 {
		refuse("rcb %v: want 64B or 128B", l.host.RCB)
	}
	if c := l.host.Cut; c != CutMPS && c != CutRCB {
		refuse("completion_cut %q: want %s or %s", c, CutMPS, CutRCB)
	}
	if c := l.device.Cut; c != Aligned && c != Packed {
		refuse("cut %q: want %s or %s", c, Aligned, Packed)
	}
	if o := l.host.ReadOrder; o != OrderServe && o != OrderStart {
		refuse("read_order %q: want %s or %s", o, OrderServe, OrderStart)
	}
	if a := l.device.Arbiter; a != RoundRobin && a != Priority && a != Weighted {
		refuse("arbiter %q: want %s, %s or %s", a, RoundRobin, Priority, Weighted)
	}
	if l.host.AddrBits != 32 && l.host.AddrBits != 64 {
		refuse("addr_bits %d: want 32 or 64", l.host.AddrBits)
	}
	if l.host.Utilisation > 1_000_000 {
		refuse("utilisation %d: more than 1000000 ppm", l.host.Utilisation)
	}
	if l.device.Tags == 0 {
		refuse("tags 0: no read could ever leave")
	}
	if len(errs) == 0 {
		l.checkCredits(refuse)
	}
	return errors.Join(errs...)
}

// checkCredits refuses credits with which the largest TLP could never leave.
func (l Link) checkCredits(refuse func(string, ...any)) {
	headers, data := l.completionCredits(uint64(l.host.RCB)-1, l.MRRS)
	pools := []struct {
		name       string
		have, want uint32
	}{
		{"host posted_data", l.host.PostedData, dataCredits(l.MPS)},
		{"device posted_data", l.device.PostedData, dataCredits(line)},
		{"completion_headers", l.device.CompletionHeaders, headers},
		{"completion_data", l.device.CompletionData, data},
	}
	for _, p := range pools {
		if p.have != 0 && p.have < p.want {
			refuse("%s %d: the largest TLP needs %d", p.name, p.have, p.want)
		}
	}
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

// overhead is what every TLP costs beside its header and its data.
func (l Link) overhead() (n uint32) {
	if l.Generation < 6 { // flits carry sequence and CRC themselves
		n = framing
	}
	if l.host.ECRC {
		n += ecrc
	}
	return n + l.host.TLPExtra
}

// RequestBytes are the link bytes of a request TLP at addr, beside its data.
func (l Link) RequestBytes(addr uint64) uint32 {
	if l.host.AddrBits == 32 && addr>>32 == 0 {
		return header3DW + l.overhead()
	}
	return header4DW + l.overhead()
}

// CompletionBytes are the link bytes of a completion, beside its data.
func (l Link) CompletionBytes() uint32 { return header3DW + l.overhead() }
