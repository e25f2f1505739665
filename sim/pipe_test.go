package sim

import (
	"fmt"
	"slices"
	"testing"
)

// arrivals collects what a sink takes, and can refuse.
type arrivals struct {
	at     []Time
	values []uint32
	closed bool
}

func (a *arrivals) sink(now Time, v uint32) bool {
	if a.closed {
		return false
	}
	a.at = append(a.at, now)
	a.values = append(a.values, v)
	return true
}

// TestPipeLatency: not at cycle n-1, nor a picosecond before cycle n, but at it.
func TestPipeLatency(t *testing.T) {
	for _, f := range []Hertz{1e9, 3e9, 644_531_250, 250e6} {
		for _, latency := range []Cycles{0, 1, 7, 100} {
			for _, sent := range []Time{0, 1, 333, 1000, 123_456_789} {
				clock := NewClock(f)
				e := NewEngine()
				var got arrivals
				p := NewPipe(e, "pipe", clock, PipeParams{Latency: latency, Interval: 1, Depth: 4}, got.sink)
				h := e.Register("source", fireFunc(func(now Time, _ uint32) { p.Send(now, 1) }))
				e.At(sent, h, 0)
				want := clock.Edge(clock.Next(sent) + latency)
				if want > sent {
					e.Run(want - 1)
					if len(got.at) != 0 {
						t.Fatalf("%v, latency %d, sent %v: arrived before %v", f, latency, sent, want)
					}
				}
				e.Run(want)
				if !slices.Equal(got.at, []Time{want}) {
					t.Fatalf("%v, latency %d, sent %v: arrived %v, want %v", f, latency, sent, got.at, want)
				}
			}
		}
	}
}

// TestPipeInterval: values sent at once enter Interval cycles apart.
func TestPipeInterval(t *testing.T) {
	clock := NewClock(1e9)
	for _, interval := range []Cycles{0, 1, 3} {
		e := NewEngine()
		var got arrivals
		p := NewPipe(e, "pipe", clock, PipeParams{Latency: 5, Interval: interval, Depth: 8}, got.sink)
		var want []Time
		for i := range 8 {
			if !p.Send(0, uint32(i)) {
				t.Fatalf("value %d refused", i)
			}
			want = append(want, clock.Edge(5+Cycles(i)*interval))
		}
		if p.Room() || p.Send(0, 8) {
			t.Error("a ninth value found room in a pipe of depth 8")
		}
		if !e.Run(Never) || !slices.Equal(got.at, want) {
			t.Errorf("interval %d: arrived %v, want %v", interval, got.at, want)
		}
		if interval > 0 && e.Fired() != 9 { // eight arrivals, and one wake-up for the refusal
			t.Errorf("interval %d: %d events", interval, e.Fired())
		}
	}
}

// TestPipeOneEvent: however many values are inside, one event is pending.
func TestPipeOneEvent(t *testing.T) {
	e := NewEngine()
	var got arrivals
	p := NewPipe(e, "pipe", NewClock(1e9), PipeParams{Latency: 50, Interval: 1, Depth: 40}, got.sink)
	for i := range 40 {
		p.Send(0, uint32(i))
		if e.Live() != 1 {
			t.Fatalf("%d values, %d events", i+1, e.Live())
		}
	}
}

