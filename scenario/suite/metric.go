package suite

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"hcasim/scenario/lang"
)

// Figures are the figures of a run by name: numbers, and groups of them, which
// are Figures too. Dots join the names.
type Figures map[string]any

// Put keeps a figure under its dotted name. Where a group and a figure have
// one name, the first of them stays.
func (f Figures) Put(name string, v float64) {
	group, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		if f[name] == nil {
			f[name] = v
		}
		return
	}
	if f[group] == nil {
		f[group] = Figures{}
	}
	if g, fine := f[group].(Figures); fine {
		g.Put(rest, v)
	}
}

// has reports whether there is a figure of a dotted name.
func (f Figures) has(name string) bool {
	group, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		_, fine := f[name].(float64)
		return fine
	}
	g, fine := f[group].(Figures)
	return fine && g.has(rest)
}

// names returns all dotted names, sorted.
func (f Figures) names() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if g, group := f[name].(Figures); group {
			for _, below := range g.names() {
				all = append(all, name+"."+below)
			}
			continue
		}
		all = append(all, name)
	}
	return all
}

// A Metric is an expression over the figures of a run. In it x is the point's
// place on its axis, and bytes where x is a size.
type Metric struct {
	Text    string
	names   []string // the figures that it names
	program *vm.Program
}

// compile reads an expression; column is where in it a mistake stands, from 0.
func compile(text string) (m *Metric, column int, err error) {
	program, err := expr.Compile(text, expr.AllowUndefinedVariables(), expr.AsFloat64(), expr.DisableAllBuiltins(),
		expr.EnableBuiltin("min"), expr.EnableBuiltin("max"), expr.EnableBuiltin("abs"))
	if err != nil {
		var e *file.Error
		if errors.As(err, &e) {
			return nil, e.Column, errors.New(e.Message)
		}
		return nil, 0, err
	}
	m = &Metric{Text: text, program: program}
	node := program.Node()
	n := namer{}
	ast.Walk(&node, &n)
	for name := range n {
		if name != "x" {
			m.names = append(m.names, name)
		}
	}
	slices.Sort(m.names)
	return m, 0, nil
}

// A namer gathers the dotted names of an expression.
type namer map[string]bool

// Visit is called for inner nodes first, so that a chain replaces its
// beginning.
func (n *namer) Visit(node *ast.Node) {
	switch v := (*node).(type) {
	case *ast.IdentifierNode:
		(*n)[v.Value] = true
	case *ast.MemberNode:
		whole, fine := dotted(v)
		if begun, _ := dotted(v.Node); fine {
			delete(*n, begun)
			(*n)[whole] = true
		}
	}
}

// dotted returns a chain of members as it was written.
func dotted(n ast.Node) (name string, fine bool) {
	switch v := n.(type) {
	case *ast.IdentifierNode:
		return v.Value, true
	case *ast.MemberNode:
		if member, word := v.Property.(*ast.StringNode); word {
			before, fine := dotted(v.Node)
			return before + "." + member.Value, fine
		}
	}
	return "", false
}

// Watched reports whether the metric has figures that only a run that is
// watched has.
func (m *Metric) Watched() bool {
	return slices.ContainsFunc(m.names, func(name string) bool {
		words := strings.Split(name, ".")
		return slices.Contains(words, "mpt") || slices.Contains(words, "mtt") || slices.Contains(words, "keys")
	})
}

// Of returns the metric's value of the figures of a run, at a place on the
// axis.
func (m *Metric) Of(f Figures, x float64) (float64, error) {
	for _, name := range m.names {
		if !f.has(name) {
			return 0, fmt.Errorf("the run has no figure %q; %s", name, lang.DidYouMean(name, f.names()))
		}
	}
	env := map[string]any{"x": x}
	for name, v := range f {
		env[name] = v
	}
	out, err := expr.Run(m.program, env)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", m.Text, err)
	}
	v := out.(float64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is no number", m.Text)
	}
	return v, nil
}
