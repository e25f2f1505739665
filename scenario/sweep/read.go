package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// A reader reads one study.
type reader struct {
	*lang.Reading
	study  *Study
	doc    studyDoc
	heads  bool // scenarios are not looked at
	whole  bool // the points can be made: what says them is right
	lhs    int  // points of a hypercube; 0 for another design
	absent bool // the expectation being read names a value that the short form has not
}

// read reads a file, all but the scenarios of its points.
func read(src lang.Source, o *Options) (*Study, *reader) {
	r := &reader{Reading: lang.Open(src, "study"), heads: o.Heads}
	root := r.Root()
	if root == nil {
		return nil, r
	}
	if o.Short {
		root = r.short(root)
	}
	r.Decode(root, &r.doc)
	r.study = &Study{Repeat: 1, Seed: 1, Keep: "summary", Short: o.Short, Sets: o.Sets, source: src, texts: &texts{}}
	r.head()
	before := len(r.Problems())
	r.scenarios()
	r.axes()
	r.whole = len(r.Problems()) == before && len(r.study.Axes) > 0 && r.doc.Base != nil
	r.metrics()
	for i := range r.doc.Plots {
		r.plot(&r.doc.Plots[i])
	}
	for i := range r.doc.Expect {
		r.expect(&r.doc.Expect[i])
	}
	if short := r.doc.Short; short != nil && !o.Short {
		r.Decode(short, &shortDoc{})
	}
	return r.study, r
}

// head reads what is said of the study as a whole.
func (r *reader) head() {
	d, s := &r.doc, r.study
	s.Name = r.sentence(d.Name)
	s.Question = r.sentence(d.Question)
	s.About = r.sentence(d.About)
	if d.Name != nil && strings.ContainsAny(s.Name, "/\\ ") {
		r.Report(d.Name, fmt.Sprintf("%q is no name of a study", s.Name), "a word, as the file is called")
	}
	if d.Question != nil && !strings.HasSuffix(s.Question, "?") {
		r.Report(d.Question, "this is no question", "a study begins with one, which ends with ?")
	}
	if d.Repeat != nil {
		s.Repeat = *d.Repeat
	}
	if d.Seed != nil {
		s.Seed = *d.Seed
	}
	if d.Keep != "" {
		s.Keep = d.Keep
	}
	if d.Shards != nil {
		s.Shards = *d.Shards
	}
}

// scenarios reads what all points have in common.
func (r *reader) scenarios() {
	d, s := &r.doc, r.study
	r.base(&s.base, d.Base, d.Case)
	if d.Profile != nil {
		s.set = append(s.set, Setting{"profile", yamlOf(d.Profile), r.Pos(d.Profile), r.Pos(d.Profile)})
	}
	s.set = append(s.set, r.settings(d.Set, "set:")...)
}

// sentence is a text in one line.
func (r *reader) sentence(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || strings.TrimSpace(n.Value) == "" {
		r.Report(n, "want a text", "")
		return ""
	}
	return strings.Join(strings.Fields(n.Value), " ")
}

// base reads which scenario is run.
func (r *reader) base(p *place, file, name *yaml.Node) {
	if file != nil {
		p.pos = r.Pos(file)
		switch {
		case file.Kind != yaml.ScalarNode || file.Value == "":
			r.Report(file, "base: takes the path of a scenario, from the folder of the study", "")
		case filepath.IsAbs(file.Value):
			p.file = file.Value
		default:
			p.file = filepath.Join(filepath.Dir(r.study.source.Name), filepath.FromSlash(file.Value))
		}
		if p.file != "" && !r.heads {
			for _, wrong := range r.study.texts.file(p.file).problems {
				r.Report(file, "base "+p.file+": "+wrong.Message, "")
			}
		}
	}
	if name != nil {
		p.name = name.Value
		if file == nil {
			p.pos = r.Pos(name)
		}
	}
}

