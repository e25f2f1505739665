package sim

import (
	"math/bits"
	"math/rand/v2"
)

// A Rand is a stream of random numbers. Equal seed and stream give equal
// numbers on every machine; there is no floating point in it.
type Rand struct {
	source rand.PCG
}

// NewRand returns the given stream of a seed. Streams are independent: give
// each user its own, so that one more draw here moves nothing there.
func NewRand(seed, stream uint64) *Rand {
	r := &Rand{}
	r.source.Seed(seed, stream)
	return r
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 { return r.source.Uint64() }

// Uint64N returns a number below n, each equally likely; n is at least 1.
func (r *Rand) Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("sim: random number below 0")
	}
	hi, lo := bits.Mul64(r.source.Uint64(), n)
	if lo < n { // Lemire: the few products that would favour some numbers
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(r.source.Uint64(), n)
		}
	}
	return hi
}

// IntN returns a number below n, each equally likely; n is at least 1.
func (r *Rand) IntN(n int) int { return int(r.Uint64N(uint64(n))) }

// Chance returns true in ppm of a million cases.
func (r *Rand) Chance(ppm uint32) bool { return r.Uint64N(1_000_000) < uint64(ppm) }

// Exponential returns a span drawn from the exponential distribution.
func (r *Rand) Exponential(mean Duration) Duration {
	hi, lo := bits.Mul64(negativeLog(r.source.Uint64()), uint64(mean))
	return Duration(hi<<(64-logBits) | lo>>logBits)
}

// logBits is the number of fraction bits of a logarithm: the largest, 64 ln 2,
// has 6 bits before the point.
const logBits = 56

// ln2 is the natural logarithm of 2 with logBits fraction bits.
const ln2 = 0xb17217f7d1cf79

// logTable holds ln(1 + i/256) with logBits fraction bits.
var logTable = buildLogTable()

// negativeLog returns -ln(u / 2^64) of a random u, with logBits fraction bits.
// Between two entries of the table it is read off a straight line.
func negativeLog(u uint64) uint64 {
	if u == 0 {
		u = 1
	}
	zeros := uint64(bits.LeadingZeros64(u))
	mantissa := u << zeros // 1.xxx
	i := mantissa << 1 >> 56
	part := mantissa << 9 >> 32 // the next 32 bits
	low, high := logTable[i], logTable[i+1]
	step, _ := bits.Mul64(high-low, part<<32)
	return (zeros+1)*ln2 - (low + step)
}

// buildLogTable takes each logarithm bit by bit: squaring doubles it, and when
// the square passes 2 the next bit is set.
func buildLogTable() (table [257]uint64) {
	for i := range 256 {
		x := uint64(256+i) << 55 // 1.63 fixed point
		var log2 uint64
		for range logBits + 4 {
			hi, lo := bits.Mul64(x, x) // 2.126
			log2 <<= 1
			if hi>>63 != 0 {
				log2 |= 1
				x = hi
			} else {
				x = hi<<1 | lo>>63
			}
		}
		hi, lo := bits.Mul64(log2, ln2)
		table[i] = hi<<(64-logBits-4) | lo>>(logBits+4)
	}
	table[256] = ln2
	return table
}
