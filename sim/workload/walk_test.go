package workload

import (
	"testing"

	"hcasim/sim"
)

// TestYardsticksAgree: N2. What is compared does the same work.
func TestYardsticksAgree(t *testing.T) {
	for _, d := range Distributions() {
		for _, stages := range []int{1, Stages} {
			engine, heap := NewWalk(sim.NewEngine(), d, 1000, stages), NewWalk(&Heap{}, d, 1000, stages)
			for range 3 {
				engine.Events(10_000)
				heap.Events(10_000)
				if engine.Sum() != heap.Sum() {
					t.Fatalf("%v, %d stages: checksums %#x, of the heap %#x", d, stages, engine.Sum(), heap.Sum())
				}
			}
		}
	}
}

// TestEvents: a walk fires as many events as it is asked for, whatever it is on.
func TestEvents(t *testing.T) {
	for _, q := range []Queue{sim.NewEngine(), &Heap{}, &Ring{}} {
		w := NewWalk(q, Exponential, 100, 1)
		w.Events(1234)
		w.Events(1)
		hops := uint64(0)
		for i := range w.tokens {
			hops += w.tokens[i].hops
		}
		if hops != 1235 {
			t.Errorf("%T: %d events, want 1235", q, hops)
		}
	}
}

// TestHeapOrder: events of one instant fire as they were scheduled, later ones
// stay beyond the limit.
func TestHeapOrder(t *testing.T) {
	q := &Heap{}
	var got []uint32
	h := q.Register("h", handler(func(_ sim.Time, arg uint32) { got = append(got, arg) }))
	for i := range uint32(9) {
		q.At(sim.Time(10+i%3), h, i)
	}
	if q.Run(11) {
		t.Error("the heap is empty before its time")
	}
	want := []uint32{0, 3, 6, 1, 4, 7}
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Fatalf("got %d, want %d", got, want)
		}
	}
	if !q.Run(sim.Never) || len(got) != 9 {
		t.Errorf("%d events fired, want 9", len(got))
	}
}

type handler func(now sim.Time, arg uint32)

func (h handler) Fire(now sim.Time, arg uint32) { h(now, arg) }

// TestNoAllocations: N3.
func TestNoAllocations(t *testing.T) {
	ticks, chain := NewTicks(256), NewChain(16)
	all := map[string]func(n int){"tick": ticks.Events, "chain": chain.Events}
	for name, q := range map[string]Queue{"engine": sim.NewEngine(), "heap": &Heap{}, "ring": &Ring{}} {
		w := NewWalk(q, Cycles, 64, Stages)
		w.Events(100_000)
		all[name] = w.Events
	}
	for name, events := range all {
		if allocs := testing.AllocsPerRun(10, func() { events(10_000) }); allocs != 0 {
			t.Errorf("%s: %v allocations in 10,000 events", name, allocs)
		}
	}
}

// TestDomains: a tick a member and cycle; a chain that is full passes a message
// on at each of its links in each cycle.
func TestDomains(t *testing.T) {
	ticks := NewTicks(4)
	ticks.Events(4 * 10)
	for i := range ticks.idlers {
		if got := ticks.idlers[i].sum; got != 10*11/2 {
			t.Errorf("member %d: cycles add up to %d, want %d", i, got, 10*11/2)
		}
	}
	chain := NewChain(16)
	was := chain.Hops()
	chain.Events(15 * 200)
	if got := chain.Hops() - was; got != 15*200 {
		t.Errorf("%d hops in 200 cycles, want %d", got, 15*200)
	}
}
