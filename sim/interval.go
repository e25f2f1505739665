package sim

import (
	"fmt"
	"strconv"
	"strings"
)

// An Interval is a number of cycles that need not be whole, in thousandths:
// what a rate of packets comes to in the cycles of a clock. Whoever spaces by
// one stays on the edges and carries the fraction on, so that the mean is exact.
type Interval uint64

// PerCycle is how many parts of an Interval make one cycle.
const PerCycle Interval = 1000

// Whole returns an interval of n cycles.
func (n Cycles) Whole() Interval { return Interval(n) * PerCycle }

// String writes i as a bare decimal number, such as "9.4".
func (i Interval) String() string {
	s := strconv.FormatUint(uint64(i/PerCycle), 10)
	if rest := i % PerCycle; rest != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%03d", rest), "0")
	}
	return s
}

// MarshalText writes i as String does.
func (i Interval) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads a decimal number of at most three digits behind the
// point, such as "9.4", or a fraction that is one, such as "47/5".
func (i *Interval) UnmarshalText(text []byte) error {
	wrong := func() error {
		return fmt.Errorf("%q: want a number of cycles in steps of a thousandth without a unit, such as 12, 9.4 or 47/5", text)
	}
	if up, down, fraction := strings.Cut(string(text), "/"); fraction {
		n, err := strconv.ParseUint(up, 10, 48)
		d, err2 := strconv.ParseUint(down, 10, 48)
		if err != nil || err2 != nil || d == 0 || n*uint64(PerCycle)%d != 0 {
			return wrong()
		}
		*i = Interval(n * uint64(PerCycle) / d)
		return nil
	}
	whole, rest, _ := strings.Cut(string(text), ".")
	n, err := strconv.ParseUint(whole+(rest + "000")[:3], 10, 63)
	if err != nil || whole == "" || len(rest) > 3 {
		return wrong()
	}
	*i = Interval(n)
	return nil
}

// A Pace spaces events on a clock by intervals that need not be whole. The
// zero Pace is free at once.
type Pace struct{ free uint64 } // in parts of a cycle

// Take returns the edge at which one who comes at edge n may go, and keeps the
// next from going before i later.
func (p *Pace) Take(n Cycles, i Interval) Cycles {
	at := p.At(n)
	if n > p.At(0) { // one who comes at the first edge that is free goes on where the last left off
		p.free = uint64(n.Whole())
	}
	p.free += uint64(i)
	return at
}

// At returns the edge at which one who comes at edge n may go.
func (p *Pace) At(n Cycles) Cycles {
	return max(n, Cycles((p.free+uint64(PerCycle)-1)/uint64(PerCycle)))
}

// Hold keeps everybody from going before edge n.
func (p *Pace) Hold(n Cycles) { p.free = max(p.free, uint64(n.Whole())) }
