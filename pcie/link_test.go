package pcie

import (
	"math"
	"strings"
	"testing"

	"hcasim/sim"
)

// V04: data rate of one direction before TLPs, GB/s.
func TestRawRates(t *testing.T) {
	for _, c := range []struct {
		generation, lanes uint32
		gigabytes         float64
	}{
		{1, 1, 0.250}, {1, 16, 4}, {2, 8, 4}, {3, 1, 0.984615}, {3, 8, 7.876923}, {4, 16, 31.507692},
		{5, 16, 63.015385}, {6, 1, 7.375}, {6, 16, 118},
	} {
		got := float64(RawRate(c.generation, c.lanes)) / 8e9
		if math.Abs(got/c.gigabytes-1) > 1e-6 {
			t.Errorf("generation %d x%d: %.6f GB/s, want %.6f", c.generation, c.lanes, got, c.gigabytes)
		}
	}
}

// The Ack latency limits of the base specification, in symbols, where the
// published model tabulates them.
func TestAckLimits(t *testing.T) {
	for _, c := range []struct {
		generation, lanes uint32
		want              [4]uint32 // MPS 128, 256, 512, 1024
	}{
		{3, 8, [4]uint32{163, 203, 182, 246}}, {5, 16, [4]uint32{144, 168, 182, 246}},
		{2, 8, [4]uint32{118, 158, 137, 201}}, {1, 8, [4]uint32{67, 107, 86, 150}},
	} {
		for i, want := range c.want {
			if got := ackLimit(c.generation, c.lanes, 128<<i); got != want {
				t.Errorf("generation %d x%d, MPS %d: %d symbols, want %d", c.generation, c.lanes, 128<<i, got, want)
			}
		}
	}
}

func TestOverheadPerTLP(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	bytes := func() [3]uint32 {
		l, err := Train(h, d)
		if err != nil {
			t.Fatal(err)
		}
		return [3]uint32{l.RequestBytes(1 << 20), l.RequestBytes(1 << 32), l.CompletionBytes()}
	}
	check := func(name string, want [3]uint32) {
		t.Helper()
		if got := bytes(); got != want {
			t.Errorf("%s: %v bytes, want %v", name, got, want)
		}
	}
	check("64-bit addresses", [3]uint32{24, 24, 20})
	h.AddrBits = 32
	check("32-bit addresses", [3]uint32{20, 24, 20})
	h.ECRC = true
	check("ECRC", [3]uint32{24, 28, 24})
	h.ECRC, h.AddrBits, h.Generation, d.Generation = false, 64, 6, 6
	check("flits", [3]uint32{16, 16, 12})
}

func TestTrainsToTheLower(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.Generation, d.Generation, h.Lanes, d.Lanes = 3, 5, 16, 8
	h.MPS, d.MPS, h.MRRS, d.MRRS = 512, 256, 512, 4096
	l, err := Train(h, d)
	if err != nil {
		t.Fatal(err)
	}
	if l.Generation != 3 || l.Lanes != 8 || l.MPS != 256 || l.MRRS != 512 {
		t.Errorf("trained to generation %d x%d, MPS %d, MRRS %d", l.Generation, l.Lanes, l.MPS, l.MRRS)
	}
}

func TestTrainRefuses(t *testing.T) {
	for want, spoil := range map[string]func(h *HostParams, d *DeviceParams){
		"generation 7":         func(h *HostParams, d *DeviceParams) { h.Generation, d.Generation = 7, 7 },
		"lanes 3":              func(h *HostParams, d *DeviceParams) { d.Lanes = 3 },
		"mps of the host":      func(h *HostParams, d *DeviceParams) { h.MPS = 300 },
		"mrrs of the device":   func(h *HostParams, d *DeviceParams) { d.MRRS = 8192 },
		"rcb":                  func(h *HostParams, d *DeviceParams) { h.RCB = 256 },
		"addr_bits 48":         func(h *HostParams, d *DeviceParams) { h.AddrBits = 48 },
		"tags 0":               func(h *HostParams, d *DeviceParams) { d.Tags = 0 },
		"host posted_data 15":  func(h *HostParams, d *DeviceParams) { h.PostedData = 15 },
		"completion_headers 2": func(h *HostParams, d *DeviceParams) { d.CompletionHeaders = 2 },
		"completion_cut":       func(h *HostParams, d *DeviceParams) { h.Cut = "page" },
	} {
		h, d := DefaultHostParams(), DefaultDeviceParams()
		spoil(&h, &d)
		if _, err := Train(h, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one on %s", err, want)
		}
	}
}

// Sustained reads reach the lower of link rate and tags * chunk / round trip,
// and writes theirs.
func TestLatencyBandwidthRule(t *testing.T) {
	for _, tags := range []uint32{1, 8, 32, 256} {
		for _, n := range []uint32{64, 256, 512} {
			h, d := ideal(3, 8, 256, 512, CutMPS)
			d.Tags = tags
			l, _ := Train(h, d)
			got, want := saturate(t, h, d, n, true, false)[0]*1e9, float64(l.ReadRate(sim.Bytes(n)))
			if math.Abs(got/want-1) > 0.02 {
				t.Errorf("%d tags, %d B: %.3f Gb/s, rule says %.3f", tags, n, got/1e9, want/1e9)
			}
		}
	}
}

func TestRatesAreTheFormulas(t *testing.T) {
	h, d := ideal(4, 16, 512, 4096, CutMPS)
	l, _ := Train(h, d)
	for _, n := range []uint32{8, 65, 512, 4096} {
		for name, c := range map[string]struct{ got, want float64 }{
			"read":  {saturate(t, h, d, n, true, false)[0], float64(l.ReadRate(sim.Bytes(n)))},
			"write": {saturate(t, h, d, n, false, true)[0], float64(l.WriteRate(sim.Bytes(n)))},
			"mixed": {saturate(t, h, d, n, true, true)[0], float64(l.MixedRate(sim.Bytes(n)))},
		} {
			if math.Abs(c.got*1e9/c.want-1) > 0.001 {
				t.Errorf("%s of %d B: %.3f Gb/s, formula says %.3f", name, n, c.got, c.want/1e9)
			}
		}
	}
}
