package page

import "math"

// A spot is a point with a place on both axes.
type spot struct {
	x         float64
	y         float64 // in pixels, as x
	low, high float64
}

// runs are the spots of a series in order, in pieces where a value is
// missing; those of its band when bands is set.
func (d *drawing) runs(s Series, bands bool) (runs [][]spot) {
	var run []spot
	for _, at := range inOrder(s, d.plot.X.holds) {
		q := spot{x: d.atX(s.X[at])}
		whole := d.plot.Y.holds(s.Y[at])
		if bands {
			whole = d.plot.Y.holds(s.Low[at]) && d.plot.Y.holds(s.High[at])
			q.low, q.high = d.atY(s.Low[at]), d.atY(s.High[at])
		}
		if !whole {
			if len(run) > 0 {
				runs, run = append(runs, run), nil
			}
			continue
		}
		q.y = d.atY(s.Y[at])
		run = append(run, q)
	}
	if len(run) > 0 {
		runs = append(runs, run)
	}
	return runs
}

// shade is how much of a band or of the field under steps is seen.
const shade = 0.16

// band shades what lies between Low and High. Where there is nothing to shade
// between, at bars and at a point that stands alone, it is a whisker.
func (d *drawing) band(i int) {
	s, l := d.plot.Series[i], d.looks[i]
	if s.Low == nil || s.Kind == Bars {
		return
	}
	for _, run := range d.runs(s, true) {
		if len(run) == 1 {
			d.whisker(l, run[0])
			continue
		}
		var outline []Point
		for _, q := range run {
			outline = append(outline, Point{q.x, q.high})
		}
		for k := len(run) - 1; k >= 0; k-- {
			outline = append(outline, Point{run[k].x, run[k].low})
		}
		d.Area(l.ink(), shade, "", outline)
	}
}

func (d *drawing) whisker(l look, q spot) {
	for _, line := range [][]Point{
		{{q.x - 4, q.low}, {q.x + 4, q.low}}, {{q.x, q.low}, {q.x, q.high}}, {{q.x - 4, q.high}, {q.x + 4, q.high}},
	} {
		d.Line(l.ink(), 1.2, nil, line)
	}
}

// series draws one.
func (d *drawing) series(i int) {
	s, l := d.plot.Series[i], d.looks[i]
	switch s.Kind {
	case Bars:
		d.drawBars(s, l)
		return
	case Steps:
		d.drawSteps(s, l)
		return
	}
	for _, run := range d.runs(s, false) {
		if s.Kind != Points && len(run) > 1 {
			var through []Point
			for _, q := range run {
				through = append(through, Point{q.x, q.y})
			}
			d.path(l, through)
		}
		if s.Kind != Line || len(run) == 1 {
			for _, q := range run {
				d.marker(l, q.x, q.y, s.Kind != Points)
			}
		}
	}
}

// floor is where bars and steps stand.
func (d *drawing) floor() float64 {
	if d.y.log {
		return d.bottom
	}
	return d.atY(max(d.y.lo, min(d.y.hi, 0)))
}

// drawSteps keeps each value until the next, and shades what is below.
func (d *drawing) drawSteps(s Series, l look) {
	for _, run := range d.runs(s, false) {
		var through []Point
		for k, q := range run {
			if k > 0 {
				through = append(through, Point{q.x, run[k-1].y})
			}
			through = append(through, Point{q.x, q.y})
		}
		first, last := run[0], run[len(run)-1]
		outline := append([]Point{{first.x, d.floor()}}, through...)
		d.Area(l.ink(), shade, "", append(outline, Point{last.x, d.floor()}))
		d.path(l, through)
	}
}

// drawBars lets all bars at one x share four fifths of the distance to the
// next.
func (d *drawing) drawBars(s Series, l look) {
	width := d.barDistance() * 0.8 / float64(d.bars)
	aside := (float64(l.bar) - float64(d.bars-1)/2) * width
	for _, run := range d.runs(s, false) {
		for _, q := range run {
			d.Area(l.ink(), 1, "", rect(q.x+aside-width*0.46, min(d.floor(), q.y), width*0.92, math.Abs(d.floor()-q.y)))
		}
	}
	if s.Low == nil {
		return
	}
	for _, run := range d.runs(s, true) {
		for _, q := range run {
			d.Line(Muted, 1, nil, []Point{{q.x + aside, q.low}, {q.x + aside, q.high}})
		}
	}
}

// barDistance is the smallest between two bars of a series, at most a sixth
// of the field.
func (d *drawing) barDistance() float64 {
	least := (d.right - d.left) / 6
	for _, s := range d.plot.Series {
		if s.Kind != Bars {
			continue
		}
		last := math.Inf(-1)
		for _, at := range inOrder(s, d.plot.X.holds) {
			x := d.atX(s.X[at])
			if x > last {
				least = min(least, x-last)
			}
			last = x
		}
	}
	return least
}

// path strokes a line.
func (d *drawing) path(l look, through []Point) { d.Line(l.ink(), 1.8, l.dashes(), through) }

// marker draws one point.
func (d *drawing) marker(l look, x, y float64, filled bool) {
	var outline []Point
	switch l.shape {
	case 1:
		outline = rect(x-3.5, y-3.5, 7, 7)
	case 2:
		outline = []Point{{x, y - 5}, {x + 5, y}, {x, y + 5}, {x - 5, y}}
	case 3:
		outline = []Point{{x, y - 4.6}, {x + 4.6, y + 3.4}, {x - 4.6, y + 3.4}}
	}
	switch {
	case outline == nil && filled:
		d.Circle(l.ink(), 0, Point{x, y}, 4)
	case outline == nil:
		d.Circle(l.ink(), 1.6, Point{x, y}, 4)
	case filled:
		d.Area(l.ink(), 1, "", outline)
	default: // a little past the beginning, so that the corner there is whole
		d.Line(l.ink(), 1.6, nil, append(outline, outline[:2]...))
	}
}
