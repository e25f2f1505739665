package run_test

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/sim"
)

// slow is a load over a wire that is slower than all else: a server whose time
// of service is that of a packet on the wire, 1024 bytes and its headers.
const slow = "opcode: RDMA_WRITE, size: 1KiB, depth: 1000, count: %d, warmup: {count: 200}, %s"

func queue(t *testing.T, count int, say string) (mean sim.Duration, got map[string]uint64) {
	t.Helper()
	text := strings.ReplaceAll(fmt.Sprintf(loaded, fmt.Sprintf(slow, count, say)), "q: {count: 4,", "q: {count: 4, sq: 1024,")
	res := held(t, text, "wire.rate=100Mb/s", "wire.requests.packets=4096", "wire.requests.bytes=16MiB", "hca.send_buffers=2048")
	all := figures(t, res.Measured)
	for name, v := range figures(t, res.KindStats()) {
		all[name] = v
	}
	return res.Traffic[0].Latency.Mean(), all
}

// TestWaitingTime: requests that come as a Poisson process to a server of
// constant time D wait rho D / 2(1 - rho) in the mean (M/D/1, Pollaczek and
// Khinchine); those that come evenly wait for nothing.
func TestWaitingTime(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	alone, got := queue(t, 1000, "rate: 1kop/s")
	d := float64(got["A.wire.busy"]) / float64(got["wire.packets"]) * 2 // half of the packets are answers of the other side
	for _, c := range []struct {
		rho     float64
		arrival string
		want    float64 // in D
		slack   float64
	}{
		{0.5, "even", 0, 0.02}, {0.5, "poisson", 0.5, 0.05}, {0.8, "exponential", 2, 0.3}, {0.8, "constant", 0, 0.02},
	} {
		rate := c.rho / d * 1e12
		mean, got := queue(t, 20_000, fmt.Sprintf("rate: %.0fop/s, arrival: %s", rate, c.arrival))
		waits := (float64(mean) - float64(alone)) / d
		if waits < c.want-c.slack || waits > c.want+c.slack {
			t.Errorf("rho %.1f, %s: a request waits %.3f D, want %.3f", c.rho, c.arrival, waits, c.want)
		}
		if u := float64(got["A.wire.utilisation"]) / 1e6; u < c.rho-0.02 || u > c.rho+0.02 {
			t.Errorf("rho %.1f, %s: the wire was taken %.3f", c.rho, c.arrival, u)
		}
		if done := float64(got["write.rate"]); !near(done, rate, 25) || !near(float64(got["write.offered"]), rate, 25) {
			t.Errorf("rho %.1f, %s: offered %.0f, is said to be %d, done %.0f a second", c.rho, c.arrival, rate, got["write.offered"], done)
		}
	}
}

// TestOverload: twice as many as can be served come, and every one of them is
// served; the k-th waits for as long as k services take beyond k arrivals. Counted
// from the post, it would be as if the others had never come.
func TestOverload(t *testing.T) {
	const count = 1000
	say := fmt.Sprintf(slow, count, "rate: %s")
	say = strings.Replace(strings.Replace(say, ", warmup: {count: 200}", "", 1), "depth: 1000", "depth: 4", 1)
	full := held(t, fmt.Sprintf(loaded, fmt.Sprintf(say, "1Mop/s")), "wire.rate=100Mb/s")
	x := &full.Traffic[0]
	d := float64(x.Elapsed) / count
	if x.Count != count || x.Offered != count || x.Queued < count-8 || x.Backlog < count/2 {
		t.Errorf("%d of %d served, %d waited, %d at once", x.Count, x.Offered, x.Queued, x.Backlog)
	}
	twice := held(t, fmt.Sprintf(loaded, fmt.Sprintf(say, fmt.Sprintf("%.0fop/s", 2/d*1e12))), "wire.rate=100Mb/s")
	y := &twice.Traffic[0]
	if longest := float64(y.Latency.Max()); !near(longest, count*d/2, 20) {
		t.Errorf("the last of %d waits %v, want %.0f ps", count, y.Latency.Max(), count*d/2)
	}
	if mean := float64(y.Latency.Mean()); !near(mean, count*d/4, 30) {
		t.Errorf("in the mean it is %v, want %.0f ps", y.Latency.Mean(), count*d/4)
	}
	if offered, done := float64(y.PerSecond("offered")), float64(y.PerSecond("rate")); !near(offered, 2*done, 10) {
		t.Errorf("offered %.0f, done %.0f a second", offered, done)
	}
	timed := held(t, fmt.Sprintf(loaded, strings.Replace(fmt.Sprintf(say, fmt.Sprintf("%.0fop/s", 2/d*1e12)), "count: 1000", "time: 10ms", 1)), "wire.rate=100Mb/s")
	z := &timed.Traffic[0]
	if !near(float64(z.Count), 2*1e10/d, 10) || z.Count != z.Offered {
		t.Errorf("in 10ms %d came and %d were served, want %.0f", z.Offered, z.Count, 2*1e10/d)
	}
}

// TestRateOfSizes: a rate in bits is that of the mean size, by whatever it is
// drawn.
func TestRateOfSizes(t *testing.T) {
	for size, mean := range map[string]float64{
		"[64B, 192B]": 128, "{uniform: [64B, 4KiB], step: 64B}": 2080, "{choice: {64B: 3, 4KiB: 1}}": 1072,
		"{cdf: [[0, 0], [1000, 0.5], [4000, 1]]}": 0.5*500.5 + 0.5*2500.5, "{cdf: [[64, 25], [4096, 100]], between: none}": 0.25*64 + 0.75*4096,
	} {
		x := &load(t, "opcode: RDMA_WRITE, count: 4000, warmup: {count: 10}, rate: 1Gb/s, size: "+size).Traffic[0]
		if got := float64(x.Arrivals) / float64(x.Offered); !near(got, mean*8*1000, 1) {
			t.Errorf("%s: one comes every %.0f ps, want %.0f", size, got, mean*8*1000)
		}
		if got := float64(x.PerSecond("bandwidth")); !near(got, 1e9, 40) {
			t.Errorf("%s: %.4g bits a second", size, got)
		}
	}
	mixed := load(t, "mix: {RDMA_WRITE: 1, ATOMIC_FETCH_AND_ADD: 1}, count: 2000, rate: 1Gb/s, size: 120B").Traffic
	if got := float64(mixed[0].Arrivals) / 2000; !near(got, 64*8*1000, 1) {
		t.Errorf("of WRITEs and atomics one comes every %.0f ps", got)
	}
}

// TestPick: queue pairs are taken in turn or at random, of a rate and of a
// window.
func TestPick(t *testing.T) {
	for _, how := range []string{"rate: 1Mop/s", "rate: 1Mop/s, pick: uniform", "window: 8", "window: 8, pick: sequential"} {
		text := strings.Replace(fmt.Sprintf(loaded, "opcode: RDMA_WRITE, count: 400, "+how), "qp: q#0", "qp: q", 1)
		res := held(t, text, "hca.cache.qpc.entries=1", "hca.cache.qpc.ways=1")
		turns := strings.Contains(how, "sequential") || strings.HasPrefix(how, "rate") && !strings.Contains(how, "uniform")
		misses := figures(t, res.Stats)["B.qpc.misses"]
		if all := misses >= 395; all != turns { // in turn the one that is held is never the next
			t.Errorf("%s: %d of 400 found their context gone", how, misses)
		}
	}
}
