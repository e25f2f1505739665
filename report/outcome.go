package report

import (
	"fmt"
	"strings"
	"time"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// An outcome is a part of a test as other tools count them: a run, or a file
// that none came of.
type outcome struct {
	name       string
	at         lang.Pos
	skipped    string // why it did not run; "" where it did
	complaints []complaint
	more       []string // where more is to be found
	took       time.Duration
}

// A complaint is one thing that is wrong.
type complaint struct {
	at    lang.Pos
	kind  string // expectation, figure, mute, stopped, wrong
	title string // one line
	text  string // all of it, where that is more
	note  string // what the title does not say
}

// broken reports whether what is wrong is no verdict: the file or the model.
func (c *complaint) broken() bool { return c.kind == "stopped" || c.kind == "wrong" }

// outcomes are those of a file.
func (t *Tested) outcomes(flags []string) (list []outcome) {
	whole := outcome{name: t.Path, at: lang.Pos{File: t.Path}}
	switch {
	case t.Kind != "":
		whole.skipped = "it is no scenario: " + t.Kind
		return []outcome{whole}
	case t.NotRun:
		whole.skipped = "not run after the first failure"
		return []outcome{whole}
	}
	for _, m := range mistakesIn(t) {
		if m.File == "" {
			m.File = t.Path
		}
		whole.complaints = append(whole.complaints, complaint{lang.Pos{File: m.File, Line: m.Line, Column: m.Column}, "wrong", m.Message, m.Suggestion, m.Suggestion})
	}
	for i := range t.Stale {
		whole.complaints = append(whole.complaints, complaintOf("figure", &t.Stale[i]))
	}
	if len(whole.complaints) > 0 {
		list = append(list, whole)
	}
	for _, rec := range t.Records {
		list = append(list, t.outcome(rec, flags))
	}
	return list
}

func mistakesIn(t *Tested) []mistakeDoc {
	if t.Err == nil {
		return nil
	}
	return mistakesOf(t.Err)
}

// outcome is that of one run.
func (t *Tested) outcome(rec *Record, flags []string) outcome {
	o := outcome{name: rec.Run.Name, at: lang.Pos{File: t.Path, Line: 1}, took: rec.Took}
	if c := rec.Run.Case; c != nil {
		o.at = c.Pos
	}
	if t.mute() {
		o.complaints = append(o.complaints, complaint{o.at, "mute", muteTitle, muteHint, muteHint})
	}
	for i := range rec.Result.Failures {
		o.complaints = append(o.complaints, complaintOf("expectation", &rec.Result.Failures[i]))
	}
	for i := range rec.Figures.Failures {
		o.complaints = append(o.complaints, complaintOf("figure", &rec.Figures.Failures[i]))
	}
	if rec.Stopped() {
		text := rec.stoppedText()
		o.complaints = append(o.complaints, complaint{o.at, "stopped", rec.stoppedTitle(), text, text})
	}
	if len(o.complaints) > 0 {
		o.more = t.see(rec, flags)
	}
	return o
}

func complaintOf(kind string, f *run.Failure) complaint {
	lines := []string{
		fmt.Sprintf("expected  %s: %s", f.What, f.Expected),
		fmt.Sprintf("got       %s: %s", f.What, f.Got),
	}
	if f.Note != "" {
		lines = append(lines, f.Note)
	}
	return complaint{f.Pos, kind, fmt.Sprintf("%s: expected %s, got %s", f.What, f.Expected, f.Got), strings.Join(lines, "\n"), f.Note}
}

// placed writes a place as far as it is known; a flag has no line.
func placed(p lang.Pos) string {
	switch {
	case p.Line > 0 && p.Column > 0:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	case p.Line > 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return p.File
}

// tally counts outcomes as other tools do.
type tally struct{ tests, failures, errors, skipped int }

func (n *tally) add(o *outcome) {
	n.tests++
	switch {
	case o.skipped != "":
		n.skipped++
	case len(o.complaints) == 0:
	case o.broken():
		n.errors++
	default:
		n.failures++
	}
}

// broken reports whether anything that is wrong is no verdict.
func (o *outcome) broken() bool {
	for i := range o.complaints {
		if o.complaints[i].broken() {
			return true
		}
	}
	return false
}
