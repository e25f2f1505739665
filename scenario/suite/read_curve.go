package suite

import (
	"fmt"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// units are the units of time that a constant can be added to, in ps.
var units = map[string]float64{"ps": 1, "ns": 1e3, "us": 1e6, "ms": 1e9, "s": 1e12}

// curve reads a curve and all of its points.
func (r *itemReader) curve(d *curveDoc) {
	c := &Curve{
		Pos: d.Pos, Name: d.Name, Source: d.Source, Unit: d.Unit, Upper: d.Bound == "upper",
		Vars: r.settings(d.Vars, "vars:"), Set: r.settings(d.Set, "set:"), Absolute: r.truth(d.Absolute),
	}
	if slices.ContainsFunc(r.item.Curves, func(o *Curve) bool { return o.Name == c.Name }) {
		r.Add(problemAt(d.Pos, fmt.Sprintf("curve %q is here twice", c.Name), ""))
	}
	r.item.Curves = append(r.item.Curves, c)
	switch {
	case d.Encode != nil && d.Metric != nil:
		r.Report(d.Encode, "a curve has a metric or encodes, not both", "")
	case d.Encode != nil:
		c.Encode = d.Encode.Value
	case d.Metric != nil:
		c.Metric = r.metric(d.Metric)
	default:
		r.Add(problemAt(d.Pos, "metric is missing", "such as metric: write.p50 / 1000, or encode: for bytes of a header"))
	}
	within := d.Scenario
	if within == nil {
		within = r.doc.Scenario
	}
	c.Places = places(within, c.Vars, c.Set)
	switch c.Encode {
	case "":
	case "$x":
		c.Places = []string{"header"}
	default:
		c.Places = []string{c.Encode}
	}
	r.absolute(c, d)
	r.points(c, d)
	r.contradictions(c, d)
	r.quick(c, d)
}

func problemAt(p lang.Pos, message, suggestion string) lang.Problem {
	return lang.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: message, Suggestion: suggestion}
}

// absolute finds what the testbed adds.
func (r *itemReader) absolute(c *Curve, d *curveDoc) {
	if !c.Absolute {
		return
	}
	size := units[c.Unit]
	switch {
	case r.doc.Testbed == nil:
		r.Report(d.Absolute, "absolute: true adds the constant of a testbed, and none is named", "testbed: NAME")
	case size == 0:
		r.Report(d.Absolute, fmt.Sprintf("a constant is a time, and the curve is in %q", c.Unit), "unit: us, or ns, ms, s, ps")
	case r.item.Testbed != nil:
		c.Constant = r.item.Testbed.Constant / size
	}
}

// points reads the x and what was published there.
func (r *itemReader) points(c *Curve, d *curveDoc) {
	if d.Points == nil {
		return
	}
	if d.Points.Kind != yaml.MappingNode || len(d.Points.Content) == 0 {
		r.Report(d.Points, "points: takes a mapping from x to the published value", "such as {2: 0.98, 4KiB: 2.31}")
		return
	}
	var texts []string
	tolerance := r.tolerance(d.Tolerance, r.item.Tolerance)
	for i := 0; i+1 < len(d.Points.Content); i += 2 {
		key := d.Points.Content[i]
		p := &Point{Pos: r.Pos(key), X: key.Value, Tolerance: tolerance}
		r.published(p, d.Points.Content[i+1])
		texts = append(texts, p.X)
		c.Points = append(c.Points, p)
	}
	a := newAxis(texts)
	c.Words, c.Sizes = a.words != nil, a.words == nil && slices.ContainsFunc(texts, isSize)
	c.Reference = true
	for _, p := range c.Points {
		p.At, _ = a.at(p.X)
		c.Reference = c.Reference && !p.Given
	}
}

// published reads the value of a point: a number, {value, tolerance}, or
// nothing where none was published.
func (r *itemReader) published(p *Point, n *yaml.Node) {
	value := n
	if n.Kind == yaml.MappingNode {
		var d pointDoc
		r.Decode(n, &d)
		p.Tolerance = r.tolerance(d.Tolerance, p.Tolerance)
		if value = d.Value; value == nil {
			r.Report(n, "value is missing", "")
			return
		}
	}
	if value.Kind == yaml.ScalarNode && (value.Value == "" || value.Value == "~") {
		return
	}
	v, err := strconv.ParseFloat(value.Value, 64)
	if err != nil || value.Kind != yaml.ScalarNode {
		r.Report(value, fmt.Sprintf("want a number, not %q", value.Value), "in the unit of the curve; ~ where nothing was published")
		return
	}
	p.Given, p.Published, p.Text = true, v, value.Value
}

