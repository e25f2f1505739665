package bench

import (
	"slices"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

const (
	watchName  = "watchers"
	watchFile  = "write-64-d64"
	watchPairs = 20
	watchAsked = 32 // probes that an onlooker asks
)

// A Watching is what it costs that a run can be watched, on WRITEs of 64 B with
// 64 in flight.
//
// A watcher that is off is one that was never attached: what is left of it is
// the branch that asks its probe whether anybody watches. No program can take
// that branch out of itself to see what it is without it, so more are put in:
// an onlooker is attached to every probe of the world, and in one of two runs
// that are otherwise the same it asks 32 more probes, which nobody watches,
// each time that it is called. The difference is what so many questions cost,
// asked in the places where the model asks them; what the onlooker itself costs
// cancels out. The loop over the 32 is charged to them.
//
// How often the model asks is taken too high: once for each time that a probe
// would have something to show, and once more for each event, for the probes of
// pipes within a room, of which each passage takes an event or more.
type Watching struct {
	Pairs       int
	Ops         uint64  // of each run
	ChecksPerOp float64 // at most
	NsPerCheck  float64 // of the processor; median of the pairs, not below 0
	OffShare    float64 // what all checks cost, of the whole
	OnShare     float64 // what the watchers that every run has cost, over a run without; median of the pairs
}

// An onlooker has probes that nobody watches. They lie close together, as those
// of the model lie beside what is being worked on.
type onlooker struct {
	probes [watchAsked]sim.Probe[uint64]
	seen   uint64
}

func (o *onlooker) ask() {
	for i := range o.probes {
		if o.probes[i].On() {
			o.seen++
		}
	}
}

// A way is a scenario and who watches.
type way func(*scenario.Run) (*run.Result, error)

func (w way) ops(n uint64) (work, error) {
	r, err := Read(watchFile, n)
	if err != nil {
		return work{}, err
	}
	res, err := held(w(r))
	if err != nil {
		return work{}, err
	}
	return work{ops: n, events: res.Events}, nil
}

// before is a way with an onlooker.
func before(f func()) way {
	return func(r *scenario.Run) (*run.Result, error) { return r.DoBefore(f) }
}

// watching measures runs of n ops in pairs.
func watching(n uint64) (*Watching, error) {
	shown := uint64(0)
	counted, err := before(func() { shown++ }).ops(n)
	if err != nil {
		return nil, err
	}
	o := &onlooker{}
	const usual, alone, idle, asking = 0, 1, 2, 3
	ways := [...]way{usual: (*scenario.Run).Do, alone: (*scenario.Run).DoUnwatched, idle: before(func() {}), asking: before(o.ask)}
	order := []int{usual, alone, idle, asking}
	var check, on, perOp []float64
	for range watchPairs {
		var ns [len(ways)]float64
		for _, i := range order {
			c, err := measure(ways[i], n)
			if err != nil {
				return nil, err
			}
			ns[i] = float64(c.cpu)
		}
		slices.Reverse(order) // what drifts does so for both of a pair
		check = append(check, (ns[asking]-ns[idle])/float64(watchAsked*shown))
		on = append(on, (ns[usual]-ns[alone])/ns[alone])
		perOp = append(perOp, ns[usual]/float64(n))
	}
	w := &Watching{
		Pairs: watchPairs, Ops: n, ChecksPerOp: float64(shown+counted.events) / float64(n),
		NsPerCheck: max(0, median(check)), OnShare: median(on),
	}
	w.OffShare = w.NsPerCheck * w.ChecksPerOp / median(perOp)
	return w, nil
}
