//go:build unix

package sim

import "testing"

// idler does next to nothing in every cycle.
type idler struct{ sum uint64 }

func (t *idler) Tick(_ Time, n Cycles) Cycles {
	t.sum += uint64(n)
	return 1
}

// BenchmarkTick: 256 members tick in every cycle; an op is one tick.
func BenchmarkTick(b *testing.B) {
	const n = 256
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	idlers := make([]idler, n)
	for i := range idlers {
		d.Add("idler", &idlers[i])
	}
	for i := range idlers {
		d.Wake(Member(i))
	}
	b.ReportAllocs()
	b.ResetTimer()
	start := cpuTime()
	e.Run(d.clock.Edge(Cycles(b.N/n + 1)))
	reportCPU(b, start, b.N)
}

// hopper passes one message a cycle on.
type hopper struct {
	in, out *Link[uint64]
	hops    *int
}

func (h *hopper) Tick(_ Time, n Cycles) Cycles {
	if h.in == nil { // the first makes the messages
		h.out.Send(uint64(n))
		return 1
	}
	if !h.in.Ready() {
		return 0
	}
	if h.out == nil { // the last takes them
		h.in.Pop()
		*h.hops++
	} else if h.out.Send(*h.in.Peek()) {
		h.in.Pop()
		*h.hops++
	}
	return 0
}

// BenchmarkChain: 16 members joined by links 4 deep, one message a cycle; an op
// is one hop.
func BenchmarkChain(b *testing.B) {
	const n = 16
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	hops := 0
	hoppers := make([]hopper, n)
	for i := range hoppers {
		hoppers[i].hops = &hops
		d.Add("hopper", &hoppers[i])
	}
	for i := range n - 1 {
		l := NewLink[uint64](d, "link", LinkParams{From: Member(i), To: Member(i + 1), Latency: 1, Depth: 4})
		hoppers[i].out, hoppers[i+1].in = l, l
	}
	d.Wake(0)
	e.Run(d.clock.Edge(100))
	hops = 0
	b.ReportAllocs()
	b.ResetTimer()
	start := cpuTime()
	e.Run(d.clock.Edge(Cycles(100 + b.N/(n-1))))
	b.StopTimer()
	reportCPU(b, start, max(1, hops))
}

// BenchmarkPipe: a value a cycle through a Pipe whose sink sends it on; an op is
// one passage.
func BenchmarkPipe(b *testing.B) {
	e := NewEngine()
	clock := NewClock(1e9)
	var p *Pipe[uint64]
	left := b.N
	p = NewPipe(e, "pipe", clock, PipeParams{Latency: 8, Interval: 1, Depth: 16}, func(now Time, v uint64) bool {
		if left--; left > 0 {
			p.Send(now, v)
		}
		return true
	})
	for i := range uint64(8) {
		p.Send(0, i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	start := cpuTime()
	e.Run(Never)
	reportCPU(b, start, b.N)
}
