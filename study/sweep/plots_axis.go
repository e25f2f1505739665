package sweep

import (
	"math"
	"slices"

	"hcasim/report/page"
	"hcasim/scenario/sweep"
)

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

// told is a value of an axis in a legend: a word alone, a number with its axis.
func told(a *sweep.Axis, v *sweep.Value) string {
	if a.Words {
		return v.Text
	}
	return a.Name + " " + v.Text
}
