package run_test

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// loaded begins a scenario with room for a load: regions of 64 KiB, four queue
// pairs.
const loaded = `version: 1
kind: scenario
name: t
hosts:
  A: {pd: [p], mr: {src: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {count: 4, peer: B.q, access: [REMOTE_WRITE]}}}
  B: {pd: [p], mr: {dst: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]}, few: {count: 8, length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {count: 4, peer: A.q, access: [REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]}}}
ops:
  - {on: A, traffic: {qp: q#0, target: dst, %s}}
`

func load(t testing.TB, traffic string) *run.Result {
	t.Helper()
	return held(t, fmt.Sprintf(loaded, traffic))
}

func measured(res *run.Result) (n, bytes uint64) {
	for i := range res.Traffic {
		n += res.Traffic[i].Count
		bytes += res.Traffic[i].Bytes
	}
	return n, bytes
}

// TestTrafficCounts: exactly as many requests as were asked for are measured,
// whatever the depth, the batch, the queue pairs and the warm-up.
func TestTrafficCounts(t *testing.T) {
	for _, c := range []struct {
		say   string
		bytes uint64
	}{
		{"opcode: RDMA_WRITE, count: 1000", 64_000},
		{"opcode: RDMA_WRITE, count: 1000, depth: 1", 64_000},
		{"opcode: RDMA_WRITE, count: 1000, depth: 128", 64_000},
		{"opcode: RDMA_WRITE, count: 1, depth: 128", 64},
		{"opcode: RDMA_WRITE, count: 1000, depth: 64, signal_every: 16", 64_000},
		{"opcode: RDMA_WRITE, count: 1000, depth: 64, signal_every: 64, warmup: {count: 7}", 64_000},
		{"opcode: RDMA_WRITE, count: 1000, depth: 64, batch: 8", 64_000},
		{"opcode: RDMA_WRITE, count: 1001, depth: 16, batch: 16, signal_every: 4", 64_064},
		{"opcode: RDMA_WRITE, count: 1000, depth: 16, warmup: {count: 100}", 64_000},
		{"opcode: RDMA_WRITE, count: 1000, depth: 16, warmup: {time: 20us}", 64_000},
		{"opcode: RDMA_WRITE, count: 1000, window: 1", 64_000},
		{"opcode: RDMA_WRITE, count: 1001, window: 37, batch: 4, warmup: {count: 10}", 64_064},
		{"opcode: RDMA_WRITE, count: 3, window: 1000", 192},
		{"opcode: SEND, count: 1000, window: 100", 64_000},
		{"opcode: RDMA_READ, count: 500, size: 4KiB", 500 * 4096},
		{"opcode: ATOMIC_FETCH_AND_ADD, count: 300", 300 * 8},
		{"opcode: SEND, count: 1000, size: 1KiB", 1000 * 1024},
		{"opcode: RDMA_WRITE_WITH_IMM, count: 200", 200 * 64},
		{"opcode: RDMA_WRITE, count: 100, size: [64B, 192B]", 100 * 128},
		{"opcode: RDMA_WRITE, count: 200, rate: 1Mop/s", 200 * 64},
		{"opcode: RDMA_WRITE, count: 200, rate: 1Mop/s, arrival: exponential", 200 * 64},
		{"opcode: RDMA_WRITE, count: 200, send_flags: [INLINE]", 200 * 64},
		{"opcode: RDMA_WRITE, mode: pingpong, count: 50, warmup: {count: 5}", 50 * 64},
		{"opcode: SEND, mode: pingpong, count: 50, warmup: {count: 5}", 50 * 64},
	} {
		t.Run(c.say, func(t *testing.T) {
			res := load(t, c.say)
			n, bytes := measured(res)
			var want uint64
			fmt.Sscanf(c.say[strings.Index(c.say, "count: "):], "count: %d", &want)
			if n != want || bytes != c.bytes {
				t.Errorf("%d requests and %d bytes, want %d and %d", n, bytes, want, c.bytes)
			}
			if h := &res.Traffic[0].Latency; h.Count() != want || h.Min() == 0 || h.Min() > h.Mean() || h.Mean() > h.Max() {
				t.Errorf("%d latencies from %v to %v, mean %v", h.Count(), h.Min(), h.Max(), h.Mean())
			}
		})
	}
}

