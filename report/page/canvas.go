package page

// A Point is a place on a canvas, in pixels from its upper left corner.
type Point struct{ X, Y float64 }

// An Ink is what a stroke means, so that each canvas has its own colours for
// light and for dark. Curve inks are counted from Curves on.
type Ink uint8

// The inks.
const (
	Paper Ink = iota
	Words
	Muted
	Rule
	Curves
)

// Hex is the ink of the light page, as #rrggbb.
func (i Ink) Hex() string {
	switch i {
	case Paper:
		return paper
	case Words:
		return ink
	case Muted:
		return muted
	case Rule:
		return rule
	}
	return colours[i-Curves]
}

// An Anchor says which end of a text stands at its place.
type Anchor string

// The anchors, by their names in SVG.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// A Text is words on a canvas; At is on the line that they stand on.
type Text struct {
	Ink    Ink
	At     Point
	Anchor Anchor
	Turned bool // a quarter to the left
	Title  bool // larger and bold
	Words  string
}

// A Canvas takes the strokes of a plot: SVG here, PNG and PDF in report/plot.
type Canvas interface {
	// Line strokes through the points. Dash is on, off; nil is whole.
	Line(ink Ink, width float64, dash []float64, through []Point)
	// Area fills an outline, 0 to 1 opaque. A hint is what a reader may ask
	// about it, where a canvas can be asked.
	Area(ink Ink, opacity float64, hint string, outline []Point)
	// Circle strokes one, or fills it when width is 0.
	Circle(ink Ink, width float64, centre Point, radius float64)
	Text(t Text)
}
