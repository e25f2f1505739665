package sweep

import "math"

// A span is an axis that says from and to.
type span struct {
	from, to quantity
	step     float64 // 0: there is none
	times    float64 // 0: there is none
	whole    bool    // numbers are whole
}

// mostValues bounds the values of one axis.
const mostValues = 100_000

// values are those of from, to and step or times; false if there are too many.
func (s *span) values() (list []quantity, fine bool) {
	top := s.to.v * (1 + 1e-12)
	for i := 0; ; i++ {
		v := s.from.v + float64(i)*s.step
		if s.times > 0 {
			v = s.from.v * math.Pow(s.times, float64(i))
		}
		v = s.rounded(v)
		switch {
		case v > top:
			return list, true
		case i == mostValues:
			return nil, false
		case len(list) > 0 && v == list[len(list)-1].v:
			continue
		}
		list = append(list, quantity{v, s.from.unit})
	}
}

// rounded returns a value that a scenario can take.
func (s *span) rounded(v float64) float64 {
	if s.whole {
		return math.Round(v)
	}
	if s.from.unit == "ns" {
		return math.Round(v*1e3) / 1e3
	}
	return v
}

// at returns the place at a share of the span, on its steps if it has some.
func (s *span) at(share float64) quantity {
	v := s.from.v + share*(s.to.v-s.from.v)
	switch {
	case s.times > 0:
		steps := math.Floor(math.Log(s.to.v/s.from.v)/math.Log(s.times)+1e-9) + 1
		v = s.from.v * math.Pow(s.times, math.Floor(share*steps))
	case s.step > 0:
		steps := math.Floor((s.to.v-s.from.v)/s.step+1e-9) + 1
		v = s.from.v + s.step*math.Floor(share*steps)
	case s.whole:
		v = math.Floor(s.from.v + share*(s.to.v-s.from.v+1))
	}
	return quantity{s.rounded(v), s.from.unit}
}
