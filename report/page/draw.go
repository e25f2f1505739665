package page

import (
	"math"
	"slices"
)

// A Size is in pixels. Zero is 640 by 340, and the height that its rows need
// for a plot that lies on its side.
type Size struct{ Width, Height int }

// Of is the size that a plot is drawn in.
func (s Size) Of(p Plot) Size {
	if s.Width <= 0 {
		s.Width = 640
	}
	switch {
	case s.Height > 0:
	case p.Sideways:
		s.Height = p.rowsHeight(s.Width)
	default:
		s.Height = 340
	}
	return s
}

// A drawing is a plot on its way to a canvas. left, top, right and bottom
// bound the field between the axes.
type drawing struct {
	Canvas
	plot                     Plot
	looks                    []look
	bars                     int
	x, y                     scale
	width, height            float64
	left, top, right, bottom float64
}

// Draw draws a plot, as the page shows it in light. It leaves the paper as it
// is.
func Draw(c Canvas, p Plot, size Size) {
	p.check()
	size = size.Of(p)
	d := &drawing{Canvas: c, plot: p, x: p.scaleX(), y: p.scaleY(), width: float64(size.Width), height: float64(size.Height)}
	d.looks, d.bars = looks(p.Series)
	d.top = 10
	if p.Title != "" {
		d.Text(Text{Ink: Words, At: Point{12, 20}, Anchor: Start, Title: true, Words: fitted(p.Title, (d.width-24)*0.9)})
		d.top = 32
	}
	d.legend()
	if p.Sideways {
		d.rows()
		return
	}
	d.frame()
	for i := range p.Series {
		d.band(i)
	}
	for i := range p.Series {
		d.series(i)
	}
}

// The legend's rows, and what stands before and behind a name there.
const (
	legendRow    = 18
	legendSample = 24
	legendGap    = 16
	legendMargin = 12
)

// legend names the series, in as many rows as they need.
func (d *drawing) legend() {
	for i, at := range d.plot.legendPlaces(d.width) {
		y := d.top + at.Y
		d.sample(i, at.X, y+5)
		d.Text(Text{Ink: Words, At: Point{at.X + legendSample, y + 9}, Anchor: Start, Words: d.plot.Series[i].Name})
	}
	d.top += d.plot.legendHeight(d.width)
}

// legendPlaces are those of the series, below the top of the legend.
func (p Plot) legendPlaces(width float64) (places []Point) {
	if p.Sideways && len(p.Series) == 1 {
		return nil // the axis says what it is
	}
	x, y := float64(legendMargin), 0.0
	for _, s := range p.Series {
		w := legendSample + textWidth(s.Name)
		if x > legendMargin && x+w > width-legendMargin {
			x, y = legendMargin, y+legendRow
		}
		places = append(places, Point{x, y})
		x += w + legendGap
	}
	return places
}

// legendHeight is that of all its rows, and of the room below.
func (p Plot) legendHeight(width float64) float64 {
	places := p.legendPlaces(width)
	if len(places) == 0 {
		return 4
	}
	return places[len(places)-1].Y + legendRow + 6
}

// sample is the sign of a series in the legend.
func (d *drawing) sample(i int, x, y float64) {
	l := d.looks[i]
	box := rect(x+3, y-5, 12, 10)
	switch k := d.plot.Series[i].Kind; k {
	case Bars:
		d.Area(l.ink(), 1, "", box)
	case Stack:
		d.Area(l.ink(), 1, "", box)
		d.hatch(l, x+3, y-5, 12, 10)
	case Steps:
		d.Area(l.ink(), shade, "", box)
		d.Line(l.ink(), 1.8, l.dashes(), []Point{{x + 3, y - 5}, {x + 15, y - 5}})
	case Points:
		d.marker(l, x+9, y, false)
	case Line, Both:
		d.path(l, []Point{{x, y}, {x + 18, y}})
		if k == Both {
			d.marker(l, x+9, y, true)
		}
	}
}

// frame writes axes, grid and their texts.
func (d *drawing) frame() {
	d.left, d.right = 38+widest(d.y), d.width-14
	d.bottom = d.height - 44
	for _, t := range thin(d.y, (d.bottom-d.top)/16) {
		y := d.atY(t.at)
		d.Line(Rule, 1, nil, []Point{{d.left, y}, {d.right, y}})
		d.label(t.text, d.left-6, y+4, End)
	}
	for _, t := range thin(d.x, (d.right-d.left)/(widest(d.x)+10)) {
		x := d.atX(t.at)
		d.Line(Rule, 1, nil, []Point{{x, d.top}, {x, d.bottom}})
		d.label(t.text, x, d.bottom+16, Middle)
	}
	d.Line(Muted, 1, nil, []Point{{d.left, d.top}, {d.left, d.bottom}, {d.right, d.bottom}})
	d.label(d.plot.X.title(), (d.left+d.right)/2, d.height-8, Middle)
	d.Text(Text{Ink: Muted, At: Point{14, (d.top + d.bottom) / 2}, Anchor: Middle, Turned: true, Words: d.plot.Y.title()})
}

func (d *drawing) label(text string, x, y float64, anchor Anchor) {
	d.Text(Text{Ink: Muted, At: Point{x, y}, Anchor: anchor, Words: text})
}

// widest is the width of the longest text of a tick.
func widest(s scale) (w float64) {
	for _, t := range s.ticks {
		w = max(w, textWidth(t.text))
	}
	return w
}

// thin leaves out ticks until there are no more than fit.
func thin(s scale, fit float64) (kept []tick) {
	all := s.ticks
	if float64(len(all)) > fit {
		all = slices.DeleteFunc(slices.Clone(all), func(t tick) bool { return t.minor })
	}
	every := max(1, int(math.Ceil(float64(len(all))/max(fit, 1))))
	for i := 0; i < len(all); i += every {
		kept = append(kept, all[i])
	}
	return kept
}

func (d *drawing) atX(v float64) float64 { return d.left + (d.right-d.left)*d.x.place(v) }
func (d *drawing) atY(v float64) float64 { return d.bottom - (d.bottom-d.top)*d.y.place(v) }

// rect is the outline of one.
func rect(x, y, width, height float64) []Point {
	return []Point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}
}

// textWidth guesses the width of 12 pixel text.
func textWidth(text string) float64 { return 6.6 * float64(len([]rune(text))) }

// fitted is a text cut to a width.
func fitted(text string, width float64) string {
	runes := []rune(text)
	if textWidth(text) <= width || len(runes) == 0 {
		return text
	}
	return string(runes[:max(1, min(len(runes), int(width/6.6)-1))]) + "…"
}
