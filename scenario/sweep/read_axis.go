package sweep

import (
	"fmt"
	"math"
	"slices"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// taken are names that tables have for something else.
var taken = []string{"index", "repeat", "seed", "status"}

// name reports whether a node can name an axis or a metric.
func (r *reader) name(n *yaml.Node, what string) bool {
	if _, _, err := figure.CompileBound(n.Value, []string{n.Value}, noNumber); err != nil || !isName(n.Value) {
		r.Report(n, fmt.Sprintf("%q is no name of %s", n.Value, what), "letters, digits and _; expressions use it")
		return false
	}
	if slices.Contains(taken, n.Value) {
		r.Report(n, fmt.Sprintf("%q cannot be the name of %s", n.Value, what), "tables have a column of this name")
		return false
	}
	return true
}

func noNumber(string) (float64, bool) { return 0, false }

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// axes reads all axes, and makes the rows of them.
func (r *reader) axes() {
	n := r.doc.Axes
	switch {
	case n == nil:
		return
	case n.Kind != yaml.MappingNode || len(n.Content) == 0:
		r.Report(n, "axes: takes a mapping from names to axes", "such as entries: {set: hca.cache.mtt.entries, values: [64, 256]}")
		return
	}
	before := len(r.Problems())
	set := map[string]string{} // by path, the axis that sets it
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !r.name(key, "an axis") {
			continue
		}
		a := &Axis{Pos: r.Pos(key), Name: key.Value, Label: key.Value}
		r.axis(a, key, n.Content[i+1])
		for _, path := range a.allPaths() {
			if other := set[path]; other != "" {
				r.Report(key, fmt.Sprintf("%s is set by axis %s too", path, other), "")
			}
			set[path] = a.Name
		}
		r.study.Axes = append(r.study.Axes, a)
	}
	for _, flag := range r.study.Sets {
		if s, fine := lang.SetFlag(flag); fine {
			path := s.Name[len("--set "):]
			if set[path] != "" {
				r.Add(lang.Problem{File: s.Name, Message: fmt.Sprintf("axis %s of the study sets this", set[path]), Suggestion: "leave the flag out"})
			}
		}
	}
	if len(r.Problems()) > before {
		r.pointless()
		return
	}
	r.design()
}

// allPaths are the paths that an axis sets.
func (a *Axis) allPaths() []string {
	var paths []string
	for _, p := range a.paths {
		paths = append(paths, p.text)
	}
	for _, v := range a.given {
		for _, s := range v.settings {
			if !slices.Contains(paths, s.Path) {
				paths = append(paths, s.Path)
			}
		}
	}
	return paths
}

func (r *reader) axis(a *Axis, key, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.Report(n, "an axis is a mapping", "such as {set: hca.cache.mtt.entries, values: [64, 256]}")
		return
	}
	var d axisDoc
	r.Decode(n, &d)
	a.Unit = d.Unit
	if d.Label != "" {
		a.Label = d.Label
	}
	for _, p := range lang.ListOf(d.Set) {
		if r.path(p) {
			a.paths = append(a.paths, path{p.Value, r.Pos(p)})
		}
	}
	switch {
	case d.Values != nil && (d.From != nil || d.To != nil || d.Step != nil || d.Times != nil):
		r.Report(d.Values, "an axis has values, or from and to", "leave out one of the two")
	case d.Values != nil && d.Values.Kind == yaml.MappingNode:
		r.namedValues(a, &d)
	case d.Values != nil:
		r.values(a, key, &d)
	case d.From != nil || d.To != nil:
		r.span(a, key, &d)
	case d.Step != nil || d.Times != nil:
		r.Report(key, "from: and to: are missing", "such as {from: 1, to: 1024, times: 2}")
	case len(a.paths) == 0:
		r.Report(key, "the axis says nothing", "such as {set: hca.cache.mtt.entries, values: [64, 256]}")
	}
}

// values reads a list of plain values.
func (r *reader) values(a *Axis, key *yaml.Node, d *axisDoc) {
	if len(a.paths) == 0 {
		r.Report(key, "set: is missing: it says what the values are put into", "such as set: hca.cache.mtt.entries")
	}
	for _, n := range lang.ListOf(d.Values) {
		if n.Kind != yaml.ScalarNode || n.Value == "" {
			r.Report(n, "want a value", "values: {NAME: {PATH: VALUE}} names values that set more than one path")
			continue
		}
		r.add(a, n, r.plain(a, n, n.Value, yamlOf(n)))
	}
	if len(a.given) == 0 {
		r.Report(d.Values, "the axis has no value", "")
	}
	a.place(a.given)
}

// plain makes a value that goes to all paths of an axis.
func (r *reader) plain(a *Axis, n *yaml.Node, text, value string) *Value {
	v := &Value{Text: text}
	a.put(v, value, r.Pos(n))

	return v
}

