package run_test

import (
	"testing"

	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/scenario"
	"hcasim/sim"
	"hcasim/wire"
)

// moves says which way the payload of an opcode goes, and in which packets.
var moves = []struct {
	opcode                    string
	back                      bool // from the responder
	first, middle, last, only ib.Opcode
}{
	{"RDMA_WRITE", false, ib.RCWriteFirst, ib.RCWriteMiddle, ib.RCWriteLast, ib.RCWriteOnly},
	{"SEND", false, ib.RCSendFirst, ib.RCSendMiddle, ib.RCSendLast, ib.RCSendOnly},
	{"RDMA_READ", true, ib.RCReadRespFirst, ib.RCReadRespMiddle, ib.RCReadRespLast, ib.RCReadRespOnly},
}

// TestThroughputIsBound: no load carries more payload than the formulas of
// PCIe let through at either end, nor than the link has room for beside the
// headers.
func TestThroughputIsBound(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	for _, profile := range append(profiles, "unlimited") {
		for _, m := range moves {
			t.Run(profile+"/"+m.opcode, func(t *testing.T) {
				t.Parallel()
				for size, n := range map[string]uint32{"8B": 8, "300B": 300, "4KiB": 4 << 10, "64KiB": 64 << 10} {
					e := experiment{profile: profile, opcode: m.opcode, size: size, depth: 8, qps: 4, mrs: 1, count: 800}
					if n > 4096 {
						e.depth, e.qps, e.count = 2, 2, 60
					}
					r := e.ready(t)
					x := e.of(t, r)
					// As many as are in flight when the measured part begins may
					// have the narrow place behind them by then.
					whole := 1 - float64(e.depth*e.qps)/float64(e.count)
					got := float64(x.Bytes) * 8 / (float64(x.Elapsed) / float64(sim.Second)) * whole
					for what, most := range bounds(t, r, n, m.back, func(w *wire.Params) uint64 {
						return packets(w, n, m.first, m.middle, m.last, m.only)
					}) {
						if got > most {
							t.Errorf("%s: %.4g b/s, and the bound of %s is %.4g", size, got, what, most)
						}
					}
				}
			})
		}
	}
}

// bounds are the most payload that may be carried, in bits per second.
func bounds(t *testing.T, r *scenario.Run, n uint32, back bool, bytes func(*wire.Params) uint64) map[string]float64 {
	t.Helper()
	list := map[string]float64{}
	for i, s := range r.Settings {
		w := &s.Params
		link, err := pcie.Train(w.Host.PCIe, w.HCA.PCIe)
		if err != nil {
			t.Fatal(err)
		}
		if reads := (i == 0) != back; reads {
			list["the reading PCIe"] = float64(link.ReadRate(sim.Bytes(n)))
		} else {
			list["the writing PCIe"] = float64(link.WriteRate(sim.Bytes(n)))
		}
		list["the wire"] = float64(w.Wire.Rate) * float64(w.Wire.Efficiency) / 1e6 * float64(n) / float64(bytes(&w.Wire))
	}
	return list
}

// packets are the bytes on the wire of a message.
func packets(w *wire.Params, n uint32, first, middle, last, only ib.Opcode) (sum uint64) {
	encap := w.Encap()
	if n <= w.MTU {
		return uint64(encap.WireBytes(only, n))
	}
	sum = uint64(encap.WireBytes(first, w.MTU))
	for n -= w.MTU; n > w.MTU; n -= w.MTU {
		sum += uint64(encap.WireBytes(middle, w.MTU))
	}
	return sum + uint64(encap.WireBytes(last, n))
}