// TestLittlesLaw: of a queue pair that keeps n in flight, rate times latency
// is n, but for the first and the last n of many.
func TestLittlesLaw(t *testing.T) {
	const count = 4000
	for _, depth := range []uint64{1, 2, 16, 64} {
		for _, opcode := range []string{"RDMA_WRITE", "RDMA_READ"} {
			res := load(t, fmt.Sprintf("opcode: %s, count: %d, depth: %d, warmup: {count: 200}", opcode, count, depth))
			x := &res.Traffic[0]
			inFlight := float64(x.Latency.Mean()) * count / float64(x.Elapsed)
			if lack := float64(depth) - inFlight; lack > float64(depth*depth)/count*2+float64(depth)*0.02 || lack < -float64(depth*depth)/count*2 {
				t.Errorf("%s: depth %d, by rate and latency %.3f", opcode, depth, inFlight)
			}
		}
	}
}

// TestOfferedRate: below saturation requests come as often as was asked, at
// even spacing to the picosecond.
func TestOfferedRate(t *testing.T) {
	for say, period := range map[string]sim.Duration{"1Mop/s": sim.Microsecond, "250kop/s": 4 * sim.Microsecond, "1.024Gb/s": 500 * sim.Nanosecond} {
		x := &load(t, "opcode: RDMA_WRITE, count: 101, warmup: {count: 10}, rate: "+say).Traffic[0]
		if spread := x.Latency.Max() - x.Latency.Min(); x.Elapsed > 101*period+spread || x.Elapsed < 101*period-spread {
			t.Errorf("%s: 101 requests in %v", say, x.Elapsed)
		}
	}
}

// TestMix: shares of a mix come as often as their weights say, and each has
// its own figures.
func TestMix(t *testing.T) {
	res := load(t, "mix: {RDMA_WRITE: 3, RDMA_READ: 1}, count: 4000")
	if len(res.Traffic) != 2 || res.Traffic[0].Count+res.Traffic[1].Count != 4000 {
		t.Fatalf("%+v", res.Traffic)
	}
	if w := res.Traffic[0].Count; w < 2850 || w > 3150 { // 5 sigma are 137
		t.Errorf("%d WRITEs of 4000, want about 3000", w)
	}
	if res.Traffic[0].Opcode != "IBV_WR_RDMA_WRITE" || res.Traffic[0].Latency.Mean() >= res.Traffic[1].Latency.Mean() {
		t.Errorf("%v: %v, %v: %v", res.Traffic[0].Opcode, res.Traffic[0].Latency.Mean(), res.Traffic[1].Opcode, res.Traffic[1].Latency.Mean())
	}
}

// TestPatterns: where the bytes go. Each case says how many of the 64 KiB of
// dst must have changed.
func TestPatterns(t *testing.T) {
	const text = `version: 1
kind: scenario
name: t
hosts:
  A: {pd: [p], mr: {src: {length: 64KiB, fill: 0xA5, access: [LOCAL_WRITE]}}, qp: {q: {peer: B.q}}}
  B: {pd: [p], mr: {dst: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}, few: {count: 8, length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {peer: A.q, access: [REMOTE_WRITE]}}}
ops:
  - {on: A, traffic: {opcode: RDMA_WRITE, count: %d, target: %s}, expect: %s}
`
	for _, c := range []struct {
		count          int
		target, expect string
	}{
		{100, "{of: dst, walk: fixed, offset: 128}", "{memory: {dst: {at: 128, length: 64, equals: 0xA5, rest: unchanged}}}"},
		{100, "dst", "{memory: {dst: {length: 6400, equals: 0xA5, rest: unchanged}}}"},
		{1024, "dst", "{memory: {dst: {changed: 64KiB}}}"},
		{1025, "dst", "{memory: {dst: {changed: 64KiB}}}"},
		{16, "{of: dst, walk: stride, stride: 4KiB}", "{memory: {dst: [{changed: 1KiB}, {at: 60KiB, length: 64, equals: 0xA5}]}}"},
		{1, "{of: dst, offset: 65472}", "{memory: {dst: {at: 65472, length: 64, equals: 0xA5, rest: unchanged}}}"},
		{2, "{of: dst, offset: 65472}", "{memory: {dst: {at: 65472, length: 64, equals: 0xA5, rest: unchanged}}}"},
		{8, "{of: few}", "{memory: {few#0: {changed: 64}, few#7: {changed: 64}}}"},
		{4, "{of: few, pick: stride, pick_stride: 2}", "{memory: {few#0: {changed: 64}, few#1: unchanged, few#6: {changed: 64}}}"},
		{3, "[few#1, few#3]", "{memory: {few#1: {changed: 128}, few#3: {changed: 64}, few#0: unchanged}}"},
		{8000, "{of: few, pick: uniform, walk: uniform}", "{memory: {few#0: {changed: 4KiB}}, wc: none}"},
		{2000, "{of: dst, walk: zipf, theta: 3000}", "{memory: {dst: {length: 256, equals: 0xA5}}, not: {memory: {dst: {changed: 64KiB}}}}"},
	} {
		t.Run(fmt.Sprintf("%d %s", c.count, c.target), func(t *testing.T) {
			held(t, fmt.Sprintf(text, c.count, c.target, c.expect))
		})
	}
}

