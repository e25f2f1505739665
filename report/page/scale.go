package page

import (
	"math"
	"slices"
)

// A span is the reach of values.
type span struct {
	lo, hi float64
	any    bool
}

// add widens the span to v, if v has a place on the axis.
func (s *span) add(a Axis, v float64) {
	switch {
	case !a.holds(v):
	case !s.any:
		*s = span{v, v, true}
	default:
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}

// holds reports whether v has a place on the axis.
func (a Axis) holds(v float64) bool {
	return finite(v) && (!a.Log || len(a.Ticks) > 0 || v > 0)
}

// A tick is a place with a name. The minor ones go first where room is short.
type tick struct {
	at    float64
	text  string
	minor bool
}

// A scale takes values to places.
type scale struct {
	lo, hi float64
	log    bool
	base   float64 // of a log scale, 2 or 10
	ticks  []tick
	fixed  bool // the ticks are all that there are, at any width
}

// place is where v stands, 0 at the beginning and 1 at the end.
func (s scale) place(v float64) float64 {
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// spanX and spanY are the reach of all that a plot draws.
func (p Plot) spanX() (s span) {
	for _, r := range p.Series {
		for _, v := range r.X {
			s.add(p.X, v)
		}
	}
	return s
}

func (p Plot) spanY() (s span) {
	for _, r := range p.Series {
		for _, values := range [][]float64{r.Y, r.Low, r.High} {
			for _, v := range values {
				s.add(p.Y, v)
			}
		}
		if r.Kind == Bars && !p.Y.Log {
			s.add(p.Y, 0)
		}
	}
	if p.Sideways {
		s = span{}
		s.add(p.Y, 0)
		for _, sum := range p.sums() {
			s.add(p.Y, sum)
		}
	}
	if p.Y.Reach > 0 && !p.Y.Log {
		s.add(p.Y, p.Y.Reach)
	}
	return s
}

// scaleX leaves room at both ends, so that no marker is cut. Bars need half
// the distance between two of them.
func (p Plot) scaleX() scale {
	s := newScale(p.X, p.spanX(), false)
	if len(p.X.Ticks) > 0 {
		return s
	}
	room := 0.03
	if p.stepped() {
		room = 0
	}
	if n := p.barPlaces(); n > 0 {
		room = max(room, 0.6/float64(n))
	}
	if s.log {
		by := math.Pow(s.hi/s.lo, room)
		s.lo, s.hi = s.lo/by, s.hi*by
		return s
	}
	by := (s.hi - s.lo) * room
	s.lo, s.hi = s.lo-by, s.hi+by
	return s
}

// stepped reports whether all of a plot are steps, which need no room at the
// sides.
func (p Plot) stepped() bool {
	for _, r := range p.Series {
		if r.Kind != Steps {
			return false
		}
	}
	return len(p.Series) > 0
}

// barPlaces is the largest number of bars that a series has.
func (p Plot) barPlaces() (n int) {
	for _, r := range p.Series {
		if r.Kind == Bars {
			n = max(n, len(r.X))
		}
	}
	return n
}

// scaleY ends at ticks. It begins at zero when that costs less than half of
// the height.
func (p Plot) scaleY() scale {
	s := p.spanY()
	if p.Sideways && s.hi == 0 {
		s.hi = 1
	}
	if s.any && !p.Y.Log && s.lo > 0 && s.lo < s.hi/2 {
		s.lo = 0
	}
	return newScale(p.Y, s, !p.Sideways)
}

// newScale makes the scale of an axis over a span; round lets it end at ticks.
// A log axis over less than half a decade is drawn linear: it looks the same,
// and has ticks worth reading.
func newScale(a Axis, s span, round bool) scale {
	if n := len(a.Ticks); n > 0 {
		c := scale{lo: -0.5, hi: float64(n) - 0.5, fixed: true}
		for i, text := range a.Ticks {
			c.ticks = append(c.ticks, tick{at: float64(i), text: text})
		}
		return c
	}
	if !s.any {
		s = span{1, 2, true}
	}
	switch {
	case a.Log && a.Unit == "B" && s.hi > s.lo:
		return binary(s, round, size)
	case a.Log && a.Twos && s.hi > s.lo:
		return binary(s, round, full)
	case a.Log && s.hi/s.lo > 3:
		return decades(s, round)
	}
	if s.lo == s.hi {
		by := max(math.Abs(s.lo)/10, 1e-9)
		s.lo, s.hi = s.lo-by, s.hi+by
	}
	return linear(s, round)
}

// linear has steps of 1, 2 or 5.
func linear(s span, round bool) scale {
	c := scale{lo: s.lo, hi: s.hi}
	step := niceStep((s.hi - s.lo) / 5)
	first, last := math.Ceil(s.lo/step-1e-9), math.Floor(s.hi/step+1e-9)
	if round {
		first, last = math.Floor(s.lo/step+1e-9), math.Ceil(s.hi/step-1e-9)
		c.lo, c.hi = first*step, last*step
	}
	for i := first; i <= last; i++ {
		c.ticks = append(c.ticks, tick{at: i * step, text: short(i * step)})
	}
	return c
}

// niceStep is the least of 1, 2, 5, 10 … that is at least raw.
func niceStep(raw float64) float64 {
	by := math.Pow10(exponent(raw))
	for _, m := range []float64{1, 2, 5} {
		if m*by >= raw*(1-1e-9) {
			return m * by
		}
	}
	return 10 * by
}

// decades has ticks at powers of ten, and between them while there is room.
func decades(s span, round bool) scale {
	c := scale{lo: s.lo, hi: s.hi, log: true, base: 10, fixed: true}
	all := preferred(exponent(s.lo), exponent(s.hi)+1)
	if round {
		for _, t := range all {
			if t.at <= s.lo*(1+1e-9) {
				c.lo = t.at
			}
		}
		c.hi = all[slices.IndexFunc(all, func(t tick) bool { return t.at >= s.hi*(1-1e-9) })].at
	}
	for _, t := range all {
		inside := t.at >= c.lo*(1-1e-9) && t.at <= c.hi*(1+1e-9)
		if inside && (!t.minor || s.hi/s.lo <= 1e3) {
			c.ticks = append(c.ticks, t)
		}
	}
	return c
}

// preferred are 1, 2 and 5 of each decade.
func preferred(first, last int) (all []tick) {
	for e := first; e <= last; e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow10(e)
			all = append(all, tick{at: v, text: short(v), minor: m > 1})
		}
	}
	return all
}

// binary has ticks at powers of two.
func binary(s span, round bool, named func(float64) string) scale {
	_, first := math.Frexp(s.lo)
	_, last := math.Frexp(s.hi)
	first, last = first-1, last-1 // Frexp's fraction is below one
	if math.Ldexp(1, last) < s.hi {
		last++
	}
	c := scale{lo: s.lo, hi: s.hi, log: true, base: 2, fixed: true}
	if round {
		c.lo, c.hi = math.Ldexp(1, first), math.Ldexp(1, last)
	}
	for e := first; e <= last; e++ {
		if v := math.Ldexp(1, e); v >= c.lo && v <= c.hi {
			c.ticks = append(c.ticks, tick{at: v, text: named(v)})
		}
	}
	return c
}
