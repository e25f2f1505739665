package sweep

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"hcasim/report/page"
	"hcasim/report/terminal"
	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// Plots are the pictures of the study, in its order: the first is that of the
// answer. Metrics of different units are different pictures.
func (t *Table) Plots() (list []page.Plot) {
	taken := map[string]bool{}
	for _, plot := range t.pictured() {
		for _, metrics := range byUnit(plot.Y) {
			d := &drawing{table: t, plot: &plot, metrics: metrics}
			for _, p := range d.pictures() {
				p.ID = unique(taken, slug(p.Title))
				list = append(list, p)
			}
		}
	}
	return list
}

// pictured are the plots of the study; where it names none, each of the first
// metrics over the axis of the most values.
func (t *Table) pictured() (list []sweep.Plot) {
	if len(t.Study.Plots) > 0 || len(t.Study.Axes) == 0 {
		return t.Study.Plots
	}
	x := slices.MaxFunc(t.Study.Axes, func(a, b *sweep.Axis) int { return cmp.Compare(len(a.Values), len(b.Values)) })
	const most = 4
	for i, m := range t.Study.Metrics {
		if i < most {
			list = append(list, sweep.Plot{X: x, Y: []*sweep.Metric{m}, LogX: x.Log})
		}
	}
	return list
}

// byUnit splits metrics by their units, in order.
func byUnit(all []*sweep.Metric) (list [][]*sweep.Metric) {
	at := map[string]int{}
	for _, m := range all {
		k, known := at[m.Unit]
		if !known {
			k, list = len(list), append(list, nil)
			at[m.Unit] = k
		}
		list[k] = append(list[k], m)
	}
	return list
}

// slug is a title as the name of a file.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

func unique(taken map[string]bool, name string) string {
	if name == "" {
		name = "plot"
	}
	one := name
	for n := 2; taken[one]; n++ {
		one = fmt.Sprintf("%s-%d", name, n)
	}
	taken[one] = true
	return one
}

// A drawing is a plot of the study on its way, of metrics of one unit.
type drawing struct {
	table   *Table
	plot    *sweep.Plot
	metrics []*sweep.Metric
}

// A curve is what is drawn over x at one combination of the other axes.
type curve struct {
	name   string
	metric *sweep.Metric
	rows   []*Row
}

// mostCurves are as many as can be told apart in one picture.
const mostCurves = 12

// pictures draws the curves, few enough at a time.
func (d *drawing) pictures() (list []page.Plot) {
	all := d.curves()
	unit, by := d.scale(all)
	n := (len(all) + mostCurves - 1) / mostCurves
	for part := range slices.Chunk(all, max(1, (len(all)+max(n, 1)-1)/max(n, 1))) {
		p := page.Plot{Title: d.plot.Title, X: d.x(), Y: page.Axis{Label: d.label(), Unit: unit, Log: d.plot.LogY}}
		if p.Title == "" {
			p.Title = d.label() + " over " + d.plot.X.Label
		}
		if n > 1 {
			p.Title += fmt.Sprintf(" (%d of %d)", len(list)+1, n)
		}
		for _, c := range part {
			p.Series = append(p.Series, d.series(c, by))
		}
		list = append(list, p)
	}
	return list
}

// label is what the y axis shows.
func (d *drawing) label() string {
	var words []string
	for _, m := range d.metrics {
		words = append(words, m.Label)
	}
	return strings.Join(words, ", ")
}

// x is the axis along which it is drawn. Words stand at even distances, and so
// does what is drawn on a logarithmic axis and has a zero.
func (d *drawing) x() page.Axis {
	a := page.Axis{Label: d.plot.X.Label, Unit: d.plot.X.Unit, Log: d.plot.LogX}
	a.Twos = !slices.ContainsFunc(d.plot.X.Values, func(v *sweep.Value) bool {
		share, _ := math.Frexp(v.Number)
		return share != 0.5
	})
	if !d.even() {
		return a
	}
	for _, v := range d.plot.X.Values {
		a.Ticks = append(a.Ticks, v.Text)
	}
	if !d.plot.X.Words {
		a.Unit = "" // their texts have it
	}
	return a
}

// even reports whether values stand at even distances.
func (d *drawing) even() bool {
	x := d.plot.X
	return x.Words || d.plot.LogX && slices.ContainsFunc(x.Values, func(v *sweep.Value) bool { return v.Number <= 0 })
}

// curves are one of each metric for each combination of the axes but x, of the
// rows that the plot shows. Axes that it does not speak of are told apart too.
func (d *drawing) curves() (list []*curve) {
	t := d.table
	rows := d.rows()
	by := d.by(rows)
	at := map[string]*curve{}
	for _, m := range d.metrics {
		for _, r := range rows {
			var words []string
			if len(d.metrics) > 1 {
				words = append(words, m.Label)
			}
			for _, a := range by {
				words = append(words, told(a, r.Values[t.axis(a)]))
			}
			name := strings.Join(words, ", ")
			if name == "" {
				name = m.Label
			}
			c := at[name]
			if c == nil {
				c = &curve{name: name, metric: m}
				at[name], list = c, append(list, c)
			}
			c.rows = append(c.rows, r)
		}
	}
	return list
}

