package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"hcasim/scenario/lang"
)

// An expression is a compiled text and the names in it.
type expression struct {
	text    string
	names   []string // dotted, sorted
	program *vm.Program
}

// builtins are the functions that an expression may call.
var builtins = []string{"min", "max", "abs", "floor", "ceil", "round", "int"}

// compile reads an expression; column is where in it a mistake stands, from 0.
func compile(text string, options ...expr.Option) (e expression, column int, err error) {
	options = append(options, expr.AllowUndefinedVariables(), expr.DisableAllBuiltins())
	for _, name := range builtins {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return e, at.Column, errors.New(at.Message)
		}
		return e, 0, err
	}
	e = expression{text: text, program: program}
	node := program.Node()
	n := namer{}
	ast.Walk(&node, &n)
	for name := range n {
		e.names = append(e.names, name)
	}
	slices.Sort(e.names)
	return e, 0, nil
}

// of returns the value, of an env that has all names.
func (e *expression) of(env Figures) (any, error) {
	out, err := expr.Run(e.program, map[string]any(env))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", e.text, firstLine(err.Error()))
	}
	return out, nil
}

// firstLine is an error of the library without its drawing.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
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

// missing says which name there is nothing under.
func missing(what, name string, names []string) error {
	return fmt.Errorf("%s %q; %s", what, name, lang.DidYouMean(name, names))
}
