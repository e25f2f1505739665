package page

import "strconv"

// A look tells a series from the others.
type look struct {
	colour int // of colours
	shape  int // of the marker
	dash   int // of the line
	bar    int // its place among the bars at one x
	hatch  int // of the bars of a stack
}

// shapes, dashes and hatches are how many there are of each.
const (
	shapes  = 4 // circle, square, diamond, triangle
	dashes  = 3 // whole, dashed, dotted
	hatches = 4 // none, rising, falling, level
)

// ink is that of the look's colour.
func (l look) ink() Ink { return Curves + Ink(l.colour) }

// dashes are on and off of the look's line.
func (l look) dashes() []float64 {
	return [dashes][]float64{nil, {7, 4}, {2, 4}}[l.dash]
}

// colours of the light page: Okabe and Ito's, darkened until each stands out
// three to one from white. Those of the dark page are in page.css.
var colours = [...]string{"#0072b2", "#c2500a", "#00795a", "#a8518a", "#866a00", "#55606b"}

// looks gives each curve a colour, and to series of one colour their own
// markers and dashes (W5). The second is how many bars stand at one x.
func looks(series []Series) (all []look, bars int) {
	curves := map[string]int{}
	lines, marks := map[int]int{}, map[int]int{}
	next := 0
	for i, s := range series {
		name := s.Curve
		if name == "" {
			name = "\x00" + strconv.Itoa(i)
		}
		n, known := curves[name]
		if !known {
			n = next
			curves[name], next = n, n+1
		}
		l := look{colour: n % len(colours)}
		switch s.Kind {
		case Bars:
			l.bar, bars = bars, bars+1
		case Stack: // no two of 24 are alike
			l.hatch = (n + n/12) % hatches
		case Steps:
			l.dash = n % dashes
		case Points:
			l.shape = (n + marks[l.colour]) % shapes
			marks[l.colour]++
		case Line, Both:
			l.shape = n % shapes
			l.dash = lines[l.colour] % dashes
			lines[l.colour]++
		}
		all = append(all, l)
	}
	return all, bars
}
