package lang

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// A flattener replaces aliases and merge keys by copies of what they mean.
type flattener struct {
	*report
	budget int // nodes that may still be made
	open   map[*yaml.Node]bool
}

const deepest = 200

// aliasGrowth is how many times larger aliases of YAML may make a file.
const aliasGrowth = 10

// flatten works on n in place and reports whether all is well enough to go on.
func (f *flattener) flatten(n *yaml.Node, depth int) bool {
	if depth > deepest {
		f.node(n, fmt.Sprintf("nested more than %d deep", deepest), "a scenario needs some ten levels")
		return false
	}
	if n.Kind == yaml.AliasNode {
		return f.follow(n, depth)
	}
	for _, c := range n.Content {
		if !f.flatten(c, depth+1) {
			return false
		}
	}
	if n.Kind == yaml.MappingNode {
		f.merge(n)
		f.unique(n)
	}
	return true
}

// follow puts a copy of what an alias means in its place.
func (f *flattener) follow(n *yaml.Node, depth int) bool {
	target := n.Alias
	if target == nil || f.open[target] {
		f.node(n, "an alias of what it stands in", "it would never end: loop: repeats")
		return false
	}
	if f.open == nil {
		f.open = map[*yaml.Node]bool{}
	}
	f.open[target] = true
	defer delete(f.open, target)
	line, column := n.Line, n.Column
	c := f.copy(target)
	if c == nil {
		f.node(n, "aliases make this file too large", "they may make it ten times as large as it is written; loop: and cases: repeat without copies")
		return false
	}
	*n = *c
	n.Line, n.Column = line, column
	return f.flatten(n, depth+1)
}

// copy returns a copy of n, aliases not followed; nil when the budget is gone.
func (f *flattener) copy(n *yaml.Node) *yaml.Node {
	if f.budget--; f.budget < 0 {
		return nil
	}
	c := *n
	c.Anchor = ""
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		if c.Content[i] = f.copy(n.Content[i]); c.Content[i] == nil {
			return nil
		}
	}
	return &c
}

// merge carries out the merge keys of a mapping: what is said beside << wins.
func (f *flattener) merge(n *yaml.Node) {
	var own, merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Value != "<<" || quoted(key) {
			own = append(own, key, value)
			continue
		}
		from := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			from = value.Content
		}
		for _, m := range from {
			if m.Kind != yaml.MappingNode {
				f.node(m, "<< takes a mapping", "such as <<: *name, of a mapping with &name before it")
				continue
			}
			merged = append(merged, m.Content...)
		}
	}
	if len(own) == len(n.Content) {
		return
	}
	n.Content = own
	for i := 0; i+1 < len(merged); i += 2 {
		if find(n, merged[i].Value) == nil {
			n.Content = append(n.Content, merged[i], merged[i+1])
		}
	}
}

// unique notes keys that stand twice in a mapping, or that are no words. The
// second is taken away: all that it says would be wrong once more.
func (f *flattener) unique(n *yaml.Node) {
	first := make(map[string]*yaml.Node, len(n.Content)/2)
	kept := n.Content[:0]
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			f.node(key, fmt.Sprintf("a key is a word, not a %s", kindWord(key)), "")
			kept = append(kept, key, n.Content[i+1])
			continue
		}
		if was := first[key.Value]; was != nil {
			f.node(key, fmt.Sprintf("%q stands here twice", key.Value),
				fmt.Sprintf("the first is in line %d", f.pos(was).Line))
			continue
		}
		first[key.Value] = key
		kept = append(kept, key, n.Content[i+1])
	}
	n.Content = kept
}

// find returns the value under key in a mapping, nil if there is none.
func find(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
