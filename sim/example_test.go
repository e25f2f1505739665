package sim_test

import (
	"fmt"

	"hcasim/sim"
)

// A bouncer schedules its own next event.
type bouncer struct {
	engine *sim.Engine
	id     sim.HandlerID
}

func (b *bouncer) Fire(now sim.Time, height uint32) {
	fmt.Println(now, "height", height)
	if height > 0 {
		b.engine.At(now.Add(sim.Duration(height)*sim.Nanosecond), b.id, height/2)
	}
}

func ExampleEngine() {
	e := sim.NewEngine()
	b := &bouncer{engine: e}
	b.id = e.Register("bouncer", b)
	e.At(0, b.id, 4)
	fmt.Println("done:", e.Run(sim.Never), "at", e.Now())
	// Output:
	// 0ps height 4
	// 4ns height 2
	// 6ns height 1
	// 7ns height 0
	// done: true at 7ns
}

// A value enters at an edge, keeps the entrance for the interval, and arrives
// after the latency.
func ExamplePipe() {
	e := sim.NewEngine()
	p := sim.NewPipe(e, "lookup", sim.NewClock(250e6), sim.PipeParams{Latency: 3, Interval: 2, Depth: 2},
		func(now sim.Time, key uint32) bool {
			fmt.Println(now, "key", key)
			return true
		})
	p.OnRoom(func(now sim.Time) { fmt.Println(now, "room again") })
	for key := range uint32(3) {
		fmt.Println("sent", key, p.Send(0, key))
	}
	e.Run(sim.Never)
	// Output:
	// sent 0 true
	// sent 1 true
	// sent 2 false
	// 12ns key 0
	// 12ns room again
	// 20ns key 1
}

// A reader waits for a tag.
type reader struct{ tags *sim.Credits }

func (r *reader) Fire(now sim.Time, request uint32) {
	fmt.Println(now, "request", request, "has its tag,", r.tags.Waiting(), "still waiting")
}

// A finisher gives a tag back.
type finisher struct{ tags *sim.Credits }

func (f *finisher) Fire(sim.Time, uint32) { f.tags.Give(1) }

func ExampleCredits() {
	e := sim.NewEngine()
	tags := sim.NewCredits(e, "tags", 1)
	r := e.Register("reader", &reader{tags})
	f := e.Register("finisher", &finisher{tags})
	for request := range uint32(3) {
		fmt.Println("request", request, "has one at once:", tags.TakeOrWait(1, r, request))
	}
	e.At(100, f, 0)
	e.At(200, f, 0)
	e.Run(sim.Never)
	// Output:
	// request 0 has one at once: true
	// request 1 has one at once: false
	// request 2 has one at once: false
	// 100ps request 1 has its tag, 1 still waiting
	// 200ps request 2 has its tag, 0 still waiting
}

func ExampleDuration_UnmarshalText() {
	var d sim.Duration
	fmt.Println(d.UnmarshalText([]byte("1.5us")), uint64(d), d)
	fmt.Println(d.UnmarshalText([]byte("3")))
	// Output:
	// <nil> 1500000 1.5us
	// "3": want a number and a unit, such as 1.5us (units: ps, ns, us, ms, s)
}
