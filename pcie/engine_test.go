package pcie

import (
	"math"
	"testing"

	"hcasim/sim"
)

// P9: a DMA engine that is slower than the link has exactly its own rate, by the
// law that is the slower for a size.
func TestEngineRate(t *testing.T) {
	for _, c := range []struct {
		name  string
		write bool
		set   func(d *DeviceParams)
		turn  func(n sim.Bytes) sim.Bytes // ps, by hand; where it is longer than the link
	}{
		{"write_op", true, func(d *DeviceParams) { d.WriteOp = 200_003 }, func(sim.Bytes) sim.Bytes { return 200_003 }},
		{"write_block", true, func(d *DeviceParams) { d.WriteOp, d.WriteBlock = 4_001, 50_021 }, func(n sim.Bytes) sim.Bytes { return 4_001 + (n+127)/128*50_021 }},
		{"write_beat", true, func(d *DeviceParams) { d.WriteOp, d.WriteBlock, d.WriteBeat = 4_001, 17_003, 20_011 },
			func(n sim.Bytes) sim.Bytes {
				return max(4_001+(n+127)/128*17_003, (n+(n+255)/256*24+63)/64*20_011)
			}},
		{"read_beat", false, func(d *DeviceParams) { d.ReadBeat = 20_011 }, func(n sim.Bytes) sim.Bytes { return (n + (n+255)/256*20 + 63) / 64 * 20_011 }},
	} {
		h, d := ideal(3, 8, 256, 512, CutMPS)
		c.set(&d)
		l, _ := Train(h, d)
		for _, n := range []sim.Bytes{1, 64, 65, 104, 105, 128, 129, 256, 257, 512, 1024} {
			got := saturate(t, h, d, uint32(n), !c.write, c.write)[0]
			want, formula := float64(n)*8e3/float64(c.turn(n)), float64(l.WriteRate(n))/1e9
			if !c.write {
				formula = float64(l.ReadRate(n)) / 1e9
			}
			if math.Abs(got/want-1) > 0.0005 || math.Abs(formula/want-1) > 1e-6 {
				t.Errorf("%s, %v: %.4f Gb/s, the formula says %.4f, want %.4f", c.name, n, got, formula, want)
			}
		}
	}
}

// TestReadOps: of so many reads at work each keeps its place until its data are
// there, however many TLPs it has; tags do not matter.
func TestReadOps(t *testing.T) {
	for _, ops := range []uint32{1, 3, 10} {
		for _, n := range []sim.Bytes{8, 64, 513} {
			h, d := ideal(3, 8, 256, 512, CutMPS)
			d.ReadOps, d.ReadOverhead, d.ReadPerByte = ops, 300_007, 153
			l, _ := Train(h, d)
			got, want := saturate(t, h, d, uint32(n), true, false)[0], float64(ops)*float64(n)*8e3/float64(l.UnloadedRead(n))
			if off := got/want - 1; math.Abs(off) > 0.02 || ops == 1 && math.Abs(off) > 0.0005 {
				t.Errorf("%d reads of %v: %.4f Gb/s, want %.4f", ops, n, got, want)
			}
			if formula := float64(l.ReadRate(n)) / 1e9; math.Abs(formula/want-1) > 1e-6 {
				t.Errorf("%d reads of %v: the formula says %.4f, want %.4f", ops, n, formula, want)
			}
		}
	}
}

// TestEngineIsPassed: what goes past the engine waits for none of it.
func TestEngineIsPassed(t *testing.T) {
	h, d := ideal(3, 8, 256, 512, CutMPS)
	d.WriteOp, d.ReadBeat, d.ReadOps = sim.Microsecond, sim.Microsecond, 1
	w, c := newWorld(t, h, d), &note{}
	id := w.Client("c", c)
	const issued = sim.Time(2)
	for i := range uint32(2) {
		w.Write(issued, Request{Addr: 1 << 33, Len: 64, Client: id, Handle: i, Direct: true})
		w.Read(issued, Request{Addr: 1 << 34, Len: 64, Client: id, Handle: 2 + i, Direct: true})
	}
	w.finish()
	if len(c.done) != 4 || c.done[3].at.Sub(issued) >= sim.Microsecond {
		t.Errorf("ended %+v", c.done)
	}
}
