package config

import (
	"reflect"
	"strings"
)

// A Param is what can be told about one parameter. All of it is derived from
// the struct field that declares the number; values are written as a user
// would write them.
type Param struct {
	Path    string   // hca.cache.mpt.entries
	Type    string   // duration, cycles, frequency, rate, size, count, integer, switch, choice, text
	Unit    string   // what a bare number counts; "" where the value carries its unit
	Default string   // the value of spec-ideal
	Min     string   // smallest value allowed; "" for no bound
	Max     string   // largest value allowed; "" for no bound
	Enum    []string // the words allowed, of a choice
	Doc     string   // one sentence
}

// Describe returns the parameters of root, a struct or a pointer to one, in
// the order of their declaration.
func Describe(root any) []Param { return DescribeUnder(root, "") }

// DescribeUnder returns the parameters at and below a dotted path, and none
// when there is no such path.
func DescribeUnder(root any, path string) []Param {
	m, found := modelOf(structOf(root)).under(path)
	switch {
	case !found:
		return nil
	case m.leaf != nil:
		return []Param{m.leaf.Param}
	}
	params := make([]Param, len(m.group.leaves))
	for i, l := range m.group.leaves {
		params[i] = l.Param
	}
	return params
}

// A Group is a node of the tree that holds parameters.
type Group struct {
	Path, Doc string
}

// Groups returns the inner nodes of root, each before those below it.
func Groups(root any) []Group {
	var all []Group
	var walk func(g *group)
	walk = func(g *group) {
		for _, m := range g.members {
			if m.group != nil {
				all = append(all, Group{m.group.path, m.group.doc})
				walk(m.group)
			}
		}
	}
	walk(modelOf(structOf(root)))
	return all
}

// Range returns the allowed values in words, with the unit: "1 to 1024
// cycles", "at least 1", "lru, plru, random". It is "" when all are allowed.
func (p Param) Range() string {
	unit := ""
	if p.Unit != "" {
		unit = " " + p.Unit
	}
	switch {
	case len(p.Enum) > 0:
		return strings.Join(p.Enum, ", ")
	case p.Min != "" && p.Max != "":
		return p.Min + " to " + p.Max + unit
	case p.Min != "":
		return "at least " + p.Min + unit
	case p.Max != "":
		return "at most " + p.Max + unit
	}
	return ""
}

// structOf returns the struct type behind root.
func structOf(root any) reflect.Type {
	t := reflect.TypeOf(root)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// Suggest says what a path that names nothing may have meant. It is "" when
// the path names a group or a parameter.
func Suggest(root any, path string) string {
	top := modelOf(structOf(root))
	g := top
	for word := range strings.SplitSeq(path, ".") {
		m, known := g.member(word)
		switch {
		case !known:
			return suggest(top, g, word)
		case m.leaf != nil && m.leaf.Path != path:
			return "there is nothing below " + m.leaf.Path
		case m.leaf != nil:
			return ""
		}
		g = m.group
	}
	return ""
}
