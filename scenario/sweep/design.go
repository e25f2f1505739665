package sweep

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"go.yaml.in/yaml/v4"
	"gonum.org/v1/gonum/stat/combin"

	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// MaxPoints bounds the runs of a study that says no limits.
const MaxPoints = 1_000_000

// tooMany notes a design with more points than the study may have.
func (r *reader) tooMany(at *yaml.Node, what string, rows float64, instead string) bool {
	most := uint64(MaxPoints)
	if l := r.doc.Limits.Points; l != nil {
		most = uint64(*l)
	}
	points := rows * float64(r.study.Repeat)
	if points <= float64(most) {
		return false
	}
	r.Report(at, tooMany(what, points, most), instead+"limits: {points: …} allows more")
	return true
}

func tooMany(what string, points float64, most uint64) string {
	n := uint64(math.MaxUint64)
	if points < float64(n) {
		n = uint64(points)
	}
	return fmt.Sprintf("%s has %s points, more than %s", what, lang.HowMany(n), lang.HowMany(most))
}

// design makes the rows.
func (r *reader) design() {
	switch d := r.doc.Design; {
	case d == nil || d.Value == "grid":
		r.pointless()
		if r.valued("a grid") {
			r.grid()
		}
	case d.Value == "zip":
		r.pointless()
		if r.valued("design: zip") {
			r.zip(d)
		}
	case d.Value == "list":
		r.list(d)
	case d.Kind == yaml.MappingNode:
		r.pointless()
		var one designDoc
		if r.Decode(d, &one); one.LHS != nil {
			if r.lhs = *one.LHS; !r.tooMany(d, "the hypercube", float64(r.lhs), "") {
				r.hypercube()
			}
		}
	default:
		r.Report(d, fmt.Sprintf("design %q is not known", d.Value), lang.DidYouMean(d.Value, []string{"grid", "zip", "list", "{lhs: 64}"}))
	}
	for _, a := range r.study.Axes {
		a.settle()
	}
	r.filter()
}

// pointless notes points: beside a design that makes its own.
func (r *reader) pointless() {
	if r.doc.Points != nil && (r.doc.Design == nil || r.doc.Design.Value != "list") {
		r.Report(r.doc.Points, "points: are of another design", "write design: list")
	}
}

// valued reports whether all axes have values.
func (r *reader) valued(what string) bool {
	fine := true
	for _, a := range r.study.Axes {
		if len(a.given) > 0 {
			continue
		}
		fine = false
		suggestion := "values: [64, 256], or step: or times: beside from: and to:"
		r.Add(lang.Problem{File: a.Pos.File, Line: a.Pos.Line, Column: a.Pos.Column, Message: what + " wants values of axis " + a.Name, Suggestion: suggestion})
	}
	return fine
}

// size is how many combinations there are.
func (r *reader) size() float64 {
	n := 1.0
	for _, a := range r.study.Axes {
		n *= float64(len(a.given))
	}
	return n
}

// grid makes a row for each combination of values.
func (r *reader) grid() {
	dims := make([]int, len(r.study.Axes))
	for i, a := range r.study.Axes {
		dims[i] = len(a.given)
	}
	if r.tooMany(r.doc.Axes, "the grid", r.size(), "design: {lhs: 1000} draws some of them; ") {
		return
	}
	sub := make([]int, len(dims))
	for i := range combin.Card(dims) {
		combin.SubFor(sub, i, dims)
		row := make([]*Value, len(dims))
		for k, a := range r.study.Axes {
			row[k] = a.given[sub[k]]
		}
		r.study.rows = append(r.study.rows, row)
	}
}

// zip makes a row of the first values of all axes, one of the second, and so
// on; an axis of one value has it in all.
func (r *reader) zip(at *yaml.Node) {
	n := 1
	for _, a := range r.study.Axes {
		n = max(n, len(a.given))
	}
	for _, a := range r.study.Axes {
		if len(a.given) != n && len(a.given) != 1 {
			r.Report(at, fmt.Sprintf("axis %s has %d values, another %d", a.Name, len(a.given), n), "zip takes the first of each, then the second")
			return
		}
	}
	for i := range n {
		row := make([]*Value, 0, len(r.study.Axes))
		for _, a := range r.study.Axes {
			row = append(row, a.given[min(i, len(a.given)-1)])
		}
		r.study.rows = append(r.study.rows, row)
	}
}

// list makes the rows that the file lists.
func (r *reader) list(at *yaml.Node) {
	n := r.doc.Points
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.Report(at, "design: list wants points:", "such as points: [{entries: 64, mrs: 8}]")
		return
	}
	values := make([][]*Value, len(r.study.Axes)) // that are met, of axes without any
	for _, p := range n.Content {
		row := r.listed(p, values)
		if row != nil {
			r.study.rows = append(r.study.rows, row)
		}
	}
	for i, a := range r.study.Axes {
		if len(a.given) == 0 {
			a.given = values[i]
			a.place(a.given)
		}
	}
}

