package page

import "math"

// The measures of rows, in pixels.
const (
	rowHeight = 26
	rowBar    = 18
	rowsTop   = 10 // above the legend
	rowsTitle = 22 // and its title
	rowsBelow = 44 // the axis and its title
	totalRoom = 58 // behind the longest bar, for its sum
)

// rowsHeight is the height that a plot which lies sideways needs.
func (p Plot) rowsHeight(width int) int {
	h := rowsTop + p.legendHeight(float64(width)) + float64(rowHeight*len(p.X.Ticks)) + rowsBelow
	if p.Title != "" {
		h += rowsTitle
	}
	return int(math.Ceil(h))
}

// sums are what the values of each row add up to.
func (p Plot) sums() []float64 {
	sums := make([]float64, len(p.X.Ticks))
	for _, s := range p.Series {
		for k := range s.X {
			if row := int(s.X[k]); row >= 0 && row < len(sums) && finite(s.Y[k]) {
				sums[row] += s.Y[k]
			}
		}
	}
	return sums
}

// rows draws a plot that lies sideways: axis, names, bars and sums.
func (d *drawing) rows() {
	names := min(widest(d.x), d.width*0.36)
	d.left, d.right, d.bottom = 12+names+8, d.width-totalRoom, d.height-rowsBelow
	for _, t := range thin(d.y, (d.right-d.left)/(widest(d.y)+14)) {
		x := d.along(t.at)
		d.Line(Rule, 1, nil, []Point{{x, d.top}, {x, d.bottom}})
		d.label(t.text, x, d.bottom+16, Middle)
	}
	d.label(d.plot.Y.title(), (d.left+d.right)/2, d.height-8, Middle)
	pitch := (d.bottom - d.top) / float64(len(d.plot.X.Ticks))
	bar := min(rowBar, pitch*0.8)
	for row, sum := range d.plot.sums() {
		y := d.top + (float64(row)+0.5)*pitch
		d.Text(Text{Ink: Words, At: Point{d.left - 8, y + 4}, Anchor: End, Words: fitted(d.plot.X.Ticks[row], names)})
		d.row(row, y-bar/2, bar)
		d.label(round(sum), d.along(sum)+6, y+4, Start)
	}
	d.Line(Muted, 1, nil, []Point{{d.left, d.top}, {d.left, d.bottom}})
}

// along is where a value stands from left to right.
func (d *drawing) along(v float64) float64 { return d.left + (d.right-d.left)*d.y.place(v) }

// row draws the bars of one, with the name of a series where it has room.
func (d *drawing) row(row int, y, height float64) {
	sum := 0.0
	for i, s := range d.plot.Series {
		l := d.looks[i]
		for k := range s.X {
			if int(s.X[k]) != row || !finite(s.Y[k]) || s.Y[k] <= 0 {
				continue
			}
			from, to := d.along(sum), d.along(sum+s.Y[k])
			sum += s.Y[k]
			hint := s.Name + ": " + d.plot.Y.text(s.Y[k])
			if d.plot.Y.Unit != "" {
				hint += " " + d.plot.Y.Unit
			}
			d.Area(l.ink(), 1, hint, rect(from, y, to-from, height))
			if w := textWidth(s.Name); len(d.plot.Series) > 1 && w+10 < to-from {
				d.Text(Text{Ink: Paper, At: Point{(from + to) / 2, y + height/2 + 4}, Anchor: Middle, Words: s.Name})
				continue
			}
			d.hatch(l, from, y, to-from, height)
		}
	}
}

// hatch draws the look's lines over a box, so that colour is not its only
// sign.
func (d *drawing) hatch(l look, x, y, width, height float64) {
	const step = 6
	line := func(a, b Point) { d.Line(Paper, 1, nil, []Point{a, b}) }
	switch l.hatch {
	case 1, 2: // from the lower side to the upper one, cut at the ends
		for at := step - height; at < width; at += step {
			from, to := max(at, 0), min(at+height, width)
			low, high := y+height-(from-at), y+height-(to-at)
			if l.hatch == 2 {
				low, high = 2*y+height-low, 2*y+height-high
			}
			line(Point{x + from, low}, Point{x + to, high})
		}
	case 3:
		for at := step * 0.6; at < height; at += step {
			line(Point{x, y + at}, Point{x + width, y + at})
		}
	}
}
