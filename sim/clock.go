package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// A Clock says when the edges of one frequency are. Edge 0 is at time 0. It is
// a value; two clocks of one frequency are the same clock.
type Clock struct {
	frequency Hertz
	period    uint64 // in ps when that is a whole number, else 0
	inverse   uint64 // floor((2^64 - 1) / period): a product is quicker than a division
	last      Cycles // the last edge before the end of time, when there is a period
}

// NewClock returns the clock of frequency f, 1 Hz to 1 THz.
func NewClock(f Hertz) Clock {
	if f == 0 || f > Hertz(Second) {
		panic(fmt.Sprintf("sim: a clock of %v has no edges a picosecond apart", f))
	}
	c := Clock{frequency: f}
	if uint64(Second)%uint64(f) == 0 {
		c.period = uint64(Second) / uint64(f)
		c.inverse = math.MaxUint64 / c.period
		c.last = Cycles(math.MaxUint64 / c.period)
	}
	return c
}

// Edge returns the instant of edge n, floor(n * 1e12 / f): computed from the
// number, so that a rounded period never adds up.
func (c Clock) Edge(n Cycles) Time {
	if n <= c.last {
		return Time(uint64(n) * c.period)
	}
	return c.uneven(n)
}

// uneven returns the instant of edge n of a clock without a whole period. No
// edge of another gets here unless it is past the end of time.
func (c Clock) uneven(n Cycles) Time {
	hi, lo := bits.Mul64(uint64(n), uint64(Second))
	if hi >= uint64(c.frequency) {
		panic(fmt.Sprintf("sim: edge %d of %v is past the end of time", n, c.frequency))
	}
	t, _ := bits.Div64(hi, lo, uint64(c.frequency))
	return Time(t)
}

// Next returns the number of the first edge at or after t.
func (c Clock) Next(t Time) Cycles {
	if c.period == 0 {
		return c.nextUneven(t)
	}
	// The product is the quotient or one less.
	n, _ := bits.Mul64(uint64(t), c.inverse)
	for rest := uint64(t) - n*c.period; rest > 0; rest -= min(rest, c.period) {
		n++
	}
	return Cycles(n)
}

func (c Clock) nextUneven(t Time) Cycles {
	// floor(x) >= t exactly when x >= t, so the first n is ceil(t * f / 1e12).
	hi, lo := bits.Mul64(uint64(t), uint64(c.frequency))
	lo, carry := bits.Add64(lo, uint64(Second)-1, 0)
	n, _ := bits.Div64(hi+carry, lo, uint64(Second))
	return Cycles(n)
}

// After returns the instant n edges after the first edge at or after t.
func (c Clock) After(t Time, n Cycles) Time { return c.Edge(c.Next(t) + n) }
