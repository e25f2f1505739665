package run

import (
	"math/big"
	"slices"

	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// sizesOf returns sizes that a traffic has: all of a list, the least and the
// greatest of others. One that names none has 64 bytes.
func sizesOf(s *lang.Sizes) []sim.Bytes {
	switch {
	case s.Kind == lang.SizeCDF:
		least := s.Points[0].Size
		if s.Points[0].Share == 0 && !s.Stairs {
			least++
		}
		return []sim.Bytes{least, s.Points[len(s.Points)-1].Size}
	case len(s.Values) == 0:
		return []sim.Bytes{64}
	}
	return s.Values
}

// sizes reads how large requests are.
func (o *offer) sizes(s *lang.Sizes) {
	values := sizesOf(s)
	next := 0
	switch s.Kind {
	case lang.SizeFixed:
		o.size = func() uint64 { return uint64(values[0]) }
	case lang.SizeList:
		o.size = func() uint64 {
			next++
			return uint64(values[(next-1)%len(values)])
		}
	case lang.SizeUniform:
		grain := uint64(max(s.Step, 1))
		o.size = func() uint64 {
			return uint64(values[0]) + grain*o.rand.Uint64N((uint64(values[1])-uint64(values[0]))/grain+1)
		}
	case lang.SizeChoice:
		o.size = func() uint64 { return uint64(values[o.choose(s.Weights)]) }
	case lang.SizeCDF:
		o.size = func() uint64 { return inverse(s, 1+o.rand.Uint64N(lang.WholeShare)) }
	}
}

// choose draws an index by weights.
func (o *offer) choose(weights []uint64) int {
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	at := o.rand.Uint64N(max(1, total))
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return 0
}

// inverse returns the least size of a distribution of which a share u, at least
// 1, of all requests is no larger. Between two points it rises in a line, so
// that a point's share is exactly that of the sizes up to its own.
func inverse(s *lang.Sizes, u uint64) uint64 {
	i, _ := slices.BinarySearchFunc(s.Points, u, func(p lang.SizePoint, u uint64) int {
		if p.Share < u {
			return -1
		}
		return 1
	})
	p := s.Points[i]
	if i == 0 || s.Stairs {
		return uint64(p.Size)
	}
	below := s.Points[i-1]
	part, width := u-below.Share, p.Share-below.Share
	return uint64(below.Size) + mulCeil(uint64(p.Size-below.Size), part, width)
}

// mulCeil is a * part / width, rounded up; part is at most width.
func mulCeil(a, part, width uint64) uint64 {
	whole, rest := a/width, a%width
	return whole*part + (rest*part+width-1)/width // both factors are below WholeShare
}

// meanSize returns the mean of what requests of an opcode carry, as a fraction.
func meanSize(s *lang.Sizes, o ib.WROpcode) *big.Rat {
	if o == ib.WRAtomicFetchAndAdd || o == ib.WRAtomicCmpAndSwp {
		return big.NewRat(8, 1)
	}
	values := sizesOf(s)
	switch s.Kind {
	case lang.SizeUniform:
		grain := max(s.Step, 1)
		last := values[0] + (values[1]-values[0])/grain*grain
		return ratio(sum(values[0], last), 2)
	case lang.SizeChoice:
		return weighted(values, s.Weights)
	case lang.SizeCDF:
		return meanOf(s)
	case lang.SizeFixed, lang.SizeList:
	}
	return ratio(sum(values...), uint64(len(values)))
}

// meanOf returns the mean of a distribution: between two points that of the
// sizes above the first, up to the second.
func meanOf(s *lang.Sizes) *big.Rat {
	mean := new(big.Rat)
	below := lang.SizePoint{Size: s.Points[0].Size}
	for i, p := range s.Points {
		one := ratio(sum(p.Size), 1)
		if i > 0 && !s.Stairs && p.Size > below.Size {
			one = ratio(sum(below.Size, 1, p.Size), 2)
		}
		mean.Add(mean, one.Mul(one, ratio(sum(sim.Bytes(p.Share-below.Share)), lang.WholeShare)))
		below = p
	}
	return mean
}

func weighted(values []sim.Bytes, weights []uint64) *big.Rat {
	total, of := new(big.Int), new(big.Int)
	for i, w := range weights {
		weight := new(big.Int).SetUint64(w)
		of.Add(of, weight)
		total.Add(total, weight.Mul(weight, sum(values[i])))
	}
	return new(big.Rat).SetFrac(total, of)
}

func sum(values ...sim.Bytes) *big.Int {
	total := new(big.Int)
	for _, v := range values {
		total.Add(total, new(big.Int).SetUint64(uint64(v)))
	}
	return total
}

func ratio(n *big.Int, of uint64) *big.Rat {
	return new(big.Rat).SetFrac(n, new(big.Int).SetUint64(of))
}
