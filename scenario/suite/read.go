package suite

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario"
	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// An itemReader reads one item, with all scenarios of its points.
type itemReader struct {
	*lang.Reading
	options  *Options
	within   scenario.Options
	testbeds []*Testbed
	id       string // as the file is called
	source   lang.Source

	item     *Item
	doc      itemDoc
	fast     bool
	places   map[lang.Pos]bool // of mistakes of scenarios that were told
	problems []lang.Problem
	sources  []lang.Source
}

// idOf is the id of an item whose file has a name.
func idOf(file string) string {
	base := filepath.Base(file)
	return strings.ToUpper(strings.TrimSuffix(base, filepath.Ext(base)))
}

func (r *itemReader) read(src lang.Source) {
	r.Reading, r.source, r.places = lang.Open(src, "validation"), src, map[lang.Pos]bool{}
	r.sources = []lang.Source{src}
	if r.Root() != nil {
		r.Decode(r.Root(), &r.doc)
		r.head()
		for i := range r.doc.Curves {
			r.curve(&r.doc.Curves[i])
		}
		r.links()
		for i := range r.doc.Shapes {
			r.shape(&r.doc.Shapes[i])
		}
		if r.options.Fast {
			r.onlyFast()
		}
		for i, c := range r.item.Curves {
			r.fill(c, &r.doc.Curves[i])
		}
	}
	r.problems = r.Problems()
}

// head reads what is said of the item as a whole.
func (r *itemReader) head() {
	d := &r.doc
	r.item = &Item{Pos: d.Pos, About: d.About, Class: Class(d.Class)}
	if d.ID != nil {
		r.item.ID = d.ID.Value
		if d.ID.Value != r.id {
			r.Report(d.ID, fmt.Sprintf("the item is called %q, its file %s.yaml", d.ID.Value, strings.ToLower(r.id)),
				"a file is called by the id in lower case")
		}
	}
	r.fast = d.Fast == nil || *d.Fast
	r.item.Tolerance = r.tolerance(d.Tolerance, Tolerance{})
	if d.Testbed == nil {
		return
	}
	names := make([]string, len(r.testbeds))
	for i, t := range r.testbeds {
		names[i] = t.Name
		if t.Name == d.Testbed.Value {
			r.item.Testbed = t
		}
	}
	if r.item.Testbed == nil {
		r.Report(d.Testbed, fmt.Sprintf("testbed %q is not there", d.Testbed.Value), lang.DidYouMean(d.Testbed.Value, names))
	}
}

// tolerance reads 5% or exact; nothing is otherwise.
func (r *itemReader) tolerance(n *yaml.Node, otherwise Tolerance) Tolerance {
	if n == nil {
		return otherwise
	}
	if n.Value == "exact" {
		return Tolerance{Exact: true}
	}
	text, percent := strings.CutSuffix(n.Value, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !percent || err != nil || v < 0 || v > 1000 {
		r.Report(n, fmt.Sprintf("%q is no tolerance", n.Value), "5% of each point, or exact: equal after rounding to the published digits")
		return otherwise
	}
	return Tolerance{Share: v / 100}
}

// settings reads a mapping from names or paths to values.
func (r *itemReader) settings(n *yaml.Node, what string) (list []Setting) {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.Report(n, what+" takes a mapping from names to values", "")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		list = append(list, Setting{Path: n.Content[i].Value, Value: textOf(n.Content[i+1])})
	}
	return list
}

// textOf is a value in one line.
func textOf(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	c := *n
	c.Style = yaml.FlowStyle
	text, err := yaml.Dump(&c)
	if err != nil {
		return "…"
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// truth reads true or false.
func (r *itemReader) truth(n *yaml.Node) bool {
	if n != nil && n.Value != "true" && n.Value != "false" {
		r.Report(n, fmt.Sprintf("want true or false, not %q", n.Value), "")
	}
	return n != nil && n.Value == "true"
}

// metric compiles an expression.
func (r *itemReader) metric(n *yaml.Node) *figure.Metric {
	if n.Kind != yaml.ScalarNode {
		r.Report(n, "a metric is an expression over the figures of the run", "such as write.p50 / 1000")
		return nil
	}
	m, column, err := figure.Compile(n.Value)
	if err == nil {
		return m
	}
	p := r.Pos(n)
	problem := lang.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: "the metric is not understood: " + err.Error()}
	switch {
	case n.Style&(yaml.FoldedStyle|yaml.LiteralStyle) != 0:
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		problem.Column += column + 1
	case column < utf8.RuneCountInString(n.Value):
		problem.Column += column
	}
	r.Add(problem)
	return nil
}
