package report

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"hcasim/report/terminal"
	"hcasim/scenario"
	"hcasim/scenario/config"
	"hcasim/scenario/golden"
	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/whole"
)

// A Record is one run and what came of it.
type Record struct {
	Run    *scenario.Run
	Result *run.Result
	Folder string // where its results lie; "" when they are not kept

	// Figures says how it compares with the figures recorded beside the scenario;
	// empty where it was not asked.
	Figures golden.Verdict

	// AllKeys asks Text and Markdown for the lives of all keys, not only of
	// those that a reader should know of.
	AllKeys bool

	// Sheet asks Keep for report.html, Drawn asks Text for the pictures.
	Sheet bool
	Drawn *terminal.Style

	// Began and Took are of the wall clock. They go to stderr and to
	// manifest.json, nowhere else.
	Began time.Time
	Took  time.Duration

	part *whole.Folder // with the files that were written meanwhile
}

// Simulate runs a scenario. The error is a mistake of the file that only the
// model could find. A panic of the model is the end of this run alone: it
// comes back as a broken result that says where.
func Simulate(r *scenario.Run) (rec *Record, err error) { return simulate(r, r.Do) }

// SimulateUnwatched is Simulate with nobody watching: it is sooner there, and
// of what only watchers count there is nothing.
func SimulateUnwatched(r *scenario.Run) (rec *Record, err error) { return simulate(r, r.DoUnwatched) }

// SimulateWith is Simulate with files that are written while the run runs into
// the folder that Shelf.Keep is then to give its place: dir, or "" for that on
// the shelf. Whoever does not keep it drops them. An error that is an Unwritten
// is of the files.
func (s *Shelf) SimulateWith(r *scenario.Run, list []Attachment, dir string) (rec *Record, err error) {
	if len(list) == 0 {
		return Simulate(r)
	}
	if dir == "" {
		dir = s.Place(r)
	}
	part, err := whole.Begin(filepath.Clean(dir))
	if err != nil {
		return nil, unkept(dir, err)
	}
	a := attached{folder: part.Path(), run: r}
	rec, err = simulate(r, func() (*run.Result, error) {
		return r.DoWatched(func(v *run.View) { a.open(v, list) })
	})
	rec.part = part
	if written := a.close(); err == nil && written != nil {
		err = unkept(dir, written)
	}
	if err != nil {
		rec.drop()
	}
	return rec, err
}

// drop removes the files that were written beside a run and not kept.
func (rec *Record) drop() {
	if rec.part != nil {
		rec.part.Drop()
		rec.part = nil
	}
}

func simulate(r *scenario.Run, do func() (*run.Result, error)) (rec *Record, err error) {
	rec = &Record{Run: r, Began: time.Now()}
	defer func() {
		rec.Took = time.Since(rec.Began)
		if p := recover(); p != nil {
			rec.Result, err = panicked(r, p, debug.Stack()), nil
		}
	}()
	rec.Result, err = do()
	return rec, err
}

// panicked makes a result of a panic: what it said, and the functions it
// passed through.
func panicked(r *scenario.Run, p any, stack []byte) *run.Result {
	broken := []string{fmt.Sprintf("the model is broken, please report this: %v", p)}
	for line := range strings.Lines(string(stack)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "hcasim/") && len(broken) < 8 {
			broken = append(broken, "in "+line)
		}
	}
	return &run.Result{Name: r.Name, End: run.Broken, Broken: broken}
}

// Stopped reports whether the model stopped itself: an invariant, a deadlock
// or the limit of simulated time.
func (rec *Record) Stopped() bool {
	switch rec.Result.End {
	case run.Limit, run.Stuck, run.Broken:
		return true
	default:
		return false
	}
}

// OK reports whether the run ended as it should, met all expectations, and has
// the figures recorded.
func (rec *Record) OK() bool { return rec.Result.OK() && len(rec.Figures.Failures) == 0 }

// thresholds returns how many thresholds held, and how many there are.
func (rec *Record) thresholds() (held, asked int) {
	asked = rec.Result.Limits
	held = asked
	for i := range rec.Result.Failures {
		for _, t := range rec.Run.Thresholds {
			if t.Pos == rec.Result.Failures[i].Pos {
				held--
				break
			}
		}
	}
	return held, asked
}

// trust returns what a reader must know of the profiles before he believes a
// figure: "" when their values have sources.
func (rec *Record) trust() string {
	var bad []string
	for _, p := range rec.Run.Profiles {
		if p.MostlyEstimates() {
			bad = append(bad, fmt.Sprintf("%d of %d values of %s are estimates", p.Estimates, p.Values, p.Name))
		}
	}
	if bad == nil {
		return ""
	}
	return "results are extrapolation: " + strings.Join(bad, ", ")
}

// flags returns the parameters that the command line set, as PATH=VALUE.
func (rec *Record) flags() (list []string) {
	for h, s := range rec.Run.Settings {
		for _, p := range config.Describe(&s.Params) {
			o, _ := s.Origin(p.Path)
			if o.Source != config.FromFlag {
				continue
			}
			v, _ := s.Value(p.Path)
			text := p.Path + "=" + v
			if rec.alike(p.Path) {
				if h > 0 {
					continue
				}
			} else {
				text = "hosts." + rec.Run.Hosts[h].Name + "." + text
			}
			list = append(list, text)
		}
	}
	return list
}

// alike reports whether all hosts have the same value at a path, from the
// same source.
func (rec *Record) alike(path string) bool {
	first := rec.Run.Settings[0]
	v, _ := first.Value(path)
	o, _ := first.Origin(path)
	for _, s := range rec.Run.Settings[1:] {
		w, _ := s.Value(path)
		q, _ := s.Origin(path)
		if v != w || o.Source != q.Source {
			return false
		}
	}
	return true
}

// profile returns the name of the profile, or of the defaults.
func (rec *Record) profile() string {
	if rec.Run.Profile == "" {
		return "spec-ideal"
	}
	return rec.Run.Profile
}

// variant returns the name of the variant, with a + where switches are set by
// hand.
func (rec *Record) variant() string { return variantOf(&rec.Run.Scenario.Variant) }

func variantOf(v *lang.Variant) string {
	name := v.Base
	if name == "" {
		name = "spec"
	}
	if len(v.Switches) > 0 {
		name += "+"
	}
	return name
}
