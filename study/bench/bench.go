package bench

import (
	"fmt"
	"regexp"
	"strings"
)

// Options say what is measured, and for how long.
type Options struct {
	Quick bool
	Only  *regexp.Regexp // rows by name; nil: all
	Count int            // samples of each row; 0: 5, quick 3
	Scale bool           // how cost grows, in the place of the rows
}

// A Report is what was measured.
type Report struct {
	Machine  Machine
	Quick    bool
	Count    int
	Rows     []*Row
	Watching *Watching // nil: was not asked for
	Growths  []*Growth
	OwnPeaks bool // PeakRSS is of each row, not of the process so far
}

// Measure measures what o asks for.
func Measure(o Options) (*Report, error) {
	r := &Report{Machine: machine(), Quick: o.Quick, Count: o.count(), OwnPeaks: resetPeak()}
	if o.Scale {
		return r.growths(&o)
	}
	found := false
	for _, s := range rows() {
		if !o.wants(s.name) {
			continue
		}
		found = true
		row, err := s.measured(o.length(s.long, s.quick), o.count())
		if err != nil {
			return nil, err
		}
		r.Rows = append(r.Rows, row)
	}
	if o.wants(watchName) {
		found = true
		w, err := watching(o.length(20_000, 3_000))
		if err != nil {
			return nil, err
		}
		r.Watching = w
	}
	if !found {
		return nil, fmt.Errorf("--run %s: no row is called so; there are %s", o.Only, strings.Join(Names(), ", "))
	}
	return r, nil
}

// Names are the names of all rows.
func Names() (names []string) {
	for _, s := range rows() {
		names = append(names, s.name)
	}
	return append(names, watchName)
}

func (o *Options) wants(name string) bool { return o.Only == nil || o.Only.MatchString(name) }

func (o *Options) count() int {
	switch {
	case o.Count > 0:
		return o.Count
	case o.Quick:
		return 3
	}
	return 5
}

func (o *Options) length(long, quick uint64) uint64 {
	if o.Quick {
		return quick
	}
	return long
}

// measured takes the samples of a row, each of n ops, and by turns those of its
// yardsticks. The peak of memory is that of the row alone: the yardsticks come
// into the world after the first sample.
func (s *spec) measured(n uint64, count int) (*Row, error) {
	resetPeak()
	own, err := s.start()
	if err != nil {
		return nil, err
	}
	if s.share > 0 { // what the program does once is no part of any sample
		if _, err := own.ops(max(1, n/s.share)); err != nil {
			return nil, err
		}
	}
	first, err := s.sample(own, n)
	if err != nil {
		return nil, err
	}
	most := peak()
	heap, err := begin(s.heap)
	if err != nil {
		return nil, err
	}
	ring, err := begin(s.ring)
	if err != nil {
		return nil, err
	}
	samples, onHeap, onRing := []cost{first}, []float64(nil), []float64(nil)
	for i := range count {
		if i > 0 {
			c, err := s.sample(own, n)
			if err != nil {
				return nil, err
			}
			samples = append(samples, c)
		}
		ours := &samples[i]
		if err := ratio(&onHeap, ours, heap, n); err != nil {
			return nil, err
		}
		if err := ratio(&onRing, ours, ring, n); err != nil {
			return nil, err
		}
	}
	r := s.row(samples)
	r.PeakRSS = most
	if heap != nil {
		r.HeapRatio, r.RingRatio = median(onHeap), median(onRing)
	}
	return r, nil
}

// begin starts a yardstick, if there is one.
func begin(start func() (load, error)) (load, error) {
	if start == nil {
		return nil, nil
	}
	return start()
}

// ratio measures a yardstick, if there is one, and adds how much longer ours
// took.
func ratio(to *[]float64, ours *cost, yardstick load, n uint64) error {
	if yardstick == nil {
		return nil
	}
	c, err := measure(yardstick, n)
	if err != nil {
		return err
	}
	*to = append(*to, float64(ours.cpu)/float64(max(1, c.cpu)))
	return nil
}
