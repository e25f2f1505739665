package run_test

import (
	"strings"
	"testing"
)

// TestLittlesLawOnProfiles: in a steady state what is in flight is rate times
// latency, within one per cent. A queue pair has no more in flight than its
// thread can post in the time of one: behind that, requests wait for the CPU,
// which is no part of their latency.
func TestLittlesLawOnProfiles(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	for _, profile := range profiles {
		for _, opcode := range []string{"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"} {
			t.Run(profile+"/"+opcode, func(t *testing.T) {
				t.Parallel()
				for _, c := range []struct{ depth, qps int }{{1, 1}, {6, 1}, {1, 24}, {8, 8}} {
					flying := c.depth * c.qps
					e := experiment{profile: profile, opcode: opcode, size: "512B", depth: c.depth, qps: c.qps, mrs: 1, count: 100 + 40*flying}
					x := e.do(t)
					got := float64(x.Latency.Mean()) * float64(x.Count) / float64(x.Elapsed)
					if lack := 1 - got/float64(flying); lack > 0.01 || lack < -0.01 {
						t.Errorf("depth %d of %d queue pairs: rate times latency is %.4g in flight", c.depth, c.qps, got)
					}
				}
			})
		}
	}
}

// TestOfferedLoad: requests that are offered so seldom that each is alone take
// as long as one at a time, and come as often as they are offered; offered
// faster than they can be served, no more are in flight than the queue pairs
// may have, and the others wait in software.
func TestOfferedLoad(t *testing.T) {
	for _, profile := range profiles {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			alone := experiment{profile: profile, opcode: "RDMA_WRITE", size: "512B", depth: 1, qps: 1, mrs: 1, count: 100}
			seldom, often := alone, alone
			seldom.depth, seldom.more = 16, ", rate: 20kop/s"
			often.depth, often.more, often.count = 16, ", rate: 100Mop/s", 1000
			one, few := alone.do(t), seldom.do(t)
			res := held(t, strings.Replace(often.text(), ", warmup: {count: 250}", "", 1))
			many, waited := &res.Traffic[0], 0.0
			for name, v := range figures(t, res.Measured) {
				if strings.HasSuffix(name, ".stall.sq_slots.time") {
					waited += float64(v)
				}
			}
			if off := float64(few.Latency.Mean())/float64(one.Latency.Mean()) - 1; off > 0.01 || off < -0.01 {
				t.Errorf("offered every 50us a WRITE takes %v, one at a time %v", few.Latency.Mean(), one.Latency.Mean())
			}
			if rate := float64(few.Count) / float64(few.Elapsed) * 1e12; rate < 19.8e3 || rate > 20.2e3 {
				t.Errorf("offered 20k, done %.4g a second", rate)
			}
			all := float64(many.Latency.Mean()) * float64(many.Count)
			if flying := (all - waited) / float64(many.Elapsed); flying > 16*1.01 || flying < 1 {
				t.Errorf("%.4g in flight, at most 16 may be", flying)
			}
		})
	}
}
