package page

// A chart is a plot as page.js reads it.
type chart struct {
	X      chartAxis     `json:"x"`
	Y      chartAxis     `json:"y"`
	At     []num         `json:"at"` // the column of x, ascending
	Bars   int           `json:"bars"`
	Series []chartSeries `json:"series"`
}

// A chartAxis is a scale; At and Text are there when its ticks are fixed.
type chartAxis struct {
	Title string   `json:"title"`
	Lo    num      `json:"lo"`
	Hi    num      `json:"hi"`
	Log   float64  `json:"log,omitempty"` // the base
	At    []num    `json:"at,omitempty"`
	Text  []string `json:"text,omitempty"`
	Minor []bool   `json:"minor,omitempty"`
}

// A chartSeries has its points only: Row says which of the column each is.
type chartSeries struct {
	Name   string `json:"name"`
	Kind   Kind   `json:"kind"`
	Colour int    `json:"colour"`
	Shape  int    `json:"shape"`
	Dash   int    `json:"dash"`
	Bar    int    `json:"bar"`
	Row    []int  `json:"row"`
	Y      []num  `json:"y"`
	Low    []num  `json:"low,omitempty"`
	High   []num  `json:"high,omitempty"`
}

// chart prepares the plot for the script.
func (p Plot) chart() chart {
	all, bars := looks(p.Series)
	g := newGrid(p.Series, p.X.holds)
	c := chart{
		X: newChartAxis(p.X, p.scaleX()), Y: newChartAxis(p.Y, p.scaleY()),
		At: []num{}, Bars: bars, Series: []chartSeries{},
	}
	for _, x := range g.x {
		c.At = append(c.At, num(x))
	}
	for i, s := range p.Series {
		l := all[i]
		cs := chartSeries{
			Name: s.Name, Kind: s.Kind, Row: []int{}, Y: []num{},
			Colour: l.colour, Shape: l.shape, Dash: l.dash, Bar: l.bar,
		}
		for row, at := range g.of[i] {
			if at < 0 {
				continue
			}
			cs.Row, cs.Y = append(cs.Row, row), append(cs.Y, p.Y.number(s.Y[at]))
			if s.Low != nil {
				cs.Low, cs.High = append(cs.Low, p.Y.number(s.Low[at])), append(cs.High, p.Y.number(s.High[at]))
			}
		}
		c.Series = append(c.Series, cs)
	}
	return c
}

func newChartAxis(a Axis, s scale) chartAxis {
	c := chartAxis{Title: a.title(), Lo: num(s.lo), Hi: num(s.hi)}
	if s.log {
		c.Log = s.base
	}
	if s.fixed {
		for _, t := range s.ticks {
			c.At, c.Text, c.Minor = append(c.At, num(t.at)), append(c.Text, t.text), append(c.Minor, t.minor)
		}
	}
	return c
}

// number is v, or a gap where v has no place on the axis.
func (a Axis) number(v float64) num {
	if !a.holds(v) {
		return num(missing)
	}
	return num(v)
}
