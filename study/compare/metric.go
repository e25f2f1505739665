package compare

import (
	"fmt"
	"regexp"
	"strconv"

	"hcasim/scenario/run"
)

// A Direction says which way a metric gets worse.
type Direction int8

// The directions.
const (
	Neither Direction = iota
	More              // is worse: latencies, misses, stalls
	Less              // is worse: rates, hit rates
)

// String returns the direction as JSON has it.
func (d Direction) String() string { return [...]string{"", "more is worse", "less is worse"}[d] }

// A metric is a figure of one side. Values of several seeds stand in their
// order; of a run there is one.
type metric struct {
	name   string
	unit   string // ps, ns, B, 1/s, bit/s, ratio, or none
	worse  Direction
	values []float64
}

// metrics are those of a side, in order.
type metrics struct {
	order []string
	of    map[string]*metric
}

func newMetrics() *metrics { return &metrics{of: map[string]*metric{}} }

func (m *metrics) put(name, unit string, worse Direction, value float64) {
	x := m.of[name]
	if x == nil {
		x = &metric{name: name, unit: unit, worse: worse}
		m.of[name] = x
		m.order = append(m.order, name)
	}
	x.values = append(x.values, value)
}

// metricsOf returns those of a run: latencies, rates, figures.
func metricsOf(d *runDoc) *metrics {
	m := newMetrics()
	taken := map[string]bool{}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		word := wordOf(k.Request)
		taken[word] = true
		if k.Latency != nil {
			m.spread(word, k.Latency)
		}
		m.put(word+".count", "", Neither, float64(k.Count))
		m.put(word+".failed", "", More, float64(k.Failed))
		m.put(word+".pending", "", More, float64(k.Pending))
	}
	for i := range d.Traffic {
		t := &d.Traffic[i]
		word := wordOf(t.Request)
		if taken[word] { // requests one by one, or a load before
			word = fmt.Sprintf("step%d.%s", t.Step, word)
		}
		taken[word] = true
		m.load(word, t)
	}
	m.stats(d.Stats)
	return m
}

// wordOf is what figures call a request.
func wordOf(request string) string {
	if word := run.KindOf(request); word != "" {
		return word
	}
	return request
}

func (m *metrics) spread(word string, s *spreadDoc) {
	for _, x := range []struct {
		name  string
		value uint64
	}{{"p50", s.P50}, {"p99", s.P99}, {"p999", s.P999}, {"min", s.Min}, {"max", s.Max}} {
		m.put(word+"."+x.name, "ps", More, float64(x.value))
	}
}

func (m *metrics) load(word string, t *trafficDoc) {
	m.spread(word, &t.Latency)
	m.put(word+".mean", "ps", More, float64(t.Mean))
	if t.Elapsed > 0 {
		seconds := float64(t.Elapsed) / 1e12
		m.put(word+".rate", "1/s", Less, float64(t.Count)/seconds)
		m.put(word+".bandwidth", "bit/s", Less, 8*float64(t.Bytes)/seconds)
	}
	m.put(word+".count", "", Neither, float64(t.Count))
	m.put(word+".failed", "", More, float64(t.Failed))
}

// stats takes the figures of a run, but for those that the requests had.
func (m *metrics) stats(list []statDoc) {
	for _, s := range list {
		if v, err := strconv.ParseFloat(s.Value, 64); err == nil && m.of[s.Name] == nil {
			m.put(s.Name, s.Unit, directionOf(s.Name), v)
		}
	}
}

// What the name of a figure says of its direction. Hits are judged by their
// rate; busy links and packets are neither good nor bad by themselves.
var (
	moreIsWorse = regexp.MustCompile(`(^|[._])(stall(s|ed)?([._].*)?|(ps|ns|us|ms)_per_\w+|` +
		`(miss(es)?|fail(ed|ures)?|retr(y|ies)|rnr|dropped|drops|stale_granted|exposure_max|latency|` +
		`p\d+|mean|median|max|min|t_\w+)(_(rate|per_op|ps|ns|us|ms|s|share))*)$`)
	lessIsWorse = regexp.MustCompile(`(^|[._])(hit_?rate|rate|bandwidth|throughput|goodput|\w*_per_s|\w*_per_second)(_\w+)?$`)
)

// directionOf tells the direction of a figure by its name.
func directionOf(name string) Direction {
	switch {
	case moreIsWorse.MatchString(name):
		return More
	case lessIsWorse.MatchString(name):
		return Less
	}
	return Neither
}
