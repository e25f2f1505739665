package report

import (
	"errors"
	"io"

	"hcasim/scenario/golden"
	"hcasim/scenario/run"
)

// TestFormats are the forms that a Suite takes.
var TestFormats = []string{"text", "json", "junit", "tap", "github"}

// A Tested is one file of a test, and what came of it.
type Tested struct {
	Path    string
	Kind    string // of a file that is there for something else; it is skipped
	Err     error  // what is wrong with the file, or with its golden figures
	Records []*Record
	Passed  bool // over: --run lets none of its cases through
	NotRun  bool // after a failure, with --fail-fast
	Part    bool // some cases were left out

	// Stale is what is recorded of runs that there are no more.
	Stale []run.Failure
	// Changes are those of the golden figures, which --update has written.
	Changes []golden.Change
}

// mute reports whether the file expects nothing.
func (t *Tested) mute() bool {
	for _, rec := range t.Records {
		if rec.Result.Asked > 0 || len(rec.Run.Record) > 0 || rec.Stopped() {
			return false
		}
	}
	return !t.Part && t.Err == nil
}

// Failed reports whether anything is wrong with the file or came out wrong.
func (t *Tested) Failed() bool {
	if t.Kind != "" || t.Passed || t.NotRun {
		return false
	}
	bad := t.Err != nil || t.mute() || len(t.Stale) > 0
	for _, rec := range t.Records {
		bad = bad || !rec.OK()
	}
	return bad
}

// A Suite shows the files of a test in the order in which they are added, in as
// many forms as are asked for.
type Suite struct {
	flags  []string // that a run needs as well
	unheld string   // the flag for which golden figures are not held
	sheets []sheet
	notRun []string
	golden bool // there are figures that were not held
	ran    []topicDoc

	Sum Sum
}

// A sheet shows a test in one form.
type sheet interface {
	add(t *Tested) error
	close(s *Suite) error
}

// A Sum counts what a suite has seen.
type Sum struct {
	Files, Bad, Cases, Held, Asked, NotRun int

	FiguresHeld, Figures int // that are recorded beside the scenarios

	Failed, Stopped, Wrong bool // an expectation, the model, a file
}

// NewSuite begins one. Flags are those of the test that a run needs as well;
// unheld is the one for which the figures beside the scenarios are not held, ""
// where they are.
func NewSuite(flags []string, unheld string) *Suite { return &Suite{flags: flags, unheld: unheld} }

// Show has the test written to w in one of TestFormats. Workspace is the folder
// that the paths of github's annotations are relative to; "" for the one that
// the program runs in.
func (s *Suite) Show(w io.Writer, format string, style Style, workspace string) {
	var x sheet
	switch format {
	case "json":
		x = &jsonSheet{w: w, doc: suiteDoc{Files: []testedDoc{}}}
	case "junit":
		x = &junitSheet{w: w, flags: s.flags}
	case "tap":
		x = &tapSheet{w: w, flags: s.flags}
	case "github":
		x = newGithubSheet(w, s.flags, workspace)
	default:
		x = newTextSheet(w, style, s.flags)
	}
	s.sheets = append(s.sheets, x)
}

// Add shows a file.
func (s *Suite) Add(t *Tested) error {
	if t.Passed {
		return nil
	}
	switch {
	case t.NotRun:
		s.Sum.NotRun++
		s.notRun = append(s.notRun, t.Path)
	case t.Kind == "":
		s.count(t)
	}
	var errs []error
	for _, x := range s.sheets {
		errs = append(errs, x.add(t))
	}
	return errors.Join(errs...)
}

// Close shows the sum.
func (s *Suite) Close() error {
	var errs []error
	for _, x := range s.sheets {
		errs = append(errs, x.close(s))
	}
	return errors.Join(errs...)
}

func (s *Suite) count(t *Tested) {
	var file Sum
	file.add(t)
	s.ran = append(s.ran, topicDoc{t.Path, 1, file.Cases, file.Held, file.Asked})
	s.Sum.add(t)
	for _, rec := range t.Records {
		s.golden = s.golden || s.unheld != "" && len(rec.Run.Record) > 0
	}
}

// add counts a file that ran.
func (n *Sum) add(t *Tested) {
	n.Files++
	if t.Failed() {
		n.Bad++
	}
	n.Wrong = n.Wrong || t.Err != nil
	n.Failed = n.Failed || t.Err == nil && t.Failed()
	for _, rec := range t.Records {
		n.Cases++
		n.Held += rec.Result.Held
		n.Asked += rec.Result.Asked
		n.FiguresHeld += rec.Figures.Held
		n.Figures += rec.Figures.Asked
		n.Stopped = n.Stopped || rec.Stopped()
	}
}
