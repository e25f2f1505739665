package bench

import (
	"fmt"

	"hcasim/sim"
	"hcasim/sim/workload"
)

// events is a load of the engine alone: an op is an event.
type events func(n int)

func (f events) ops(n uint64) (work, error) {
	f(int(n))
	return work{ops: n, events: n}, nil
}

// hold is a row of HOLD, exponential.
func hold(name string, n int, long, quick uint64) spec {
	return walk(spec{
		name: "hold-" + name, about: fmt.Sprintf("%d events pending, each schedules its successor", n),
		op: "event", long: long, quick: quick,
	}, workload.Exponential, n, 1)
}

// pipe is a row of PIPE.
func pipe(n int, long, quick uint64) spec {
	return walk(spec{
		name: fmt.Sprintf("pipe-%d", n), about: fmt.Sprintf("%d tokens walk chains of %d stages on a clock", n, workload.Stages),
		op: "event", long: long, quick: quick,
	}, workload.Cycles, n, workload.Stages)
}

// walk adds to a row how it starts, on the engine and on the yardsticks.
func walk(s spec, d workload.Distribution, n, stages int) spec {
	on := func(q func() workload.Queue) func() (load, error) {
		return func() (load, error) {
			w := workload.NewWalk(q(), d, n, stages)
			w.Events(n + 100_000) // until the queue has its shape: exponential increments have theirs from the start
			return events(w.Events), nil
		}
	}
	s.start = on(func() workload.Queue { return sim.NewEngine() })
	s.heap = on(func() workload.Queue { return &workload.Heap{} })
	s.ring = on(func() workload.Queue { return &workload.Ring{} })
	return s
}

func tick(n int, long, quick uint64) spec {
	return spec{
		name: fmt.Sprintf("tick-%d", n), about: fmt.Sprintf("%d members of a clock domain do next to nothing in every cycle", n),
		op: "tick", long: long, quick: quick,
		start: func() (load, error) { return events(workload.NewTicks(n).Events), nil },
	}
}

func chain(n int, long, quick uint64) spec {
	return spec{
		name: fmt.Sprintf("chain-%d", n), about: fmt.Sprintf("%d members joined by bounded links, one message a cycle", n),
		op: "hop", long: long, quick: quick,
		start: func() (load, error) { return events(workload.NewChain(n).Events), nil },
	}
}
