package report

import (
	"fmt"
	"strconv"
	"strings"

	"hcasim/sim"
)

// micro writes a duration in microseconds with three digits, rounded half up.
func micro(d sim.Duration) string {
	n := (uint64(d) + 500) / 1000
	return fmt.Sprintf("%s.%03d us", thousands(n/1000), n%1000)
}

// nano writes a duration in nanoseconds exactly, without the unit.
func nano(d sim.Duration) string {
	return fmt.Sprintf("%s.%03d", thousands(uint64(d)/1000), uint64(d)%1000)
}

// instant writes a time since the start exactly.
func instant(t sim.Time) string { return nano(sim.Duration(t)) + " ns" }

// thousands writes a number with a comma between each three digits.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// rate writes an amount per time with a suitable prefix: 12.345 Gb/s. It is
// one division of two integers, so it is the same everywhere.
func rate(amount uint64, per sim.Duration, unit string) string {
	if per == 0 {
		return "- " + unit
	}
	v := float64(amount) / float64(per) * float64(sim.Second)
	for _, p := range [...]struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= p.size {
			return fmt.Sprintf("%.3f %s%s", v/p.size, p.name, unit)
		}
	}
	return fmt.Sprintf("%.3f %s", v, unit)
}

// count writes how many of something there are, in words that agree.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(uint64(n)) + " " + one + "s"
}
