package pcie

import (
	"fmt"
	"math"
	"testing"

	"hcasim/sim"
)

// load keeps depth requests of one size under way at page-aligned addresses,
// and no more than depth ahead of its partner, and measures from its warm-th
// Done to its last.
type load struct {
	w       *world
	id      ClientID
	n       uint32
	write   bool
	partner *load
	depth   int
	warm    int
	total   int
	issued  int
	done    int
	began   sim.Time
	ended   sim.Time
}

func (l *load) Served(now sim.Time, _, _, n uint32) {}

func (l *load) Done(now sim.Time, _ uint32, _ bool) {
	l.done++
	if l.done == l.warm {
		l.began = now
	}
	l.ended = now
	l.issue(now)
	l.partner.issue(now)
}

func (l *load) issue(now sim.Time) {
	for l.issued < min(l.total, l.depth+min(l.done, l.partner.done)) {
		l.issued++
		r := Request{Addr: 1<<40 + uint64(l.issued)<<16, Len: l.n, Client: l.id, Class: Payload}
		if l.write {
			l.w.Write(now, r)
		} else {
			l.w.Read(now, r)
		}
	}
}

// rate is the payload rate in Gb/s.
func (l *load) rate() float64 {
	return float64(l.total-l.warm) * float64(l.n) * 8000 / float64(l.ended-l.began)
}

// ideal parameters put no limit but the link, with the share of calibrated
// DLLP traffic that the specification recommends.
func ideal(generation, lanes uint32, mps, mrrs sim.Bytes, cut Cutting) (HostParams, DeviceParams) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.Generation, h.Lanes, h.MPS, h.MRRS, h.Cut, h.Utilisation = generation, lanes, mps, mrrs, cut, 0
	d.Generation, d.Lanes, d.MPS, d.MRRS, d.Tags = generation, lanes, mps, mrrs, 15360
	h.PostedHeaders, h.PostedData, h.NonPostedHeaders = 0, 0, 0
	return h, d
}

// saturate measures reads, writes or both in equal number.
func saturate(t testing.TB, h HostParams, d DeviceParams, n uint32, read, write bool) (rates []float64) {
	w := newWorld(t, h, d)
	depth := int(min(4096, 2*sim.Microsecond/w.link.Time(sim.Bytes(n+24))+16))
	var loads []*load
	for _, isWrite := range []bool{false, true} {
		if isWrite && write || !isWrite && read {
			l := &load{w: w, n: n, write: isWrite, depth: depth, warm: 2 * depth, total: 6*depth + 8000}
			l.partner, l.id = l, w.Client(fmt.Sprint(isWrite), l)
			loads = append(loads, l)
		}
	}
	loads[0].partner = loads[len(loads)-1]
	loads[len(loads)-1].partner = loads[0]
	for _, l := range loads {
		l.issue(0)
	}
	w.finish()
	for _, l := range loads {
		rates = append(rates, l.rate())
	}
	return rates
}

// The bandwidth table of the published model (Neugebauer et al., SIGCOMM 2018),
// Gb/s, 64-bit addresses.
var published = []struct {
	name        string
	generation  uint32
	lanes       uint32
	mps, mrrs   sim.Bytes
	cut         Cutting
	read, write bool
	want        [13]float64
}{
	{"gen3x8 M256 Q512 write", 3, 8, 256, 512, CutMPS, false, true, [13]float64{14.471, 23.154, 33.077, 42.098, 42.275, 48.745, 48.805, 52.923, 48.775, 52.923, 50.760, 52.923, 52.923}},
	{"gen3x8 M256 Q512 read", 3, 8, 256, 512, CutMPS, true, false, [13]float64{16.539, 25.727, 35.621, 44.103, 44.265, 50.063, 50.115, 53.690, 50.089, 53.690, 51.824, 53.690, 53.690}},
	{"gen3x8 M256 Q512 mixed", 3, 8, 256, 512, CutMPS, true, true, [13]float64{8.269, 14.471, 23.154, 33.077, 33.297, 42.098, 42.187, 48.745, 45.217, 50.748, 46.911, 50.748, 50.748}},
	{"gen3x8 M256 Q512 read, cut 64", 3, 8, 256, 512, CutRCB, true, false, [13]float64{16.539, 25.727, 35.621, 44.103, 35.833, 44.103, 39.509, 44.103, 41.671, 44.103, 42.850, 44.103, 44.103}},
	{"gen3x8 M128 read", 3, 8, 128, 512, CutMPS, true, false, [13]float64{16.190, 25.185, 34.871, 43.174, 43.333, 49.008, 43.254, 49.008, 45.941, 49.008, 47.422, 49.008, 49.008}},
	{"gen2x8 M128 Q512 read", 2, 8, 128, 512, CutMPS, true, false, [13]float64{7.879, 12.257, 16.971, 21.012, 21.089, 23.851, 21.051, 23.851, 22.358, 23.851, 23.079, 23.851, 23.851}},
	{"gen3x16 M256 read", 3, 16, 256, 512, CutMPS, true, false, [13]float64{32.486, 50.533, 69.969, 86.629, 86.947, 98.335, 98.438, 105.461, 98.387, 105.461, 101.794, 105.461, 105.461}},
	{"gen4x16 M256 read", 4, 16, 256, 512, CutMPS, true, false, [13]float64{64.971, 101.067, 139.939, 173.257, 173.894, 196.670, 196.877, 210.922, 196.774, 210.922, 203.589, 210.922, 210.922}},
	{"gen5x16 M512 Q4096 write", 5, 16, 512, 4096, CutMPS, false, true, [13]float64{114.623, 183.397, 261.996, 333.450, 334.855, 386.100, 386.573, 419.194, 419.334, 437.964, 419.264, 437.964, 437.964}},
	{"gen5x16 M512 Q4096 read", 5, 16, 512, 4096, CutMPS, true, false, [13]float64{130.998, 203.775, 282.150, 349.328, 350.613, 396.535, 396.951, 425.269, 425.389, 441.257, 425.329, 441.257, 441.257}},
}

var publishedSizes = [13]uint32{8, 16, 32, 64, 65, 128, 129, 256, 257, 512, 513, 1024, 4096}

// V01: the saturated ideal bus reproduces the published table to 0.1 %.
func TestPublishedBandwidth(t *testing.T) {
	worst := 0.0
	for _, row := range published {
		h, d := ideal(row.generation, row.lanes, row.mps, row.mrrs, row.cut)
		for i, n := range publishedSizes {
			for _, got := range saturate(t, h, d, n, row.read, row.write) {
				off := math.Abs(got/row.want[i] - 1)
				worst = max(worst, off)
				if off > 0.001 {
					t.Errorf("%s, %d B: %.3f Gb/s, published %.3f (%.2f %% off)", row.name, n, got, row.want[i], 100*off)
				}
			}
		}
	}
	t.Logf("worst deviation %.4f %%", 100*worst)
}