// point finds the point of an x.
func (c *Curve) point(x string) *Point {
	for _, p := range c.Points {
		if p.X == x {
			return p
		}
	}
	return nil
}

func (c *Curve) texts() (list []string) {
	for _, p := range c.Points {
		list = append(list, p.X)
	}
	return list
}

// contradictions reads which points are not judged, and why.
func (r *itemReader) contradictions(c *Curve, d *curveDoc) {
	if d.Disagree == nil {
		return
	}
	if d.Disagree.Kind != yaml.MappingNode {
		r.Report(d.Disagree, "disagree: takes a mapping from x to a sentence", "")
		return
	}
	for i := 0; i+1 < len(d.Disagree.Content); i += 2 {
		key, why := d.Disagree.Content[i], d.Disagree.Content[i+1]
		switch p := c.point(key.Value); {
		case p == nil:
			r.Report(key, fmt.Sprintf("the curve has no point %q", key.Value), lang.DidYouMean(key.Value, c.texts()))
		case len(why.Value) < 10:
			r.Report(why, "say in a sentence which published numbers contradict each other", "")
		default:
			p.Disagree = why.Value
		}
	}
}

// quick reads which points --fast runs.
func (r *itemReader) quick(c *Curve, d *curveDoc) {
	for _, n := range lang.ListOf(d.FastPoints) {
		p := c.point(n.Value)
		if p == nil {
			r.Report(n, fmt.Sprintf("the curve has no point %q", n.Value), lang.DidYouMean(n.Value, c.texts()))
			continue
		}
		c.quick = append(c.quick, p)
	}
}

// onlyFast leaves the points that --fast runs, and of a curve that others are
// measured against those that they need.
func (r *itemReader) onlyFast() {
	kept := map[*Point]bool{}
	for _, c := range r.item.Curves {
		points := c.quick
		if len(points) == 0 {
			points = c.Points
		}
		for _, p := range points {
			kept[p] = true
			for _, o := range []*Curve{c.Minus, c.Over} {
				if o != nil {
					kept[o.point(p.X)] = true
				}
			}
		}
	}
	for _, c := range r.item.Curves {
		all := len(c.Points)
		c.Points = slices.DeleteFunc(c.Points, func(p *Point) bool { return !kept[p] })
		c.Partial = len(c.Points) < all
	}
}

// links joins the curves that are measured against another.
func (r *itemReader) links() {
	for i, c := range r.item.Curves {
		d := &r.doc.Curves[i]
		if d.Minus != nil && d.Over != nil {
			r.Report(d.Over, "a curve has minus or over, not both", "")
		}
		c.Minus, c.Over = r.link(c, d.Minus), r.link(c, d.Over)
		r.share(c, d)
	}
}

// share finds what deviations are shares of.
func (r *itemReader) share(c *Curve, d *curveDoc) {
	if c.ShareOf = r.link(c, d.ShareOf); c.ShareOf == nil {
		return
	}
	for _, p := range c.Points {
		if o := c.ShareOf.point(p.X); o.Given && o.Published != 0 {
			p.Whole = o.Published
		} else {
			r.Report(d.ShareOf, fmt.Sprintf("curve %q has nothing published at %q that a deviation could be a share of", c.ShareOf.Name, p.X), "")
			return
		}
	}
}

// link finds the other curve, which must have all points of this one.
func (r *itemReader) link(c *Curve, n *yaml.Node) *Curve {
	if n == nil {
		return nil
	}
	var names []string
	for i, o := range r.item.Curves {
		names = append(names, o.Name)
		if o.Name != n.Value {
			continue
		}
		if d := &r.doc.Curves[i]; o == c || d.Minus != nil || d.Over != nil {
			r.Report(n, fmt.Sprintf("curve %q is measured against another itself", o.Name), "")
			return nil
		}
		for _, p := range c.Points {
			if o.point(p.X) == nil {
				r.Report(n, fmt.Sprintf("curve %q has no point %q", o.Name, p.X), fmt.Sprintf("%s: ~ runs it without judging it", p.X))
				return nil
			}
		}
		return o
	}
	r.Report(n, fmt.Sprintf("there is no curve %q", n.Value), lang.DidYouMean(n.Value, names))
	return nil
}
