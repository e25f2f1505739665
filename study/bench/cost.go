package bench

import (
	"fmt"
	"runtime"
	"time"

	"hcasim/sim/workload"
)

// A cost is some work and what it cost.
type cost struct {
	work
	cpu           time.Duration
	allocs, bytes uint64
}

// measure does n ops and returns their cost. What was garbage before is
// collected before: each pays for its own.
func measure(l load, n uint64) (cost, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := workload.CPUTime()
	w, err := l.ops(n)
	spent := workload.CPUTime() - began
	runtime.ReadMemStats(&after)
	return cost{w, spent, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}, err
}

// sample measures one sample of a row: a long run, from which a short one is
// taken away if the row has one.
func (s *spec) sample(l load, n uint64) (cost, error) {
	long, err := measure(l, n)
	if err != nil || s.share == 0 {
		return long, err
	}
	short, err := measure(l, max(1, n/s.share))
	if err != nil {
		return cost{}, err
	}
	return long.without(&short), nil
}

// without is a cost but for that of a part of it.
func (c *cost) without(part *cost) cost {
	d := cost{cpu: max(1, c.cpu-part.cpu), allocs: less(c.allocs, part.allocs), bytes: less(c.bytes, part.bytes)}
	d.ops, d.events = c.ops-part.ops, c.events-part.events
	for i, f := range c.figures {
		if part.figures[i].name != f.name {
			panic(fmt.Sprintf("bench: %s in a long run stands where %s does in a short one", f.name, part.figures[i].name))
		}
		d.figures = append(d.figures, figure{f.name, f.count - part.figures[i].count})
	}
	return d
}

// less is the difference of counts that a runtime adds to on its own.
func less(a, b uint64) uint64 {
	if a < b {
		return 0
	}
	return a - b
}

func (c *cost) sample() Sample {
	n := float64(c.ops)
	return Sample{c.ops, float64(c.cpu) / n, float64(c.events) / n, float64(c.allocs) / n, float64(c.bytes) / n}
}
