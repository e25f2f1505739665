package sweep

import (
	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// A Table is what came of a sweep: every point, rows of them averaged over
// their seeds, and the answer.
type Table struct {
	Study  *sweep.Study
	Plan   *Plan
	Points []PointRow // by index
	Rows   []Row      // in the order of the study
	Answer []Verdict  // of each expectation
}

// A PointRow is one point.
type PointRow struct {
	Row, Repeat int
	Seed        uint64
	Values      []float64 // of each metric
	Known       []bool    // that there is one
	Failures    []string  // what is wrong with it
}

// A Row is what the points of all seeds have in common.
type Row struct {
	Index     int
	Values    []*sweep.Value // of each axis
	Failed    int            // points that are left out of the cells
	Cells     []Cell         // of each metric
	Latencies []Latency      // by kind of request, sorted
}

// A Cell is a metric over the seeds of a row.
type Cell struct {
	Known    bool    // there is a value: not all points failed
	Value    float64 // the mean; of a figure of latencies, that of all requests of all seeds
	Min, Max float64 // of single seeds
}

// A Latency is what the requests of one kind took, those of all seeds of a row
// together. Times are in ns.
type Latency struct {
	Kind      string
	Count     uint64
	Min, Max  float64
	Mean      float64
	Quantiles []float64 // at Shares
}

// shares are where the quantiles of a Latency lie, in parts per thousand.
var shares = []uint64{10, 50, 100, 250, 500, 750, 900, 950, 990, 999}

// failed returns how many points there is something wrong with.
func (t *Table) failed() (n int) {
	for i := range t.Points {
		if len(t.Points[i].Failures) > 0 {
			n++
		}
	}
	return n
}

// Holds reports whether no point failed and everything is as expected.
func (t *Table) Holds() bool {
	for i := range t.Answer {
		if !t.Answer[i].OK {
			return false
		}
	}
	return t.failed() == 0
}

// metric returns the column of a metric, -1 for none.
func (t *Table) metric(m *sweep.Metric) int {
	for i, o := range t.Study.Metrics {
		if o == m {
			return i
		}
	}
	return -1
}

// axis returns the column of an axis, -1 for none.
func (t *Table) axis(a *sweep.Axis) int {
	for i, o := range t.Study.Axes {
		if o == a {
			return i
		}
	}
	return -1
}

// env is what expressions over a row may name: its axes, and its metrics.
func (t *Table) env(r *Row) figure.Figures {
	list := t.Study.Named(r.Values)
	for i, c := range r.Cells {
		if c.Known {
			list = append(list, figure.Value{Name: t.Study.Metrics[i].Name, Number: c.Value})
		}
	}
	return figure.Env(list...)
}
