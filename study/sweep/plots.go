package sweep

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"hcasim/report/page"
	"hcasim/report/terminal"
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
