package run

import (
	"encoding/json"
	"errors"

	"hcasim/sim"
)

// A histogramDoc is a histogram as text: every bar by its least duration and
// how many are in it, so that one that is read is the one that was written.
type histogramDoc struct {
	Count uint64      `json:"count"`
	Min   uint64      `json:"min_ps"`
	Max   uint64      `json:"max_ps"`
	Sum   uint64      `json:"sum_ps"`
	Bars  [][2]uint64 `json:"bars"`
}

// MarshalJSON writes the histogram: its bars as pairs of picoseconds and count,
// shortest first.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	d := histogramDoc{Count: h.Count(), Min: uint64(h.Min()), Max: uint64(h.greatest), Sum: h.sum, Bars: [][2]uint64{}}
	if h.h != nil {
		for _, b := range h.h.Distribution() {
			if b.Count > 0 {
				d.Bars = append(d.Bars, [2]uint64{uint64(b.From), uint64(b.Count)})
			}
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Histogram) UnmarshalJSON(text []byte) error {
	var d histogramDoc
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	*h = Histogram{}
	if d.Count == 0 {
		return nil
	}
	h.init()
	for _, b := range d.Bars {
		if b[0] > uint64(histogramMax) || b[1] > d.Count {
			return errors.New("a bar of a histogram is out of range")
		}
		_ = h.h.RecordValues(int64(b[0]), int64(b[1])) // in range
	}
	if h.Count() != d.Count || d.Min > d.Max {
		return errors.New("the bars of a histogram are not as many as they should be")
	}
	h.least, h.greatest, h.sum = sim.Duration(d.Min), sim.Duration(d.Max), d.Sum
	return nil
}
