package config

import (
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// Settings are the parameters of a tree T, all of them, with the origin of
// every value. A copy made by Clone is independent.
type Settings[T any] struct {
	Params  T
	origins []Origin // by number of the leaf
}

// New returns the defaults.
func New[T any]() *Settings[T] {
	s := &Settings[T]{}
	g := s.model()
	s.origins = make([]Origin, len(g.leaves))
	for _, l := range g.leaves {
		l.in(s.root()).Set(l.def)
	}
	return s
}

// Clone returns a copy, for the second host of a scenario, say.
func (s *Settings[T]) Clone() *Settings[T] {
	return &Settings[T]{Params: s.Params, origins: slices.Clone(s.origins)}
}

func (s *Settings[T]) model() *group       { return modelOf(reflect.TypeFor[T]()) }
func (s *Settings[T]) root() reflect.Value { return reflect.ValueOf(&s.Params).Elem() }

// Apply lays a tree of values over the group at a dotted path; "" is the
// root. It returns every mistake of the tree; values that are right are taken
// all the same. Where says which file or flag a node stands in.
func (s *Settings[T]) Apply(at string, tree *yaml.Node, where Where) []lang.Problem {
	w := walk{top: s.model(), root: s.root(), origins: s.origins, where: where}
	w.run(at, tree)
	return w.problems
}

// Take takes over the values of a group of other, with their origins.
func (s *Settings[T]) Take(other *Settings[T], group string) {
	m, _ := s.model().under(group)
	for _, l := range m.group.leaves {
		l.in(s.root()).Set(l.in(other.root()))
		s.origins[l.number] = other.origins[l.number]
	}
}

// Origin returns where the value at a path comes from; ok is false when the
// path names no parameter.
func (s *Settings[T]) Origin(path string) (o Origin, ok bool) {
	m, _ := s.model().under(path)
	if m.leaf == nil {
		return Origin{}, false
	}
	return s.origins[m.leaf.number], true
}

// Value returns the value at a path as a user would write it; ok is false
// when the path names no parameter.
func (s *Settings[T]) Value(path string) (text string, ok bool) {
	m, _ := s.model().under(path)
	if m.leaf == nil {
		return "", false
	}
	return textOf(m.leaf.in(s.root())), true
}