// put sets a value at all paths of an axis.
func (a *Axis) put(v *Value, value string, at lang.Pos) {
	for _, p := range a.paths {
		v.settings = append(v.settings, Setting{p.text, value, at, p.pos})
	}
}

// add gives an axis a value, once.
func (r *reader) add(a *Axis, n *yaml.Node, v *Value) {
	if slices.ContainsFunc(a.given, func(o *Value) bool { return o.Text == v.Text }) {
		r.Report(n, fmt.Sprintf("%s has %q twice", a.Name, v.Text), "")
		return
	}
	a.given = append(a.given, v)
}

// namedValues reads values that have names, and settings of their own.
func (r *reader) namedValues(a *Axis, d *axisDoc) {
	for i := 0; i+1 < len(d.Values.Content); i += 2 {
		key, n := d.Values.Content[i], d.Values.Content[i+1]
		var v *Value
		if n.Kind == yaml.MappingNode {
			v = &Value{Text: key.Value}
			v.settings = r.settings(lang.Without(n, "base", "case"), "a named value")
			r.base(&v.base, lang.Member(n, "base"), lang.Member(n, "case"))
		} else {
			v = r.plain(a, n, key.Value, yamlOf(n))
			if len(a.paths) == 0 {
				r.Report(n, "a named value takes a mapping from paths to values", "such as {hca.cache.mtt.ways: 4}; or set: beside it")
			}
		}
		r.add(a, key, v)
	}
	if len(a.given) == 0 {
		r.Report(d.Values, "the axis has no value", "")
	}
	a.place(a.given)
}

// span reads from, to and step or times.
func (r *reader) span(a *Axis, key *yaml.Node, d *axisDoc) {
	if d.From == nil || d.To == nil {
		r.Report(key, "an axis has from: and to:", "such as {from: 1, to: 1024, times: 2}")
		return
	}
	if len(a.paths) == 0 {
		r.Report(key, "set: is missing: it says what the values are put into", "such as set: vars.n")
	}
	s := &span{}
	var fine [2]bool
	s.from, fine[0] = r.quantity(d.From)
	s.to, fine[1] = r.quantity(d.To)
	if !fine[0] || !fine[1] {
		return
	}
	switch {
	case s.from.unit != s.to.unit:
		r.Report(d.To, fmt.Sprintf("from: is in %q, to: in %q", s.from.unit, s.to.unit), "give both one unit")
		return
	case s.from.v >= s.to.v:
		r.Report(d.To, fmt.Sprintf("to: %s is not above from: %s", d.To.Value, d.From.Value), "")
		return
	case d.Step != nil && d.Times != nil:
		r.Report(d.Step, "an axis has step: or times:, not both", "")
		return
	}
	s.whole = s.from.unit == "B" || s.from.unit == "bit/s" || s.from.unit == "Hz" || s.from.unit == "" && whole(s.from.v) && whole(s.to.v)
	if d.Step != nil && !r.step(s, d.Step) || d.Times != nil && !r.times(s, d.Times) {
		return
	}
	a.span, a.Unit = s, orElse(s.from.unit, a.Unit)
	if s.step == 0 && s.times == 0 {
		return // a hypercube is drawn from it; another design complains
	}
	list, few := s.values()
	if !few {
		r.Report(key, fmt.Sprintf("the axis has more than %d values", mostValues), "a larger step: or times:")
		return
	}
	for _, q := range list {
		v := r.plain(a, d.From, q.text(), q.text())
		v.Number = q.v
		a.given = append(a.given, v)
	}
}

func whole(v float64) bool { return v == math.Trunc(v) }

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (r *reader) quantity(n *yaml.Node) (quantity, bool) {
	q, fine := quantityOf(n.Value)
	if !fine || n.Kind != yaml.ScalarNode {
		r.Report(n, fmt.Sprintf("want a number, a size, a time or a rate, not %q", n.Value), "values: [a, b] takes words")
		return q, false
	}
	return q, true
}

func (r *reader) step(s *span, n *yaml.Node) bool {
	q, fine := r.quantity(n)
	if fine && (q.v <= 0 || q.unit != s.from.unit) {
		r.Report(n, fmt.Sprintf("step: %s does not lead from %s to %s", n.Value, s.from.text(), s.to.text()), "it is above 0, and has their unit")
		return false
	}
	s.step, s.whole = q.v, s.whole && (whole(q.v) || s.from.unit != "")
	return fine
}

func (r *reader) times(s *span, n *yaml.Node) bool {
	q, fine := r.quantity(n)
	if fine && (q.v <= 1 || q.unit != "" || s.from.v <= 0) {
		r.Report(n, fmt.Sprintf("times: %s does not lead from %s to %s", n.Value, s.from.text(), s.to.text()), "it is a number above 1, and from: is above 0")
		return false
	}
	s.times, s.whole = q.v, s.whole && (whole(q.v) || s.from.unit != "")
	return fine
}