// TestTrafficOverTime: a load with a time ends by itself, and the warm-up is
// no part of it.
func TestTrafficOverTime(t *testing.T) {
	x := &load(t, "opcode: RDMA_WRITE, time: 100us, warmup: {time: 50us}, depth: 4").Traffic[0]
	if x.Elapsed < 99*sim.Microsecond || x.Elapsed > 105*sim.Microsecond {
		t.Errorf("measured for %v", x.Elapsed)
	}
}

// TestAllQueuePairs: an array of queue pairs loads from all of its elements.
func TestAllQueuePairs(t *testing.T) {
	one := load(t, "opcode: RDMA_WRITE, depth: 1, count: 400, warmup: {count: 8}").Traffic[0].Elapsed
	four := held(t, strings.Replace(fmt.Sprintf(loaded, "opcode: RDMA_WRITE, depth: 1, count: 400, warmup: {count: 8}"), "qp: q#0", "qp: q", 1)).Traffic[0].Elapsed
	if ratio := float64(one) / float64(four); ratio < 3.5 || ratio > 4.1 {
		t.Errorf("four queue pairs are %.2f times as fast as one", ratio)
	}
}

// TestWindow: no more requests are in flight than the window has, over all queue
// pairs, and as many where they last; every queue pair gets its share, by the
// seed, and nothing is left in the end.
func TestWindow(t *testing.T) {
	const count = 2000
	for _, window := range []int{1, 3, 40} {
		say := strings.Replace(fmt.Sprintf(loaded, fmt.Sprintf("opcode: RDMA_READ, window: %d, count: %d", window, count)), "qp: q#0", "qp: q", 1)
		all := map[string]bool{}
		for _, seed := range []string{"1", "1", "2"} {
			res, most, shares := inFlight(t, say, "run.seed="+seed)
			if most != window {
				t.Errorf("window %d: up to %d in flight", window, most)
			}
			if n, _ := measured(res); n != count {
				t.Errorf("window %d: %d requests", window, n)
			}
			if len(shares) != 4 {
				t.Errorf("window %d: %d of 4 queue pairs were used", window, len(shares))
			}
			for qpn, n := range shares {
				if n < count/4-100 || n > count/4+100 { // 5 sigma
					t.Errorf("window %d: queue pair %d has posted %d of %d", window, qpn, n, count)
				}
			}
			all[fmt.Sprint(res.Now, shares)] = true
		}
		if len(all) != 2 {
			t.Errorf("window %d: two seeds, one of them twice, came out in %d ways", window, len(all))
		}
	}
}

