package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario"
)

// A testCall is one hcasim test.
type testCall struct {
	*program
	inputs
	format   string
	outputs  []string
	workers  int
	failFast bool
	shuffle  string
	update   bool
	keep     string

	wanted func(*scenario.Run) bool
	order  []int // in which files run
}

func (p *program) testCommand() *cobra.Command {
	t := &testCall{program: p}
	c := &cobra.Command{
		Use:   "test [PATH…]",
		Short: "Run scenarios and hold them to what they expect of themselves",
		Long: "test runs files, and folders with all that is below them, and holds every\n" +
			"scenario to its expectations, and to the figures that are recorded beside it\n" +
			"(record: in the scenario, NAME.golden.yaml beside it). Without a path it runs\n" +
			"./scenarios, or what is here. Nothing is tried twice: the same input gives the\n" +
			"same result.\n\n" +
			"Status 1 says that an expectation or a figure does not hold, 2 that a file is\n" +
			"wrong, 3 that the model stopped itself, 4 that something could not be written.",
		Example: "  hcasim test scenarios\n  hcasim test scenarios/quickstart.yaml --variant rxe\n" +
			"  hcasim test --format github --output junit=report.xml   # in CI\n" +
			"  hcasim test --update                                    # record figures anew",
		ValidArgsFunction: completeYAML,
		RunE:              func(_ *cobra.Command, paths []string) error { return t.test(paths) },
	}
	t.add(c)
	f := c.Flags()
	f.IntVarP(&t.workers, "workers", "j", runtime.GOMAXPROCS(0), "files at a time: `N`")
	f.BoolVar(&t.failFast, "fail-fast", false, "begin no new file after the first that fails, and name those that were not run")
	f.StringVar(&t.shuffle, "shuffle", "", "run the files in an order drawn from `SEED`; what is printed keeps its order")
	f.StringVar(&t.format, "format", "text", "`FORM` of what is printed: "+strings.Join(report.TestFormats, ", "))
	f.StringArrayVar(&t.outputs, "output", nil, "write it in one more form as well: `FORM=FILE`, such as junit=report.xml")
	f.BoolVar(&t.update, "update", false, "record figures anew and show what changes; expectations stay as they are")
	f.StringVar(&t.keep, "keep", "", "keep the results of all cases in `DIR`, for hcasim compare; those of an earlier test there are replaced")
	complete(c, map[string]cobra.CompletionFunc{"format": fixed(report.TestFormats...), "output": completeOutput, "keep": completeFolders})
	return c
}

func (t *testCall) test(paths []string) (err error) {
	outputs, err := t.check()
	if err != nil {
		return err
	}
	files, err := t.files(paths)
	if err != nil {
		return err
	}
	if t.order, err = shuffled(len(files), t.shuffle); err != nil {
		return err
	}
	if t.keep != "" {
		if err := t.shelf.Clear(t.keep); err != nil {
			return unwritten(err)
		}
	}
	began := time.Now()
	suite := report.NewSuite(t.flags(), t.unheld())
	suite.Show(t.out, t.format, t.style, os.Getenv("GITHUB_WORKSPACE"))
	for _, o := range outputs {
		suite.Show(&o.text, o.form, report.Style{}, os.Getenv("GITHUB_WORKSPACE"))
	}
	if err := t.all(files, suite); err != nil {
		return err
	}
	if suite.Sum.Files == 0 && suite.Sum.NotRun == 0 {
		return errors.New(t.nothing(paths))
	}
	if err := suite.Close(); err != nil {
		return &failure{statusUnwritten, err}
	}
	for _, o := range outputs {
		if err := o.write(); err != nil {
			return &failure{statusUnwritten, err}
		}
	}
	speed := fmt.Sprintf("%.2f s, %d at a time", time.Since(began).Seconds(), t.workers)
	if t.shuffle != "" {
		speed += ", shuffled by " + t.shuffle
	}
	_, _ = fmt.Fprintln(t.err, speed)
	return verdict(&suite.Sum)
}

// check looks at the flags before anything runs.
func (t *testCall) check() (outputs []*output, err error) {
	var wrong, unwritten []error
	say := func(err error) {
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	say(format(t.format, report.TestFormats...))
	if t.workers < 1 {
		say(fmt.Errorf("-j %d: wants at least 1", t.workers))
	}
	t.wanted, err = t.filter()
	say(err)
	for _, text := range t.outputs {
		o, err := newOutput(text)
		say(err)
		if err == nil {
			outputs = append(outputs, o)
			unwritten = append(unwritten, o.check())
		}
	}
	if t.update && t.format != "text" && t.format != "json" {
		say(fmt.Errorf("--update shows what changes as text or json, not as %s", t.format))
	}
	if t.update && t.unheld() != "" {
		say(fmt.Errorf("--update records the scenarios as they stand, without %s; leave out one of the two", t.unheld()))
	}
	if err := errors.Join(unwritten...); err != nil && wrong == nil {
		return nil, &failure{statusUnwritten, err}
	}
	return outputs, errors.Join(append(wrong, unwritten...)...)
}

// unheld returns the flags with which runs are others than those whose figures
// are recorded; "" for none.
func (t *testCall) unheld() string { return strings.Join(t.options().Sets, ", ") }

// nothing says why there was nothing to run.
func (t *testCall) nothing(paths []string) string {
	if t.only != "" {
		return fmt.Sprintf("--run %s: no scenario or case has such a name (hcasim test %s --format json lists them)", t.only, strings.Join(paths, " "))
	}
	return fmt.Sprintf("no scenario in %s: hcasim init writes one to start from", strings.Join(paths, ", "))
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
		return nil, fmt.Errorf("no YAML file in %s: hcasim init writes one to start from", strings.Join(paths, ", "))
	}
	return files, errors.Join(mistakes...)
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
