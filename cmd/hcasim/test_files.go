package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"hcasim/report"
	"hcasim/scenario"
)

// shuffled returns the numbers below n in an order drawn from a seed; without
// one, in theirs.
func shuffled(n int, seed string) ([]int, error) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if seed == "" {
		return order, nil
	}
	v, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("--shuffle %s: wants a number, the seed of the order", seed)
	}
	r := rand.New(rand.NewPCG(v, 0))
	r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order, nil
}

// A batch is the files of a test on their way through the workers.
type batch struct {
	files  []string
	order  []int           // in which they begin
	rank   []int           // of each file in it
	ready  []chan struct{} // closed when the file is done
	tested []*report.Tested
	errs   []error
	over   atomic.Int64 // with --fail-fast: the least rank that failed
}

func newBatch(files []string, order []int) *batch {
	n := len(files)
	b := &batch{files: files, order: order, rank: make([]int, n), ready: make([]chan struct{}, n), tested: make([]*report.Tested, n), errs: make([]error, n)}
	for r, i := range order {
		b.rank[i] = r
		b.ready[i] = make(chan struct{})
	}
	b.over.Store(int64(n))
	return b
}

// fail notes that a file failed.
func (b *batch) fail(i int) {
	r := int64(b.rank[i])
	for least := b.over.Load(); r < least && !b.over.CompareAndSwap(least, r); least = b.over.Load() {
	}
}

// wait waits for a file, and for all that began before it: then it is known
// whether it was to run at all, whoever was sooner.
func (b *batch) wait(i int) (over bool) {
	for _, j := range b.order[:b.rank[i]+1] {
		<-b.ready[j]
	}
	return int64(b.rank[i]) > b.over.Load()
}

// all runs the files on the workers and shows them in order, whoever is ready
// first. Results are kept as files are shown.
func (t *testCall) all(files []string, suite *report.Suite) error {
	b := newBatch(files, t.order)
	var workers, feeder errgroup.Group
	workers.SetLimit(t.workers)
	feeder.Go(func() error {
		for _, i := range b.order {
			workers.Go(func() error {
				defer close(b.ready[i])
				if t.failFast && int64(b.rank[i]) > b.over.Load() {
					return nil
				}
				b.tested[i], b.errs[i] = t.file(files[i])
				if t.failFast && b.tested[i].Failed() {
					b.fail(i)
				}
				return nil
			})
		}
		return nil
	})
	kept := map[string]string{}
	var errs []error
	for i := range files {
		<-b.ready[i]
		if t.failFast && b.wait(i) {
			b.tested[i], b.errs[i] = &report.Tested{Path: files[i], NotRun: true}, nil
		}
		errs = append(errs, b.errs[i], t.results(b.tested[i], kept), suite.Add(b.tested[i]))
		b.tested[i] = nil
	}
	_ = errors.Join(feeder.Wait(), workers.Wait()) // theirs are in errs
	if err := errors.Join(errs...); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

// file runs a file. The error says that its figures cannot be written.
func (t *testCall) file(name string) (*report.Tested, error) {
	out := &report.Tested{Path: name}
	switch out.Kind = scenario.OtherKind(name); out.Kind {
	case "":
	case "golden":
		if out.Err = report.Orphan(name); out.Err != nil {
			out.Kind = ""
		}
		return out, nil
	default:
		return out, nil
	}
	runs, err := scenario.Load(name, t.options())
	if err != nil {
		out.Err = err
		return out, nil
	}
	for _, s := range runs {
		if !t.wanted(s) {
			out.Part = true
			continue
		}
		rec, err := report.Simulate(s)
		if err != nil {
			out.Err = err
			break
		}
		out.Records = append(out.Records, rec)
	}
	out.Passed = out.Part && len(out.Records) == 0 && out.Err == nil
	if out.Err != nil || out.Passed || t.unheld() != "" {
		return out, nil
	}
	return out, out.HoldFigures(runs, t.update)
}

// results keeps those of a file: of all its runs in --keep, else of those that
// failed. kept has the files whose results are there already.
func (t *testCall) results(tested *report.Tested, kept map[string]string) error {
	for _, rec := range tested.Records {
		switch {
		case t.keep != "":
			dir := filepath.Join(t.keep, report.FolderName(rec.Run.Name))
			if other, twice := kept[dir]; twice {
				return fmt.Errorf("--keep %s: %s and %s have runs of one name, %s; give one of them another name", t.keep, other, tested.Path, rec.Run.Name)
			}
			kept[dir] = tested.Path
			if err := t.shelf.Keep(rec, dir); err != nil {
				return err
			}
		case !rec.OK():
			if err := t.shelf.Keep(rec, ""); err != nil {
				return err
			}
		}
	}
	return nil
}
