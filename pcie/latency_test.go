package pcie

import (
	"fmt"
	"testing"

	"hcasim/sim"
)

var sizes = []sim.Bytes{1, 8, 64, 65, 128, 256, 257, 512, 1024, 4096, 4097, 65536}

// uneven are parameters without a round number among them.
func uneven() (HostParams, DeviceParams) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.Generation, h.Lanes, h.Utilisation, h.MRRS = 3, 8, 918_583, 512
	h.Propagation, h.ReadLatency, h.WriteLatency = 61_003, 230_017, 77_001
	d.ReadOverhead, d.WriteOverhead, d.ReadPerByte, d.WritePerByte = 120_001, 9_007, 147, 95
	return h, d
}

// P9: exactly the formula, and not a picosecond before.
func TestUnloadedLatencyIsTheFormula(t *testing.T) {
	for name, params := range map[string]func() (HostParams, DeviceParams){
		"spec-ideal": func() (HostParams, DeviceParams) { return DefaultHostParams(), DefaultDeviceParams() },
		"uneven":     uneven,
		"engine": func() (HostParams, DeviceParams) {
			h, d := uneven()
			d.WriteOp, d.WriteBlock, d.WriteBeat, d.ReadBeat, d.ReadOps = 4_001, 17_003, 8_051, 7_793, 1
			return h, d
		},
	} {
		for _, n := range sizes {
			t.Run(fmt.Sprintf("%s/%v", name, n), func(t *testing.T) {
				h, d := params()
				w, c := newWorld(t, h, d), &note{}
				id := w.Client("c", c)
				start := sim.Time(5)
				w.Write(start, Request{Addr: 1 << 33, Len: uint32(n), Client: id, Handle: 1})
				w.finish()
				if got, want := c.done[0].at.Sub(start), w.Link().UnloadedWrite(n); got != want {
					t.Errorf("write took %v, formula says %v", got, want)
				}
				start = w.Now()
				w.Read(start, Request{Addr: 1 << 33, Len: uint32(n), Client: id, Handle: 2})
				want := w.Link().UnloadedRead(n)
				w.Run(start.Add(want - 1))
				if len(c.done) != 1 {
					t.Fatalf("read done at %v, before %v", c.done[1].at.Sub(start), want)
				}
				w.finish()
				if got := c.done[1].at.Sub(start); got != want {
					t.Errorf("read took %v, formula says %v", got, want)
				}
			})
		}
	}
}
