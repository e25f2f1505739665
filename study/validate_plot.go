package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hcasim/report/page"
	"hcasim/scenario/suite"
)

// mostCurves are as many as can be told apart in one plot.
const mostCurves = 6

// A family is curves that one plot can show: of one unit, over one kind of x.
type family struct {
	unit   string
	words  bool // x are words
	sizes  bool // x are sizes
	places string
	curves []*CurveResult
}

// plots draws all curves of an item, those of a family together, few enough at
// a time.
func (r *ItemResult) plots() (list []page.Plot) {
	for _, f := range r.families() {
		n := (len(f.curves) + mostCurves - 1) / mostCurves
		for part := range slices.Chunk(f.curves, (len(f.curves)+max(n, 1)-1)/max(n, 1)) {
			some := f
			some.curves = part
			list = append(list, some.plot())
		}
	}
	return list
}

// families are in the order of their first curves.
func (r *ItemResult) families() (list []family) {
	for i := range r.Curves {
		c := &r.Curves[i]
		f := family{unit: c.Unit, words: c.Words, sizes: c.Sizes, places: strings.Join(c.Places, ", ")}
		if len(c.Points) == 0 {
			continue
		}
		at := slices.IndexFunc(list, func(o family) bool {
			return o.unit == f.unit && o.words == f.words && o.sizes == f.sizes && o.places == f.places
		})
		if at < 0 {
			at, list = len(list), append(list, f)
		}
		list[at].curves = append(list[at].curves, c)
	}
	return list
}

func (f *family) plot() page.Plot {
	names := make([]string, len(f.curves))
	for i, c := range f.curves {
		names[i] = c.Name
	}
	p := page.Plot{Title: strings.Join(names, ", "), X: page.Axis{Label: f.places}, Y: page.Axis{Unit: f.unit}}
	if f.unit == "" {
		p.Y.Label = "value"
	}
	if f.sizes || f.places == "size" { // which is in bytes where it has no unit
		p.X.Unit = "B"
	}
	if f.words {
		p.X.Ticks = f.ticks()
	}
	for _, c := range f.curves {
		p.Series = append(p.Series, f.series(c)...)
	}
	p.X.Log = !f.words && wide(f.curves, 20, func(q *PointResult) []float64 { return []float64{q.At} })
	p.Y.Log = p.X.Log && wide(f.curves, 30, func(q *PointResult) []float64 { return q.values() })
	return p
}

// ticks are the words of all curves, in the order in which they come.
func (f *family) ticks() (words []string) {
	for _, c := range f.curves {
		for i := range c.Points {
			if x := c.Points[i].X; !slices.Contains(words, x) {
				words = append(words, x)
			}
		}
	}
	return words
}

// wide reports whether values reach over so many times themselves that a
// linear axis would hide the small ones. Zero and less have no place on a
// logarithmic one.
func wide(curves []*CurveResult, times float64, of func(*PointResult) []float64) bool {
	lo, hi := math.Inf(1), 0.0
	for _, c := range curves {
		for i := range c.Points {
			for _, v := range of(&c.Points[i]) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return lo > 0 && hi >= times*lo
}

// values are those that a point shows.
func (p *PointResult) values() (list []float64) {
	if p.Given {
		list = append(list, p.Published)
	}
	if p.Failed == "" {
		list = append(list, p.Simulated)
	}
	return list
}

// series are what was published, with its tolerance, and what was simulated.
func (f *family) series(c *CurveResult) []page.Series {
	published := page.Series{Name: c.Name + ", published" + c.allowed(), Curve: c.Name, Kind: page.Points}
	simulated := page.Series{Name: c.Name + ", simulated", Curve: c.Name, Kind: page.Line}
	switch {
	case f.words:
		simulated.Kind = page.Bars
	case len(c.Points) == 1:
		simulated.Kind = page.Both
	}
	for i := range c.Points {
		p := &c.Points[i]
		x := p.At
		if f.words {
			x = float64(slices.Index(f.ticks(), p.X))
		}
		simulated.X, simulated.Y = append(simulated.X, x), append(simulated.Y, value(p.Failed == "", p.Simulated))
		if !p.Given {
			continue
		}
		low, high := p.band(c.Upper)
		published.X, published.Y = append(published.X, x), append(published.Y, p.Published)
		published.Low, published.High = append(published.Low, low), append(published.High, high)
	}
	if len(published.X) == 0 {
		return []page.Series{simulated}
	}
	return []page.Series{simulated, published}
}

// value is a number, or what is drawn as a gap.
func value(there bool, v float64) float64 {
	if !there {
		return math.NaN()
	}
	return v
}

// band is what would be as good as the published value; there is none around a
// point that is not judged, and no room around one that must be met exactly.
func (p *PointResult) band(upper bool) (low, high float64) {
	if p.Disagree != "" {
		return math.NaN(), math.NaN()
	}
	room := math.Abs(p.Published) * p.Tolerance.Share
	if p.Published == 0 {
		room = p.Tolerance.Share // of nothing there is no share
	}
	if upper {
		return p.Published, p.Published + room
	}
	return p.Published - room, p.Published + room
}

// allowed is the tolerance that all points of a curve have.
func (c *CurveResult) allowed() string {
	var all []suite.Tolerance
	for i := range c.Points {
		if p := &c.Points[i]; p.Given && p.Disagree == "" {
			all = append(all, p.Tolerance)
		}
	}
	if all = slices.Compact(all); len(all) != 1 || all[0].Exact {
		return ""
	}
	sign := "±"
	if c.Upper {
		sign = "to +"
	}
	return fmt.Sprintf(" %s %s", sign, tolerance(all[0]))
}
