package perf

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

// An Experiment is a test that is ready to run.
type Experiment struct {
	Options
	Notes []string // what is not as it was asked for
	runs  []*scenario.Run
	sizes []uint64 // of each
}

// Prepare settles the options and reads the scenario that they come to. What
// the link carries decides the path MTU where nobody has said one, so that the
// scenario is read twice.
func Prepare(o Options) (*Experiment, error) {
	if err := o.settle(); err != nil {
		return nil, err
	}
	x := &Experiment{Options: o}
	if x.MTU == 0 {
		x.MTU = 256
		runs, err := x.read()
		if err != nil {
			return nil, err
		}
		x.MTU = min(4096, runs[0].Settings[0].Params.Wire.MTU)
	}
	if x.Connection == "UD" && x.Size > uint64(x.MTU) {
		x.Notes = append(x.Notes, fmt.Sprintf("over UD a message has at most the MTU: -s %d instead of %d", x.MTU, x.Size))
		x.Size = uint64(x.MTU)
	}

	var err error
	x.runs, err = x.read()
	x.sizes = x.Options.sizes()
	return x, err
}

// read reads the scenario, a run for each size.
func (x *Experiment) read() ([]*scenario.Run, error) {
	name := "perf " + x.Test.Name + " --scenario"
	return scenario.Read(name, []byte(x.Text()), scenario.Options{Sets: x.Sets, Folder: x.Library})
}

// Sizes are those of the messages, in the order of the rows.
func (x *Experiment) Sizes() []uint64 { return x.sizes }

// Runs are the simulations, one for each size.
func (x *Experiment) Runs() []*scenario.Run { return x.runs }

// A Row is what was measured of one size.
type Row struct {
	Size   uint64
	Spread report.Spread // of latency
	Band   report.Band   // of bandwidth
	Rate   float64       // of -D: messages a second; of latency, rounds

	Failed  string // why nothing was measured; "" when something was
	Stopped bool   // the model stopped itself
}

// Do says how an experiment is run.
type Do struct {
	Workers int // simulations at a time
	// Keep is told of each run as it has ended, one after another; nil: nobody
	// keeps them, and they run unwatched, which is sooner.
	Keep func(rec *report.Record, size uint64) error
	// Progress is told how many bytes of all are sent; it may be nil.
	Progress func(done, all uint64)
}

// Run runs all sizes, the largest first, since these take the longest.
func (x *Experiment) Run(do Do) ([]Row, error) {
	simulate := report.SimulateUnwatched
	if do.Keep != nil {
		simulate = report.Simulate
	}
	rows := make([]Row, len(x.runs))
	var lock sync.Mutex
	sent, all := uint64(0), uint64(0)
	for _, n := range x.sizes {
		all += n
	}
	var group errgroup.Group
	group.SetLimit(max(1, do.Workers))
	for _, i := range x.order() {
		group.Go(func() error {
			rec, err := simulate(x.runs[i])
			if err != nil {
				return err
			}
			rows[i] = x.row(x.sizes[i], rec)
			lock.Lock()
			defer lock.Unlock()
			if sent += x.sizes[i]; do.Progress != nil {
				do.Progress(sent, all)
			}
			if do.Keep != nil {
				return do.Keep(rec, x.sizes[i])
			}
			return nil
		})
	}
	return rows, group.Wait()
}

// order are the places of the runs, the largest size first.
func (x *Experiment) order() []int {
	places := make([]int, len(x.runs))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(x.sizes[b], x.sizes[a]) })
	return places
}

// row reckons what perftest prints.
func (x *Experiment) row(size uint64, rec *report.Record) Row {
	r := Row{Size: size, Stopped: rec.Stopped()}
	if err := failed(rec.Result); err != nil {
		r.Failed = err.Error()
		return r
	}
	list := rec.Result.Traffic
	if x.WarmUp { // those of the first half came before
		list = list[len(list)/2:]
	}
	for i := range list {
		b := report.BandOf(&list[i])
		b.Bytes, b.Iterations = size, list[i].Count
		if i > 0 {
			b.Peak, b.Average, b.Messages = b.Peak+r.Band.Peak, b.Average+r.Band.Average, b.Messages+r.Band.Messages
			b.Iterations = r.Band.Iterations
		}
		if x.NoPeak {
			b.Peak = 0
		}
		r.Band = b
	}
	r.Spread, r.Rate = report.TrimmedSpread(&list[0]), r.Band.Messages
	r.Spread.Bytes = size
	return r
}

// failed says why a run has no figures.
func failed(res *run.Result) error {
	switch {
	case len(res.Failures) > 0:
		f := &res.Failures[0]
		return fmt.Errorf("%s: expected %s, got %s", f.What, f.Expected, f.Got)
	case len(res.Broken) > 0:
		return errors.New(res.Broken[0])
	case !res.OK() && len(res.Waits) > 0:
		return fmt.Errorf("the run is %s: %s", res.End, res.Waits[0])
	case !res.OK():
		return fmt.Errorf("the run is %s", res.End)
	case len(res.Traffic) == 0:
		return errors.New("nothing was measured")
	}
	return nil
}
