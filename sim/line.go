package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// NoCap is the Cap of a line that has its whole rate, in parts per million.
const NoCap = 1_000_000

// LineParams are the numbers of a line.
type LineParams struct {
	Rate  BitRate
	Cap   uint32   // share of Rate that can be had, parts per million; 0 means NoCap
	Delay Duration // from the last bit leaving to it arriving
	Depth int      // most values inside; at least 1
}

// A Line is a serialiser exact to the picosecond: a value of n bytes keeps the
// entrance for n bytes at the rate, and arrives Delay after its last bit left.
// The fraction of a picosecond is carried on, so a long stream has exactly the
// rate.
type Line struct {
	carrier
	delay Duration
	// A byte takes num/den picoseconds; the entrance is free at free + rest/den.
	num, den uint64
	whole    Bytes // fewer bytes than these, times num, and a rest, fit into a word
	free     Time
	rest     uint64
}

// NewLine returns an empty line. The sink is called when a value's last bit
// arrives and returns false when it cannot take it now.
func NewLine(e *Engine, name string, p LineParams, sink func(now Time, v uint32) bool) *Line {
	if p.Cap == 0 {
		p.Cap = NoCap
	}
	hi, rate := bits.Mul64(uint64(p.Rate), uint64(p.Cap))
	if rate == 0 || hi != 0 || p.Cap > NoCap {
		panic(fmt.Sprintf("sim: %s: rate %v with a cap of %d ppm", name, p.Rate, p.Cap))
	}
	l := &Line{delay: p.Delay, num: 8 * uint64(Second) * NoCap, den: rate}
	g := gcd(l.num, l.den)
	l.num, l.den = l.num/g, l.den/g
	l.whole = Bytes((math.MaxUint64 - min(l.den, math.MaxUint64-1)) / l.num)
	l.init(e, name, p.Depth, sink)
	return l
}

// Send puts v, of n bytes, on the line, or returns false when it is full.
func (l *Line) Send(now Time, v uint32, n Bytes) bool {
	f := l.admit()
	if f == nil {
		return false
	}
	// Whoever sends at Free, a fraction late, continues the stream.
	entered := l.Free()
	if now > entered {
		entered = now
		l.free, l.rest = now, 0
	}
	if n < l.whole {
		// What the division below comes to when product and quotient are one word.
		sum := uint64(n)*l.num + l.rest
		span := sum / l.den
		l.free, l.rest = l.free.Add(Duration(span)), sum-span*l.den
	} else {
		l.divide(now, n)
	}
	arrived := l.Free().Add(l.delay)
	f.value, f.sent, f.entered, f.arrived = v, now, entered, arrived
	l.depart(arrived)
	return true
}

// divide keeps the entrance for n bytes.
func (l *Line) divide(now Time, n Bytes) {
	hi, lo := bits.Mul64(uint64(n), l.num)
	lo, carry := bits.Add64(lo, l.rest, 0)
	if hi+carry >= l.den {
		panic(fmt.Sprintf("sim: %s at %v: %v takes longer than time lasts", l.name, now, n))
	}
	span, rest := bits.Div64(hi+carry, lo, l.den)
	l.free, l.rest = l.free.Add(Duration(span)), rest
}

// Free returns when the entrance is free, rounded up to a picosecond.
func (l *Line) Free() Time {
	if l.rest != 0 {
		return l.free + 1
	}
	return l.free
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
