package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/golden"
	"hcasim/scenario/run"
)

// A textSheet shows a test on a terminal: failures where they happen, a line
// for each folder, and the sum.
type textSheet struct {
	w     io.Writer
	style Style
	flags []string
	// failed shows a file that failed.
	failed func(w *bytes.Buffer, t *Tested)

	folder  string
	here    Sum // of the folder
	skipped []skip
}

// A skip is files of one folder and kind that do not run.
type skip struct {
	folder, kind string
	names        []string
}

// listed is how many files that do not run are named one by one.
const listed = 3

// line says which they are, or how many where that would be long, and what is
// to be done with those that can be run otherwise.
func (k *skip) line() string {
	what := strings.Join(k.names, ", ")
	if len(k.names) > listed {
		what = fmt.Sprintf("%d files", len(k.names))
	}
	how := map[string]string{"study": ": hcasim sweep run FILE", "validation": ": hcasim validate"}[k.kind]
	return fmt.Sprintf("skipped  %s: %s (%s%s)\n", k.folder, what, k.kind, how)
}

func newTextSheet(w io.Writer, style Style, flags []string) *textSheet {
	s := &textSheet{w: w, style: style, flags: flags}
	s.failed = s.failures
	return s
}

func (s *textSheet) add(t *Tested) error {
	switch {
	case t.NotRun:
		return nil
	case t.Kind != "":
		s.skip(t)
		return nil
	}
	var b bytes.Buffer
	if folder := filepath.Dir(t.Path); folder != s.folder {
		s.endFolder(&b)
		s.folder = folder
	}
	s.here.add(t)
	changes(&b, t)
	if t.Failed() {
		s.failed(&b, t)
	}
	_, err := s.w.Write(b.Bytes())
	return err
}

func (s *textSheet) close(of *Suite) error {
	var b bytes.Buffer
	s.endFolder(&b)
	for i := range s.skipped {
		b.WriteString(s.skipped[i].line())
	}
	if n := len(of.notRun); n > 0 {
		fmt.Fprintf(&b, "not run  %s after the first failure: %s\n", count(n, "file"), strings.Join(of.notRun, ", "))
	}
	if of.golden {
		fmt.Fprintf(&b, "figures  not held to those recorded, which are of runs without %s\n", of.unheld)
	}
	b.WriteString(s.sum(&of.Sum) + "\n")
	_, err := s.w.Write(b.Bytes())
	return err
}

func (s *textSheet) sum(n *Sum) string {
	figures := ""
	if n.Figures > 0 {
		figures = fmt.Sprintf(", %s as recorded", count(n.Figures, "figure"))
		if n.FiguresHeld < n.Figures {
			figures = fmt.Sprintf(", %d of %s as recorded", n.FiguresHeld, count(n.Figures, "figure"))
		}
	}
	if n.Bad > 0 {
		return s.style.bad("✗ ") + fmt.Sprintf("%d of %s failed · %s, %d of %s held%s",
			n.Bad, count(n.Files, "file"), count(n.Cases, "case"), n.Held, count(n.Asked, "expectation"), figures)
	}
	return s.style.good("✓ ") + fmt.Sprintf("%s, %s, %s held%s",
		count(n.Files, "file"), count(n.Cases, "case"), count(n.Held, "expectation"), figures)
}

func (s *textSheet) skip(t *Tested) {
	folder, name := filepath.Dir(t.Path), filepath.Base(t.Path)
	for i := range s.skipped {
		if k := &s.skipped[i]; k.folder == folder && k.kind == t.Kind {
			k.names = append(k.names, name)
			return
		}
	}
	s.skipped = append(s.skipped, skip{folder, t.Kind, []string{name}})
}

// endFolder writes the line of the folder that is over.
func (s *textSheet) endFolder(w *bytes.Buffer) {
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

// changes shows what --update wrote.
func changes(w *bytes.Buffer, t *Tested) {
	if len(t.Changes) == 0 {
		return
	}
	fmt.Fprintf(w, "wrote %s\n", golden.Path(t.Path))
	name := ""
	for _, c := range t.Changes {
		if c.Run != name {
			name = c.Run
			fmt.Fprintf(w, "        %s\n", name)
		}
		switch {
		case c.Old == "":
			fmt.Fprintf(w, "        + %s: %s\n", c.Figure, c.New)
		case c.New == "":
			fmt.Fprintf(w, "        - %s: %s\n", c.Figure, c.Old)
		default:
			fmt.Fprintf(w, "        ~ %s: %s → %s  %s\n", c.Figure, c.Old, c.New, c.By)
		}
	}
}

// failures shows why a file failed, and the command that shows more.
func (s *textSheet) failures(w *bytes.Buffer, t *Tested) {
	fail := s.style.bad("FAIL")
	switch {
	case t.Err != nil:
		fmt.Fprintf(w, "%s  %s\n%s\n", fail, t.Path, indent(t.Err.Error()))
	case t.mute():
		fmt.Fprintf(w, "%s  %s\n        %s: %s\n", fail, t.Path, muteTitle, muteHint)
	}
	for i := range t.Stale {
		writeFailure(w, s.style, &t.Stale[i])
	}
	for _, rec := range t.Records {
		if rec.OK() {
			continue
		}
		rec.failures(w, s.style)
		if rec.Stopped() {
			fmt.Fprintf(w, "%s  %s: %s\n%s\n", fail, t.Path, rec.stoppedTitle(), indent(rec.stoppedText()))
		}
		for _, line := range t.see(rec, s.flags) {
			fmt.Fprintln(w, "        "+line)
		}
	}
}

// What is wrong with a file that expects nothing, and what to do.
const (
	muteTitle = "it expects nothing, so it tests nothing"
	muteHint  = "say what must come of a step with expect:"
)

// stoppedTitle says how a run stopped itself, and when.
func (rec *Record) stoppedTitle() string {
	return fmt.Sprintf("%s is %s, t = %s", rec.Run.Name, stoppedWord(rec.Result.End), instant(rec.Result.Now))
}

func (rec *Record) stoppedText() string {
	var b bytes.Buffer
	rec.stopped(&b)
	return strings.TrimRight(b.String(), "\n")
}

func stoppedWord(e run.End) string {
	if e == run.Limit {
		return "at the limit of simulated time (run.until)"
	}
	return e.String()
}

// see is where more is to be found of a run that failed: the command that shows
// it in full, and its result.
func (t *Tested) see(rec *Record, flags []string) (lines []string) {
	lines = append(lines, again(t.Path, rec, flags))
	if more := rec.explain(); more != "" {
		return append(lines, more)
	}
	if rec.Folder != "" {
		lines = append(lines, rec.Folder)
	}
	return lines
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
