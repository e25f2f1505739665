package lang

import "go.yaml.in/yaml/v4"

// A Draft is a scenario that another file holds, put together of pieces of it.
// Mistakes are shown where the pieces stand.
type Draft struct{ root *yaml.Node }

// NewDraft begins a scenario of a name; at is where it is said to stand.
func NewDraft(at *yaml.Node, name string) *Draft {
	d := &Draft{&yaml.Node{Kind: yaml.MappingNode, Line: at.Line, Column: at.Column}}
	for _, pair := range [][2]string{{"version", "1"}, {"kind", "scenario"}, {"name", name}} {
		d.Set(at, pair[0], Scalar(at, pair[1]))
	}
	return d
}

// Scalar makes a value that is said to stand at a node.
func Scalar(at *yaml.Node, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: text, Line: at.Line, Column: at.Column}
}

// Lay puts a mapping over all that is there.
func (d *Draft) Lay(tree *yaml.Node) { overlay(d.root, clone(tree)) }

// Set puts a value at a dotted path, over what is there. The words of the path
// are said to stand at a node.
func (d *Draft) Set(at *yaml.Node, path string, value *yaml.Node) {
	set(d.root, at, path, clone(value))
}

// Put makes a value the first member of a mapping of the draft, unless there
// is one of its name, whose place it takes.
func (d *Draft) Put(mapping string, key, value *yaml.Node) {
	m := find(d.root, mapping)
	if m == nil || m.Kind != yaml.MappingNode {
		m = &yaml.Node{Kind: yaml.MappingNode, Line: key.Line, Column: key.Column}
		d.Set(key, mapping, m)
		m = find(d.root, mapping)
	}
	if i := index(m, key.Value); i >= 0 {
		m.Content[i], m.Content[i+1] = key, value
		return
	}
	m.Content = append([]*yaml.Node{key, value}, m.Content...)
}

// Tree returns the draft as it stands.
func (d *Draft) Tree() *yaml.Node { return d.root }

// Source returns the draft as a text to load, of the file that its pieces are
// from.
func (d *Draft) Source(file Source) Source {
	return Source{Name: file.Name, Data: file.Data, tree: d.root}
}
