package beside

import (
	"math"

	"golang.org/x/sync/errgroup"

	"hcasim/study/perf"
	"hcasim/study/perf/log"
)

// A Comparison is a log beside what was simulated for it.
type Comparison struct {
	*plan
	Rows      []Row
	tolerance float64
}

// A Row is one size.
type Row struct {
	Bytes      uint64
	Line       int    // of the log
	Iterations uint64 // simulated, of all queue pairs
	Figures    []Figure
	Failed     string // why nothing was simulated; "" when something was
	Stopped    bool   // the model stopped itself
}

// A Figure is what both have.
type Figure struct {
	Name, Unit string
	Digits     int
	Log, Ours  float64
	Known      bool // by the log
}

// difference is by how many percent ours is more than the log's.
func (f *Figure) difference() float64 {
	if f.Log == f.Ours {
		return 0
	}
	return 100 * (f.Ours - f.Log) / f.Log
}

// Beside simulates what the logs measured. Logs and rows keep their order,
// whatever the number of workers. progress is told how many rows of all are
// done, one call after another; it may be nil.
func Beside(logs []log.Log, q Question, progress func(done, all int)) ([]*Comparison, error) {
	var list []*Comparison
	all := 0
	for i := range logs {
		p, err := newPlan(&logs[i], &q)
		if err != nil {
			return nil, err
		}
		list = append(list, &Comparison{plan: p, Rows: make([]Row, len(p.experiments)), tolerance: q.Tolerance})
		all += len(p.experiments)
	}
	done := make(chan struct{})
	told := make(chan struct{})
	go func() {
		defer close(told)
		n := 0
		for range done {
			if n++; progress != nil {
				progress(n, all)
			}
		}
	}()
	var group errgroup.Group
	group.SetLimit(max(1, q.Workers))
	for _, c := range list {
		for i := len(c.experiments) - 1; i >= 0; i-- { // the largest take longest
			group.Go(func() error {
				defer func() { done <- struct{}{} }()
				return c.simulate(i)
			})
		}
	}
	err := group.Wait()
	close(done)
	<-told
	return list, err
}

// simulate fills a row.
func (c *Comparison) simulate(i int) error {
	x, r := c.experiments[i], &c.log.Rows[i]
	rows, err := x.Run(perf.Do{Workers: 1})
	if err != nil {
		return err
	}
	c.Rows[i] = Row{Bytes: r.Bytes, Line: r.Line, Iterations: x.Iterations * uint64(x.QPs), Failed: rows[0].Failed, Stopped: rows[0].Stopped}
	if rows[0].Failed == "" {
		c.Rows[i].Figures = c.figures(r, &rows[0])
	}
	return nil
}

// figures are those that are compared of a size.
func (c *Comparison) figures(r *log.Row, ours *perf.Row) (list []Figure) {
	add := func(q log.Quantity, name, unit string, digits int, v float64) {
		f := Figure{Name: name, Unit: unit, Digits: digits, Ours: v}
		f.Log, f.Known = r.Value(q)
		f.Known = f.Known && f.Log > 0
		list = append(list, f)
	}
	if !c.log.Latency {
		unit, name := float64(1<<20), "MB/s"
		if c.log.Gbits {
			unit, name = 125e6, "Gb/s"
		}
		add(log.Average, "BW average", name, 2, ours.Band.Average/unit)
		add(log.Messages, "MsgRate", "Mpps", 6, ours.Band.Messages/1e6)
		return list
	}
	s := &ours.Spread
	us := func(picoseconds uint64) float64 { return float64(picoseconds) / 1e6 }
	add(log.Typical, "t_typical", "usec", 2, us(uint64(s.Typical)))
	add(log.Mean, "t_avg", "usec", 2, us(uint64(s.Mean)))
	add(log.P99, "99%", "usec", 2, us(uint64(s.P99)))
	return list
}

// beyond reports whether a figure differs by more than it may.
func (c *Comparison) beyond(f *Figure) bool {
	return f.Known && c.tolerance >= 0 && math.Abs(f.difference()) > c.tolerance
}

// count returns how many figures are compared, and how many differ by more than
// they may; worst is the one that differs most.
func (c *Comparison) count() (all, beyond int, worst *Figure, of *Row) {
	for i := range c.Rows {
		for k := range c.Rows[i].Figures {
			f := &c.Rows[i].Figures[k]
			if !f.Known {
				continue
			}
			all++
			if c.beyond(f) {
				beyond++
			}
			if worst == nil || math.Abs(f.difference()) > math.Abs(worst.difference()) {
				worst, of = f, &c.Rows[i]
			}
		}
	}
	return all, beyond, worst, of
}

// Within reports whether all figures are within the tolerance.
func (c *Comparison) Within() bool {
	_, beyond, _, _ := c.count()
	return beyond == 0
}
