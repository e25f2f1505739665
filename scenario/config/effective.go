package config

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Effective returns all parameters as a tree of YAML in the order of their
// declaration, each with its origin as a comment. Applied to defaults it gives
// the same values again.
func (s *Settings[T]) Effective() *yaml.Node {
	return s.tree(s.model())
}

func (s *Settings[T]) tree(g *group) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, m := range g.members {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.name}
		value := &yaml.Node{}
		if m.group != nil {
			value = s.tree(m.group)
		} else {
			value = scalar(m.leaf, m.leaf.in(s.root()))
			value.LineComment = comment(s.origins[m.leaf.number])
		}
		n.Content = append(n.Content, key, value)
	}
	return n
}

// comment writes an origin on one line, whatever the name of its file holds.
func comment(o Origin) string {
	return "# " + strings.Join(strings.Fields(o.String()), " ")
}

// scalar writes one value. Text that YAML would take for something else gets
// quotes from the writer, because the tag says that it is text.
func scalar(l *leaf, v reflect.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: textOf(v)}
	switch {
	case l.kind.word == "switch":
		n.Tag = "!!bool"
	case l.kind.bare():
		n.Tag = "!!int"
	case l.kind.word == "interval" && strings.Contains(n.Value, "."):
		n.Tag = "!!float"
	case l.kind.word == "interval":
		n.Tag = "!!int"
	}
	return n
}
