package config

import "go.yaml.in/yaml/v4"

// Beside returns, in the form of Effective, the parameters whose values differ
// from those of base; nil when there are none.
func (s *Settings[T]) Beside(base *Settings[T]) *yaml.Node { return s.differing(s.model(), base) }

func (s *Settings[T]) differing(g *group, base *Settings[T]) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, m := range g.members {
		var value *yaml.Node
		switch {
		case m.group != nil:
			value = s.differing(m.group, base)
		case textOf(m.leaf.in(s.root())) != textOf(m.leaf.in(base.root())):
			value = scalar(m.leaf, m.leaf.in(s.root()))
			value.LineComment = comment(s.origins[m.leaf.number])
		}
		if value != nil {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.name}, value)
		}
	}
	if len(n.Content) == 0 {
		return nil
	}
	return n
}
