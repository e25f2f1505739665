package hca

import (
	"testing"

	"pgregory.net/rapid"

	"hcasim/sim"
)

// What an engine remembers of its clock is what a pace reckons anew each time.
func TestEnginePace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &HCA{clock: sim.NewClock(sim.Hertz(rapid.IntRange(1_000_000, 2_000_000_000).Draw(t, "clock")))}
		e := &packetEngine{hca: h, clock: &h.clock}
		var pace sim.Pace
		now := sim.Time(0)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "at its edge") {
				now = max(now, e.freeAt)
			} else {
				now = now.Add(sim.Duration(rapid.IntRange(0, 5000).Draw(t, "later")))
			}
			gap := sim.Interval(rapid.IntRange(0, 9999).Draw(t, "gap"))
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				e.keep(now, gap, true)
				pace.Take(h.clock.Next(now), gap)
			case 1:
				e.delay(now, gap)
				pace.Delay(h.clock.Next(now), gap)
			case 2:
				e.hold(now)
				pace.Hold(h.clock.Next(now))
			}
			if got, want := e.free(now), h.clock.Edge(pace.At(h.clock.Next(now))); got != want {
				t.Fatalf("free at %v, want %v", got, want)
			}
		}
	})
}
