package page

// A Ruler is an axis as a plot draws it, for who draws one elsewhere.
type Ruler struct {
	Marks []Mark // in order
	axis  Axis
	scale scale
}

// A Mark is a place on an axis with a name. Minor ones go first where room is
// short.
type Mark struct {
	Place float64 // 0 at the beginning, 1 at the end
	Text  string
	Minor bool
}

// Rulers are those of the axes. The plot is checked first.
func (p Plot) Rulers() (x, y Ruler) {
	p.check()
	return newRuler(p.X, p.scaleX()), newRuler(p.Y, p.scaleY())
}

func newRuler(a Axis, s scale) Ruler {
	r := Ruler{axis: a, scale: s}
	for _, t := range s.ticks {
		r.Marks = append(r.Marks, Mark{s.place(t.at), t.text, t.minor})
	}
	return r
}

// Place is where a value stands, logarithms taken; NaN when it has no place.
func (r Ruler) Place(v float64) float64 {
	if !r.axis.holds(v) {
		return missing
	}
	return r.scale.place(v)
}

// Title is what the axis says of itself: its label, and its unit.
func (r Ruler) Title() string { return r.axis.title() }

// Round writes a value to three digits that count, as beside a bar.
func Round(v float64) string { return round(v) }
