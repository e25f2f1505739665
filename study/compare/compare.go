package compare

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// A Verdict says how a metric came out.
type Verdict string

// The verdicts.
const (
	Equal   Verdict = "="
	Within  Verdict = "within"  // it differs by less than the tolerance, or than seeds do
	Changed Verdict = "changed" // by more, in no direction that is worse
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	Gone    Verdict = "gone" // the base alone has it
	New     Verdict = "new"  // the base has it not
)

// A Line is a metric on both sides.
type Line struct {
	Row       string // of a sweep: entries=64 page=4KiB; of folders: the result
	Metric    string
	Unit      string
	Direction Direction
	Base, New float64 // medians, where there are several seeds
	Seeds     int     // of the side that has fewer
	P         float64 // that the seeds differ by chance; 1 where there are no seeds to ask
	Verdict   Verdict

	chance bool // the seeds of both sides may be of one kind
}

// A Difference is what differs between two sides.
type Difference struct {
	Base, New     string // what they are called
	Sweep         bool
	Words         []Change // of scenario, profile, variant, seed, model
	Configuration []Change
	NoConfig      string // the side without a configuration; "" where both have one
	Lines         []Line
	Gone, Came    []string // rows that one side has not
	Broken        []string // expectations and answers that held before, and points that have no figures now
	Unused        []string // tolerances of no metric

	Folders       bool // of results: each row is one, and so are Gone and Came
	Results, Same int  // of folders: results that both have; those whose figures are equal

	Tolerances *Tolerances
}

// Compare reads two results, or two folders of results, and compares them.
func Compare(base, other string, t *Tolerances) (*Difference, error) {
	if a, b := resultsIn(base), resultsIn(other); a.many(b) || b.many(a) {
		return folders(a, b, t)
	}
	a, err := read(base)
	if err != nil {
		return nil, err
	}
	b, err := read(other)
	switch {
	case err != nil:
		return nil, err
	case (a.run == nil) != (b.run == nil):
		return nil, fmt.Errorf("%s is a %s and %s a %s: there is nothing to compare", base, a.kind(), other, b.kind())
	}
	d := &Difference{Base: a.name(), New: b.name(), Sweep: a.sweep != nil, Tolerances: t}
	if d.Sweep {
		err = d.sweeps(a, b)
	} else {
		d.runs(a, b)
	}
	d.Words = words(a, b)
	d.Unused = t.unused(d.names())
	return d, err
}

func (s *side) kind() string {
	if s.run != nil {
		return "run"
	}
	return "sweep"
}

// names are those of all metrics.
func (d *Difference) names() (names []string) {
	for i := range d.Lines {
		names = append(names, d.Lines[i].Metric)
	}
	return names
}

// runs compares two runs.
func (d *Difference) runs(a, b *side) {
	switch {
	case a.config == nil:
		d.NoConfig = d.Base
	case b.config == nil:
		d.NoConfig = d.New
	default:
		d.Configuration = configuration(a.config, b.config)
	}
	d.lines("", metricsOf(a.run), metricsOf(b.run))
	d.expectations(a.run, b.run)
}

// expectations looks for those that held, and do not any more.
func (d *Difference) expectations(a, b *runDoc) {
	if a.End != b.End && !b.OK && a.OK {
		d.Broken = append(d.Broken, fmt.Sprintf("the run is %s, it was %s", b.End, a.End))
	}
	known := map[failureDoc]bool{}
	for _, f := range a.Failures {
		known[f.unplaced()] = true
	}
	for _, f := range b.Failures {
		if !known[f.unplaced()] {
			d.Broken = append(d.Broken, fmt.Sprintf("line %d: %s: expected %s, got %s", f.Line, f.What, f.Expected, f.Got))
		}
	}
}

// unplaced is a failure without what may move or differ between two that are
// the same.
func (f failureDoc) unplaced() failureDoc {
	f.Line, f.Got = 0, ""
	return f
}

// lines compares the metrics of two runs, or of two rows.
func (d *Difference) lines(row string, a, b *metrics) {
	names := append([]string{}, a.order...)
	for _, n := range b.order {
		if a.of[n] == nil {
			names = append(names, n)
		}
	}
	for _, n := range names {
		d.Lines = append(d.Lines, d.line(row, a.of[n], b.of[n]))
	}
}

