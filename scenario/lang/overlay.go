package lang

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// SetFlag makes a source of one --set flag, PATH=VALUE. A mistake in it is
// named as the flag. It reports false when there is no path or no =.
func SetFlag(text string) (s Source, ok bool) {
	path, value, found := strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	if !found || path == "" || strings.Contains(path, " ") {
		return Source{}, false
	}
	return Source{Name: "--set " + path, Data: []byte(value), path: path}, true
}

// set lays value over the tree at a dotted path; at stands for the words of
// the path where a problem is shown.
func set(root *yaml.Node, at *yaml.Node, path string, value *yaml.Node) {
	words := strings.Split(path, ".")
	tree := value
	for i := len(words) - 1; i >= 0; i-- {
		key := &yaml.Node{Kind: yaml.ScalarNode, Value: words[i], Line: at.Line, Column: at.Column}
		tree = &yaml.Node{Kind: yaml.MappingNode, Line: at.Line, Column: at.Column, Content: []*yaml.Node{key, tree}}
	}
	overlay(root, tree)
}

// overlay lays top over base: mappings member by member, all else replaced. A
// null on top takes away what was there.
func overlay(base, top *yaml.Node) {
	if base.Kind != yaml.MappingNode || top.Kind != yaml.MappingNode {
		*base = *top
		return
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		j := index(base, key.Value)
		switch {
		case j < 0:
			base.Content = append(base.Content, key, value)
		case null(value):
			base.Content = append(base.Content[:j:j], base.Content[j+2:]...)
		default:
			base.Content[j] = key
			overlay(base.Content[j+1], value)
		}
	}
}

// index returns where key stands in a mapping's Content, -1 if nowhere.
func index(n *yaml.Node, key string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// clone returns a deep copy of a tree without aliases.
func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		c.Content[i] = clone(n.Content[i])
	}
	return &c
}
