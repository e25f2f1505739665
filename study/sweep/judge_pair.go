package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// said are choices in words.
func said(list []sweep.Choice) string {
	var words []string
	for _, c := range list {
		words = append(words, c.Axis.Name+" = "+c.Value.Text)
	}
	return strings.Join(words, ", ")
}

// axesOf are the axes of choices.
func axesOf(list []sweep.Choice) (axes []*sweep.Axis) {
	for _, c := range list {
		axes = append(axes, c.Axis)
	}
	return axes
}

// has reports whether a row has the values that are chosen.
func (t *Table) has(r *Row, list []sweep.Choice) bool {
	return !slices.ContainsFunc(list, func(c sweep.Choice) bool { return r.Values[t.axis(c.Axis)].Text != c.Value.Text })
}

// ratio judges pairs of rows that differ in what is compared alone.
func (t *Table) ratio(e *sweep.Expectation, rows []*Row) (found []finding) {
	for _, g := range t.groups(rows, axesOf(e.Of)...) {
		of := slices.IndexFunc(g.rows, func(r *Row) bool { return t.has(r, e.Of) })
		to := slices.IndexFunc(g.rows, func(r *Row) bool { return t.has(r, e.To) })
		if of < 0 || to < 0 {
			continue
		}
		found = append(found, t.pair(e, g, g.rows[of], g.rows[to]))
	}
	return found
}

// pair judges one.
func (t *Table) pair(e *sweep.Expectation, g *group, of, to *Row) finding {
	column := t.metric(e.Metric)
	name := e.Metric.Name
	a, b := of.Cells[column], to.Cells[column]
	if !a.Known || !b.Known {
		return finding{margin: math.Inf(-1), text: fmt.Sprintf("%s has no value%s: points failed", name, g.in())}
	}
	value := func(c Cell) string { return figure.Text(c.Value, e.Metric.Unit) }
	r := a.Value / b.Value
	if b.Value == 0 {
		if r = math.Inf(1); a.Value == 0 {
			r = 1 // both have nothing
		}
	}
	f := finding{ok: true, margin: math.Inf(1)}
	expected := ""
	if e.Least != nil {
		f.ok, f.margin = r >= *e.Least, r / *e.Least
		expected = fmt.Sprintf(", expected at least %s", figure.Number(*e.Least))
	}
	if e.Most != nil {
		f.ok, f.margin = f.ok && r <= *e.Most, min(f.margin, *e.Most/r)
		if expected == "" {
			expected = ", expected"
		} else {
			expected += ","
		}
		expected += fmt.Sprintf(" at most %s", figure.Number(*e.Most))
	}
	times := figure.Number(r) + " times"
	if math.IsInf(r, 0) {
		times = "beyond all measure of"
	}
	f.text = fmt.Sprintf("%s of %s is %s that of %s, %s to %s%s%s", name, said(e.Of), times, said(e.To), value(a), value(b), g.in(), expected)
	return f
}

// crossover judges pairs of lines.
func (t *Table) crossover(e *sweep.Expectation, rows []*Row) (found []finding) {
	pick := func(g *group, list []sweep.Choice) *group {
		one := &group{said: g.said}
		for _, r := range g.rows {
			if t.has(r, list) {
				one.rows = append(one.rows, r)
			}
		}
		return one
	}
	for _, g := range t.groups(rows, append(axesOf(e.Of), e.Along)...) {
		a, b := t.line(e, pick(g, e.Of)), t.line(e, pick(g, e.To))
		switch {
		case a.broken != "" || b.broken != "":
			found = append(found, finding{text: a.broken + b.broken, margin: math.Inf(-1)})
		default:
			found = append(found, a.cross(b))
		}
	}
	return found
}

