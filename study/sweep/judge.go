package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// A Verdict says whether an expectation holds, in one sentence with the values
// that were measured.
type Verdict struct {
	OK   bool       `json:"ok"`
	Kind sweep.Kind `json:"kind"`
	Text string     `json:"text"`
}

// judge holds the table to an expectation.
func (t *Table) judge(e *sweep.Expectation) Verdict {
	rows, err := t.where(e)
	if err != nil {
		return Verdict{Kind: e.Kind, Text: err.Error()}
	}
	var found []finding
	switch e.Kind {
	case sweep.Holds:
		return t.holds(e, rows)
	case sweep.Ratio:
		found = t.ratio(e, rows)
	case sweep.Crossover:
		found = t.crossover(e, rows)
	case sweep.Rises, sweep.Falls:
		found = t.lines(e, rows, 2, (*line).trend)
	case sweep.Flat:
		found = t.lines(e, rows, 2, (*line).flat)
	case sweep.Knee:
		found = t.lines(e, rows, 3, (*line).knee)
	}
	return verdict(e, found)
}

// where returns the rows that count.
func (t *Table) where(e *sweep.Expectation) (rows []*Row, err error) {
	for i := range t.Rows {
		r := &t.Rows[i]
		if e.Where != nil {
			fine, err := e.Where.Holds(figure.Env(t.Study.Named(r.Values)...))
			if err != nil {
				return nil, fmt.Errorf("where: %w", err)
			}
			if !fine {
				continue
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// A finding is what was found at one combination of the axes that an
// expectation does not speak of.
type finding struct {
	ok      bool
	text    string
	margin  float64 // how far it is from being otherwise; the least is told
	nothing bool    // there was too little to judge
}

// fewFindings is how many combinations are told one by one where each has a
// place of its own.
const fewFindings = 4

// verdict sums findings up: all must be ok, and there must be one.
func verdict(e *sweep.Expectation, found []finding) Verdict {
	v := Verdict{Kind: e.Kind}
	found = slices.DeleteFunc(found, func(f finding) bool { return f.nothing })
	if len(found) == 0 {
		v.Text = fmt.Sprintf("%s of %s: there are too few rows to judge it by", e.Kind, e.Metric.Name)
		return v
	}
	bad := 0
	for i := range found {
		if !found[i].ok {
			bad++
		}
	}
	v.OK = bad == 0
	if e.Kind == sweep.Knee && len(found) > 1 && len(found) <= fewFindings {
		var parts []string
		for i := range found {
			parts = append(parts, found[i].text)
		}
		v.Text = strings.Join(parts, "; ")
		return v
	}
	worst := found[0]
	for _, f := range found[1:] {
		if worst.ok && !f.ok || f.ok == worst.ok && f.margin < worst.margin {
			worst = f
		}
	}
	v.Text = worst.text
	switch {
	case bad > 0 && len(found) > 1:
		v.Text += fmt.Sprintf("; not in %d of %d combinations", bad, len(found))
	case len(found) > 1:
		v.Text += fmt.Sprintf("; in all %d combinations", len(found))
	}
	return v
}

// A group is rows that are alike but for some axes.
type group struct {
	said string // what they have in common, of axes with more than one value
	rows []*Row
}

// groups splits rows by all axes but some, in the order in which each is met.
func (t *Table) groups(rows []*Row, but ...*sweep.Axis) (list []*group) {
	place := map[string]*group{}
	for _, r := range rows {
		var key, said []string
		for i, a := range t.Study.Axes {
			if slices.Contains(but, a) {
				continue
			}
			key = append(key, r.Values[i].Text)
			if len(a.Values) > 1 {
				said = append(said, a.Name+" = "+r.Values[i].Text)
			}
		}
		k := strings.Join(key, "\x00")
		if place[k] == nil {
			place[k] = &group{said: strings.Join(said, ", ")}
			list = append(list, place[k])
		}
		place[k].rows = append(place[k].rows, r)
	}
	return list
}

// A line is a metric along an axis, in one group.
type line struct {
	table  *Table
	e      *sweep.Expectation
	group  *group
	x      []float64
	y      []float64
	texts  []string // of x
	broken string   // why there is none
}

// line puts the rows of a group in order.
func (t *Table) line(e *sweep.Expectation, g *group) *line {
	at, column := t.axis(e.Along), t.metric(e.Metric)
	rows := slices.Clone(g.rows)
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Values[at].Number, b.Values[at].Number) })
	l := &line{table: t, e: e, group: g}
	for _, r := range rows {
		if !r.Cells[column].Known {
			l.broken = fmt.Sprintf("%s has no value at %s: %d of %d points failed", e.Metric.Name, t.Study.Said(r.Values), r.Failed, t.Study.Repeat)
			return l
		}
		l.x, l.y = append(l.x, r.Values[at].Number), append(l.y, r.Cells[column].Value)
		l.texts = append(l.texts, r.Values[at].Text)
	}
	return l
}

// lines judges the lines of all groups that are long enough.
func (t *Table) lines(e *sweep.Expectation, rows []*Row, least int, judge func(*line) finding) (found []finding) {
	for _, g := range t.groups(rows, e.Along) {
		l := t.line(e, g)
		f := finding{nothing: len(g.rows) < least}
		switch {
		case l.broken != "":
			f = finding{text: l.broken, margin: math.Inf(-1)}
		case !f.nothing:
			f = judge(l)
		}
		found = append(found, f)
	}
	return found
}

// in says in which group something is.
func (g *group) in() string {
	if g.said == "" {
		return ""
	}
	return " for " + g.said
}

// value writes a value of the metric.
func (l *line) value(v float64) string { return figure.Text(v, l.e.Metric.Unit) }

// at writes a place on the axis.
func (l *line) at(i int) string { return l.e.Along.Name + " = " + l.texts[i] }

// percent writes a share.
func percent(v float64) string { return figure.Number(math.Round(v*1000)/10) + " %" }
