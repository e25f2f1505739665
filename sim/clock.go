package sim

import (
	"fmt"
	"math/bits"
)

// A Clock says when the edges of one frequency are. Edge 0 is at time 0. It is
// a value; two clocks of one frequency are the same clock.
type Clock struct {
	frequency Hertz
	period    uint64 // in ps when that is a whole number, else 0
}

// NewClock returns the clock of frequency f, 1 Hz to 1 THz.
func NewClock(f Hertz) Clock {
	if f == 0 || f > Hertz(Second) {
		panic(fmt.Sprintf("sim: a clock of %v has no edges a picosecond apart", f))
	}
	c := Clock{frequency: f}
	if uint64(Second)%uint64(f) == 0 {
		c.period = uint64(Second) / uint64(f)
	}
	return c
}

// Frequency returns the frequency the clock was made for.
func (c Clock) Frequency() Hertz { return c.frequency }

// Edge returns the instant of edge n, floor(n * 1e12 / f): computed from the
// number, so that a rounded period never adds up.
func (c Clock) Edge(n Cycles) Time {
	if c.period != 0 {
		hi, t := bits.Mul64(uint64(n), c.period)
		if hi != 0 {
			panic(fmt.Sprintf("sim: edge %d of %v is past the end of time", n, c.frequency))
		}
		return Time(t)
	}
	hi, lo := bits.Mul64(uint64(n), uint64(Second))
	if hi >= uint64(c.frequency) {
		panic(fmt.Sprintf("sim: edge %d of %v is past the end of time", n, c.frequency))
	}
	t, _ := bits.Div64(hi, lo, uint64(c.frequency))
	return Time(t)
}

// Next returns the number of the first edge at or after t.
func (c Clock) Next(t Time) Cycles {
	if t == 0 {
		return 0
	}
	if c.period != 0 {
		return Cycles((uint64(t)-1)/c.period + 1)
	}
	// floor(x) >= t exactly when x >= t, so the first n is ceil(t * f / 1e12).
	hi, lo := bits.Mul64(uint64(t), uint64(c.frequency))
	lo, carry := bits.Add64(lo, uint64(Second)-1, 0)
	n, _ := bits.Div64(hi+carry, lo, uint64(Second))
	return Cycles(n)
}

// After returns the instant n edges after the first edge at or after t.
func (c Clock) After(t Time, n Cycles) Time { return c.Edge(c.Next(t) + n) }
