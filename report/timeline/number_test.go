package timeline

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestNumber: a reader that multiplies a double by a thousand and cuts has the
// nanoseconds that were meant, up to a day of them.
func TestNumber(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(300_000) {
		ns := i
		if i > 100_000 {
			ns = random.Uint64N(86_400_000_000_000 >> (i % 40))
		}
		for tenths := uint64(1); tenths <= 2; tenths++ {
			c := chrome{}
			c.number(ns, tenths)
			us, err := strconv.ParseFloat(string(c.line), 64)
			if err != nil || uint64(us*1000) != ns {
				t.Fatalf("%d ns are written as %s, read as %d: %v", ns, c.line, uint64(us*1000), err)
			}
		}
	}
}
