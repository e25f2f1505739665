package report

import (
	"fmt"
	"math"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// A Spread is what perftest prints of latencies.
type Spread struct {
	Bytes, Iterations                          uint64
	Min, Max, Typical, Mean, StdDev, P99, P999 sim.Duration
}

// Head is the line above.
func (Spread) Head() string { return latencyHead }

// Row is the spread as perftest prints it.
func (x *Spread) Row() string {
	return fmt.Sprintf(latencyRow, x.Bytes, x.Iterations,
		usec(x.Min), usec(x.Max), usec(x.Typical), usec(x.Mean), usec(x.StdDev), usec(x.P99), usec(x.P999))
}

// tail is how many of the slowest rounds perftest leaves out: those in which a
// machine did something else, and here those that found nothing on chip.
const tail = 2

// TrimmedSpread is the spread of a traffic as perftest reckons it: without the
// two slowest, of which the faster is t_max, and percentiles by the rank behind.
// Of three or fewer there is nothing to leave out.
func TrimmedSpread(t *run.Traffic) Spread {
	x := Spread{Bytes: t.Bytes / max(1, t.Count), Iterations: t.Count, Min: t.Latency.Min()}
	n := t.Latency.Count()
	if n == 0 {
		return x
	}
	kept := n
	if n > tail+1 {
		kept -= tail
	}
	var s sorted
	t.Latency.Each(func(d sim.Duration, c uint64) { s = append(s, equals{d, c}) })
	behind := func(share float64) sim.Duration { return s.at(min(n-1, uint64(math.Ceil(float64(kept)*share)))) }
	x.Typical = (s.at((kept-1)/2) + s.at(kept/2)) / 2
	x.P99, x.P999, x.Max = behind(0.99), behind(0.999), behind(1)
	sum := float64(t.Latency.Mean()) * float64(n)
	for rank := kept; rank < n; rank++ {
		sum -= float64(s.at(rank))
	}
	mean := sum / float64(kept)
	x.Mean, x.StdDev = sim.Duration(mean), s.deviation(mean, kept)
	return x
}

// sorted are durations, shortest first, with how many there are of each.
type sorted []equals

type equals struct {
	d sim.Duration
	n uint64
}

// at returns the duration of a rank, from 0.
func (s sorted) at(rank uint64) sim.Duration {
	for _, e := range s {
		if rank < e.n {
			return e.d
		}
		rank -= e.n
	}
	panic("report: a rank behind all durations")
}

// deviation is the standard deviation of the first n from a mean.
func (s sorted) deviation(mean float64, n uint64) sim.Duration {
	squares, left := 0.0, n
	for _, e := range s {
		off := float64(e.d) - mean
		squares += off * off * float64(min(e.n, left))
		left -= min(e.n, left)
	}
	return sim.Duration(math.Sqrt(squares / float64(n)))
}

// A Band is what perftest prints of bandwidth. Rates are per second; those of
// a load without a peak, or of which none is wanted, are 0 there.
type Band struct {
	Bytes, Iterations uint64
	Peak, Average     float64 // bytes
	Messages          float64
}

// BandOf returns that of a traffic.
func BandOf(t *run.Traffic) Band {
	x := Band{Bytes: t.Bytes / max(1, t.Count), Iterations: t.Count}
	if p := t.Peak; p.Span > 0 {
		x.Peak = float64(x.Bytes) * float64(p.Requests) / (float64(p.Span) / float64(sim.Second))
	}
	if t.Elapsed > 0 {
		seconds := float64(t.Elapsed) / float64(sim.Second)
		x.Average, x.Messages = float64(t.Bytes)/seconds, float64(t.Count)/seconds
	}
	return x
}

// Head is the line above; with gbits rates are in Gb/s instead of MB/s, where a
// MB has 2^20 bytes.
func (Band) Head(gbits bool) string {
	if gbits {
		return fmt.Sprintf(bandHead, "Gb/sec")
	}
	return fmt.Sprintf(bandHead, "MB/sec")
}

// Row is the band as perftest prints it.
func (x Band) Row(gbits bool) string {
	unit := float64(1 << 20)
	if gbits {
		unit = 125e6
	}
	return fmt.Sprintf(bandRow, x.Bytes, x.Iterations,
		fmt.Sprintf("%.2f", x.Peak/unit), fmt.Sprintf("%.2f", x.Average/unit), fmt.Sprintf("%.6f", x.Messages/1e6))
}
