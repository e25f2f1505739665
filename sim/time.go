package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// A Time is an instant: picoseconds since the start of the run. It ends after
// 213 days.
type Time uint64

// A Duration is a span in picoseconds. It is never negative.
type Duration uint64

// The units of a Duration.
const (
	Picosecond  Duration = 1
	Nanosecond           = 1000 * Picosecond
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Never is the last instant there is. As a limit of Run it means "no limit".
const Never = Time(math.MaxUint64)

// Cycles counts edges of a clock. Only a Clock turns them into time.
type Cycles uint64

// Hertz is a frequency in whole Hz.
type Hertz uint64

// BitRate is a rate in bit/s.
type BitRate uint64

// Bytes is a size in bytes.
type Bytes uint64

// Add returns the instant d after t.
func (t Time) Add(d Duration) Time {
	sum := t + Time(d)
	if sum < t {
		panic(pastTheEnd{t, d})
	}
	return sum
}

// Sub returns the span from u to t; u must not be later.
func (t Time) Sub(u Time) Duration {
	if u > t {
		panic(backwards{u, t})
	}
	return Duration(t - u)
}

// What arithmetic panics with is put into words when it is printed: so the
// arithmetic itself is small enough to be part of its callers.
type (
	pastTheEnd struct {
		from Time
		by   Duration
	}
	backwards struct{ from, to Time }
)

func (p pastTheEnd) Error() string {
	return fmt.Sprintf("sim: %v after %v is past the end of time", p.by, p.from)
}

func (b backwards) Error() string {
	return fmt.Sprintf("sim: the span from %v to %v would be negative", b.from, b.to)
}

// Time returns how long n bytes take at rate r, rounded up to a picosecond. For
// a stream use a Line, which carries the fraction on and does not drift.
func (r BitRate) Time(n Bytes) Duration {
	if r == 0 {
		panic("sim: time of bytes at a rate of 0b/s")
	}
	hi, lo := bits.Mul64(uint64(n), 8*uint64(Second))
	lo, carry := bits.Add64(lo, uint64(r)-1, 0)
	hi += carry
	if hi >= uint64(r) {
		panic(fmt.Sprintf("sim: %v at %v takes longer than time lasts", n, r))
	}
	q, _ := bits.Div64(hi, lo, uint64(r))
	return Duration(q)
}