// cross judges whether two lines cross, at the places that both have.
func (l *line) cross(o *line) finding {
	var x, d []float64
	var texts []string
	for i := range l.x {
		if k := slices.Index(o.texts, l.texts[i]); k >= 0 {
			x, d, texts = append(x, l.x[i]), append(d, l.y[i]-o.y[k]), append(texts, l.texts[i])
		}
	}
	if len(x) < 2 {
		return finding{nothing: true}
	}
	e := l.e
	pair := fmt.Sprintf("%s of %s and of %s", e.Metric.Name, said(e.Of), said(e.To))
	before, after := crossing(d)
	last := len(d) - 1
	if after < 0 {
		return finding{ok: !e.Exists, text: fmt.Sprintf("%s do not cross along %s%s: the first is %s at %s and %s at %s",
			pair, e.Along.Name, l.group.in(), l.more(d[0]), texts[0], l.more(d[last]), texts[last])}
	}
	f := finding{ok: e.Exists, text: fmt.Sprintf("%s cross between %s = %s and %s%s", pair, e.Along.Name, texts[before], texts[after], l.group.in())}
	if !e.Exists {
		f.text += ", expected nowhere"
	}
	if e.Low == nil || !e.Exists {
		return f
	}
	low, high, err := bounds(e, figure.Env(l.table.Study.Named(l.group.rows[0].Values)...))
	if err != nil {
		return finding{text: err.Error(), margin: math.Inf(-1)}
	}
	at := l.between(x[before], x[after], d[before], d[after])
	f.ok, f.margin = at >= low && at <= high, min(at/low, high/at)
	f.text += fmt.Sprintf(", at %s, expected %s to %s", figure.Text(math.Round(at), e.Along.Unit), figure.Text(low, e.Along.Unit), figure.Text(high, e.Along.Unit))
	return f
}

// more says how far the first line is above the second.
func (l *line) more(d float64) string {
	switch {
	case d > 0:
		return l.value(d) + " more"
	case d < 0:
		return l.value(-d) + " less"
	}
	return "the same"
}

// crossing returns between which places a difference first changes its sign;
// after is -1 if it does not.
func crossing(d []float64) (before, after int) {
	was := -1 // the last place with a sign
	for i, v := range d {
		if v == 0 {
			continue
		}
		if was >= 0 && (v > 0) != (d[was] > 0) {
			return was, i
		}
		was = i
	}
	return -1, -1
}

// between returns where a difference is nothing between two places.
func (l *line) between(x0, x1, d0, d1 float64) float64 {
	part := d0 / (d0 - d1)
	if l.e.Along.Log && x0 > 0 {
		return math.Exp(math.Log(x0) + part*(math.Log(x1)-math.Log(x0)))
	}
	return x0 + part*(x1-x0)
}

// holds judges an expression over each row.
func (t *Table) holds(e *sweep.Expectation, rows []*Row) Verdict {
	v := Verdict{Kind: e.Kind}
	if len(rows) == 0 {
		v.Text = e.Holds.Text + ": there is no row to judge it by"
		return v
	}
	bad := 0
	for _, r := range rows {
		fine, err := e.Holds.Holds(t.env(r))
		if fine && err == nil {
			continue
		}
		if bad++; bad > 1 {
			continue
		}
		v.Text = fmt.Sprintf("%s does not hold at %s: %s", e.Holds.Text, t.Study.Said(r.Values), t.values(e, r))
		if err != nil {
			v.Text = fmt.Sprintf("%s cannot be judged at %s: %s", e.Holds.Text, t.Study.Said(r.Values), err)
		}
	}
	switch {
	case bad == 0:
		v.OK = true
		v.Text = fmt.Sprintf("%s holds in all %d rows", e.Holds.Text, len(rows))
		if e.Where != nil {
			v.Text += " where " + e.Where.Text
		}
	case len(rows) > 1:
		v.Text += fmt.Sprintf("; not in %d of %d rows", bad, len(rows))
	}
	return v
}

// values are the metrics that an expression names, at a row.
func (t *Table) values(e *sweep.Expectation, r *Row) string {
	var words []string
	for i, m := range t.Study.Metrics {
		if slices.Contains(e.Holds.Names(), m.Name) && r.Cells[i].Known {
			words = append(words, m.Name+" = "+figure.Text(r.Cells[i].Value, m.Unit))
		}
	}
	return strings.Join(words, ", ")
}
