package suite

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// shape reads what must be true of a curve.
func (r *itemReader) shape(d *shapeDoc) {
	forms := []struct {
		kind ShapeKind
		node *yaml.Node
	}{{LargestChange, d.Largest}, {Peak, d.Peak}, {Knee, d.Knee}, {Steps, d.Steps}}
	s := &Shape{Pos: d.Pos, Curve: r.named(d.Curve)}
	said := 0
	var list *yaml.Node
	for _, f := range forms {
		if f.node != nil {
			s.Kind, list = f.kind, f.node
			said++
		}
	}
	switch {
	case said != 1:
		r.Add(problemAt(d.Pos, "a shape says one thing of a curve", "largest_change_between, peak_between, knee_between or steps"))
		return
	case s.Curve == nil:
		return
	case list.Kind != yaml.SequenceNode || s.Kind != Steps && len(list.Content) != 2:
		want := fmt.Sprintf("%s: takes a list of two x, from and to", s.Kind)
		if s.Kind == Steps {
			want = "steps: takes the list of the x behind which the curve changes"
		}
		r.Report(list, want, "")
		return
	}
	r.along(s, list)
	r.item.Shapes = append(r.item.Shapes, s)
}

// named returns the curve that a shape is of.
func (r *itemReader) named(n *yaml.Node) *Curve {
	if n == nil {
		return nil
	}
	var names []string
	for _, c := range r.item.Curves {
		if c.Name == n.Value {
			return c
		}
		names = append(names, c.Name)
	}
	r.Report(n, fmt.Sprintf("there is no curve %q", n.Value), lang.DidYouMean(n.Value, names))
	return nil
}

// along reads the x of a shape. Steps are behind points; other x may lie
// anywhere on the axis.
func (r *itemReader) along(s *Shape, list *yaml.Node) {
	texts := s.Curve.texts()
	a := newAxis(texts)
	for _, n := range list.Content {
		v, fine := a.at(n.Value)
		if !fine || s.Kind == Steps && !slices.Contains(texts, n.Value) {
			r.Report(n, fmt.Sprintf("the curve has no point %q", n.Value), lang.DidYouMean(n.Value, texts))
		}
		s.Texts, s.Values = append(s.Texts, n.Value), append(s.Values, v)
	}
}
