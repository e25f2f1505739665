package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// A Value is what a name stands for in a condition: a number, or a word.
type Value struct {
	Name   string
	Number float64
	Word   string // "" for a number
}

// Env makes values what expressions are carried out over.
func Env(values ...Value) Figures {
	f := Figures{}
	for _, v := range values {
		if v.Word != "" {
			f.put(v.Name, v.Word)
			continue
		}
		f.put(v.Name, v.Number)
	}
	return f
}

// A Condition is an expression over named values that is true or false, or a
// number: a bound.
type Condition struct {
	Text string
	e    expression
}

// CompileCondition reads an expression that is true or false. Names are those
// that it may use. A quoted text that read turns into a number, such as
// "4KiB", is one. Column is where in it a mistake stands, from 0.
func CompileCondition(text string, names []string, read func(text string) (float64, bool)) (c *Condition, column int, err error) {
	return newCondition(text, names, read, expr.AsBool())
}

// CompileBound reads an expression that is a number, as CompileCondition does.
func CompileBound(text string, names []string, read func(text string) (float64, bool)) (c *Condition, column int, err error) {
	return newCondition(text, names, read, expr.AsFloat64())
}

func newCondition(text string, names []string, read func(text string) (float64, bool), as expr.Option) (*Condition, int, error) {
	e, column, err := compile(text, as, expr.Patch(quantities{read}))
	if err != nil {
		return nil, column, err
	}
	for _, name := range e.names {
		if !slices.Contains(names, name) {
			return nil, max(0, strings.Index(text, name)), missing("there is no", name, names)
		}
	}
	return &Condition{text, e}, 0, nil
}

// quantities turns quoted quantities into numbers.
type quantities struct {
	read func(text string) (float64, bool)
}

// Visit is called for each node.
func (q quantities) Visit(node *ast.Node) {
	s, word := (*node).(*ast.StringNode)
	if !word {
		return
	}
	if v, fine := q.read(s.Value); fine {
		ast.Patch(node, &ast.FloatNode{Value: v})
	}
}

// Names returns the dotted names in the condition, sorted.
func (c *Condition) Names() []string { return c.e.names }

// Holds reports whether the condition is true.
func (c *Condition) Holds(env Figures) (bool, error) {
	out, err := c.value(env)
	if err != nil {
		return false, err
	}
	yes, fine := out.(bool)
	if !fine {
		return false, fmt.Errorf("%s is neither true nor false", c.Text)
	}
	return yes, nil
}

// Number returns the value of a bound.
func (c *Condition) Number(env Figures) (float64, error) {
	out, err := c.value(env)
	if err != nil {
		return 0, err
	}
	v, fine := out.(float64)
	if !fine {
		return 0, fmt.Errorf("%s is no number", c.Text)
	}
	return v, nil
}

func (c *Condition) value(env Figures) (any, error) {
	for _, name := range c.e.names {
		if env.value(name) == nil {
			return nil, missing("there is no", name, env.Names())
		}
	}
	return c.e.of(env)
}