// TestStallReachesSource: a chain of pipes whose last sink refuses fills up to
// its source, and drains when the sink resumes, in order, one a cycle.
func TestStallReachesSource(t *testing.T) {
	e := NewEngine()
	clock := NewClock(1e9)
	const stages, depth, messages = 3, 2, 20
	var got arrivals
	got.closed = true
	pipes := make([]*Pipe, stages)
	for i := stages - 1; i >= 0; i-- {
		sink := got.sink
		if i < stages-1 {
			next := pipes[i+1]
			sink = next.Send
		}
		pipes[i] = NewPipe(e, fmt.Sprint("stage", i), clock, PipeParams{Latency: 2, Interval: 1, Depth: depth}, sink)
		if i < stages-1 {
			pipes[i+1].OnRoom(pipes[i].Resume)
		}
	}
	sent := uint32(0)
	source := func(now Time) {
		for sent < messages && pipes[0].Send(now, sent) {
			sent++
		}
	}
	pipes[0].OnRoom(source)
	source(0)
	if !e.Run(Never) || sent != stages*depth {
		t.Fatalf("%d sent into a closed chain, want %d", sent, stages*depth)
	}
	for _, p := range pipes {
		if !p.Stalled() || p.Len() != depth {
			t.Errorf("%s: stalled %v with %d inside", p.Name(), p.Stalled(), p.Len())
		}
	}
	got.closed = false
	h := e.Register("resume", fireFunc(func(now Time, _ uint32) { pipes[stages-1].Resume(now) }))
	e.At(1_000_000, h, 0)
	e.Run(Never)
	if len(got.values) != messages || !slices.IsSorted(got.values) {
		t.Fatalf("received %v", got.values)
	}
	if got.at[0] != 1_000_000 {
		t.Errorf("first after the stall at %v, want 1us: at the resume", got.at[0])
	}
	for i := range got.at[1:] {
		if gap := got.at[i+1].Sub(got.at[i]); gap < Nanosecond {
			t.Errorf("values %d and %d left %v apart, want a cycle at least", i, i+1, gap)
		}
	}
}

// TestOnRoomOnce: one wake-up per refused period, at the instant there is room,
// and never from within the sink.
func TestOnRoomOnce(t *testing.T) {
	e := NewEngine()
	inSink := false
	var p *Pipe
	p = NewPipe(e, "pipe", NewClock(1e9), PipeParams{Latency: 3, Interval: 1, Depth: 1}, func(Time, uint32) bool {
		inSink = true
		defer func() { inSink = false }()
		if p.Send(3000, 9) {
			t.Error("a value found the room of one that was just being taken")
		}
		return true
	})
	var woken []Time
	p.OnRoom(func(now Time) {
		if inSink {
			t.Error("woken from within the sink")
		}
		woken = append(woken, now)
	})
	p.Send(0, 1)
	for range 5 {
		p.Send(0, 2)
	}
	e.Run(Never)
	if !slices.Equal(woken, []Time{3000}) {
		t.Errorf("woken at %v, want once at 3ns", woken)
	}
}

// TestHop: the probe reports the passage, and costs nothing without a watcher.
func TestHop(t *testing.T) {
	e := NewEngine()
	got := arrivals{closed: true}
	p := NewPipe(e, "pipe", NewClock(1e9), PipeParams{Latency: 4, Interval: 2, Depth: 4}, got.sink)
	var hops []Hop
	p.Passed.Watch(func(h Hop) { hops = append(hops, h) })
	p.Send(0, 1)
	p.Send(0, 2)
	e.Run(Never)
	h := e.Register("open", fireFunc(func(now Time, _ uint32) { got.closed = false; p.Resume(now) }))
	e.At(10_000, h, 0)
	e.Run(Never)
	want := []Hop{
		{"pipe", 1, 0, 0, 4000, 10_000},
		{"pipe", 2, 0, 2000, 6000, 12_000}, // no faster after a stall than it entered
	}
	if !slices.Equal(hops, want) {
		t.Errorf("hops %v, want %v", hops, want)
	}
}

func TestPipeNoAllocations(t *testing.T) {
	e := NewEngine()
	var p *Pipe
	p = NewPipe(e, "pipe", NewClock(1e9), PipeParams{Latency: 4, Interval: 1, Depth: 8}, func(now Time, v uint32) bool {
		p.Send(now, v)
		return true
	})
	for i := range uint32(7) {
		p.Send(0, i)
	}
	e.Run(1_000_000)
	if n := testing.AllocsPerRun(10, func() { e.Run(e.Now() + 1_000_000) }); n != 0 {
		t.Errorf("%v allocations in a thousand passages", n)
	}
}
