package sweep

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// metrics reads what is collected: a list of figures, or a mapping from names
// to expressions.
func (r *reader) metrics() {
	n := r.doc.Collect
	switch {
	case n == nil:
		return
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i]; r.name(key, "a metric") {
				r.named(key, n.Content[i+1])
			}
		}
	default:
		for _, one := range lang.ListOf(n) {
			r.figure(one)
		}
	}
	if len(r.study.Metrics) == 0 && len(r.Problems()) == 0 {
		r.Report(n, "collect: names nothing", "such as collect: {p50: write.p50}")
	}
}

// figure reads a metric that is called as its figure is.
func (r *reader) figure(n *yaml.Node) {
	m := r.expression(n)
	if m == nil {
		return
	}
	if !m.Plain() {
		r.Report(n, "an expression needs a name", "collect: {NAME: "+n.Value+"}")
		return
	}
	r.collect(n, &Metric{Name: n.Value, Label: n.Value, Unit: m.Unit(), Metric: m})
}

// named reads a metric that has a name.
func (r *reader) named(key, n *yaml.Node) {
	d := metricDoc{Of: n, Label: key.Value}
	if n.Kind == yaml.MappingNode {
		d.Of = nil
		r.Decode(n, &d)
	}
	if d.Of == nil {
		return
	}
	m := r.expression(d.Of)
	if m == nil {
		return
	}
	unit := m.Unit()
	if d.Unit != nil {
		unit = *d.Unit
	}
	r.collect(key, &Metric{Name: key.Value, Label: d.Label, Unit: unit, Metric: m})
}

// collect adds a metric, once.
func (r *reader) collect(n *yaml.Node, m *Metric) {
	switch {
	case r.study.axis(m.Name) != nil:
		r.Report(n, fmt.Sprintf("%s is the name of an axis", m.Name), "")
	case r.study.metric(m.Name) != nil:
		r.Report(n, fmt.Sprintf("%s is collected twice", m.Name), "")
	default:
		r.study.Metrics = append(r.study.Metrics, m)
	}
}

// expression compiles a metric.
func (r *reader) expression(n *yaml.Node) *figure.Metric {
	if n.Kind != yaml.ScalarNode {
		r.Report(n, "a metric is an expression over the figures of a run", "such as write.p50, or measured.server.mtt.misses / measured.ops")
		return nil
	}
	m, column, err := figure.Compile(n.Value)
	if err != nil {
		r.misread(n, "the metric is not understood", column, err)
		return nil
	}
	return m
}

// strange notes the names in metrics that no run with these hosts can have.
func (r *reader) strange(hosts []string) {
	for i, m := range r.study.Metrics {
		n := r.metricNode(i)
		for _, name := range m.Names() {
			if r.study.axis(name) == nil && !figure.Known(name, hosts) {
				r.misread(n, "the metric is not understood", max(0, strings.Index(n.Value, name)),
					fmt.Errorf("no run of the base has a figure %q; %s", name, lang.DidYouMean(name, figure.Vocabulary(hosts))))
			}
		}
	}
}

// metricNode returns where the expression of a metric is written.
func (r *reader) metricNode(i int) *yaml.Node {
	n := r.doc.Collect
	if n.Kind != yaml.MappingNode {
		for _, one := range lang.ListOf(n) {
			if one.Value == r.study.Metrics[i].Name {
				return one
			}
		}
		return n
	}
	one := lang.Member(n, r.study.Metrics[i].Name)
	if of := lang.Member(one, "of"); of != nil {
		return of
	}
	return one
}

// plot reads a picture.
func (r *reader) plot(d *plotDoc) {
	p := Plot{Title: d.Title, X: r.axisNamed(d.X)}
	for _, n := range lang.ListOf(d.Y) {
		if m := r.metricNamed(n); m != nil {
			p.Y = append(p.Y, m)
		}
	}
	for _, n := range lang.ListOf(d.By) {
		if a := r.axisNamed(n); a != nil {
			p.By = append(p.By, a)
		}
	}
	p.Where = r.condition(d.Where, "where: is not understood", false)
	for _, n := range lang.ListOf(d.Log) {
		switch n.Value {
		case "x":
			p.LogX = true
		case "y":
			p.LogY = true
		default:
			r.Report(n, fmt.Sprintf("log: %q is no side of a plot", n.Value), "x or y")
		}
	}
	if p.X != nil && p.X.Words && p.LogX {
		r.Report(d.Log, fmt.Sprintf("the values of %s are words", p.X.Name), "leave out x")
	}
	if p.X != nil && slices.Contains(p.By, p.X) {
		r.Report(d.By, fmt.Sprintf("%s is the x of the plot", p.X.Name), "by: another axis")
	}
	if p.X != nil && len(p.Y) > 0 {
		r.study.Plots = append(r.study.Plots, p)
	}
}

// axisNamed finds the axis that a node names.
func (r *reader) axisNamed(n *yaml.Node) *Axis {
	if n == nil {
		return nil
	}
	a := r.study.axis(n.Value)
	if a == nil && len(r.study.Axes) > 0 {
		r.Report(n, fmt.Sprintf("there is no axis %q", n.Value), lang.DidYouMean(n.Value, r.study.axisNames()))
	}
	return a
}

// metricNamed finds the metric that a node names.
func (r *reader) metricNamed(n *yaml.Node) *Metric {
	m := r.study.metric(n.Value)
	if m == nil && len(r.study.Metrics) > 0 {
		r.Report(n, fmt.Sprintf("%q is not collected", n.Value), lang.DidYouMean(n.Value, r.study.metricNames()))
	}
	return m
}
