package sim_test

import (
	"fmt"
	"testing"

	"hcasim/sim"
	"hcasim/sim/workload"
)

var queues = []struct {
	name string
	make func() workload.Queue
}{
	{"ladder", func() workload.Queue { return sim.NewEngine() }},
	{"heap4", func() workload.Queue { return &workload.Heap{} }},
	{"floor", func() workload.Queue { return &workload.Ring{} }},
}

func benchmark(b *testing.B, name string, d workload.Distribution, n, stages int) {
	for _, q := range queues {
		b.Run(name+"/"+q.name, func(b *testing.B) {
			w := workload.NewWalk(q.make(), d, n, stages)
			w.Events(3*n + 100_000) // until the pending events lie as they will
			b.ReportAllocs()
			b.ResetTimer()
			start := workload.CPUTime()
			w.Events(b.N)
			reportCPU(b, start, b.N)
		})
	}
}

// BenchmarkHold: n events pending, each schedules its successor.
func BenchmarkHold(b *testing.B) {
	for _, d := range []workload.Distribution{workload.Exponential, workload.Uniform, workload.Bimodal} {
		for _, n := range []int{10, 1000, 64000, 1000000} {
			benchmark(b, fmt.Sprintf("%s/%d", d, n), d, n, 1)
		}
	}
}

// BenchmarkPipeWalk: n tokens walk chains of 16 stages on a 1 GHz clock.
func BenchmarkPipeWalk(b *testing.B) {
	for _, n := range []int{64, 4096} {
		benchmark(b, fmt.Sprint(n), workload.Cycles, n, workload.Stages)
	}
}
