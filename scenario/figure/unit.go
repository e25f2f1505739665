package figure

import (
	"math"
	"strconv"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// Unit returns the unit of a figure: ns, ps, B, op/s, bit/s, or "" for what is
// counted and for names that no run has.
func Unit(name string) string {
	name = strings.TrimPrefix(name, "measured.")
	kind, part, _ := strings.Cut(name, ".")
	if run.IsKind(kind) {
		switch part {
		case "bytes_per_s":
			return "B/s"
		case "rate", "offered":
			return "op/s"
		case "bandwidth":
			return "bit/s"
		case "count":
			return ""
		}
		return "ns"
	}
	return run.UnitOf(name)
}

// IsKind reports whether figures call a kind of request by a word.
func IsKind(word string) bool { return run.IsKind(word) }

// Column returns the name of a column of a table that other programs read: the
// unit stands behind the name, as in p50_ns.
func Column(name, unit string) string {
	suffix := strings.NewReplacer("/", "_per_", "%", "percent", " ", "_").Replace(unit)
	if unit == "B" || strings.HasPrefix(unit, "B/") {
		suffix = "bytes" + suffix[1:]
	}
	if suffix == "" || name == suffix || strings.HasSuffix(name, "_"+suffix) {
		return name
	}
	return name + "_" + suffix
}

// Head returns the name of a column of a table that people read.
func Head(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}

// Number writes a value with four digits that count, and a comma between each
// three: 1,234 or 0.01235.
func Number(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1000 && a < 1e15:
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 1e15, a < 1e-4:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, 3-int(math.Floor(math.Log10(a)))), 64)
}

// grouped puts a comma between each three digits of a whole number.
func grouped(s string) string {
	sign, digits := "", s
	if s[0] == '-' {
		sign, digits = "-", s[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// scales are the larger units of the units that have some.
var scales = map[string][]struct {
	size float64
	name string
}{
	"ps":    {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}},
	"ns":    {{1e9, "s"}, {1e6, "ms"}, {1e4, "us"}},
	"bit/s": {{1e12, "Tbit/s"}, {1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}},
	"op/s":  {{1e9, "Gop/s"}, {1e6, "Mop/s"}, {1e3, "kop/s"}},
}

// Text writes a value for a sentence, with its unit, in a larger one where that
// reads better: 12.35 us, 4KiB, 98.50 Gbit/s.
func Text(v float64, unit string) string {
	if unit == "B" && v >= 1024 && v == math.Trunc(v) && math.Mod(v, 1024) == 0 && v < 1<<63 {
		return sim.Bytes(v).String()
	}
	for _, s := range scales[unit] {
		if math.Abs(v) < s.size {
			continue
		}
		if unit == "ns" && s.name == "us" {
			s.size = 1e3
		}
		v, unit = v/s.size, s.name
		break
	}
	if unit == "" {
		return Number(v)
	}
	return Number(v) + " " + unit
}
