package page

import (
	"math"
	"strconv"
	"strings"
)

// finite reports whether v is a value at all.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// full writes a value for the reader: six digits that count, but all of a
// whole number.
func full(v float64) string {
	switch a := math.Abs(v); {
	case !finite(v):
		return ""
	case v == 0:
		return "0"
	case a >= 1e15 || a < 1e-4:
		return strconv.FormatFloat(v, 'g', 6, 64)
	case a >= 1e5:
		return trim(strconv.FormatFloat(v, 'f', 0, 64))
	default:
		return trim(strconv.FormatFloat(v, 'f', 5-exponent(v), 64))
	}
}

// short writes a value for an axis: 10k, 2.5M.
func short(v float64) string {
	unit := ""
	for _, u := range []struct {
		from, by float64
		name     string
	}{{1e12, 1e12, "T"}, {1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}} {
		if math.Abs(v) >= u.from {
			v, unit = v/u.by, u.name
			break
		}
	}
	return full(v) + unit
}

// size writes bytes as scenario files do: 64, 4KiB.
func size(v float64) string {
	for i, name := range []string{"TiB", "GiB", "MiB", "KiB"} {
		if by := math.Ldexp(1, 40-10*i); v >= by {
			return full(v/by) + name
		}
	}
	return full(v)
}

// exponent is the power of ten of the first digit, as it is written and not as
// a logarithm would round it.
func exponent(v float64) int {
	text := strconv.FormatFloat(v, 'e', 5, 64)
	e, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return e
}

// trim drops zeros that say nothing.
func trim(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// A num is a number of the data for the script: twelve digits, null for none.
type num float64

// MarshalJSON writes it.
func (n num) MarshalJSON() ([]byte, error) {
	if !finite(float64(n)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 12, 64), nil
}

// missing is a value that is none.
var missing = math.NaN()

// round writes a value to three digits that count.
func round(v float64) string {
	if !finite(v) || v == 0 {
		return short(v)
	}
	by := math.Pow10(exponent(v) - 2)
	return short(math.Round(v/by) * by)
}