// told is a value of an axis in a legend: a word alone, a number with its axis.
func told(a *sweep.Axis, v *sweep.Value) string {
	if a.Words {
		return v.Text
	}
	return a.Name + " " + v.Text
}

// rows are those that the plot shows.
func (d *drawing) rows() (rows []*Row) {
	for i := range d.table.Rows {
		r := &d.table.Rows[i]
		if w := d.plot.Where; w != nil {
			if shown, err := w.Holds(d.table.env(r)); err != nil || !shown {
				continue // it was compiled: what is wrong is a metric that the row lacks
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// by are the axes that tell curves apart: those that the plot names, and what
// else differs among the rows.
func (d *drawing) by(rows []*Row) (list []*sweep.Axis) {
	list = append(list, d.plot.By...)
	for i, a := range d.table.Study.Axes {
		if a == d.plot.X || slices.Contains(list, a) {
			continue
		}
		if slices.ContainsFunc(rows, func(r *Row) bool { return r.Values[i] != rows[0].Values[i] }) {
			list = append(list, a)
		}
	}
	return list
}

// scale is the unit in which the greatest value reads well, and what the values
// are divided by.
func (d *drawing) scale(all []*curve) (unit string, by float64) {
	most := 0.0
	for _, c := range all {
		for _, r := range c.rows {
			if cell := r.Cells[d.table.metric(c.metric)]; cell.Known {
				most = max(most, math.Abs(cell.Value))
			}
		}
	}
	switch unit = d.metrics[0].Unit; {
	case unit != "ns":
	case most >= 1e7:
		return "ms", 1e6
	case most >= 1e4:
		return "us", 1e3
	}
	return unit, 1
}

// series draws a curve: means, with a band from the least seed to the greatest.
func (d *drawing) series(c *curve, by float64) page.Series {
	s := page.Series{Name: c.name, Kind: page.Both}
	if d.plot.X.Words {
		s.Kind = page.Bars
	}
	var low, high []float64
	differ := false
	x, y := d.table.axis(d.plot.X), d.table.metric(c.metric)
	for _, r := range c.rows {
		cell, at := r.Cells[y], r.Values[x].Number
		if d.even() {
			at = float64(slices.Index(d.plot.X.Values, r.Values[x]))
		}
		s.X = append(s.X, at)
		if !cell.Known {
			cell.Value, cell.Min, cell.Max = math.NaN(), math.NaN(), math.NaN()
		}
		s.Y, low, high = append(s.Y, cell.Value/by), append(low, cell.Min/by), append(high, cell.Max/by)
		differ = differ || cell.Min < cell.Max
	}
	if differ {
		s.Low, s.High = low, high
	}
	return s
}

// latencyPlots draw what shares of the requests of all seeds together did not
// exceed, of rows that are far apart.
func (t *Table) latencyPlots() (list []page.Plot) {
	for _, kind := range t.kinds() {
		p := page.Plot{ID: "latency-" + slug(kind), Title: kind + ": what a share of the requests of all seeds did not exceed", X: page.Axis{Label: "share of the requests"}, Y: page.Axis{Label: "latency", Unit: "us"}}
		for _, share := range shares {
			p.X.Ticks = append(p.X.Ticks, fmt.Sprintf("%g %%", float64(share)/10))
		}
		least, most := math.Inf(1), 0.0
		for _, r := range t.apart(kind) {
			l := r.latency(kind)
			s := page.Series{Name: t.Study.Said(r.Values), Kind: page.Both}
			for i, q := range l.Quantiles {
				s.X, s.Y = append(s.X, float64(i)), append(s.Y, q/1e3)
			}
			least, most = min(least, l.Min), max(most, l.Max)
			p.Series = append(p.Series, s)
		}
		p.Y.Log = least > 0 && most > 30*least
		list = append(list, p)
	}
	return list
}

// kinds are those of all latencies, in order.
func (t *Table) kinds() (kinds []string) {
	for i := range t.Rows {
		for _, l := range t.Rows[i].Latencies {
			if !slices.Contains(kinds, l.Kind) {
				kinds = append(kinds, l.Kind)
			}
		}
	}
	return kinds
}

// apart are at most six rows that have latencies of a kind, the first and the
// last among them.
func (t *Table) apart(kind string) (rows []*Row) {
	for i := range t.Rows {
		if t.Rows[i].latency(kind) != nil {
			rows = append(rows, &t.Rows[i])
		}
	}
	const most = 6
	if len(rows) <= most {
		return rows
	}
	var some []*Row
	for i := range most {
		some = append(some, rows[i*(len(rows)-1)/(most-1)])
	}
	return some
}

// latency is that of a kind, nil for none.
func (r *Row) latency(kind string) *Latency {
	for i := range r.Latencies {
		if r.Latencies[i].Kind == kind {
			return &r.Latencies[i]
		}
	}
	return nil
}

// quantile is one in us, for a table.
func quantile(ns float64) string { return figure.Number(ns / 1e3) }

// draw draws the pictures with letters.
func (t *Table) draw(w io.Writer, s terminal.Style) error {
	for i, p := range t.Plots() {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := terminal.Write(w, p, s); err != nil {
			return err
		}
	}
	return nil
}
