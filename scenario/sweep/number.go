package sweep

import (
	"math"
	"strconv"
	"strings"

	"hcasim/sim"
)

// A quantity is a number with the unit that its axis has: "", B, ns, bit/s or
// Hz.
type quantity struct {
	v    float64
	unit string
}

// quantityOf reads a plain number, a size, a time, a rate or a frequency.
func quantityOf(text string) (q quantity, fine bool) {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return quantity{float64(n), ""}, true
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && !strings.Contains(text, "_") {
		return quantity{v, ""}, true
	}
	var bytes sim.Bytes
	var span sim.Duration
	var rate sim.BitRate
	var frequency sim.Hertz
	switch raw := []byte(text); {
	case bytes.UnmarshalText(raw) == nil:
		return quantity{float64(bytes), "B"}, true
	case span.UnmarshalText(raw) == nil:
		return quantity{float64(span) / 1e3, "ns"}, true
	case rate.UnmarshalText(raw) == nil:
		return quantity{float64(rate), "bit/s"}, true
	case frequency.UnmarshalText(raw) == nil:
		return quantity{float64(frequency), "Hz"}, true
	}
	return quantity{}, false
}

// text writes a quantity as a scenario takes it.
func (q quantity) text() string {
	switch q.unit {
	case "B":
		return sim.Bytes(q.v).String()
	case "ns":
		return sim.Duration(math.Round(q.v * 1e3)).String()
	case "bit/s":
		return sim.BitRate(math.Round(q.v)).String()
	case "Hz":
		return sim.Hertz(math.Round(q.v)).String()
	}
	if q.v == math.Trunc(q.v) && math.Abs(q.v) < 1<<53 {
		return strconv.FormatFloat(q.v, 'f', -1, 64)
	}
	return strconv.FormatFloat(q.v, 'g', 12, 64)
}

// place numbers the values of an axis: as they are, if all are quantities of
// one unit; otherwise they are words.
func (a *Axis) place(values []*Value) {
	a.Words = false
	unit := ""
	numbers := make([]float64, len(values))
	for i, v := range values {
		q, fine := quantityOf(v.Text)
		bare := q.unit == "" && (q.v == 0 || unit == "B" || unit == "")
		switch {
		case !fine, q.unit != "" && unit != "" && q.unit != unit, q.unit == "" && !bare:
			a.Words = true
		case unit == "" && q.unit != "":
			unit = q.unit
		}
		numbers[i] = q.v
	}
	if a.Words {
		for i := range values {
			numbers[i] = float64(i)
		}
	} else if unit != "" {
		a.Unit = unit
	}
	for i, v := range values {
		v.Number = numbers[i]
	}
}

// logarithmic reports whether numbers, ascending, are better placed by their
// ratios: neighbours are so much more alike than differences.
func logarithmic(numbers []float64) bool {
	if len(numbers) < 3 || numbers[0] <= 0 {
		return false
	}
	spread := func(f func(a, b float64) float64) float64 {
		least, most := math.Inf(1), math.Inf(-1)
		for i := 1; i < len(numbers); i++ {
			d := f(numbers[i-1], numbers[i])
			least, most = min(least, d), max(most, d)
		}
		return most / least
	}
	ratios := spread(func(a, b float64) float64 { return math.Log(b / a) })
	steps := spread(func(a, b float64) float64 { return b - a })
	return ratios < steps
}
