package sweep

import (
	"fmt"
	"math"
	"slices"

	"hcasim/report/page"
	"hcasim/scenario/figure"
)

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
