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

// band shades what lies between Low and High. Where there is nothing to shade
// between, at bars and at a point that stands alone, it is a whisker.
func (d *drawing) band(i int) {
	s, l := d.plot.Series[i], d.looks[i]
	if s.Low == nil || s.Kind == Bars {
		return
	}
	for _, run := range d.runs(s, true) {
		if len(run) == 1 {
			d.whisker(l, run[0], 0)
			continue
		}
		path := ""
		for k, q := range run {
			path += step(k) + px(q.x) + " " + px(q.high)
		}
		for k := len(run) - 1; k >= 0; k-- {
			path += "L" + px(run[k].x) + " " + px(run[k].low)
		}
		d.printf(`<path class="f%d" fill="%s" fill-opacity=".16" d="%sZ"/>`, l.colour, colours[l.colour], path)
	}
}

func (d *drawing) whisker(l look, q spot, aside float64) {
	x := q.x + aside
	d.printf(`<path class="s%d" stroke="%s" stroke-width="1.2" d="M%s %sH%sM%s %sV%sM%s %sH%s"/>`, l.colour, colours[l.colour],
		px(x-4), px(q.low), px(x+4), px(x), px(q.low), px(q.high), px(x-4), px(q.high), px(x+4))
}

// series draws one.
func (d *drawing) series(i int) {
	s, l := d.plot.Series[i], d.looks[i]
	if s.Kind == Bars {
		d.drawBars(s, l)
		return
	}
	for _, run := range d.runs(s, false) {
		if s.Kind != Points && len(run) > 1 {
			path := ""
			for k, q := range run {
				path += step(k) + px(q.x) + " " + px(q.y)
			}
			d.path(l, path)
		}
		if s.Kind != Line || len(run) == 1 {
			for _, q := range run {
				d.marker(l, q.x, q.y, s.Kind != Points)
			}
		}
	}
}

// drawBars lets all bars at one x share four fifths of the distance to the
// next.
func (d *drawing) drawBars(s Series, l look) {
	width := d.barDistance() * 0.8 / float64(d.bars)
	aside := (float64(l.bar) - float64(d.bars-1)/2) * width
	floor := d.bottom
	if !d.y.log {
		floor = d.atY(max(d.y.lo, min(d.y.hi, 0)))
	}
	for _, run := range d.runs(s, false) {
		for _, q := range run {
			d.printf(`<rect class="f%d" fill="%s" x="%s" y="%s" width="%s" height="%s"/>`, l.colour, colours[l.colour],
				px(q.x+aside-width*0.46), px(min(floor, q.y)), px(width*0.92), px(math.Abs(floor-q.y)))
		}
	}
	if s.Low == nil {
		return
	}
	for _, run := range d.runs(s, true) {
		for _, q := range run {
			d.printf(`<path class="ax" stroke="%s" d="M%s %sV%s"/>`, muted, px(q.x+aside), px(q.low), px(q.high))
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
func (d *drawing) path(l look, path string) {
	dash := [dashes]string{"", ` stroke-dasharray="7 4"`, ` stroke-dasharray="2 4"`}[l.dash]
	d.printf(`<path class="s%d" stroke="%s" stroke-width="1.8" stroke-linejoin="round" fill="none"%s d="%s"/>`,
		l.colour, colours[l.colour], dash, path)
}

// marker draws one point.
func (d *drawing) marker(l look, x, y float64, filled bool) {
	var shape string
	switch l.shape {
	case 1:
		shape = `<rect x="` + px(x-3.5) + `" y="` + px(y-3.5) + `" width="7" height="7"`
	case 2:
		shape = `<path d="M` + px(x) + ` ` + px(y-5) + `l5 5l-5 5l-5 -5Z"`
	case 3:
		shape = `<path d="M` + px(x) + ` ` + px(y-4.6) + `l4.6 8h-9.2Z"`
	default:
		shape = `<circle cx="` + px(x) + `" cy="` + px(y) + `" r="4"`
	}
	if filled {
		d.printf(`%s class="f%d" fill="%s"/>`, shape, l.colour, colours[l.colour])
		return
	}
	d.printf(`%s class="s%d" stroke="%s" stroke-width="1.6" fill="none"/>`, shape, l.colour, colours[l.colour])
}

// step is the letter before the k-th place of a path.
func step(k int) string {
	if k == 0 {
		return "M"
	}
	return "L"
}
