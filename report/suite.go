package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/run"
)

// TestFormats are the forms that a Suite takes.
var TestFormats = []string{"text", "json"}

// A Tested is one file of a test, and what came of it.
type Tested struct {
	Path    string
	Kind    string // of a file that is there for something else; it is skipped
	Err     error  // what is wrong with the file
	Records []*Record
	Passed  bool // over: --run lets none of its cases through
	NotRun  bool // after a failure, with --fail-fast
	Part    bool // some cases were left out
}

// mute reports whether the file expects nothing.
func (t *Tested) mute() bool {
	for _, rec := range t.Records {
		if rec.Result.Asked > 0 || rec.Stopped() {
			return false
		}
	}
	return !t.Part
}

// Failed reports whether anything is wrong with the file or came out wrong.
func (t *Tested) Failed() bool {
	if t.Kind != "" || t.Passed || t.NotRun {
		return false
	}
	bad := t.Err != nil || t.mute()
	for _, rec := range t.Records {
		bad = bad || !rec.OK()
	}
	return bad
}

// A Suite shows the files of a test in the order in which they are added:
// failures where they happen, a line for each folder, and the sum.
type Suite struct {
	w      io.Writer
	format string
	style  Style
	flags  []string
	doc    suiteDoc

	folder  string
	here    Sum // of the folder
	skipped []skip
	ran     []topicDoc // each file, and what it holds

	Sum Sum
}

// A Sum counts what a suite has seen.
type Sum struct {
	Files, Bad, Cases, Held, Asked, NotRun int

	Failed, Stopped, Wrong bool // an expectation, the model, a file
}

// A skip is files of one folder and kind that do not run.
type skip struct {
	folder, kind string
	names        []string
}

// NewSuite begins one; format is one of TestFormats, and flags are those of
// the test that a run needs as well.
func NewSuite(w io.Writer, format string, s Style, flags []string) *Suite {
	return &Suite{w: w, format: format, style: s, flags: flags, doc: suiteDoc{Files: []testedDoc{}}}
}

// Add shows a file.
func (s *Suite) Add(t *Tested) error {
	if t.Passed {
		return nil
	}
	if s.format == "json" {
		s.doc.Files = append(s.doc.Files, docOfTested(t))
	}
	if t.NotRun {
		s.Sum.NotRun++
		return nil
	}
	if t.Kind != "" {
		s.skip(t)
		return nil
	}
	var b bytes.Buffer
	if folder := filepath.Dir(t.Path); folder != s.folder {
		s.endFolder(&b)
		s.folder = folder
	}
	s.count(t)
	if t.Failed() {
		s.failed(&b, t)
	}
	return s.print(b.Bytes())
}

// Close shows the last folder and the sum.
func (s *Suite) Close() error {
	if s.format == "json" {
		return s.json()
	}
	var b bytes.Buffer
	s.endFolder(&b)
	for _, k := range s.skipped {
		fmt.Fprintf(&b, "skipped  %s: %s (%s)\n", k.folder, strings.Join(k.names, ", "), k.kind)
	}
	if s.Sum.NotRun > 0 {
		fmt.Fprintf(&b, "not run  %s after the first failure\n", count(s.Sum.NotRun, "file"))
	}
	b.WriteString(s.sum() + "\n")
	return s.print(b.Bytes())
}

func (s *Suite) print(text []byte) error {
	if s.format == "json" {
		return nil
	}
	_, err := s.w.Write(text)
	return err
}

func (s *Suite) sum() string {
	n := &s.Sum
	if n.Bad > 0 {
		return s.style.bad("✗ ") + fmt.Sprintf("%d of %s failed · %s, %d of %s held",
			n.Bad, count(n.Files, "file"), count(n.Cases, "case"), n.Held, count(n.Asked, "expectation"))
	}
	return s.style.good("✓ ") + fmt.Sprintf("%s, %s, %s held", count(n.Files, "file"), count(n.Cases, "case"), count(n.Held, "expectation"))
}

func (s *Suite) skip(t *Tested) {
	folder, name := filepath.Dir(t.Path), filepath.Base(t.Path)
	for i := range s.skipped {
		if k := &s.skipped[i]; k.folder == folder && k.kind == t.Kind {
			k.names = append(k.names, name)
			return
		}
	}
	s.skipped = append(s.skipped, skip{folder, t.Kind, []string{name}})
}

func (s *Suite) count(t *Tested) {
	var file Sum
	file.add(t)
	s.ran = append(s.ran, topicDoc{t.Path, 1, file.Cases, file.Held, file.Asked})
	s.Sum.add(t)
	s.here.add(t)
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
		n.Stopped = n.Stopped || rec.Stopped()
	}
}

// endFolder writes the line of the folder that is over.
func (s *Suite) endFolder(w *bytes.Buffer) {
	n := &s.here
	what := fmt.Sprintf("%-10s %-11s", count(n.Files, "file"), count(n.Cases, "case"))
	switch {
	case n.Files == 0:
	case n.Bad > 0:
		fmt.Fprintf(w, "%s  %-24s %s %d of %s · %s failed\n",
			s.style.bad("FAIL"), s.folder, what, n.Held, count(n.Asked, "expectation"), count(n.Bad, "file"))
	default:
		fmt.Fprintf(w, "%s    %-24s %s %s\n", s.style.good("ok"), s.folder, what, count(n.Held, "expectation"))
	}
	s.here = Sum{}
}

// failed shows why a file failed, and the command that shows more.
func (s *Suite) failed(w *bytes.Buffer, t *Tested) {
	fail := s.style.bad("FAIL")
	switch {
	case t.Err != nil:
		fmt.Fprintf(w, "%s  %s\n%s\n", fail, t.Path, indent(t.Err.Error()))
	case t.mute():
		fmt.Fprintf(w, "%s  %s\n        it expects nothing, so it tests nothing: say what must come of a step with expect:\n", fail, t.Path)
	}
	for _, rec := range t.Records {
		if rec.OK() {
			continue
		}
		rec.failures(w, s.style)
		if rec.Stopped() {
			fmt.Fprintf(w, "%s  %s: %s is %s, t = %s\n", fail, t.Path, rec.Run.Name, stoppedWord(rec.Result.End), instant(rec.Result.Now))
			var b bytes.Buffer
			rec.stopped(&b)
			fmt.Fprintln(w, indent(strings.TrimRight(b.String(), "\n")))
		}
		fmt.Fprintln(w, "        "+again(t.Path, rec, s.flags))
		if more := rec.explain(); more != "" {
			fmt.Fprintln(w, "        "+more)
		} else if rec.Folder != "" {
			fmt.Fprintln(w, "        "+rec.Folder)
		}
	}
}

func stoppedWord(e run.End) string {
	if e == run.Limit {
		return "at the limit of simulated time"
	}
	return e.String()
}

// again is the command that shows one run in full.
func again(path string, rec *Record, flags []string) string {
	command := "hcasim run " + shellWord(path)
	for _, f := range flags {
		command += " " + shellWord(f)
	}
	if rec.Run.Case != nil {
		command += " --run " + shellWord(only(rec.Run))
	}
	return command
}

// only is the expression that --run needs for one case.
func only(r *scenario.Run) string { return "/" + regexp.QuoteMeta(r.Case.Name) + "$" }

// shellWord quotes a word for a shell where that is needed.
func shellWord(s string) string {
	if strings.ContainsAny(s, " \t\n'\"\\$&|;<>()*?[]{}~#`!") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

func indent(text string) string { return "        " + strings.ReplaceAll(text, "\n", "\n        ") }
