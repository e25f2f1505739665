package study

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"hcasim/scenario"
	"hcasim/scenario/figure"
	"hcasim/scenario/run"
	"hcasim/scenario/suite"
)

// Validate reads a suite, runs all of its points and judges them. Progress,
// which may be nil, is told after each simulation how many are done of how
// many, by whichever worker it was. The error is that of suite.Load.
func Validate(o suite.Options, progress func(done, all int)) (*Validation, error) {
	s, err := suite.Load(o)
	if err != nil {
		return nil, err
	}
	j := gatherJobs(s)
	j.run(o.Workers, progress)
	v := &Validation{Whole: len(o.IDs) == 0, Fast: o.Fast, Sets: o.Sets, Runs: len(j.list)}
	for _, item := range s.Items {
		v.Items = append(v.Items, j.item(item))
	}
	for _, class := range suite.Classes {
		v.Classes = append(v.Classes, v.sum(class))
	}
	return v, nil
}

// A job is one simulation that points need.
type job struct {
	run     *scenario.Run
	watched bool // figures of what only watchers see are needed

	figures figure.Figures
	failed  string // why there are none
}

// jobs are all simulations, in the order in which they are first needed; runs
// of equal documents are one.
type jobs struct {
	list []*job
	of   map[*scenario.Run]*job
}

func gatherJobs(s *suite.Suite) *jobs {
	j := &jobs{of: map[*scenario.Run]*job{}}
	equal := map[[sha256.Size]byte]*job{}
	for _, item := range s.Items {
		for _, c := range item.Curves {
			for _, p := range c.Points {
				if p.Run == nil {
					continue
				}
				digest := p.Run.Digest()
				if equal[digest] == nil {
					equal[digest] = &job{run: p.Run}
					j.list = append(j.list, equal[digest])
				}
				one := equal[digest]
				one.watched = one.watched || c.Metric.Watched()
				j.of[p.Run] = one
			}
		}
	}
	return j
}

// run makes all simulations. Each is independent of the others and keeps its
// figures for itself, so the number of workers decides nothing.
func (j *jobs) run(workers int, progress func(done, all int)) {
	var done atomic.Int64
	var group errgroup.Group
	group.SetLimit(max(1, workers))
	for _, one := range j.list {
		group.Go(func() error {
			one.simulate()
			if n := int(done.Add(1)); progress != nil {
				progress(n, len(j.list))
			}
			return nil
		})
	}
	_ = group.Wait() // what fails is of its point
}

// simulate runs one job. Nobody watches unless a figure needs it: the result
// is the same, and sooner there.
func (o *job) simulate() {
	do := o.run.DoUnwatched
	if o.watched {
		do = o.run.Do
	}
	res, err := do()
	switch {
	case err != nil:
		o.failed = firstLine(err.Error())
	case !res.OK():
		o.failed = unfinished(res)
	default:
		o.figures = figure.Of(res)
	}
}

// unfinished says what is wrong with a run.
func unfinished(res *run.Result) string {
	switch {
	case len(res.Failures) > 0:
		f := &res.Failures[0]
		return fmt.Sprintf("line %d: %s: expected %s, got %s", f.Pos.Line, f.What, f.Expected, f.Got)
	case res.End == run.Limit:
		return "the run is at the limit of simulated time (run.until) with work in flight"
	case len(res.Broken) > 0:
		return "the run is " + res.End.String() + ": " + res.Broken[0]
	case len(res.Waits) > 0:
		return "the run is " + res.End.String() + ": " + res.Waits[0]
	}
	return "the run is " + res.End.String()
}

// item judges one item.
func (j *jobs) item(item *suite.Item) ItemResult {
	r := ItemResult{Item: item}
	raw := map[*suite.Curve][]PointResult{}
	for _, c := range item.Curves {
		raw[c] = j.values(c)
		r.profiles(c)
	}
	for _, c := range item.Curves {
		r.Curves = append(r.Curves, CurveResult{c, judged(c, raw)})
	}
	for _, s := range item.Shapes {
		r.Shapes = append(r.Shapes, judgeShape(s, r.Curves))
	}
	r.settle()
	return r
}

// profiles notes which profiles a curve runs on.
func (r *ItemResult) profiles(c *suite.Curve) {
	for _, p := range c.Points {
		if p.Run == nil {
			continue
		}
		for _, profile := range p.Run.Profiles {
			if slices.Contains(r.Profiles, profile.Name) {
				continue
			}
			r.Profiles = append(r.Profiles, profile.Name)
			if profile.MostlyEstimates() {
				r.Guessed = append(r.Guessed, profile.Name)
			}
		}
	}
}

// settle sums the points up to the item's verdict.
func (r *ItemResult) settle() {
	r.Verdict = OK
	var sum float64
	measured := 0
	for i := range r.Curves {
		for k := range r.Curves[i].Points {
			p := &r.Curves[i].Points[k]
			if p.Verdict == Miss {
				r.Verdict = Miss
			}
			if p.Verdict != OK && p.Verdict != Miss {
				continue
			}
			r.Points++
			if p.Failed == "" {
				measured++
				sum += abs(p.Deviation)
				r.Worst = max(r.Worst, abs(p.Deviation))
			}
		}
	}
	if measured > 0 {
		r.Mean = sum / float64(measured)
	}
	judged := r.Points
	for i := range r.Shapes {
		switch r.Shapes[i].Verdict {
		case Miss:
			r.Verdict = Miss
			judged++
		case OK:
			judged++
		case Disagree, Shown:
		}
	}
	if judged == 0 && r.Verdict == OK {
		r.Verdict = Disagree
	}
}

// sum counts the items of a class.
func (v *Validation) sum(class suite.Class) ClassSum {
	c := ClassSum{Class: class}
	for i := range v.Items {
		if v.Items[i].Class != class {
			continue
		}
		c.Items++
		switch v.Items[i].Verdict {
		case OK:
			c.OK++
		case Miss:
			c.Miss++
		case Disagree, Shown:
			c.Disagree++
		}
	}
	return c
}