// settings reads a mapping from paths to values.
func (r *reader) settings(n *yaml.Node, what string) (list []Setting) {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.Report(n, what+" takes a mapping from paths to values", "such as {hca.cache.mtt.entries: 1024, vars.n: 8}")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if r.path(key) {
			list = append(list, Setting{key.Value, yamlOf(n.Content[i+1]), r.Pos(n.Content[i+1]), r.Pos(key)})
		}
	}
	return list
}

// path reports whether a node can be what a value is set at.
func (r *reader) path(n *yaml.Node) bool {
	switch {
	case n.Kind != yaml.ScalarNode || n.Value == "" || strings.ContainsAny(n.Value, " =\n"):
		r.Report(n, "this is no path of a parameter or variable", "such as hca.cache.mtt.entries or vars.n (hcasim params)")
		return false
	case slices.Contains([]string{"name", "kind", "version", "use"}, n.Value):
		r.Report(n, n.Value+" is not set by a study", "base: says which scenario is run")
		return false
	}
	return true
}

// yamlOf is a value as a text of YAML in one line.
func yamlOf(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.FoldedStyle|yaml.LiteralStyle) == 0 {
		return n.Value
	}
	c := *n
	c.Style = yaml.FlowStyle
	if n.Kind == yaml.ScalarNode {
		c.Style = yaml.DoubleQuotedStyle
	}
	text, err := yaml.Dump(&c)
	if err != nil {
		panic("sweep: a node that was read cannot be written: " + err.Error())
	}
	return strings.TrimSpace(strings.ReplaceAll(string(text), "\n", " "))
}

// misread notes that an expression is not understood; column counts from 0.
func (r *reader) misread(n *yaml.Node, what string, column int, err error) {
	p := r.Pos(n)
	message, suggestion, _ := strings.Cut(err.Error(), "; ")
	problem := lang.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: what + ": " + message, Suggestion: suggestion}
	switch {
	case n.Style&(yaml.FoldedStyle|yaml.LiteralStyle) != 0:
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		problem.Column += column + 1
	case column < utf8.RuneCountInString(n.Value):
		problem.Column += column
	}
	r.Add(problem)
}

// condition compiles an expression over the axes and, if asked, the metrics.
func (r *reader) condition(n *yaml.Node, what string, metrics bool) *figure.Condition {
	return r.compiled(n, what, metrics, figure.CompileCondition)
}

// bound compiles an expression over the axes that is a number; a quantity such
// as 4KiB is one too.
func (r *reader) bound(n *yaml.Node) *figure.Condition {
	if n.Kind == yaml.ScalarNode {
		if q, fine := quantityOf(n.Value); fine {
			c, _, err := figure.CompileBound(strconv.FormatFloat(q.v, 'f', -1, 64), nil, r.number)
			if err == nil {
				return c
			}
		}
	}
	return r.compiled(n, "the bound is not understood", false, figure.CompileBound)
}

type compiler func(text string, names []string, read func(string) (float64, bool)) (*figure.Condition, int, error)

func (r *reader) compiled(n *yaml.Node, what string, metrics bool, compile compiler) *figure.Condition {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.ScalarNode {
		r.Report(n, "want an expression over the axes", "such as mrs >= entries / 4")
		return nil
	}
	names := r.study.axisNames()
	if metrics {
		names = append(names, r.study.metricNames()...)
	}
	c, column, err := compile(n.Value, names, r.number)
	if err != nil {
		r.misread(n, what, column, err)
		return nil
	}
	return c
}

// number reads a quoted quantity of an expression, unless it is the word of an
// axis.
func (r *reader) number(text string) (float64, bool) {
	for _, a := range r.study.Axes {
		if a.Words && a.value(text) != nil {
			return 0, false
		}
	}
	q, fine := quantityOf(text)
	return q.v, fine
}

// share reads 5%.
func (r *reader) share(n *yaml.Node, otherwise float64) float64 {
	if n == nil {
		return otherwise
	}
	text, percent := strings.CutSuffix(n.Value, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !percent || err != nil || v < 0 || v > 100 {
		r.Report(n, fmt.Sprintf("%q is no share", n.Value), "such as 5%")
		return otherwise
	}
	return v / 100
}
