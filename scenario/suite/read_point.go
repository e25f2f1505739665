package suite

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// fill gives each point what it is simulated by.
func (r *itemReader) fill(c *Curve, d *curveDoc) {
	if d.Encode != nil {
		for _, p := range c.Points {
			r.encode(p, d.Encode)
		}
		return
	}
	base := d.Scenario
	if base == nil {
		base = r.doc.Scenario
	}
	switch {
	case d.Metric == nil:
		return
	case base == nil:
		r.Add(problemAt(d.Pos, "there is no scenario", "scenario: of the item or of the curve"))
		return
	case base.Kind != yaml.MappingNode:
		r.Report(base, "scenario: takes a mapping", "profile, hosts, ops …, as a file has them")
		return
	}
	if r.misplaced(base) || r.unused(base, d) || r.options.Heads {
		return
	}
	for _, p := range c.Points {
		p.Run = r.run(d, base, p)
	}
}

// misplaced notes words of a scenario that the item says.
func (r *itemReader) misplaced(base *yaml.Node) (wrong bool) {
	for i := 0; i+1 < len(base.Content); i += 2 {
		switch key := base.Content[i]; key.Value {
		case "version", "kind", "name", "cases":
			if p := r.Pos(key); !r.places[p] {
				r.places[p] = true
				r.Report(key, fmt.Sprintf("a scenario within an item has no %s", key.Value), "")
			}
			wrong = true
		}
	}
	return wrong
}

// unused notes variables of a curve that nothing uses: one whose name is
// written wrong would leave the scenario's own as it is.
func (r *itemReader) unused(base *yaml.Node, d *curveDoc) (wrong bool) {
	if d.Vars == nil || d.Vars.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(d.Vars.Content); i += 2 {
		key := d.Vars.Content[i]
		if lang.Speaks(base, key.Value) || lang.Speaks(d.Set, key.Value) || lang.Speaks(d.Vars, key.Value) {
			continue
		}
		var known []string
		for j := 0; j+1 < len(base.Content); j += 2 {
			if base.Content[j].Value == "vars" {
				known = lang.Keys(base.Content[j+1])
			}
		}
		r.Report(key, fmt.Sprintf("unknown variable %q", key.Value), lang.DidYouMean(key.Value, known))
		wrong = true
	}
	return wrong
}

// run reads the scenario of one point.
func (r *itemReader) run(d *curveDoc, base *yaml.Node, p *Point) *scenario.Run {
	at := d.Points
	// All points have one name, so that equal ones have one digest.
	draft := lang.NewDraft(base, "point")
	if t := r.item.Testbed; t != nil && t.tree != nil {
		draft.Lay(standing(t.tree, r.doc.Testbed))
	}
	draft.Lay(base)
	if d.Vars != nil && d.Vars.Kind == yaml.MappingNode {
		for i := len(d.Vars.Content) - 2; i >= 0; i -= 2 {
			draft.Put("vars", d.Vars.Content[i], d.Vars.Content[i+1])
		}
	}
	if xb, sized := bytesOf(p.X); sized {
		draft.Put("vars", lang.Scalar(at, "xb"), lang.Scalar(at, xb))
	}
	draft.Put("vars", lang.Scalar(at, "x"), lang.Scalar(at, p.X))
	if d.Set != nil && d.Set.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(d.Set.Content); i += 2 {
			draft.Set(d.Set.Content[i], d.Set.Content[i].Value, d.Set.Content[i+1])
		}
	}
	runs, err := scenario.ReadSource(draft.Source(r.source), r.within)
	if err != nil {
		r.tell(err)
		return nil
	}
	if r.item.Class != Exact {
		if problems := turned(runs[0]); len(problems) > 0 {
			r.tell(&scenario.Mistakes{Problems: problems})
			return nil
		}
	}
	return runs[0]
}

// standing returns a copy of a tree whose nodes are all said to stand at one.
func standing(n, at *yaml.Node) *yaml.Node {
	c := *n
	c.Line, c.Column = at.Line, at.Column
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		c.Content[i] = standing(n.Content[i], at)
	}
	return &c
}

// tell notes the mistakes of a scenario, one for each place: other points make
// the same.
func (r *itemReader) tell(err error) {
	var m *scenario.Mistakes
	if !errors.As(err, &m) {
		panic("suite: " + err.Error())
	}
	for _, p := range m.Problems {
		at := lang.Pos{File: p.File, Line: p.Line, Column: p.Column}
		if p.Line > 0 && r.places[at] {
			continue
		}
		r.places[at] = true
		r.Add(p)
	}
	for _, s := range m.Sources {
		known := false
		for _, have := range r.sources {
			known = known || have.Name == s.Name
		}
		if !known {
			r.sources = append(r.sources, s)
		}
	}
}

// encode has the codec write what a point names.
func (r *itemReader) encode(p *Point, n *yaml.Node) {
	vars := map[string]string{"x": p.X}
	if xb, sized := bytesOf(p.X); sized {
		vars["xb"] = xb
	}
	text, err := lang.Expand(n.Value, vars)
	if err != nil {
		r.Report(n, err.Error(), "")
		return
	}
	bytes, err := encoded(text)
	if err != nil {
		r.Add(problemAt(p.Pos, err.Error(), ""))
		return
	}
	p.Bytes = uint64(bytes)
}
