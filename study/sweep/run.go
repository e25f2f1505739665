package sweep

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/whole"
)

// A Tally is how far a sweep is.
type Tally struct {
	Done      int // points with a result, of those to be run
	Failed    int // of these, with something wrong
	All       int // points to be run
	Simulated int // simulations that were made: others were there
}

// A Bench is where points are simulated: the shelf that keeps whole results,
// and who is told how far it is, which may be nil.
type Bench struct {
	Shelf    *report.Shelf
	Progress func(Tally)
}

// A job is one simulation, of all points of its hash.
type job struct {
	index  int // first point of the hash
	points int // of the shard
}

// jobs are the simulations of the shard, in the order of their points.
func (w *Sweep) jobs() (list []*job) {
	first := map[string]int{}
	for i := range w.Plan.Points {
		if _, known := first[w.Plan.Points[i].Hash]; !known {
			first[w.Plan.Points[i].Hash] = i
		}
	}
	of := map[int]*job{}
	for i := range w.Plan.Points {
		if !w.Shard.has(i) {
			continue
		}
		at := first[w.Plan.Points[i].Hash]
		if of[at] == nil {
			of[at] = &job{index: at}
			list = append(list, of[at])
		}
		of[at].points++
	}
	return list
}

// Run runs the points of the shard that have no result. Each simulation is
// independent of the others and has a file of its own, so neither the number
// of workers nor other processes in the folder decide anything.
func (w *Sweep) Run(b Bench) (Tally, error) {
	whole.SweepUp(w.Dir)
	whole.SweepUp(filepath.Join(w.Dir, pointsFolder))
	r := &running{Sweep: w, bench: b}
	jobs := w.jobs()
	for _, j := range jobs {
		r.tally.All += j.points
	}
	r.tell()
	var group errgroup.Group
	group.SetLimit(max(1, w.question.Workers))
	for _, j := range jobs {
		if r.over.Load() {
			break
		}
		group.Go(func() error {
			err := r.do(j)
			if err != nil {
				r.over.Store(true) // what cannot be written once cannot be written again
			}
			return err
		})
	}
	err := group.Wait()
	return r.tally, err
}

// A running is a sweep on its workers.
type running struct {
	*Sweep
	bench Bench
	over  atomic.Bool

	mu    sync.Mutex
	tally Tally
}

// count books a job.
func (r *running) count(j *job, d *pointDoc, simulated bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.Done += j.points
	if len(d.Failures) > 0 {
		r.tally.Failed += j.points
	}
	if simulated {
		r.tally.Simulated++
	}
	r.tell()
}

func (r *running) tell() {
	if r.bench.Progress != nil {
		r.bench.Progress(r.tally)
	}
}

// do runs one job, unless its result is there.
func (r *running) do(j *job) error {
	planned := &r.Plan.Points[j.index]
	var ready *scenario.Run
	if r.unread {
		run, err := r.Study.Run(j.index)
		if err != nil {
			return err
		}
		if pointHash(run.Digest()) != planned.Hash {
			return fmt.Errorf("--out %s: point %d is not what was planned there: openings or profiles have changed; name another folder", r.Dir, j.index)
		}
		ready = run
	}
	if !r.question.Force {
		if d, err := r.Plan.readPoint(r.Dir, planned.Hash); err == nil && r.kept(d) {
			r.count(j, d, false)
			return nil
		}
	}
	if ready == nil {
		run, err := r.Study.Run(j.index)
		if err != nil {
			return err
		}
		ready = run
	}
	rec, mistake := r.simulate(ready)
	if mistake == nil {
		if err := r.keep(rec, planned.Hash); err != nil {
			return &Unwritten{err}
		}
	}
	d := outcome(r.Study, r.Plan, j.index, rec.Result, mistake)
	err := report.File(pointFile(r.Dir, planned.Hash)).Write(func(w io.Writer) error { return report.Indented(w, d) })
	if err != nil {
		return &Unwritten{err}
	}
	r.count(j, d, true)
	return nil
}

// simulate runs a scenario. Nobody watches unless something needs it: the
// result is the same, and sooner there.
func (r *running) simulate(run *scenario.Run) (*report.Record, error) {
	if r.Study.Watched() {
		return report.Simulate(run)
	}
	return report.SimulateUnwatched(run)
}

// kept reports whether there is what the study asks to keep of a point.
func (r *running) kept(d *pointDoc) bool {
	at := filepath.Join(r.Dir, pointsFolder, d.Hash)
	switch {
	case d.End == refused:
		return true // there was nothing to keep
	case r.Study.Keep == "everything":
		return report.Intact(at) == nil
	case r.Study.Keep == "ops":
		return report.Unzips(at+opsSuffix) == nil
	}
	return true
}

// opsSuffix is that of the ops of a point.
const opsSuffix = ".ops.csv.gz"

// keep writes what the study asks to keep of a point.
func (r *running) keep(rec *report.Record, hash string) error {
	at := filepath.Join(r.Dir, pointsFolder, hash)
	switch r.Study.Keep {
	case "everything":
		return r.bench.Shelf.Keep(rec, at)
	case "ops":
		return rec.WriteOps(at + opsSuffix)
	}
	return nil
}

// A Clock turns tallies into a line for a terminal.
type Clock struct {
	Began   time.Time
	Workers int
}

// Line says how far a sweep is, how fast it goes and how long it will take.
func (c Clock) Line(t Tally, now time.Time) string {
	workers := "1 worker"
	if c.Workers != 1 {
		workers = fmt.Sprintf("%d workers", c.Workers)
	}
	line := fmt.Sprintf("%d points, %s · %d done, %d failed", t.All, workers, t.Done, t.Failed)
	minutes := now.Sub(c.Began).Minutes()
	if t.Simulated == 0 || minutes <= 0 {
		return line
	}
	rate := float64(t.Simulated) / minutes
	return line + fmt.Sprintf(" · %.0f points/min · %.0f s left", rate, float64(t.All-t.Done)/rate*60)
}
