//go:build unix

package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// scheduler is what a workload asks of a queue: ours, or a yardstick.
type scheduler interface {
	Register(name string, h Handler) HandlerID
	At(t Time, h HandlerID, arg uint32)
	Run(limit Time) bool
	Stop()
}

// token is what an event works on: one cache line.
type token struct {
	seed uint64
	hops uint64
	_    [6]uint64
}

// A walk is the body of HOLD and PIPE: an event touches its token, adds the time
// to a checksum and schedules the token's next event, at the next stage.
type walk struct {
	queue  scheduler
	tokens []token
	steps  []Duration // increments drawn beforehand, a power of two of them
	left   int
	sum    uint64
}

type stage struct {
	*walk
	next HandlerID
}

func (s *stage) Fire(now Time, arg uint32) {
	w := s.walk
	t := &w.tokens[arg]
	t.seed += 0x9e3779b97f4a7c15
	t.hops++
	w.sum += uint64(now)
	w.queue.At(now+Time(w.steps[t.seed>>40&uint64(len(w.steps)-1)]), s.next, arg)
	if w.left--; w.left == 0 {
		w.queue.Stop()
	}
}

// newWalk starts n tokens on chains of the given number of stages.
func newWalk(q scheduler, kind string, n, stages int) *walk {
	w := &walk{queue: q, tokens: make([]token, n), steps: increments(kind, 1<<10)}
	ids := make([]HandlerID, stages)
	for i := range ids {
		s := &stage{walk: w}
		ids[i] = q.Register("stage", s)
		s.next = ids[0] + HandlerID((i+1)%stages)
	}
	for i, k := range rand.New(rand.NewPCG(3, 4)).Perm(n) {
		w.tokens[i].seed = uint64(i) * 0xd1342543de82ef95
		q.At(Time(w.steps[i%len(w.steps)]), ids[i%stages], uint32(k))
	}
	return w
}

func (w *walk) events(n int) {
	w.left = n
	w.queue.Run(Never)
}

// increments draws n increments with a mean of about a microsecond.
func increments(kind string, n int) []Duration {
	r := rand.New(rand.NewPCG(1, 2))
	steps := make([]Duration, n)
	for i := range steps {
		switch kind {
		case "exponential":
			steps[i] = Duration(r.ExpFloat64()*1e6) + 1
		case "uniform":
			steps[i] = Duration(r.Uint64N(2e6)) + 1
		case "bimodal":
			steps[i] = Duration(r.Uint64N(2e5)) + 1
			if r.Uint64N(10) == 0 {
				steps[i] = Duration(r.Uint64N(2e7)) + 1
			}
		case "pipe": // 1 GHz: 90 % of 1-16 cycles, 10 % of 64-4096
			steps[i] = Duration(1+r.Uint64N(16)) * 1000
			if r.Uint64N(10) == 0 {
				steps[i] = Duration(64+r.Uint64N(4033)) * 1000
			}
		}
	}
	return steps
}

var queues = []struct {
	name string
	make func() scheduler
}{
	{"ladder", func() scheduler { return NewEngine() }},
	{"heap4", func() scheduler { return &heap4{} }},
	{"floor", func() scheduler { return &floor{} }},
}

func benchmark(b *testing.B, name, kind string, n, stages int) {
	for _, q := range queues {
		b.Run(name+"/"+q.name, func(b *testing.B) {
			w := newWalk(q.make(), kind, n, stages)
			w.events(3*n + 100_000) // until the pending events lie as they will
			b.ReportAllocs()
			b.ResetTimer()
			start := cpuTime()
			w.events(b.N)
			reportCPU(b, start, b.N)
		})
	}
}

// BenchmarkHold: n events pending, each schedules its successor.
func BenchmarkHold(b *testing.B) {
	for _, kind := range []string{"exponential", "uniform", "bimodal"} {
		for _, n := range []int{10, 1000, 64000, 1000000} {
			benchmark(b, fmt.Sprintf("%s/%d", kind, n), kind, n, 1)
		}
	}
}

// BenchmarkPipeWalk: n tokens walk chains of 16 stages on a 1 GHz clock.
func BenchmarkPipeWalk(b *testing.B) {
	for _, n := range []int{64, 4096} {
		benchmark(b, fmt.Sprint(n), "pipe", n, 16)
	}
}

// TestYardsticksAgree: what is compared does the same work.
func TestYardsticksAgree(t *testing.T) {
	for _, kind := range []string{"exponential", "uniform", "bimodal", "pipe"} {
		var sums []uint64
		for _, q := range queues[:2] {
			w := newWalk(q.make(), kind, 1000, 16)
			w.events(30_000)
			sums = append(sums, w.sum)
		}
		if sums[0] != sums[1] {
			t.Errorf("%s: checksums %#x", kind, sums)
		}
	}
}
