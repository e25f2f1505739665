package lang

import "go.yaml.in/yaml/v4"

// configured are the members that hold parameters.
var configured = []string{"hca", "host", "wire"}

// Said returns where a member of the file was written, in the file, in its
// opening or in a flag; where the file begins, if nobody wrote it.
func (f *File) Said(member string) Pos {
	if i := index(f.tree, member); i >= 0 {
		return f.Position(f.tree.Content[i+1])
	}
	return f.Pos
}

// Document returns one scenario as a file of its own that means the same:
// opening, flags and the changes of its case are merged in, other cases,
// comments and anchors are left out, and record:, whose figures lie beside the
// file and not beside this one. In the place of the profile and of all
// configuration stand common, a mapping with hca:, host: and wire:, and for
// each host what own returns, which may be nil.
func (s *Scenario) Document(common *yaml.Node, own func(host string) *yaml.Node) *yaml.Node {
	root := bare(s.put(s.File.tree))
	s.onlyCase(root)
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s.File.Name}
	drop(root, append([]string{"name", "profile", "record"}, configured...)...)
	doc := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Value == "hosts" {
			doc.Content = append(doc.Content, common.Content...)
			hosts(value, own)
		}
		doc.Content = append(doc.Content, key, value)
		if key.Value == "kind" {
			doc.Content = append(doc.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "name"}, name)
		}
	}
	return doc
}

// onlyCase leaves of all cases the one of s, with its changes carried out.
func (s *Scenario) onlyCase(root *yaml.Node) {
	if s.Case == nil {
		return
	}
	list := find(root, "cases")
	for i := range s.File.scenarios {
		if s.File.scenarios[i].Case != s.Case {
			continue
		}
		one := list.Content[i]
		drop(one, "record")
		if changes := find(one, "set"); changes != nil {
			for k := 0; k+1 < len(changes.Content); k += 2 {
				set(root, changes.Content[k], changes.Content[k].Value, changes.Content[k+1])
			}
			drop(one, "set")
		}
		list.Content = []*yaml.Node{one}
		return
	}
}

// hosts puts the configuration that each host has for itself.
func hosts(n *yaml.Node, own func(host string) *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	for i := 0; i+1 < len(n.Content); i += 2 {
		body := n.Content[i+1]
		if body.Kind != yaml.MappingNode {
			body = &yaml.Node{Kind: yaml.MappingNode}
			n.Content[i+1] = body
		}
		drop(body, append([]string{"profile"}, configured...)...)
		if c := own(n.Content[i].Value); c != nil && len(c.Content) > 0 {
			body.Style &^= yaml.FlowStyle
			body.Content = append(body.Content, c.Content...)
		}
	}
}

// drop takes members out of a mapping.
func drop(n *yaml.Node, words ...string) {
	for _, word := range words {
		if i := index(n, word); i >= 0 {
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
		}
	}
}

// put returns a tree with the distributions in it that the scenario names.
func (s *Scenario) put(n *yaml.Node) *yaml.Node {
	if x, named := s.named[n]; named {
		return x.node()
	}
	if len(s.named) == 0 {
		return n
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		c.Content[i] = s.put(n.Content[i])
	}
	return &c
}

// bare returns a copy of a tree without comments and anchors.
func bare(n *yaml.Node) *yaml.Node {
	c := clone(n)
	var strip func(n *yaml.Node)
	strip = func(n *yaml.Node) {
		n.HeadComment, n.LineComment, n.FootComment, n.Anchor = "", "", "", ""
		for _, child := range n.Content {
			strip(child)
		}
	}
	strip(c)
	return c
}
