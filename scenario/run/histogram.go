package run

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"hcasim/sim"
)

// A Histogram holds durations with three digits, up to 100 s. The zero
// Histogram is empty.
type Histogram struct{ h *hdrhistogram.Histogram }

const (
	histogramMax    = int64(100 * sim.Second)
	histogramDigits = 3
)

// Add books a duration.
func (h *Histogram) Add(d sim.Duration) {
	if h.h == nil {
		h.h = hdrhistogram.New(1, histogramMax, histogramDigits)
	}
	_ = h.h.RecordValue(min(int64(d), histogramMax)) // the only error is a value out of range
}

// Merge books all that another has.
func (h *Histogram) Merge(o *Histogram) {
	if o.h == nil {
		return
	}
	if h.h == nil {
		h.h = hdrhistogram.New(1, histogramMax, histogramDigits)
	}
	h.h.Merge(o.h)
}

// Count returns how many there are.
func (h *Histogram) Count() uint64 {
	if h.h == nil {
		return 0
	}
	return uint64(h.h.TotalCount())
}

// Quantile returns the duration that a share of all do not exceed, in parts
// per thousand.
func (h *Histogram) Quantile(perMille uint64) sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.h.ValueAtQuantile(float64(perMille) / 10))
}

// Min returns the shortest.
func (h *Histogram) Min() sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.h.Min())
}

// Max returns the longest.
func (h *Histogram) Max() sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.h.Max())
}

// Mean returns the mean, rounded down to a picosecond.
func (h *Histogram) Mean() sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.h.Mean())
}

// StdDev returns the standard deviation, rounded down to a picosecond.
func (h *Histogram) StdDev() sim.Duration {
	if h.h == nil {
		return 0
	}
	return sim.Duration(h.h.StdDev())
}
