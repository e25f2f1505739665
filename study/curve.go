package study

import (
	"math"
	"strconv"
	"strings"

	"hcasim/scenario/suite"
)

// values returns the metric of each point of a curve, with the constant of its
// testbed; nothing is judged yet.
func (j *jobs) values(c *suite.Curve) []PointResult {
	list := make([]PointResult, len(c.Points))
	for i, p := range c.Points {
		list[i].Point = p
		if p.Run == nil {
			list[i].Simulated = float64(p.Bytes)
			continue
		}
		one := j.of[p.Run]
		if one.failed != "" {
			list[i].Failed = one.failed
			continue
		}
		v, err := c.Metric.Of(one.figures, map[string]any{"x": p.At})
		if err != nil {
			list[i].Failed = firstLine(err.Error())
		}
		list[i].Simulated = v + c.Constant
	}
	return list
}

// judged relates a curve to the one that it is measured against and holds its
// points to what was published.
func judged(c *suite.Curve, raw map[*suite.Curve][]PointResult) []PointResult {
	list := append([]PointResult(nil), raw[c]...)
	for i := range list {
		p := &list[i]
		if c.Minus != nil {
			p.relate(raw[c.Minus], func(a, b float64) float64 { return a - b })
		}
		if c.Over != nil {
			p.relate(raw[c.Over], func(a, b float64) float64 { return a / b })
		}
		p.judge(c.Upper)
	}
	return list
}

// relate puts the point of the same x into the value.
func (p *PointResult) relate(other []PointResult, f func(a, b float64) float64) {
	for i := range other {
		o := &other[i]
		if o.X != p.X || p.Failed != "" {
			continue
		}
		if o.Failed != "" {
			p.Failed = o.Failed
			return
		}
		p.Simulated = f(p.Simulated, o.Simulated)
		if math.IsNaN(p.Simulated) || math.IsInf(p.Simulated, 0) {
			p.Failed, p.Simulated = "a division by zero", 0
		}
	}
}

// judge holds a point to its tolerance.
func (p *PointResult) judge(upper bool) {
	if p.Failed == "" && p.Given {
		p.Deviation = share(p.Simulated-p.Published, p.whole())
	}
	switch {
	case p.Disagree != "":
		p.Verdict = Disagree
	case p.Failed != "":
		p.Verdict = Miss
	case !p.Given:
		p.Verdict = Shown
	case within(p.Point, p.Simulated, p.Deviation, upper):
		p.Verdict = OK
	default:
		p.Verdict = Miss
	}
}

// whole is what the deviation of a point is a share of.
func (p *PointResult) whole() float64 {
	if p.Whole != 0 {
		return p.Whole
	}
	return p.Published
}

// share is how much a difference is of a value; where that is zero there is no
// share, and the difference counts.
func share(difference, of float64) float64 {
	if of == 0 {
		return difference
	}
	return difference / math.Abs(of)
}

// rounding is what sums of floating-point numbers may be off: no bound fails
// for it.
const rounding = 1e-9

// within reports whether a value is where it should be. A bound from below
// must be reached.
func within(p *suite.Point, simulated, off float64, upper bool) bool {
	if p.Tolerance.Exact {
		if upper && off < -rounding {
			return false
		}
		digits := math.Pow10(decimals(p.Text))
		return math.Round(simulated*digits) == math.Round(p.Published*digits)
	}
	if upper && off < -rounding {
		return false
	}
	return abs(off) <= p.Tolerance.Share+rounding
}

// decimals counts the digits behind the point of a number as it was published;
// of 2.5e3 there are fewer than none.
func decimals(text string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent) // none is 0
	return len(fraction) - e
}

func abs(v float64) float64 { return math.Abs(v) }

// firstLine is what is said before all detail.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