func (d *Difference) line(row string, a, b *metric) Line {
	switch {
	case b == nil:
		return Line{Row: row, Metric: a.name, Unit: a.unit, Direction: a.worse, Base: median(a.values), P: 1, Verdict: Gone}
	case a == nil:
		return Line{Row: row, Metric: b.name, Unit: b.unit, Direction: b.worse, New: median(b.values), P: 1, Verdict: New}
	}
	l := Line{
		Row: row, Metric: a.name, Unit: a.unit, Direction: a.worse,
		Base: median(a.values), New: median(b.values), Seeds: min(len(a.values), len(b.values)), P: 1,
	}
	if l.Seeds > 1 {
		l.P = benchmath.AssumeNothing.Compare(sample(a.values), sample(b.values)).P
		l.chance = l.P >= significant && !(l.Seeds < enough && apart(a.values, b.values))
	}
	l.Verdict = l.judge(d.Tolerances.of(l.Metric))
	return l
}

// significant is the probability of chance below which seeds differ. With fewer
// than enough of them the test cannot get there: then they differ if all of one
// side lie beyond all of the other.
const (
	significant = 0.05
	enough      = 4
)

func apart(a, b []float64) bool {
	return slices.Max(a) < slices.Min(b) || slices.Max(b) < slices.Min(a)
}

// judge finds the verdict of a metric that both sides have.
func (l *Line) judge(tolerance float64) Verdict {
	by := l.New - l.Base
	switch {
	case by == 0:
		return Equal
	case l.chance:
		return Within
	case abs(by) <= tolerance*abs(l.Base):
		return Within
	case l.Direction == Neither:
		return Changed
	case (by > 0) == (l.Direction == More):
		return Worse
	}
	return Better
}

// share is by which share of the base a metric changed; of a base of nothing
// there is none.
func (l *Line) share() (share float64, found bool) {
	if l.Base == 0 {
		return 0, false
	}
	return (l.New - l.Base) / abs(l.Base), true
}

func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// median is the middle of some values, or between the two that are.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}

// sweeps compares two sweeps, row by row.
func (d *Difference) sweeps(a, b *side) error {
	x, y := a.sweep, b.sweep
	if !slices.Equal(slices.Sorted(slices.Values(x.axes)), slices.Sorted(slices.Values(y.axes))) {
		return fmt.Errorf("%s has the axes %s and %s %s: their rows do not match", a.path, strings.Join(x.axes, ", "), b.path, strings.Join(y.axes, ", "))
	}
	y.reorder(x.axes)
	for _, r := range x.rows {
		key := x.key(r)
		other := y.at[key]
		if other == nil {
			d.Gone = append(d.Gone, key)
			continue
		}
		if other.failed > r.failed {
			d.Broken = append(d.Broken, fmt.Sprintf("%s: %d points have no figures, it was %d", key, other.failed, r.failed))
		}
		d.lines(key, r.found, other.found)
	}
	for _, r := range y.rows {
		if key := y.key(r); x.at[key] == nil {
			d.Came = append(d.Came, key)
		}
	}
	for i := range min(len(x.Answer), len(y.Answer)) {
		if x.Answer[i].OK && !y.Answer[i].OK {
			d.Broken = append(d.Broken, y.Answer[i].Text)
		}
	}
	return nil
}

// reorder puts the axes in another order.
func (t *table) reorder(axes []string) {
	if slices.Equal(t.axes, axes) {
		return
	}
	from := make([]int, len(axes))
	for i, a := range axes {
		from[i] = slices.Index(t.axes, a)
	}
	t.axes, t.at = axes, map[string]*row{}
	for _, r := range t.rows {
		was := r.axes
		r.axes = make([]string, len(axes))
		for i, k := range from {
			r.axes[i] = was[k]
		}
		t.at[t.key(r)] = r
	}
}

// count counts the lines of a verdict.
func (d *Difference) count(v Verdict) (n int) {
	for i := range d.Lines {
		if d.Lines[i].Verdict == v {
			n++
		}
	}
	return n
}

// Regressed reports whether anything is worse than it was: a metric, an
// expectation, an answer, or a row that is not there any more.
func (d *Difference) Regressed() bool {
	return d.count(Worse) > 0 || len(d.Broken) > 0 || len(d.Gone) > 0
}
