package config

import (
	"strings"

	"hcasim/scenario/lang"
)

// A checker is a group with rules between its fields. The room that declares
// the fields declares the rules; their messages begin with the name of the
// field they are about.
type checker interface{ Check() error }

// Check returns what is wrong between values that are right one by one. A
// problem stands where the field that it names got its value; it has no place
// when that is a default.
func (s *Settings[T]) Check() (problems []lang.Problem) {
	var walk func(g *group)
	walk = func(g *group) {
		if c, rules := s.root().FieldByIndex(g.index).Addr().Interface().(checker); rules {
			for _, err := range all(c.Check()) {
				problems = append(problems, s.place(g, err.Error()))
			}
		}
		for _, m := range g.members {
			if m.group != nil {
				walk(m.group)
			}
		}
	}
	walk(s.model())
	return problems
}

// place finds the field that a message begins with.
func (s *Settings[T]) place(g *group, message string) lang.Problem {
	end := strings.IndexAny(message+" ", " :")
	word := strings.TrimSuffix(message[:end], ":")
	m, _ := g.under(word)
	switch {
	case m.leaf == nil && g.path == "":
		return lang.Problem{Message: message}
	case m.leaf == nil:
		return lang.Problem{Message: g.path + ": " + message, Suggestion: g.see()}
	}
	o := s.origins[m.leaf.number]
	p := lang.Problem{File: o.file, Line: o.Line, Column: o.column, Message: message,
		Suggestion: "(hcasim params " + m.leaf.Path + ")"}
	if o.Source == FromFlag {
		p.File, p.Message = "--set "+m.leaf.Path, strings.TrimLeft(message[end:], " :")
	}
	return p
}

// all takes joined errors apart.
func all(err error) []error {
	if many, joined := err.(interface{ Unwrap() []error }); joined {
		return many.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
