package run_test

import (
	"fmt"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// An experiment is one traffic on one profile, large enough to be in a steady
// state and small enough for many.
type experiment struct {
	profile         string
	opcode          string
	size            string
	depth, qps, mrs int
	count           int
	more            string // members of the traffic
}

// text is the scenario.
func (e *experiment) text() string {
	return fmt.Sprintf(`version: 1
kind: scenario
name: t
profile: %s
hosts:
  A: {pd: [p], mr: {src: {length: 64KiB, access: [LOCAL_WRITE]}}, qp: {q: {count: %d, peer: B.q}}}
  B: {pd: [p], mr: {dst: {count: %d, length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]}}, qp: {q: {count: %d, peer: A.q, access: [REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]}}}
ops:
  - {on: A, traffic: {qp: q, opcode: %s, size: %s, depth: %d, count: %d, warmup: {count: %d}, target: {of: dst, pick: uniform, walk: uniform}%s}}
`, e.profile, e.qps, e.mrs, e.qps, e.opcode, e.size, e.depth, e.count, e.count/4, e.more)
}

// library has read each profile once.
var library = scenario.NewProfiles("")

// ready is the scenario, read.
func (e *experiment) ready(t *testing.T) *scenario.Run {
	t.Helper()
	runs, err := scenario.Read("t.yaml", []byte(e.text()), scenario.Options{Profiles: library})
	if err != nil {
		t.Fatal(err)
	}
	return runs[0]
}

func (e *experiment) do(t *testing.T) *run.Traffic {
	t.Helper()
	return e.of(t, e.ready(t))
}

func (e *experiment) of(t *testing.T, r *scenario.Run) *run.Traffic {
	t.Helper()
	res, err := r.DoUnwatched()
	if err != nil || !res.OK() || len(res.Traffic) != 1 {
		t.Fatalf("%+v: %v, %+v", e, err, res)
	}
	return &res.Traffic[0]
}

// mean is the mean latency over some seeds.
func (e *experiment) mean(t *testing.T, seeds int) sim.Duration {
	t.Helper()
	r := e.ready(t)
	var sum sim.Duration
	for seed := range seeds {
		r.Scenario.Run.Seed = uint64(seed + 1)
		sum += e.of(t, r).Latency.Mean()
	}
	return sum / sim.Duration(seeds)
}

// TestLatencyNeverFalls: with more bytes, more requests in flight, more queue
// pairs or more regions, the mean latency over eight seeds falls by no more
// than one per cent.
func TestLatencyNeverFalls(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	sizes := []string{"8B", "64B", "512B", "4KiB", "16KiB"}
	numbers := []int{1, 12, 160}
	one := experiment{size: "64B", depth: 1, qps: 1, mrs: 1, count: 80}
	const seeds = 8
	for _, grow := range []struct {
		what    string
		n       int
		opcodes []string
		set     func(e *experiment, i int)
	}{
		{"size", len(sizes), []string{"RDMA_WRITE", "RDMA_READ"}, func(e *experiment, i int) { e.size = sizes[i] }},
		{"depth", len(numbers), []string{"RDMA_WRITE", "RDMA_READ"}, func(e *experiment, i int) { e.depth, e.count = numbers[i], 2*numbers[i]+80 }},
		{"queue pairs", len(numbers), []string{"RDMA_READ"}, func(e *experiment, i int) { e.qps, e.count = numbers[i], 2*numbers[i]+80 }},
		{"regions", len(numbers), []string{"RDMA_WRITE"}, func(e *experiment, i int) { e.mrs, e.count = numbers[i], 2*numbers[i]+80 }},
	} {
		for _, profile := range profiles {
			for _, opcode := range grow.opcodes {
				t.Run(grow.what+"/"+profile+"/"+opcode, func(t *testing.T) {
					t.Parallel()
					last := sim.Duration(0)
					for i := range grow.n {
						e := one
						e.profile, e.opcode = profile, opcode
						grow.set(&e, i)
						got := e.mean(t, seeds)
						if float64(got) < 0.99*float64(last) {
							t.Errorf("%v, and %v with less of it: %+v", got, last, e)
						}
						last = got
					}
				})
			}
		}
	}
}
