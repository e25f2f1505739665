package run

import (
	"math/bits"
	"slices"

	"hcasim/sim"
)

// A zipf draws ranks from 0 on, rank k with a chance proportional to
// 1/(k+1)^theta. It has a table and no floating point: equal seeds give equal
// ranks on every machine.
type zipf struct {
	rand *sim.Rand
	upTo []uint64 // sums of the weights of ranks 0 to k
}

// mostZipf bounds the ranks of a table, and with that its memory.
const mostZipf = 1 << 20

// newZipf makes the table for n ranks and a theta in thousandths.
func newZipf(rand *sim.Rand, n, theta uint64) *zipf {
	z := &zipf{rand: rand, upTo: make([]uint64, n)}
	sum := uint64(0)
	for k := range n {
		sum += power(k+1, theta)
		z.upTo[k] = sum
	}
	return z
}

// draw returns a rank.
func (z *zipf) draw() uint64 {
	u := z.rand.Uint64N(z.upTo[len(z.upTo)-1])
	i, found := slices.BinarySearch(z.upTo, u)
	if found { // the sum up to i is not above u
		i++
	}
	return uint64(i)
}

// weightBits is the number of fraction bits of a weight: a million of them
// stay below 2^64.
const weightBits = 42

// power returns k^(-theta/1000) with weightBits fraction bits, at least 1.
func power(k, theta uint64) uint64 {
	x := log2(k) * theta / 1000 // 32 fraction bits
	whole, part := x>>32, x&(1<<32-1)
	i := part >> 20
	low, high := exp2Table[i], exp2Table[i+1]
	w := low - uint64(part&(1<<20-1))*(low-high)>>20
	return max(1, w>>min(whole, 63))
}

// log2 returns the logarithm of k with 32 fraction bits, read off a straight
// line between two entries of the table.
func log2(k uint64) uint64 {
	whole := uint64(bits.Len64(k) - 1)
	part := k << (63 - whole) << 1 >> 32 // 32 bits behind the point
	i := part >> 20
	low, high := log2Table[i], log2Table[i+1]
	return whole<<32 + low + (part&(1<<20-1))*(high-low)>>20
}

// log2Table holds log2(1 + i/4096) with 32 fraction bits, exp2Table 2^(-i/4096)
// with weightBits.
var log2Table, exp2Table = buildTables()

func buildTables() (log, exp [4097]uint64) {
	for i := range 4096 {
		x := uint64(4096+i) << 51 // 1.63 fixed point
		for range 32 {            // squaring doubles the logarithm: its next bit is whether 2 is passed
			hi, lo := bits.Mul64(x, x)
			log[i] <<= 1
			if hi>>63 != 0 {
				log[i] |= 1
				x = hi
			} else {
				x = hi<<1 | lo>>63
			}
		}
	}
	log[4096] = 1 << 32
	root := uint64(1) << 62 // 1/2 with 63 fraction bits, and twelve times its square root
	for range 12 {
		root = squareRoot(root)
	}
	x := uint64(1) << 63
	for i := range exp {
		exp[i] = x >> (63 - weightBits)
		x, _ = bits.Mul64(x, root<<1)
	}
	return log, exp
}

// squareRoot returns the root of x, both with 63 fraction bits.
func squareRoot(x uint64) (root uint64) {
	for bit := uint64(1) << 63; bit > 0; bit >>= 1 {
		try := root | bit
		hi, lo := bits.Mul64(try, try)
		if hi < x>>1 || hi == x>>1 && lo <= x<<63 {
			root = try
		}
	}
	return root
}
