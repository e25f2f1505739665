package bench

import (
	"cmp"
	"slices"
	"time"
)

// A load is something to be measured.
type load interface {
	// ops does n ops from where it stands and returns what they came to.
	ops(n uint64) (work, error)
}

// A work is what some ops came to, without what they cost.
type work struct {
	ops, events uint64
	figures     []figure // of the run; in every run the same, in the same order
}

// A figure is a count that belongs to a row.
type figure struct {
	name  string
	count uint64
}

// A spec is a row that can be measured.
type spec struct {
	name  string
	about string
	op    string               // what an op is
	long  uint64               // ops of a sample
	quick uint64               // the same with --quick
	share uint64               // a short run has one op in so many; 0: there is none
	start func() (load, error) // makes it ready, unmeasured
	heap  func() (load, error) // the same on the heap, nil: there is none
	ring  func() (load, error) // the same on the ring
}

// A Row is what was measured of one load. Figures of time are medians over the
// samples.
type Row struct {
	Name  string
	About string
	Op    string // what an op is
	Ops   uint64 // in a sample

	OpsPerSecond float64 // of the processor
	NsPerOp      float64 // of the processor
	EventsPerOp  float64
	NsPerEvent   float64
	AllocsPerOp  float64
	BytesPerOp   float64
	PeakRSS      uint64  // bytes
	Spread       float64 // of NsPerOp, from the least to the largest, as a share of the median
	HeapRatio    float64 // NsPerOp over that on a plain 4-ary heap; 0: there is none
	RingRatio    float64 // the same of a ring without order
	Figures      []Figure
	Samples      []Sample
}

// A Figure is a count of a scenario's run, per op.
type Figure struct {
	Name  string
	PerOp float64
}

// A Sample is one measurement.
type Sample struct {
	Ops                                           uint64
	NsPerOp, EventsPerOp, AllocsPerOp, BytesPerOp float64
}

// row makes a row of its samples.
func (s *spec) row(samples []cost) *Row {
	r := &Row{Name: s.name, About: s.about, Op: s.op, Ops: samples[0].ops}
	for i := range samples {
		r.Samples = append(r.Samples, samples[i].sample())
	}
	of := func(value func(*Sample) float64) []float64 {
		values := make([]float64, len(r.Samples))
		for i := range r.Samples {
			values[i] = value(&r.Samples[i])
		}
		return values
	}
	ns := of(func(s *Sample) float64 { return s.NsPerOp })
	r.NsPerOp = median(ns)
	r.OpsPerSecond = float64(time.Second) / r.NsPerOp
	r.EventsPerOp = median(of(func(s *Sample) float64 { return s.EventsPerOp }))
	r.NsPerEvent = r.NsPerOp / r.EventsPerOp
	r.AllocsPerOp = median(of(func(s *Sample) float64 { return s.AllocsPerOp }))
	r.BytesPerOp = median(of(func(s *Sample) float64 { return s.BytesPerOp }))
	r.Spread = (slices.Max(ns) - slices.Min(ns)) / r.NsPerOp
	for _, f := range samples[0].figures {
		r.Figures = append(r.Figures, Figure{f.name, float64(f.count) / float64(r.Ops)})
	}
	return r
}

// median is the middle of some values, or between the two that are.
func median(values []float64) float64 {
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare)
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
