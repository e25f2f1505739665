package lang

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Variables stand in texts as $name, when the text is nothing else, and as
// ${name} or ${name*4+1} anywhere. Arithmetic is on whole numbers: + - * / %
// and brackets.

// A binding is the value of one variable.
type binding struct{ name, value string }

// Expand puts variables into a text as scenarios do.
func Expand(text string, vars map[string]string) (string, error) {
	env := make([]binding, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, binding{name, vars[name]})
	}
	return expand(text, env)
}

// expand puts the values of variables into text.
func expand(text string, env []binding) (string, error) {
	if name, ok := strings.CutPrefix(text, "$"); ok && isName(name) {
		return lookup(name, env)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("${ without }")
		}
		value, err := evaluate(inside, env)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		text = after
	}
}

// lookup returns a variable's value; the innermost binding counts.
func lookup(name string, env []binding) (string, error) {
	for i := len(env) - 1; i >= 0; i-- {
		if env[i].name == name {
			return env[i].value, nil
		}
	}
	names := make([]string, 0, len(env))
	for _, b := range env {
		names = append(names, b.name)
	}
	if near := nearest(name, names); near != "" {
		return "", fmt.Errorf("no variable %q; did you mean %q?", name, near)
	}
	return "", fmt.Errorf("no variable %q; vars: declares them, loop: {var: …} counts", name)
}

// evaluate returns the value of the inside of ${…}.
func evaluate(text string, env []binding) (string, error) {
	if name := strings.TrimSpace(text); isName(name) {
		return lookup(name, env)
	}
	e := evaluator{text: text, env: env}
	v := e.sum(0)
	switch e.skip(); {
	case e.err != nil || e.text == "":
	case e.text[0] == '.':
		e.fail("arithmetic is on whole numbers")
	default:
		e.fail("%q is not understood", e.text)
	}
	if e.err != nil {
		return "", fmt.Errorf("${%s}: %w", clipped(text), e.err)
	}
	return strconv.FormatInt(v, 10), nil
}

// clipped is the beginning of a text that is too long to be quoted.
func clipped(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// An evaluator reads an expression from the left; the first error stays.
type evaluator struct {
	text string
	env  []binding
	err  error
}

func (e *evaluator) fail(format string, args ...any) int64 {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
	return 0
}

func (e *evaluator) skip() { e.text = strings.TrimLeft(e.text, " ") }

// operator takes the next character if it is one of set.
func (e *evaluator) operator(set string) byte {
	if e.skip(); e.err != nil || e.text == "" || strings.IndexByte(set, e.text[0]) < 0 {
		return 0
	}
	op := e.text[0]
	e.text = e.text[1:]
	return op
}

func (e *evaluator) sum(depth int) int64 {
	v := e.product(depth)
	for {
		switch e.operator("+-") {
		case '+':
			v = e.checked('+', v, e.product(depth))
		case '-':
			v = e.checked('-', v, e.product(depth))
		default:
			return v
		}
	}
}

func (e *evaluator) product(depth int) int64 {
	v := e.operand(depth)
	for {
		op := e.operator("*/%")
		if op == 0 {
			return v
		}
		w := e.operand(depth)
		if op != '*' && w == 0 {
			return e.fail("division by zero")
		}
		v = e.checked(op, v, w)
	}
}

// checked carries out one operation; beyond 2^62 it refuses.
func (e *evaluator) checked(op byte, v, w int64) int64 {
	var r int64
	var size float64
	switch op {
	case '+':
		r, size = v+w, float64(v)+float64(w)
	case '-':
		r, size = v-w, float64(v)-float64(w)
	case '*':
		r, size = v*w, float64(v)*float64(w)
	case '/':
		r = v / w
	case '%':
		r = v % w
	}
	if math.Abs(size) > 1<<62 {
		return e.fail("the number is too large")
	}
	return r
}

// deepestBrackets bounds how deep an expression is nested.
const deepestBrackets = 50

func (e *evaluator) operand(depth int) int64 {
	if depth > deepestBrackets {
		return e.fail("more than %d brackets within each other", deepestBrackets)
	}
	switch e.operator("(-") {
	case '(':
		v := e.sum(depth + 1)
		if e.operator(")") == 0 {
			return e.fail("( without )")
		}
		return v
	case '-':
		return -e.operand(depth + 1)
	}
	end := strings.IndexFunc(e.text, func(r rune) bool { return !wordRune(r) })
	if end < 0 {
		end = len(e.text)
	}
	word := e.text[:end]
	e.text = e.text[end:]
	if word == "" {
		return e.fail("a number or a variable is missing")
	}
	if isName(word) {
		value, err := lookup(word, e.env)
		if err != nil {
			return e.fail("%v", err)
		}
		word = value
	}
	v, err := strconv.ParseInt(word, 0, 62)
	if errors.Is(err, strconv.ErrRange) {
		return e.fail("%s is too large: arithmetic goes up to 2^61", word)
	}
	if err != nil {
		return e.fail("%q is no whole number", word)
	}
	return v
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// isName reports whether s can name a variable.
func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) }) < 0
}
