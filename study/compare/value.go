package compare

import (
	"fmt"
	"math"
	"strconv"
)

// text writes a value with its unit, as far as it needs digits.
func text(v float64, unit string) string {
	switch unit {
	case "ps":
		return span(v)
	case "ns":
		return span(1000 * v)
	case "us":
		return span(1e6 * v)
	case "1/s":
		return prefixed(v, "op/s")
	case "bit/s":
		return prefixed(v, "b/s")
	case "ratio":
		return strconv.FormatFloat(v, 'f', 4, 64)
	case "B":
		return number(v) + " B"
	}
	return number(v)
}

// span writes picoseconds.
func span(ps float64) string {
	switch {
	case abs(ps) >= 1e12:
		return fmt.Sprintf("%.3f s", ps/1e12)
	case abs(ps) >= 1e10:
		return fmt.Sprintf("%.3f ms", ps/1e9)
	}
	return fmt.Sprintf("%.3f us", ps/1e6)
}

func prefixed(v float64, unit string) string {
	for _, p := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if abs(v) >= p.size {
			return fmt.Sprintf("%.3f %s%s", v/p.size, p.name, unit)
		}
	}
	return fmt.Sprintf("%.3f %s", v, unit)
}

// number writes a whole number with commas, another with four digits.
func number(v float64) string {
	if v != math.Trunc(v) || abs(v) >= 1<<53 {
		return strconv.FormatFloat(v, 'g', 5, 64)
	}
	s := strconv.FormatFloat(abs(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if v < 0 {
		s = "-" + s
	}
	return s
}

// change writes by how much a metric changed.
func (l *Line) change() string {
	switch share, found := l.share(); {
	case l.Verdict == Gone || l.Verdict == New:
		return string(l.Verdict)
	case l.Verdict == Equal:
		return "="
	case !found && l.New > 0:
		return "+" + text(l.New, l.Unit)
	case !found:
		return text(l.New, l.Unit)
	case abs(share) < 0.0005:
		return fmt.Sprintf("%+.2g %%", 100*share)
	case abs(share) >= 10:
		return fmt.Sprintf("%+.0f %%", 100*share)
	default:
		return fmt.Sprintf("%+.1f %%", 100*share)
	}
}

// verdict is the word beside: none for what needs no reader.
func (l *Line) verdict() string {
	switch l.Verdict {
	case Worse, Better, Within:
		return string(l.Verdict)
	default:
		return ""
	}
}
