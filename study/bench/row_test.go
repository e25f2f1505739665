package bench

import (
	"math"
	"slices"
	"testing"
	"time"
)

// TestRow: figures are medians, the spread is of all samples.
func TestRow(t *testing.T) {
	s := spec{name: "r", op: "op"}
	var samples []cost
	for _, ns := range []time.Duration{300, 100, 200} {
		samples = append(samples, cost{work: work{ops: 10, events: 40, figures: []figure{{"misses", 5}}}, cpu: 10 * ns, allocs: 20, bytes: 640})
	}
	r := s.row(samples)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"ns/op", r.NsPerOp, 200}, {"op/s", r.OpsPerSecond, 5e6}, {"events/op", r.EventsPerOp, 4}, {"ns/event", r.NsPerEvent, 50},
		{"allocs/op", r.AllocsPerOp, 2}, {"B/op", r.BytesPerOp, 64}, {"spread", r.Spread, 1}, {"misses", r.Figures[0].PerOp, 0.5},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{{[]float64{7}, 7}, {[]float64{9, 1}, 5}, {[]float64{3, 1, 100}, 3}, {[]float64{4, 1, 3, 100}, 3.5}} {
		was := slices.Clone(c.of)
		if got := median(c.of); got != c.want || !slices.Equal(was, c.of) {
			t.Errorf("median of %v: %v, want %v", c.of, got, c.want)
		}
	}
}

// A shop has a set-up that allocates, and ops that allocate less.
type shop struct{ kept [][]byte }

func (s *shop) ops(n uint64) (work, error) {
	s.kept = [][]byte{make([]byte, 1<<20)}
	for range n {
		s.kept = append(s.kept[:1], make([]byte, 64))
	}
	return work{ops: n, events: 3*n + 1000, figures: []figure{{"sold", 2*n + 7}}}, nil
}

// TestSetUpCancels: what a short run has as well is not charged.
func TestSetUpCancels(t *testing.T) {
	s := spec{share: 10}
	c, err := s.sample(&shop{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if c.ops != 9000 || c.events != 3*9000 || c.figures[0].count != 2*9000 {
		t.Errorf("%d ops, %d events, %d sold; want 9000, 27000, 18000", c.ops, c.events, c.figures[0].count)
	}
	if o := c.sample(); math.Abs(o.BytesPerOp-64) > 1 || math.Abs(o.AllocsPerOp-1) > 0.02 {
		t.Errorf("%v B and %v allocations an op, want 64 and 1", o.BytesPerOp, o.AllocsPerOp)
	}
}

// TestExponent: of costs that are a power of n.
func TestExponent(t *testing.T) {
	for _, e := range []float64{1, 1.5, 2} {
		var points []Point
		for n := uint64(1000); n <= 10_000_000; n *= 10 {
			points = append(points, Point{N: n, NsPerUnit: 30 * math.Pow(float64(n), e-1)})
		}
		if got := exponent(points); math.Abs(got-e) > 1e-9 {
			t.Errorf("n^%v is taken for n^%v", e, got)
		}
	}
}
