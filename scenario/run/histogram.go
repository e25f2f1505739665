package run

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"

	"hcasim/sim"
)

// A Histogram holds durations with three digits, up to 100 s; the least, the
// greatest and the mean are exact. The zero Histogram is empty.
type Histogram struct {
	h        *hdrhistogram.Histogram
	least    sim.Duration
	greatest sim.Duration
	sum      uint64 // picoseconds: 213 days
}

const (
	histogramMax    = int64(100 * sim.Second)
	histogramDigits = 3
)

func (h *Histogram) init() {
	h.h = hdrhistogram.New(1, histogramMax, histogramDigits)
	h.least = sim.Duration(math.MaxUint64)
}

// Add books a duration.
func (h *Histogram) Add(d sim.Duration) {
	if h.h == nil {
		h.init()
	}
	_ = h.h.RecordValue(min(int64(d), histogramMax)) // the only error is a value out of range
	h.least, h.greatest = min(h.least, d), max(h.greatest, d)
	h.sum += uint64(d)
}

// Merge books all that another has.
func (h *Histogram) Merge(o *Histogram) {
	if o.h == nil {
		return
	}
	if h.h == nil {
		h.init()
	}
	h.h.Merge(o.h)
	h.least, h.greatest = min(h.least, o.least), max(h.greatest, o.greatest)
	h.sum += o.sum
}

// Count returns how many there are.
func (h *Histogram) Count() uint64 {
	if h.h == nil {
		return 0
	}
	return uint64(h.h.TotalCount())
}

// Quantile returns the duration that a share of all do not exceed, in parts
// per thousand. Buckets end beyond what they hold, but no quantile lies beyond
// the least and the greatest: one that all have is exact.
func (h *Histogram) Quantile(perMille uint64) sim.Duration { return h.AtBasis(10 * perMille) }

// AtBasis is Quantile in basis points, parts per ten thousand.
func (h *Histogram) AtBasis(points uint64) sim.Duration {
	if h.h == nil {
		return 0
	}
	return max(h.least, min(h.greatest, sim.Duration(h.h.ValueAtQuantile(float64(points)/100))))
}

// Each calls f with the durations that there are, shortest first, and how many
// there are of each. Those of one bucket are as long as Quantile says.
func (h *Histogram) Each(f func(d sim.Duration, n uint64)) {
	if h.h == nil {
		return
	}
	for _, bar := range h.h.Distribution() {
		if bar.Count > 0 {
			f(max(h.least, min(h.greatest, sim.Duration(bar.To))), uint64(bar.Count))
		}
	}
}

// Min returns the shortest.
func (h *Histogram) Min() sim.Duration {
	if h.h == nil {
		return 0
	}
	return h.least
}

// Max returns the longest.
func (h *Histogram) Max() sim.Duration {
	if h.h == nil {
		return 0
	}
	return h.greatest
}

// Mean returns the mean, rounded down to a picosecond.
func (h *Histogram) Mean() sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.sum / h.Count())
}

// StdDev returns the standard deviation, rounded down to a picosecond.
func (h *Histogram) StdDev() sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.h.StdDev())
}
