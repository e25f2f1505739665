package report

import (
	"strings"
	"testing"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// TestRowsAreThoseOfPerftest: byte by byte what perftest 6 prints of the same
// figures, tabs included.
func TestRowsAreThoseOfPerftest(t *testing.T) {
	us := func(hundredths uint64) sim.Duration { return sim.Duration(hundredths) * 10 * sim.Nanosecond }
	s := Spread{2, 1000, us(83), us(211), us(86), us(88), us(6), us(102), us(205)}
	if want := " 2       1000          0.83           2.11         0.86     \t       0.88        \t0.06   \t\t1.02    \t\t2.05   "; s.Row() != want {
		t.Errorf("a row of latencies is\n%q, want\n%q", s.Row(), want)
	}
	b := Band{65536, 5000, 11_513.78 * (1 << 20), 11_509.59 * (1 << 20), 184_153}
	if want := " 65536      5000             11513.78            11509.59\t\t   0.184153"; b.Row(false) != want {
		t.Errorf("a row of bandwidth is\n%q, want\n%q", b.Row(false), want)
	}
	if want := " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"; b.Head(true) != want {
		t.Errorf("the head is %q", b.Head(true))
	}
	if got := b.Row(true); !strings.Contains(got, " 96.55  \t") {
		t.Errorf("in Gb/s the row is %q", got)
	}
}

// TestTrimmedSpread: the two slowest are left out, of all but t_max, which is
// the faster of them.
func TestTrimmedSpread(t *testing.T) {
	x := run.Traffic{Count: 10, Bytes: 640}
	for _, d := range []sim.Duration{2000, 1000, 1000, 1000, 1000, 1000, 1000, 2000, 9000, 7000} {
		x.Latency.Add(d)
	}
	got := TrimmedSpread(&x)
	want := Spread{Bytes: 64, Iterations: 10, Min: 1000, Max: 7000, Typical: 1000, Mean: 1250, StdDev: 433, P99: 7000, P999: 7000}
	near := func(a, b sim.Duration) bool { return a >= b-b/500 && a <= b+b/500 }
	if got.Bytes != want.Bytes || got.Iterations != 10 || got.Min != 1000 || !near(got.Max, want.Max) || !near(got.Typical, want.Typical) ||
		!near(got.Mean, want.Mean) || !near(got.StdDev, want.StdDev) || !near(got.P99, want.P99) || !near(got.P999, want.P999) {
		t.Errorf("the spread is\n%+v, want\n%+v", got, want)
	}
	for n := range 5 {
		var few run.Traffic
		for i := range n {
			few.Latency.Add(sim.Duration(100 * (i + 1)))
		}
		if got := TrimmedSpread(&few); n > 0 && (got.Min != 100 || got.Max < got.Typical) {
			t.Errorf("of %d: %+v", n, got)
		}
	}
}
