package report

import (
	"fmt"
	"io"
	"strings"

	"hcasim/report/story"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

// StoryFormats are the forms that Explain writes.
var StoryFormats = []string{"text", "json", "md"}

// A Telling is a run that is to be explained.
type Telling struct {
	Run    *scenario.Run
	Source story.Source
}

// Explained makes a telling of a result that was kept.
func Explained(k *Kept) *Telling {
	return &Telling{k.Run, story.Source{Name: shellWord(k.Folder), File: k.File, Lines: k.Lines, Kept: true}}
}

// ExplainedFile makes one of a scenario that runs for it; flags are those that
// a command on it needs as well.
func ExplainedFile(r *scenario.Run, flags []string) *Telling {
	var b strings.Builder
	for _, f := range flags {
		b.WriteString(" " + shellWord(f))
	}
	if r.Case != nil {
		b.WriteString(" --run " + shellWord(only(r)))
	}
	return &Telling{r, story.Source{Name: shellWord(r.Path), File: r.Path, Flags: b.String()}}
}

// Explain writes the story of an op, or with op "" what is worth one.
func (t *Telling) Explain(w io.Writer, op, format string) error {
	survey, err := story.Look(t.Run, t.again, op)
	if err != nil {
		return err
	}
	var page interface {
		Text(w io.Writer) error
		JSON(w io.Writer) error
		Markdown(w io.Writer) error
	}
	if op == "" {
		page = survey.View(&t.Source)
	} else if page, err = story.Tell(survey, &t.Source); err != nil {
		return err
	}
	switch format {
	case "json":
		err = page.JSON(w)
	case "md":
		err = page.Markdown(w)
	default:
		err = page.Text(w)
	}
	if err != nil {
		return &Unwritten{err}
	}
	return nil
}

// An Unwritten is an error of the place that a report goes to.
type Unwritten struct{ Err error }

// Error returns the reason.
func (u *Unwritten) Error() string { return u.Err.Error() }

// again runs the scenario once more.
func (t *Telling) again(watch func(*run.View)) (*run.Result, error) {
	rec, err := simulate(t.Run, func() (*run.Result, error) { return t.Run.DoWatched(watch) })
	if err != nil {
		return nil, err
	}
	return rec.Result, nil
}

// explain is the command that tells more of what failed, or was refused: of the
// first op that an expectation speaks of, else of the first that failed for a
// reason of its own. It is "" where there is none, or no result to name.
func (rec *Record) explain() string {
	if rec.Folder == "" {
		return ""
	}
	command := "hcasim explain " + shellWord(rec.Folder)
	for i := range rec.Result.Failures {
		if op := rec.opOf(rec.Result.Failures[i].Op); op != "" {
			return command + " " + op
		}
	}
	for i := range rec.Result.Ops {
		if o := &rec.Result.Ops[i]; story.Worth(o) {
			return command + " " + o.ID
		}
	}
	return ""
}

// opOf chooses an op of a step: the first that failed, else the first.
func (rec *Record) opOf(step string) (id string) {
	for i := range rec.Result.Ops {
		o := &rec.Result.Ops[i]
		if step == "" || o.ID != step && !strings.HasPrefix(o.ID, step+".") {
			continue
		}
		if story.Worth(o) {
			return o.ID
		}
		if id == "" {
			id = o.ID
		}
	}
	return id
}

// Choose returns the only one of several runs, or says how to choose.
func Choose(file string, runs []*scenario.Run) (*scenario.Run, error) {
	if len(runs) == 1 {
		return runs[0], nil
	}
	var names []string
	for _, r := range runs[:min(len(runs), 5)] {
		names = append(names, r.Name)
	}
	more := ""
	if len(runs) > len(names) {
		more = fmt.Sprintf(" and %d more", len(runs)-len(names))
	}
	return nil, fmt.Errorf("%s has %d cases: choose one with --run: %s%s", file, len(runs), strings.Join(names, ", "), more)
}
