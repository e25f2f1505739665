package report

import (
	"fmt"
	"io"
	"strings"

	"hcasim/report/page"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

// writeHTML writes what came of a run as one file: the answer, then the pictures,
// the tables, and what it was made of. By is the program that made it.
func writeHTML(w io.Writer, rec *Record, by string) error { return page.Write(w, rec.sheet(by)) }

// sheet is the page of a run.
func (rec *Record) sheet(by string) page.Page {
	p := page.Page{
		Title: rec.Run.Name, Lead: rec.lead(), Answers: rec.answers(),
		Made: fmt.Sprintf("%s, model version %d, run %s", by, scenario.ModelVersion, rec.Run.Hash()),
	}
	for _, s := range []page.Section{
		rec.requestSection(), rec.timeSection(), rec.latencySection(), rec.hitSection(), rec.useSection(), rec.stallSection(),
		rec.keySection(), rec.configSection(), rec.figureSection(),
	} {
		if len(s.Plots)+len(s.Tables)+len(s.Notes) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

// lead says what ran, but for its name.
func (rec *Record) lead() string {
	_, rest, _ := strings.Cut(rec.title(), " · ")
	return strings.ReplaceAll(rest, "\n", ", ") + "."
}

// answers are the verdict and what a reader should know first: what does not
// hold, what was refused, and what took longest.
func (rec *Record) answers() (list []page.Answer) {
	status := page.OK
	if !rec.OK() {
		status = page.Miss
	}
	verdict := strings.TrimPrefix(strings.TrimPrefix(rec.verdict(Style{}), "✓ "), "✗ ")
	list = append(list, page.Answer{Status: status, Text: verdict + "."})
	const most = 20
	for i := range rec.Result.Failures {
		if i == most {
			list = append(list, page.Answer{Status: page.Miss, Text: fmt.Sprintf("… and %d more.", len(rec.Result.Failures)-most)})
			break
		}
		list = append(list, page.Answer{Status: page.Miss, Text: failureText(&rec.Result.Failures[i])})
	}
	if rec.Stopped() {
		for _, line := range append(append([]string{}, rec.Result.Broken...), rec.Result.Waits...) {
			list = append(list, page.Answer{Status: page.Miss, Text: line})
		}
	}
	for _, text := range []string{rec.trust(), rec.refused(), rec.loads(), rec.slowest()} {
		if text != "" {
			list = append(list, page.Answer{Text: text})
		}
	}
	return list
}

// failureText is an expectation that does not hold, in a sentence.
func failureText(f *run.Failure) string {
	text := fmt.Sprintf("Line %d expects %s: %s, and got %s.", f.Pos.Line, f.What, f.Expected, f.Got)
	if f.Op != "" {
		text = fmt.Sprintf("Op %s (line %d) expects %s: %s, and got %s.", f.Op, f.Pos.Line, f.What, f.Expected, f.Got)
	}
	if f.Note != "" {
		text += " " + f.Note
	}
	return text
}

// refused says in words what was refused.
func (rec *Record) refused() string {
	var failed []*run.Op
	asked := 0
	for i := range rec.Result.Ops {
		if o := &rec.Result.Ops[i]; o.Failed() {
			failed = append(failed, o)
			if o.Expected {
				asked++
			}
		}
	}
	const most = 6
	if len(failed) == 0 || len(failed) > most {
		switch {
		case len(failed) == 0:
			return ""
		case asked == len(failed):
			return fmt.Sprintf("%s did not succeed, as expected.", count(len(failed), "request"))
		}
		return fmt.Sprintf("%s did not succeed, %d as expected.", count(len(failed), "request"), asked)
	}
	words := make([]string, len(failed))
	for i, o := range failed {
		words[i] = fmt.Sprintf("op %s, %s: %s", o.ID, o.Request, o.Outcome())
		if r := rec.remark(o); r == "as expected" {
			words[i] += ", as expected"
		}
	}
	return "Refused: " + strings.Join(words, "; ") + "."
}

// loads says in words what each traffic reached.
func (rec *Record) loads() string {
	var words []string
	for i := range rec.Result.Traffic {
		t := &rec.Result.Traffic[i]
		words = append(words, fmt.Sprintf("%s of step %d: %s, %s, p50 %s, p99 %s", short(t.Opcode), t.Step,
			rate(t.Count, t.Elapsed, "op/s"), rate(8*t.Bytes, t.Elapsed, "b/s"), micro(t.Latency.Quantile(500)), micro(t.Latency.Quantile(990))))
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, "; ") + "."
}

// slowest says in words which work request took longest, and where.
func (rec *Record) slowest() string {
	var slow *run.Op
	for i := range rec.Result.Ops {
		if o := &rec.Result.Ops[i]; o.Done && !o.Verb && o.Spent() > 0 && (slow == nil || o.Latency() > slow.Latency()) {
			slow = o
		}
	}
	if slow == nil {
		return ""
	}
	text := fmt.Sprintf("Slowest work request: op %s, %s", slow.ID, slow.Request)
	if slow.Object != "" {
		text += " on " + slow.Object
	}
	text += ", " + micro(slow.Latency())
	names, most := run.PartNames(), 0
	for p := range names {
		if slow.Parts[p] > slow.Parts[most] {
			most = p
		}
	}
	if slow.Parts[most] > 0 {
		text += fmt.Sprintf(", of which %s %s", micro(slow.Parts[most]), names[most])
	}
	return text + "."
}
