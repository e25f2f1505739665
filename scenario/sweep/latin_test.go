package sweep

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// TestLatin holds our hypercube to gonum's, number by number.
func TestLatin(t *testing.T) {
	for _, x := range []struct {
		n, dimensions int
		seed          uint64
	}{{1, 1, 0}, {7, 3, 1}, {64, 5, 2}, {1000, 2, 3}} {
		want := mat.NewDense(x.n, x.dimensions, nil)
		samplemv.LatinHypercube{Q: distmv.NewUnitUniform(x.dimensions, nil), Src: rand.NewPCG(x.seed, hypercubeStream)}.Sample(want)
		got := latin(x.n, x.dimensions, rand.New(rand.NewPCG(x.seed, hypercubeStream)))
		for i := range x.n {
			for k := range x.dimensions {
				if got[i][k] != want.At(i, k) {
					t.Fatalf("%+v: row %d, dimension %d is %v, gonum's %v", x, i, k, got[i][k], want.At(i, k))
				}
			}
		}
	}
}
