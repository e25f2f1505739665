package run

import (
	"math"
	"testing"

	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

func distribution(stairs bool, points ...lang.SizePoint) *lang.Sizes {
	return &lang.Sizes{Kind: lang.SizeCDF, Points: points, Stairs: stairs}
}

var web = []lang.SizePoint{{Size: 0, Share: 0}, {Size: 10_000, Share: 150_000_000}, {Size: 20_000, Share: 150_000_000}, {Size: 20_000, Share: 400_000_000}, {Size: 30_000_000, Share: lang.WholeShare}}

// TestInverse: the share of sizes up to a point is its own, to the last part,
// and between two points it rises in a line.
func TestInverse(t *testing.T) {
	s := distribution(false, web...)
	for _, c := range []struct{ u, size uint64 }{
		{1, 1}, {75_000_000, 5000}, {150_000_000, 10_000}, {150_000_001, 20_000}, {400_000_000, 20_000},
		{700_000_000, 20_000 + 29_980_000/2}, {lang.WholeShare, 30_000_000},
	} {
		if got := inverse(s, c.u); got != c.size {
			t.Errorf("share %d: %d bytes, want %d", c.u, got, c.size)
		}
	}
	stairs := distribution(true, web...)
	for _, c := range []struct{ u, size uint64 }{{1, 10_000}, {150_000_001, 20_000}, {400_000_001, 30_000_000}} {
		if got := inverse(stairs, c.u); got != c.size {
			t.Errorf("in stairs, share %d: %d bytes, want %d", c.u, got, c.size)
		}
	}
	first := distribution(false, lang.SizePoint{Size: 64, Share: 500_000_000}, lang.SizePoint{Size: 128, Share: lang.WholeShare})
	if a, b := inverse(first, 1), inverse(first, 500_000_000); a != 64 || b != 64 {
		t.Errorf("below the first point %d and %d bytes", a, b)
	}
}

// TestDrawsOfSizes: what is drawn is distributed as the points say, by
// Kolmogorov and Smirnov, and has the mean that a rate is made of.
func TestDrawsOfSizes(t *testing.T) {
	s := distribution(false, web...)
	o := &offer{rand: sim.NewRand(7, 1)}
	o.sizes(s)
	const n = 200_000
	upTo := make([]int, len(web))
	sum := 0.0
	for range n {
		size := o.size()
		if size < 1 || size > 30_000_000 || size > 10_000 && size < 20_000 {
			t.Fatalf("%d bytes were drawn", size)
		}
		sum += float64(size)
		for i, p := range web {
			if size <= uint64(p.Size) {
				upTo[i]++
			}
		}
	}
	for i, p := range web {
		want := float64(p.Share) / lang.WholeShare
		if i+1 < len(web) && web[i+1].Size == p.Size {
			want = float64(web[i+1].Share) / lang.WholeShare
		}
		if got := float64(upTo[i]) / n; math.Abs(got-want) > 2/math.Sqrt(n) {
			t.Errorf("up to %v: %.4f of all, want %.4f", p.Size, got, want)
		}
	}
	mean, _ := meanSize(s, ib.WRRDMAWrite).Float64()
	if got := sum / n; math.Abs(got-mean) > 0.01*mean {
		t.Errorf("the mean is %.0f, want %.0f", got, mean)
	}
}
