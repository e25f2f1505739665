package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// words are the members that each kind of expectation takes, beside where:.
var words = map[Kind][]string{
	Rises: {"along", "slack", "at_least"}, Falls: {"along", "slack", "at_least"}, Flat: {"along", "within"},
	Knee: {"along", "between", "bend"}, Ratio: {"of", "to", "at_least", "at_most"},
	Crossover: {"between", "along", "exists", "within"}, Holds: {},
}

// needed are those of them that must be there.
var needed = map[Kind][]string{
	Rises: {"along"}, Falls: {"along"}, Flat: {"along", "within"}, Knee: {"along", "between"}, Ratio: {"of", "to"}, Crossover: {"between", "along"},
}

// expect reads one expectation. One of values that the short form leaves out is
// of the long one alone.
func (r *reader) expect(d *expectDoc) {
	e := Expectation{Pos: d.Pos, Exists: d.Exists == nil || *d.Exists, Bend: d.Bend}
	of := r.kind(d, &e)
	if of == nil {
		return
	}
	before := len(r.Problems())
	r.absent = false
	r.members(d, &e)
	e.Where = r.condition(d.Where, "where: is not understood", false)
	if e.Kind == Holds {
		e.Holds = r.condition(of, "holds: is not understood", true)
	} else {
		e.Metric = r.metricNamed(of)
		e.Along = r.axisNamed(d.Along)
	}
	e.Slack = r.share(d.Slack, 0)
	e.Least, e.Most = r.limit(d.AtLeast), r.limit(d.AtMost)
	switch e.Kind {
	case Flat:
		e.Within = r.share(d.Within, 0)
	case Knee:
		r.between(&e, d.Between)
	case Ratio:
		e.Of, e.To = r.choices(d.Of), r.choices(d.To)
		r.sameAxes(&e, d.To)
		if e.Least == nil && e.Most == nil {
			r.at(d.Pos, "a ratio has a limit", "at_least: or at_most:")
		}
	case Crossover:
		r.crossover(&e, d)
	case Rises, Falls, Holds:
	}
	if e.Along != nil && e.Along.Words && (e.Kind == Knee || e.Low != nil) {
		r.Report(d.Along, fmt.Sprintf("the values of %s are words, a place on it is no number", e.Along.Name), "along: an axis of numbers")
	}
	if len(r.Problems()) == before && !r.absent && (e.Metric != nil || e.Holds != nil) {
		r.study.Expect = append(r.study.Expect, e)
	}
}

func (r *reader) at(p lang.Pos, message, suggestion string) {
	r.Add(lang.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: message, Suggestion: suggestion})
}

// kind finds what an expectation says: the one word of it that is a kind.
func (r *reader) kind(d *expectDoc, e *Expectation) (of *yaml.Node) {
	said := 0
	for _, k := range []struct {
		kind Kind
		node *yaml.Node
	}{{Rises, d.Rises}, {Falls, d.Falls}, {Flat, d.Flat}, {Knee, d.Knee}, {Ratio, d.Ratio}, {Crossover, d.Crossover}, {Holds, d.Holds}} {
		if k.node != nil {
			e.Kind, of = k.kind, k.node
			said++
		}
	}
	if said != 1 {
		r.at(d.Pos, "an expectation says one thing", "rises, falls, flat, knee, ratio, crossover or holds")
		return nil
	}
	return of
}

// members holds the other words of an expectation to those of its kind.
func (r *reader) members(d *expectDoc, e *Expectation) {
	said := map[string]*yaml.Node{
		"along": d.Along, "slack": d.Slack, "within": d.Within, "between": d.Between, "of": d.Of, "to": d.To,
		"at_least": d.AtLeast, "at_most": d.AtMost,
	}
	for _, word := range []string{"along", "slack", "within", "between", "of", "to", "at_least", "at_most"} {
		switch n := said[word]; {
		case n != nil && !slices.Contains(words[e.Kind], word):
			r.Report(n, fmt.Sprintf("%s has no %s:", e.Kind, word), takes(e.Kind))
		case n == nil && slices.Contains(needed[e.Kind], word):
			r.at(d.Pos, fmt.Sprintf("%s: is missing of %s", word, e.Kind), takes(e.Kind))
		}
	}
	if d.Bend != "" && e.Kind != Knee {
		r.at(d.Pos, fmt.Sprintf("%s has no bend:", e.Kind), takes(e.Kind))
	}
	if d.Exists != nil && e.Kind != Crossover {
		r.at(d.Pos, fmt.Sprintf("%s has no exists:", e.Kind), takes(e.Kind))
	}
}

func takes(k Kind) string {
	return string(k) + " takes " + strings.Join(append(slices.Clone(words[k]), "where"), ", ")
}

// limit reads a factor.
func (r *reader) limit(n *yaml.Node) *float64 {
	if n == nil {
		return nil
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || v <= 0 {
		r.Report(n, fmt.Sprintf("want a factor above 0, not %q", n.Value), "such as 1.5")
		return nil
	}
	return &v
}

// between reads where a knee may lie.
func (r *reader) between(e *Expectation, n *yaml.Node) {
	if n == nil {
		return
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		r.Report(n, "want two places on the axis, from and to", "such as [64, 256] or [entries / 2, entries * 2]")
		return
	}
	e.Low, e.High = r.bound(n.Content[0]), r.bound(n.Content[1])
}

// crossover reads the two curves, and where they may cross.
func (r *reader) crossover(e *Expectation, d *expectDoc) {
	if n := d.Between; n != nil {
		if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
			r.Report(n, "a crossover is between two", "such as between: [{way: fmr}, {way: mw}]")
			return
		}
		e.Of, e.To = r.choices(n.Content[0]), r.choices(n.Content[1])
		r.sameAxes(e, n)
	}
	if d.Within != nil {
		r.between(e, d.Within)
		if !e.Exists {
			r.Report(d.Within, "what does not exist lies nowhere", "leave out within:")
		}
	}
}

// choices reads values of axes.
func (r *reader) choices(n *yaml.Node) (list []Choice) {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		r.Report(n, "want values of axes", "such as {way: lru}")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		a := r.axisNamed(key)
		if a == nil || len(a.Values) == 0 {
			continue
		}
		v := a.value(value.Value)
		if v == nil && r.study.Short {
			r.absent = true // the long form may have it: see expect
			continue
		}
		if v == nil {
			r.Report(value, fmt.Sprintf("axis %s has no value %q", a.Name, value.Value), lang.DidYouMean(value.Value, a.texts()))
			continue
		}
		list = append(list, Choice{a, v})
	}
	return list
}

// sameAxes holds the two sides of a comparison to the same axes.
func (r *reader) sameAxes(e *Expectation, n *yaml.Node) {
	if n == nil || e.Of == nil || e.To == nil {
		return
	}
	same := len(e.Of) == len(e.To) || r.absent
	for _, c := range e.Of {
		same = same && (r.absent || slices.ContainsFunc(e.To, func(o Choice) bool { return o.Axis == c.Axis }))
		if c.Axis == e.Along {
			r.Report(n, fmt.Sprintf("%s is what the two are compared along", c.Axis.Name), "")
		}
	}
	if !same {
		r.Report(n, "the two sides choose values of different axes", "such as of: {way: direct}, to: {way: lru}")
	}
}
