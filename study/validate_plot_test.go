package study

import (
	"math"
	"strings"
	"testing"

	"hcasim/report/page"
	"hcasim/scenario/suite"
)

// curve makes one of points x: published, simulated.
func plotted(name, unit string, tolerance float64, points ...[3]float64) CurveResult {
	c := CurveResult{Curve: &suite.Curve{Name: name, Unit: unit}}
	for _, p := range points {
		c.Points = append(c.Points, PointResult{
			Point:     &suite.Point{At: p[0], Given: p[1] != 0, Published: p[1], Tolerance: suite.Tolerance{Share: tolerance}},
			Simulated: p[2],
		})
	}
	return c
}

// TestPlots: curves of one unit share a plot, while they can be told apart.
func TestPlots(t *testing.T) {
	var r ItemResult
	r.Item = &suite.Item{ID: "V1", About: "A."}
	for range 7 {
		r.Curves = append(r.Curves, plotted("l", "us", 0.05, [3]float64{2, 1, 1.1}, [3]float64{4096, 50, 49}))
	}
	r.Curves = append(r.Curves, plotted("rate", "Mop/s", 0.05, [3]float64{1, 2, 2}))
	words := plotted("words", "us", 0, [3]float64{0, 3, 3})
	words.Words, words.Points[0].X = true, "BTH"
	r.Curves = append(r.Curves, words)
	list := r.plots()
	var shown []string
	for _, p := range list {
		shown = append(shown, p.Title)
	}
	if got := strings.Join(shown, "; "); got != "l, l, l, l; l, l, l; rate; words" {
		t.Errorf("plots are %s", got)
	}
	if !list[0].X.Log || !list[0].Y.Log || list[2].X.Log {
		t.Error("axes over 2 to 4096 and 1 to 50 are logarithmic, and of one point are not")
	}
	if list[3].Series[0].Kind != page.Bars || len(list[3].X.Ticks) != 1 || list[2].Series[0].Kind != page.Both {
		t.Error("words have bars, and a point that stands alone a marker")
	}
}

// TestBand: what is as good as what was published.
func TestBand(t *testing.T) {
	point := func(v float64) *PointResult {
		return &PointResult{Point: &suite.Point{Given: true, Published: v, Tolerance: suite.Tolerance{Share: 0.1}}}
	}
	for _, c := range []struct {
		p         *PointResult
		upper     bool
		low, high float64
	}{
		{point(10), false, 9, 11},
		{point(-10), false, -11, -9},
		{point(10), true, 10, 11},
		{point(0), false, -0.1, 0.1},
	} {
		if low, high := c.p.band(c.upper); low != c.low || high != c.high {
			t.Errorf("around %v, upper %v: %v to %v", c.p.Published, c.upper, low, high)
		}
	}
	contradicted := point(10)
	contradicted.Disagree = "two papers"
	if low, _ := contradicted.band(false); !math.IsNaN(low) {
		t.Error("a point that is not judged has a band")
	}
}

// TestReasons: each is told once.
func TestReasons(t *testing.T) {
	c := plotted("l", "us", 0, [3]float64{1, 1, 1}, [3]float64{2, 1, 1}, [3]float64{3, 1, 1})
	for i, x := range []string{"1", "2", "3"} {
		c.Points[i].X = x
	}
	c.Points[0].Disagree, c.Points[1].Disagree, c.Points[2].Failed = "two papers", "two papers", "deadlock"
	for i := range c.Points {
		c.Points[i].judge(false)
	}
	r := ItemResult{Curves: []CurveResult{c}}
	for of, want := range map[Verdict]string{Disagree: "l at 1, 2: two papers", Miss: "l at 3: deadlock", OK: ""} {
		if got := strings.Join(r.reasons(of), "; "); got != want {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
}