// listed reads one row.
func (r *reader) listed(p *yaml.Node, values [][]*Value) []*Value {
	if p.Kind != yaml.MappingNode {
		r.Report(p, "a point is a mapping from axes to values", "such as {entries: 64, mrs: 8}")
		return nil
	}
	for i := 0; i+1 < len(p.Content); i += 2 {
		if key := p.Content[i]; r.study.axis(key.Value) == nil {
			r.Report(key, fmt.Sprintf("there is no axis %q", key.Value), lang.DidYouMean(key.Value, r.study.axisNames()))
		}
	}
	row := make([]*Value, 0, len(r.study.Axes))
	for i, a := range r.study.Axes {
		n := lang.Member(p, a.Name)
		if n == nil {
			r.Report(p, fmt.Sprintf("the point has no %s", a.Name), "")
			return nil
		}
		list, open := a.given, len(a.given) == 0
		if open {
			list = values[i]
		}
		at := slices.IndexFunc(list, func(v *Value) bool { return v.Text == n.Value })
		switch {
		case at >= 0:
			row = append(row, list[at])
		case open && n.Kind == yaml.ScalarNode:
			v := r.plain(a, n, n.Value, yamlOf(n))
			values[i] = append(values[i], v)
			row = append(row, v)
		default:
			r.Report(n, fmt.Sprintf("axis %s has no value %q", a.Name, n.Value), lang.DidYouMean(n.Value, a.textsGiven()))
			return nil
		}
	}
	return row
}

func (a *Axis) textsGiven() (list []string) {
	for _, v := range a.given {
		list = append(list, v.Text)
	}
	return list
}

// hypercube draws the rows: along each axis, one in each of as many equal
// parts.
func (r *reader) hypercube() {
	axes := r.study.Axes
	for _, a := range axes {
		if a.span == nil && len(a.given) == 0 {
			r.valued("a hypercube")
			return
		}
	}
	src := rand.NewPCG(r.study.Seed, hypercubeStream)
	shares := latin(r.lhs, len(axes), rand.New(src))
	known := make([]map[string]*Value, len(axes))
	for i := range r.lhs {
		row := make([]*Value, len(axes))
		for k, a := range axes {
			row[k] = r.drawn(a, &known[k], shares[i][k])
		}
		r.study.rows = append(r.study.rows, row)
	}
	for k, a := range axes {
		if a.span == nil {
			continue
		}
		a.given = nil
		for _, v := range known[k] {
			a.given = append(a.given, v)
		}
		slices.SortFunc(a.given, func(x, y *Value) int { return cmp.Compare(x.Number, y.Number) })
	}
}

// latin draws n rows of a unit hypercube of so many dimensions: along each, one
// row in each of n equal parts. It is gonum's samplemv.LatinHypercube, draw for
// draw, which a test holds it to: that one brings all of linear algebra into
// the program, a tenth of what a first answer compiles.
func latin(n, dimensions int, r *rand.Rand) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, dimensions)
	}
	for k := range dimensions {
		for part, row := range r.Perm(n) {
			rows[row][k] = r.Float64()/float64(n) + float64(part)/float64(n)
		}
	}
	return rows
}

// hypercubeStream keeps the draws of a hypercube apart from the seeds.
const hypercubeStream = 0x6879706572 // "hyper"

// drawn returns the value of an axis at a share of it.
func (r *reader) drawn(a *Axis, known *map[string]*Value, share float64) *Value {
	if a.span == nil {
		return a.given[min(int(share*float64(len(a.given))), len(a.given)-1)]
	}
	q := a.span.at(share)
	text := q.text()
	if *known == nil {
		*known = map[string]*Value{}
	}
	v := (*known)[text]
	if v == nil {
		v = &Value{Text: text, Number: q.v}
		a.put(v, text, a.Pos)
		(*known)[text] = v
	}
	return v
}

// settle puts the values of an axis in order.
func (a *Axis) settle() {
	a.Values = slices.Clone(a.given)
	if a.Words {
		return
	}
	slices.SortStableFunc(a.Values, func(x, y *Value) int { return cmp.Compare(x.Number, y.Number) })
	numbers := make([]float64, len(a.Values))
	for i, v := range a.Values {
		numbers[i] = v.Number
	}
	a.Log = a.span != nil && a.span.times > 0 || logarithmic(numbers)
}

// filter leaves the rows for which where: is true.
func (r *reader) filter() {
	s := r.study
	where := r.condition(r.doc.Where, "where: is not understood", false)
	if where == nil {
		return
	}
	kept := s.rows[:0:0]
	for _, row := range s.rows {
		fine, err := where.Holds(figure.Env(s.Named(row)...))
		if err != nil {
			r.misread(r.doc.Where, "where: cannot be carried out", 0, err)
			return
		}
		if fine {
			kept = append(kept, row)
		}
	}
	if len(s.rows) > 0 && len(kept) == 0 {
		r.Report(r.doc.Where, fmt.Sprintf("where: is true for none of %d points", len(s.rows)), "")
	}
	s.rows = kept
}
