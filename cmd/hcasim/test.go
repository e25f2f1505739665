package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"hcasim/report"
	"hcasim/scenario"
)

// A testCall is one hcasim test.
type testCall struct {
	*program
	inputs
	format   string
	workers  int
	failFast bool

	wanted func(*scenario.Run) bool
	over   atomic.Int64 // with --fail-fast: the first file that failed
}

func (p *program) testCommand() *cobra.Command {
	t := &testCall{program: p}
	c := &cobra.Command{
		Use:   "test [PATH…]",
		Short: "Run scenarios and hold them to what they expect of themselves",
		Long: "test runs files, and folders with all that is below them, and holds every\n" +
			"scenario to its expectations. Without a path it runs ./scenarios, or what is here.",
		Example: "  hcasim test scenarios\n  hcasim test scenarios/quickstart.yaml --variant rxe",
		RunE:    func(_ *cobra.Command, paths []string) error { return t.test(paths) },
	}
	t.add(c)
	f := c.Flags()
	f.IntVarP(&t.workers, "workers", "j", runtime.GOMAXPROCS(0), "files at a time: `N`")
	f.BoolVar(&t.failFast, "fail-fast", false, "stop at the first file that fails")
	f.StringVar(&t.format, "format", "text", "`FORM` of what is printed: "+strings.Join(report.TestFormats, ", "))
	return c
}

func (t *testCall) test(paths []string) (err error) {
	if err := format(t.format, report.TestFormats...); err != nil {
		return err
	}
	if t.workers < 1 {
		return fmt.Errorf("-j %d: wants at least 1", t.workers)
	}
	if t.wanted, err = t.filter(); err != nil {
		return err
	}
	files, err := t.files(paths)
	if err != nil {
		return err
	}
	began := time.Now()
	t.over.Store(math.MaxInt64)
	suite := report.NewSuite(t.out, t.format, t.style, t.flags())
	if err := t.all(files, suite); err != nil {
		return err
	}
	if suite.Sum.Files == 0 && suite.Sum.NotRun == 0 {
		return errors.New(t.nothing(paths))
	}
	if err := suite.Close(); err != nil {
		return &failure{statusUnwritten, err}
	}
	_, _ = fmt.Fprintf(t.err, "%.2f s, %d at a time\n", time.Since(began).Seconds(), t.workers)
	return verdict(&suite.Sum)
}

// nothing says why there was nothing to run.
func (t *testCall) nothing(paths []string) string {
	if t.only != "" {
		return fmt.Sprintf("--run %s: no scenario or case has such a name", t.only)
	}
	return "no scenario in " + strings.Join(paths, ", ")
}

// files finds what there is to run, in order, each once.
func (t *testCall) files(paths []string) (files []string, err error) {
	if len(paths) == 0 {
		paths = []string{"scenarios"}
		if _, err := os.Stat(paths[0]); err != nil {
			paths = []string{"."}
		}
	}
	var mistakes []error
	for _, p := range paths {
		found, err := scenario.Files(p)
		if err != nil {
			mistakes = append(mistakes, err)
		}
		for _, f := range found {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	if len(files) == 0 && len(mistakes) == 0 {
		return nil, errors.New("no YAML file in " + strings.Join(paths, ", "))
	}
	return files, errors.Join(mistakes...)
}

// all runs the files on the workers and shows them in order, whoever is ready
// first.
func (t *testCall) all(files []string, suite *report.Suite) error {
	ready := make([]chan *report.Tested, len(files))
	for i := range ready {
		ready[i] = make(chan *report.Tested, 1)
	}
	var workers, feeder errgroup.Group
	workers.SetLimit(t.workers)
	feeder.Go(func() error {
		for i, file := range files {
			workers.Go(func() error {
				tested, err := t.file(i, file)
				ready[i] <- tested
				return err
			})
		}
		return nil
	})
	stopped := false
	var unshown error
	for i := range files {
		tested := <-ready[i]
		if stopped {
			tested = &report.Tested{Path: files[i], NotRun: true}
		}
		unshown = errors.Join(unshown, suite.Add(tested))
		stopped = stopped || t.failFast && tested.Failed()
	}
	_ = feeder.Wait() // it has no error
	if err := errors.Join(workers.Wait(), unshown); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

// file runs the file numbered i. Results of what failed are kept.
func (t *testCall) file(i int, name string) (*report.Tested, error) {
	out := &report.Tested{Path: name}
	if int64(i) > t.over.Load() {
		out.NotRun = true
		return out, nil
	}
	if out.Kind = scenario.OtherKind(name); out.Kind != "" {
		return out, nil
	}
	runs, err := scenario.Load(name, t.options())
	if err != nil {
		out.Err = err
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
		if !rec.OK() {
			if err := t.shelf.Keep(rec, ""); err != nil {
				return out, err
			}
		}
		out.Records = append(out.Records, rec)
	}
	out.Passed = out.Part && len(out.Records) == 0 && out.Err == nil
	if t.failFast && out.Failed() {
		for first := t.over.Load(); int64(i) < first && !t.over.CompareAndSwap(first, int64(i)); first = t.over.Load() {
		}
	}
	return out, nil
}

// verdict is the status of a test: what the model says of itself weighs most,
// then what was expected of it, then the files.
func verdict(sum *report.Sum) error {
	switch {
	case sum.Stopped:
		return &failure{statusStopped, nil}
	case sum.Failed:
		return &failure{statusFailed, nil}
	case sum.Wrong:
		return &failure{statusUsage, nil}
	}
	return nil
}