// inFlight runs a scenario, and returns how many requests of its first host the
// adapter knew of at most, and how many each queue pair had.
func inFlight(t *testing.T, text string, sets ...string) (res *run.Result, most int, shares map[ib.QPN]int) {
	t.Helper()
	runs, err := scenario.Read("t.yaml", []byte(text), scenario.Options{Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	p := run.Plan{Scenario: runs[0].Scenario, Variant: runs[0].Variant}
	for _, s := range runs[0].Settings {
		p.Params = append(p.Params, &s.Params)
	}
	shares = map[ib.QPN]int{}
	res, err = run.RunSeen(p, func(h *hca.HCA) {
		now := 0
		h.Reached.Watch(func(s hca.Stage) {
			if s.Stage == hca.StageDoorbell {
				now++
				most = max(most, now)
			}
		})
		h.Retired.Watch(func(r *hca.Retirement) {
			now--
			shares[r.QPN]++
		})
	})
	if err != nil || !res.OK() {
		t.Fatalf("%v: %+v", err, res)
	}
	return res, most, shares
}

// TestPingPong: half a round of WRITEs is one way and the CPU, so it is
// shorter than a WRITE with its acknowledgement and completion.
func TestPingPong(t *testing.T) {
	half := load(t, "opcode: RDMA_WRITE, mode: pingpong, count: 20, warmup: {count: 5}").Traffic[0].Latency.Mean()
	whole := load(t, "opcode: RDMA_WRITE, depth: 1, count: 20, warmup: {count: 5}").Traffic[0].Latency.Mean()
	if half >= whole || 2*half <= whole {
		t.Errorf("half of a round takes %v, a WRITE %v", half, whole)
	}
}

// TestTrafficThatBreaksOff: a load whose requests fail is a failure, with the
// reason of the first, unless the step expects a fault.
func TestTrafficThatBreaksOff(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(loaded, "opcode: RDMA_WRITE, count: 100"), "dst: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE,", "dst: {length: 64KiB, access: [LOCAL_WRITE,", 1)
	res := read(t, text)
	if len(res.Failures) != 1 || res.Failures[0].What != "traffic" || !strings.Contains(res.Failures[0].Got, "IBV_WC_REM_ACCESS_ERR") || res.End != run.Finished {
		t.Errorf("%v: %+v", res.End, res.Failures)
	}
	held(t, strings.Replace(text, "count: 100}}", "count: 100}, expect: {fault: {at: B, cause: no-right}}}", 1))
}

// TestTrafficRepeats: a load with all its draws comes out the same again, and
// differently with another seed.
func TestTrafficRepeats(t *testing.T) {
	say := fmt.Sprintf(loaded, "mix: {RDMA_WRITE: 2, RDMA_READ: 1}, count: 500, size: {uniform: [64B, 4KiB], step: 64B}, rate: 2Mop/s, arrival: exponential")
	a, b, c := held(t, say), held(t, say), held(t, say, "run.seed=2")
	if a.Now != b.Now || a.Traffic[0].Bytes != b.Traffic[0].Bytes {
		t.Errorf("%v and %v", a.Now, b.Now)
	}
	if a.Now == c.Now {
		t.Errorf("seed 2 also ends at %v", c.Now)
	}
}

// TestTrafficOverUD: datagrams go to the peer, and come back from it.
func TestTrafficOverUD(t *testing.T) {
	const text = `version: 1
kind: scenario
name: t
hosts:
  A: {pd: [p], mr: {src: {length: %s, access: [LOCAL_WRITE]}}, qp: {q: {type: UD, qkey: 0x11, count: 2, peer: B.q}}}
  B: {pd: [p], mr: {dst: {length: 64KiB, access: [LOCAL_WRITE]}}, qp: {q: {type: UD, qkey: 0x22, count: 2, peer: A.q}}}
ops:
  - {on: A, traffic: {qp: q, opcode: SEND, size: 1KiB, count: 100, %s}}
`
	for _, how := range []string{"mode: stream", "mode: pingpong, depth: 2"} {
		res := held(t, fmt.Sprintf(text, "64KiB", how))
		if n, bytes := measured(res); n != 100 || bytes != 100<<10 {
			t.Errorf("%s: %d requests and %d bytes", how, n, bytes)
		}
	}
	if _, err := tryRead(fmt.Sprintf(text, "1KiB", "mode: pingpong, depth: 2")); err == nil || !strings.Contains(err.Error(), "behind 40 bytes") {
		t.Errorf("no room for the route: %v", err)
	}
	if m := mistakes(t, strings.Replace(fmt.Sprintf(text, "64KiB", "depth: 2"), "SEND", "RDMA_WRITE", 1)); !strings.Contains(m.Error(), "a datagram is no RDMA_WRITE") {
		t.Error(m)
	}
}
