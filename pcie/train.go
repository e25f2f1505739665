package pcie

import (
	"errors"
	"fmt"
	"math/bits"

	"hcasim/sim"
)

// Train returns the link of two ends: the lower generation, lanes, MPS and MRRS
// of the two. It refuses parameters that no link can have.
func Train(host HostParams, device DeviceParams) (Link, error) {
	l := (Link{
		Generation: min(host.Generation, device.Generation),
		Lanes:      min(host.Lanes, device.Lanes),
		MPS:        uint32(min(host.MPS, device.MPS)),
		MRRS:       uint32(min(host.MRRS, device.MRRS)),
		Share:      host.Utilisation,
		host:       host,
		device:     device,
	}).charged()
	if err := l.check(); err != nil {
		return Link{}, err
	}
	l.Rate = RawRate(l.Generation, l.Lanes)
	if l.Share == 0 {
		l.Share = RecommendedShare(l.Generation, l.Lanes, l.MPS)
	}
	return l, nil
}

// refusal takes the mistakes of parameters, all of them.
type refusal func(format string, args ...any)

func (l Link) check() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf("pcie: "+format, args...)) }
	l.checkPorts(refuse)
	l.checkSizes(refuse)
	l.checkChoices(refuse)
	if len(errs) == 0 {
		l.checkCredits(refuse)
	}
	return errors.Join(errs...)
}

func (l Link) checkPorts(refuse refusal) {
	if l.Generation < 1 || l.Generation > 6 {
		refuse("generation %d: want 1 to 6", l.Generation)
	}
	for _, lanes := range []uint32{l.host.Lanes, l.device.Lanes} {
		if lanes == 0 || lanes > 32 || (bits.OnesCount32(lanes) != 1 && lanes != 12) {
			refuse("lanes %d: want 1, 2, 4, 8, 12, 16 or 32", lanes)
		}
	}
	if l.host.AddrBits != 32 && l.host.AddrBits != 64 {
		refuse("addr_bits %d: want 32 or 64", l.host.AddrBits)
	}
	if l.host.Utilisation > 1_000_000 {
		refuse("utilisation %d: more than 1000000 ppm", l.host.Utilisation)
	}
	if l.device.Tags == 0 || l.device.Tags > 1<<16 {
		refuse("tags %d: want 1 to 65536", l.device.Tags)
	}
}

func (l Link) checkSizes(refuse refusal) {
	for _, s := range []struct {
		name         string
		n, low, high sim.Bytes
	}{
		{"mps of the host", l.host.MPS, 128, page}, {"mps of the device", l.device.MPS, 128, page},
		{"mrrs of the host", l.host.MRRS, 128, page}, {"mrrs of the device", l.device.MRRS, 128, page},
		{"rcb", l.host.RCB, 64, 128},
	} {
		if s.n < s.low || s.n > s.high || bits.OnesCount64(uint64(s.n)) != 1 {
			refuse("%s %v: want a power of two from %v to %v", s.name, s.n, s.low, s.high)
		}
	}
}

func (l Link) checkChoices(refuse refusal) {
	if c := l.host.Cut; c != CutMPS && c != CutRCB {
		refuse("completion_cut %q: want %s or %s", c, CutMPS, CutRCB)
	}
	if o := l.host.ReadOrder; o != OrderServe && o != OrderStart {
		refuse("read_order %q: want %s or %s", o, OrderServe, OrderStart)
	}
	if c := l.device.Cut; c != Aligned && c != Packed {
		refuse("cut %q: want %s or %s", c, Aligned, Packed)
	}
	if a := l.device.Arbiter; a != RoundRobin && a != Priority && a != Weighted {
		refuse("arbiter %q: want %s, %s or %s", a, RoundRobin, Priority, Weighted)
	}
}

// checkCredits refuses credits with which the largest TLP could never leave.
func (l Link) checkCredits(refuse refusal) {
	room := l.completionCredits(uint64(l.host.RCB)-1, l.MRRS)
	pools := []struct {
		name       string
		have, want uint32
	}{
		{"host posted_data", l.host.PostedData, dataCredits(l.MPS)},
		{"device posted_data", l.device.PostedData, dataCredits(line)},
		{"completion_headers", l.device.CompletionHeaders, room.headers()},
		{"completion_data", l.device.CompletionData, room.data()},
	}
	for _, p := range pools {
		if p.have != 0 && p.have < p.want {
			refuse("%s %d: the largest TLP needs %d", p.name, p.have, p.want)
		}
	}
}
