package run

import (
	"math"
	"testing"

	"hcasim/sim"
)

// TestPower compares the integer weights with floating point.
func TestPower(t *testing.T) {
	for _, theta := range []uint64{1, 500, 990, 1000, 2000} {
		for _, k := range []uint64{1, 2, 3, 7, 100, 4096, 4097, 65_537, 1 << 20} {
			want := math.Pow(float64(k), -float64(theta)/1000) * (1 << weightBits)
			got := float64(power(k, theta))
			if math.Abs(got-want) > want*1e-6+1 {
				t.Errorf("%d^-%d/1000: %.0f, want %.0f", k, theta, got, want)
			}
		}
	}
}

// TestZipfShares: ranks come as often as their weights say, and none is out of
// range.
func TestZipfShares(t *testing.T) {
	const n, draws = 100, 200_000
	z := newZipf(sim.NewRand(1, 1), n, 990)
	var got [n]float64
	for range draws {
		got[z.draw()]++
	}
	total := 0.0
	for k := range n {
		total += math.Pow(float64(k+1), -0.99)
	}
	for _, k := range []int{0, 1, 9, 99} {
		want := draws * math.Pow(float64(k+1), -0.99) / total
		if math.Abs(got[k]-want) > 5*math.Sqrt(want) {
			t.Errorf("rank %d came %.0f times, want about %.0f", k, got[k], want)
		}
	}
}

// TestZipfOfOne: one rank is always drawn.
func TestZipfOfOne(t *testing.T) {
	z := newZipf(sim.NewRand(7, 0), 1, 990)
	for range 10 {
		if k := z.draw(); k != 0 {
			t.Fatal(k)
		}
	}
}
