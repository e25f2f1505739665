package hca_test

import (
	"testing"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// In the steady state a request allocates nothing, whatever its opcode and
// size, on either side.
func TestNoAllocations(t *testing.T) {
	for _, op := range []ib.WROpcode{ib.WRRDMAWrite, ib.WRRDMARead, ib.WRAtomicFetchAndAdd, ib.WRSend} {
		for _, n := range []uint64{8, 5000} {
			if n > 8 && op == ib.WRAtomicFetchAndAdd {
				continue
			}
			round, rounds := traffic(t, op, n), 200
			for range rounds {
				round()
			}
			if allocs := testing.AllocsPerRun(rounds, round); allocs != 0 {
				t.Errorf("%v of %d: %v allocations in 8 requests", op, n, allocs)
			}
		}
	}
}

// traffic returns a round of 8 requests, repeated by calling it.
func traffic(t testing.TB, op ib.WROpcode, n uint64) func() {
	s := defaults()
	s.depth = 16
	p := newPair(t, s)
	var wrs []host.SendWR
	var recvs []host.RecvWR
	for range 8 {
		w := p.wr(0, op, 0, n, 0)
		wrs = append(wrs, w)
		recvs = append(recvs, host.RecvWR{SGE: []ib.SGE{{Addr: p.sides[1].base(), Length: uint32(n), LKey: p.sides[1].mr.LKey}}})
	}
	x, y := p.sides[0], p.sides[1]
	return func() {
		x.done, y.done = x.done[:0], y.done[:0]
		if op == ib.WRSend {
			y.host.PostRecv(p.Now(), y.qps[0], recvs)
		}
		x.host.PostSend(p.Now(), x.qps[0], wrs)
		p.Run(sim.Never)
		if len(x.done) != 8 || x.done[7].Status != ib.Success {
			t.Fatalf("%v: %d completions, %v", op, len(x.done), x.done)
		}
	}
}

// What a round of 8 requests costs the simulator, posts and polls included.
func BenchmarkRequests(b *testing.B) {
	for _, op := range []ib.WROpcode{ib.WRRDMAWrite, ib.WRRDMARead, ib.WRAtomicFetchAndAdd, ib.WRSend} {
		b.Run(op.String(), func(b *testing.B) {
			round := traffic(b, op, 8)
			b.ReportAllocs()
			for b.Loop() {
				round()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(8*b.N), "ns/request")
		})
	}
}
