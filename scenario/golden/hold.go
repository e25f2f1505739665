package golden

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// A Verdict is how the figures of one run compare with those recorded.
type Verdict struct {
	Held, Asked int
	Failures    []run.Failure
}

// A holder holds one run to its figures.
type holder struct {
	file    *File
	model   int
	command string
	v       Verdict
}

// Hold holds a run to its figures. Model is the version of the model that made
// it, and command the one that records anew.
func (f *File) Hold(s *lang.Scenario, res *run.Result, model int, command string) Verdict {
	if len(s.Record) == 0 {
		return Verdict{}
	}
	h := &holder{file: f, model: model, command: command}
	asked, missing := chosen(s.Record, res)
	for _, r := range missing {
		h.v.Asked++
		h.fail(r.Pos, r.Figure, "a figure of this run", "none of this name")
	}
	was := f.of(s.Name)
	switch {
	case len(asked) == 0:
	case !f.Found:
		h.v.Asked += len(asked)
		h.fail(s.Record[0].Pos, "record", counted(len(asked))+" in "+f.Path, "no such file", h.record())
	case was == nil:
		h.v.Asked += len(asked)
		h.fail(s.Record[0].Pos, "record", counted(len(asked))+" of "+s.Name+" in "+f.Path, "none recorded", h.record())
	default:
		h.run(was, asked)
	}
	return h.v
}

// A choice is a figure to be held, and what asks for it.
type choice struct {
	run.Figure
	by *lang.Record
}

// chosen returns the figures of a run that its scenario records, and what the
// scenario names and the run has not.
func chosen(list []lang.Record, res *run.Result) (choices []choice, missing []*lang.Record) {
	met := make([]bool, len(list))
	for _, f := range res.Figures() {
		var by *lang.Record
		for i := range list {
			if list[i].Names(f.Name) {
				by, met[i] = &list[i], true
			}
		}
		if by != nil {
			choices = append(choices, choice{f, by})
		}
	}
	for i := range list {
		if !met[i] {
			missing = append(missing, &list[i])
		}
	}
	return choices, missing
}

// run compares the figures asked for with those recorded.
func (h *holder) run(was *Run, asked []choice) {
	entries := map[string]*Entry{}
	for i := range was.Entries {
		entries[was.Entries[i].Name] = &was.Entries[i]
	}
	for _, c := range asked {
		h.v.Asked++
		e := entries[c.Name]
		delete(entries, c.Name)
		switch {
		case e == nil:
			h.fail(c.by.Pos, c.Name, "a value in "+h.file.Path, "none recorded; it is "+Text(c.Figure), h.record())
		case e.Unit != c.Unit || !within(e.Value, c.Value, c.by.Within):
			h.fail(e.Pos, c.Name, expected(e, c.by.Within), Text(c.Figure)+change(e.Figure, c.Figure), h.note(was))
		default:
			h.v.Held++
		}
	}
	for i := range was.Entries {
		if e := &was.Entries[i]; entries[e.Name] != nil {
			h.v.Asked++
			h.fail(e.Pos, e.Name, Text(e.Figure)+", as recorded", "no figure of this run that its record: asks for", h.note(was))
		}
	}
}

func (h *holder) fail(pos lang.Pos, what, expected, got string, notes ...string) {
	h.v.Failures = append(h.v.Failures, run.Failure{Pos: pos, What: what, Expected: expected, Got: got, Note: strings.Join(notes, "")})
}

func (h *holder) record() string { return "to record it: " + h.command }

// note says what to do if the change is meant, and whether the model is another.
func (h *holder) note(was *Run) string {
	note := "if this is meant: " + h.command
	if was.Model != h.model {
		note = fmt.Sprintf("recorded with version %d of the model, this is version %d; ", was.Model, h.model) + note
	}
	return note
}

// Stale returns failures for what is recorded of no run: of cases that are gone,
// or of a scenario that records nothing any more.
func (f *File) Stale(runs []*lang.Scenario, command string) (list []run.Failure) {
	recording := map[string]bool{}
	for _, s := range runs {
		recording[s.Name] = len(s.Record) > 0
	}
	for i := range f.Runs {
		r := &f.Runs[i]
		asks, there := recording[r.Name]
		got := "no record: in it any more"
		if !there {
			got = "no such run"
		}
		if !asks {
			list = append(list, run.Failure{Pos: r.Pos, What: "run", Expected: r.Name, Got: got, Note: "if this is meant: " + command})
		}
	}
	if f.Found && len(f.Runs) == 0 {
		list = append(list, run.Failure{Pos: lang.Pos{File: f.Path, Line: 1, Column: 1}, What: "runs", Expected: "figures", Got: "there are none", Note: "if this is meant: " + command})
	}
	return list
}

func counted(n int) string {
	if n == 1 {
		return "1 figure"
	}
	return fmt.Sprintf("%d figures", n)
}

func expected(e *Entry, t lang.Tolerance) string {
	text := Text(e.Figure)
	if t > 0 {
		text += " within " + strconv.FormatFloat(float64(t)/1e4, 'f', -1, 64) + " %"
	}
	return text + ", as recorded"
}

// within reports whether a value differs from the one before by no more than a
// share of that.
func within(was, is uint64, t lang.Tolerance) bool {
	by := max(was, is) - min(was, is)
	byHi, byLo := bits.Mul64(by, 1e6)
	hi, lo := bits.Mul64(was, uint64(t))
	return byHi < hi || byHi == hi && byLo <= lo
}

// change says by how much a figure differs.
func change(was, is run.Figure) string {
	if was.Value == 0 || was.Unit != is.Unit {
		return ""
	}
	return fmt.Sprintf(" (%s)", percent(100*(float64(is.Value)-float64(was.Value))/float64(was.Value)))
}

// percent writes a change so that it is never nothing.
func percent(p float64) string {
	if p > -0.05 && p < 0.05 {
		return fmt.Sprintf("%+.2g %%", p)
	}
	return fmt.Sprintf("%+.1f %%", p)
}
