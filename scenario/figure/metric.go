package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// A Metric is an expression over the figures of a run, and over what else its
// caller names: the place of a point on its axis, say.
type Metric struct {
	Text string
	e    expression
}

// Compile reads an expression; column is where in it a mistake stands, from 0.
func Compile(text string) (m *Metric, column int, err error) {
	e, column, err := compile(text, expr.AsFloat64())
	if err != nil {
		return nil, column, err
	}
	return &Metric{text, e}, 0, nil
}

// Names returns the dotted names in the metric, sorted.
func (m *Metric) Names() []string { return m.e.names }

// Plain reports whether the metric is one figure and nothing else.
func (m *Metric) Plain() bool {
	return len(m.e.names) == 1 && m.e.names[0] == strings.TrimSpace(m.Text)
}

// Watched reports whether the metric has figures that only a run that is
// watched has.
func (m *Metric) Watched() bool {
	return slices.ContainsFunc(m.e.names, func(name string) bool {
		return slices.ContainsFunc(strings.Split(name, "."), func(word string) bool {
			return slices.Contains(watched, word)
		})
	})
}

// watched are the words of figures that watchers count: lookups in caches, the
// lives of keys, what was waited for, and packet engines.
var watched = []string{"mpt", "mtt", "qpc", "llc", "iotlb", "keys", "stall", "send_engine", "receive_engine"}

// Of returns the metric's value of the figures of a run. What beside has, goes
// before a figure of its name.
func (m *Metric) Of(f Figures, beside map[string]any) (float64, error) {
	env := maps.Clone(f)
	if env == nil {
		env = Figures{}
	}
	for name, v := range beside {
		env[name] = v
	}
	for _, name := range m.e.names {
		if beside[name] != nil {
			continue
		}
		if _, found := f.Get(name); !found {
			return 0, missing("the run has no figure", name, f.Names())
		}
	}
	out, err := m.e.of(env)
	if err != nil {
		return 0, err
	}
	v, fine := out.(float64)
	if !fine || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is no number", m.Text)
	}
	return v, nil
}

// Unit returns the unit of the metric as far as its figures tell: that of a
// single one, of a sum of alike, of a ratio to something counted. A metric that
// scales says its unit itself.
func (m *Metric) Unit() string {
	unit, known := unitOf(m.e.program.Node())
	if !known {
		return ""
	}
	return unit
}

// unitOf returns the unit of a node; known is false where there is none to
// tell, as of a number.
func unitOf(n ast.Node) (unit string, known bool) {
	switch v := n.(type) {
	case *ast.IdentifierNode:
		return Unit(v.Value), true
	case *ast.MemberNode:
		name, fine := dotted(v)
		return Unit(name), fine
	case *ast.UnaryNode:
		return unitOf(v.Node)
	case *ast.BuiltinNode:
		return alike(v.Arguments)
	case *ast.BinaryNode:
		return unitOfTwo(v)
	}
	return "", false
}

// alike returns the unit that all nodes have.
func alike(nodes []ast.Node) (unit string, known bool) {
	for i, n := range nodes {
		u, fine := unitOf(n)
		if !fine || i > 0 && u != unit {
			return "", false
		}
		unit, known = u, true
	}
	return unit, known
}

func unitOfTwo(v *ast.BinaryNode) (unit string, known bool) {
	left, one := unitOf(v.Left)
	right, other := unitOf(v.Right)
	switch {
	case !one || !other:
		return "", false
	case v.Operator == "+" || v.Operator == "-":
		return left, left == right
	case v.Operator == "/" && left == right:
		return "", true
	case v.Operator == "/" && right == "", v.Operator == "*" && right == "":
		return left, true
	case v.Operator == "*" && left == "":
		return right, true
	}
	return "", false
}
