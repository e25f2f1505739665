package page

import (
	"cmp"
	"slices"
)

// A grid is all points of a plot under one column of x: of[s][r] is which
// point of series s stands in row r, or -1. An x that a series has twice has
// two rows.
type grid struct {
	x  []float64
	of [][]int
}

// newGrid merges the points whose x has a place.
func newGrid(series []Series, holds func(float64) bool) grid {
	g := grid{of: make([][]int, len(series))}
	waiting := make([][]int, len(series))
	for i, s := range series {
		waiting[i] = inOrder(s, holds)
	}
	for {
		x, more := least(series, waiting)
		if !more {
			return g
		}
		g.x = append(g.x, x)
		for i, s := range series {
			at := -1
			if w := waiting[i]; len(w) > 0 && s.X[w[0]] == x {
				at, waiting[i] = w[0], w[1:]
			}
			g.of[i] = append(g.of[i], at)
		}
	}
}

// inOrder lists the points of a series by x.
func inOrder(s Series, holds func(float64) bool) (at []int) {
	for i, x := range s.X {
		if holds(x) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(s.X[a], s.X[b]) })
	return at
}

// least is the smallest x that waits.
func least(series []Series, waiting [][]int) (x float64, found bool) {
	for i, w := range waiting {
		if len(w) > 0 && (!found || series[i].X[w[0]] < x) {
			x, found = series[i].X[w[0]], true
		}
	}
	return x, found
}

// values is the plot as a table, every value that it was given (W4).
func (p Plot) values() Table {
	t := Table{Head: []string{p.X.title()}, Align: "r"}
	if t.Head[0] == "" {
		t.Head[0] = "x"
	}
	for _, s := range p.Series {
		t.Head, t.Align = append(t.Head, s.Name), t.Align+"r"
		if s.Low != nil {
			t.Head, t.Align = append(t.Head, "from", "to"), t.Align+"rr"
		}
	}
	g := newGrid(p.Series, finite)
	for row, x := range g.x {
		cells := []string{p.X.text(x)}
		for i, s := range p.Series {
			cells = append(cells, s.cells(g.of[i][row], p.Y)...)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// cells are those of one point, empty where there is none.
func (s Series) cells(at int, y Axis) []string {
	columns := [][]float64{s.Y}
	if s.Low != nil {
		columns = append(columns, s.Low, s.High)
	}
	cells := make([]string, len(columns))
	for i, c := range columns {
		if at >= 0 {
			cells[i] = y.text(c[at])
		}
	}
	return cells
}

// text writes a value of the axis.
func (a Axis) text(v float64) string {
	if i := int(v); len(a.Ticks) > 0 && finite(v) && float64(i) == v && i >= 0 && i < len(a.Ticks) {
		return a.Ticks[i]
	}
	return full(v)
}
