package sweep

import (
	"crypto/sha256"

	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// A Study is a question, the runs that answer it, and what is expected of the
// answer.
type Study struct {
	Name     string
	Question string
	About    string
	Axes     []*Axis // in order; in a grid the last varies fastest
	Repeat   int     // seeds of each row; at least 1
	Seed     uint64  // of all seeds
	Metrics  []*Metric
	Keep     string // summary, ops or everything
	Shards   int    // 0: the file does not say
	Short    bool   // this is its short form
	Plots    []Plot // the first is the picture of the answer
	Expect   []Expectation
	Sets     []string // of flags, over everything

	// Digests are those of all points, in their order: points of one digest are
	// one simulation. There are none with Options.Heads.
	Digests [][sha256.Size]byte

	rows   [][]*Value // in order, a value for each axis
	base   place
	set    []Setting
	source lang.Source
	texts  *texts
	seeded bool // points have the seed of their scenario
}

// A place is a scenario in a file.
type place struct {
	file string // "" for that of the study
	name string // of a case; "" for none
	pos  lang.Pos
}

// An Axis is what is varied.
type Axis struct {
	Pos   lang.Pos
	Name  string
	Label string // for pictures; Name if the file says none
	Unit  string // B, ns, bit/s, Hz of quantities; else what the file says
	// Words says that values are words, in the order of the file. Those of other
	// axes are numbers.
	Words bool
	// Log says that the numbers are as far apart as their ratios are: what lies
	// between two is half way at their geometric mean.
	Log    bool
	Values []*Value // each once, numbers in ascending order

	paths []path   // that plain values go to
	given []*Value // in the order of the file
	span  *span    // that a hypercube is drawn from; nil for values
}

// A path is where a value is set.
type path struct {
	text string
	pos  lang.Pos
}

// A Value is one place on an axis.
type Value struct {
	Text   string  // as the file has it: 4KiB, lru
	Number float64 // bytes, ns, bit/s, Hz or plain; of words their order, from 0

	settings []Setting
	base     place
}

// A Setting is a value that a point lays over its scenario.
type Setting struct {
	Path  string
	Value string   // YAML
	At    lang.Pos // of the value
	Name  lang.Pos // of the path
}

// A Metric is a number that is collected of each point.
type Metric struct {
	Name  string
	Label string
	Unit  string
	*figure.Metric
}

// A Plot is a picture of a study.
type Plot struct {
	Title      string
	X          *Axis
	Y          []*Metric
	By         []*Axis // a curve for each combination of their values
	Where      *figure.Condition
	LogX, LogY bool
}

// A Kind is what an Expectation says of a metric.
type Kind string

// The kinds of expectations.
const (
	Rises     Kind = "rises"
	Falls     Kind = "falls"
	Flat      Kind = "flat"
	Knee      Kind = "knee"
	Ratio     Kind = "ratio"
	Crossover Kind = "crossover"
	Holds     Kind = "holds"
)

// An Expectation is the direction of an answer. It must be true for every
// combination of the axes that it does not speak of.
type Expectation struct {
	Pos    lang.Pos
	Kind   Kind
	Metric *Metric           // nil for Holds
	Along  *Axis             // of rises, falls, flat, knee, crossover
	Where  *figure.Condition // rows that count; nil for all
	Slack  float64           // share that rises may fall back by, and falls rise
	Within float64           // share that flat may vary by
	Low    *figure.Condition // of knee and crossover: bounds of the place; nil for none
	High   *figure.Condition
	Bend   string   // of knee: up, down, or "" for either
	Of, To []Choice // of ratio and crossover: the two that are compared
	Least  *float64 // of ratio; of rises last over first, of falls first over last
	Most   *float64 // of ratio
	Exists bool     // of crossover
	Holds  *figure.Condition
}

// A Choice is one value of an axis.
type Choice struct {
	Axis  *Axis
	Value *Value
}

// axis finds an axis, nil for none.
func (s *Study) axis(name string) *Axis {
	for _, a := range s.Axes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// metric finds a metric, nil for none.
func (s *Study) metric(name string) *Metric {
	for _, m := range s.Metrics {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// axisNames returns the names of all axes.
func (s *Study) axisNames() (names []string) {
	for _, a := range s.Axes {
		names = append(names, a.Name)
	}
	return names
}

// metricNames returns the names of all metrics.
func (s *Study) metricNames() (names []string) {
	for _, m := range s.Metrics {
		names = append(names, m.Name)
	}
	return names
}

// Watched reports whether a run has to be watched for what is collected of it.
func (s *Study) Watched() bool {
	for _, m := range s.Metrics {
		if m.Watched() {
			return true
		}
	}
	return s.Keep != "summary"
}

// value finds a value of an axis by its text, nil for none.
func (a *Axis) value(text string) *Value {
	for _, v := range a.Values {
		if v.Text == text {
			return v
		}
	}
	return nil
}

// texts returns the texts of all values.
func (a *Axis) texts() (list []string) {
	for _, v := range a.Values {
		list = append(list, v.Text)
	}
	return list
}
