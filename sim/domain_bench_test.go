package sim_test

import (
	"testing"

	"hcasim/sim"
	"hcasim/sim/workload"
)

// BenchmarkTick: 256 members tick in every cycle; an op is one tick.
func BenchmarkTick(b *testing.B) {
	t := workload.NewTicks(256)
	b.ReportAllocs()
	b.ResetTimer()
	start := workload.CPUTime()
	t.Events(b.N)
	reportCPU(b, start, b.N)
}

// BenchmarkChain: 16 members joined by links 4 deep, one message a cycle; an op
// is one hop.
func BenchmarkChain(b *testing.B) {
	c := workload.NewChain(16)
	was := c.Hops()
	b.ReportAllocs()
	b.ResetTimer()
	start := workload.CPUTime()
	c.Events(b.N)
	b.StopTimer()
	reportCPU(b, start, c.Hops()-was)
}

// BenchmarkPipe: a value a cycle through a Pipe whose sink sends it on; an op is
// one passage.
func BenchmarkPipe(b *testing.B) {
	e := sim.NewEngine()
	clock := sim.NewClock(1e9)
	var p *sim.Pipe
	left := b.N
	p = sim.NewPipe(e, "pipe", clock, sim.PipeParams{Latency: 8, Interval: 1, Depth: 16}, func(now sim.Time, v uint32) bool {
		if left--; left > 0 {
			p.Send(now, v)
		}
		return true
	})
	for i := range uint32(8) {
		p.Send(0, i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	start := workload.CPUTime()
	e.Run(sim.Never)
	reportCPU(b, start, b.N)
}
