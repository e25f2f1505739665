package lang

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Nodes remember which source they are from in their line: the main file's
// lines are as they are, those of source i have i in the bits above, and a
// flag's are -i.
const sourceShift = 24

// place marks all nodes of a tree as being of source i.
func place(n *yaml.Node, i int, flag bool) {
	switch {
	case flag:
		n.Line = -i
	case i > 0:
		n.Line += i << sourceShift
	}
	for _, c := range n.Content {
		place(c, i, flag)
	}
}

// pos returns where a node was written.
func (r *report) pos(n *yaml.Node) Pos {
	i, line := n.Line>>sourceShift, n.Line&(1<<sourceShift-1)
	if n.Line < 0 {
		i, line = -n.Line, n.Line
	}
	if i >= len(r.sources) {
		return Pos{Line: line, Column: n.Column}
	}
	return Pos{r.sources[i].Name, line, n.Column}
}

// node notes a problem of a whole node.
func (r *report) node(n *yaml.Node, message, suggestion string) {
	length := 1
	if n.Kind == yaml.ScalarNode {
		length = utf8.RuneCountInString(n.Value)
		if quoted(n) {
			length += 2
		}
	}
	r.at(r.pos(n), max(length, 1), message, suggestion)
}

// in notes a problem of one member of the mapping that was written at pos; of
// the mapping itself when it has no such member. Of a value that could not be
// read nothing more is known, and nothing more said.
func (r *report) in(pos Pos, member, message, suggestion string) {
	for _, root := range r.roots {
		if len(r.problems) > 10*Shown {
			break // nobody will see where; looking takes long
		}
		if key, value := r.mapping(root, pos, member); key != nil {
			if at := r.pos(value); !slices.ContainsFunc(r.problems, func(p Problem) bool { return Pos{p.File, p.Line, p.Column} == at }) {
				r.node(key, message, suggestion)
			}
			return
		}
	}
	r.at(pos, 1, message, suggestion)
}

// mapping returns a member of the mapping at pos, its key nil if there is none.
func (r *report) mapping(n *yaml.Node, pos Pos, member string) (key, value *yaml.Node) {
	if n.Kind == yaml.MappingNode && r.pos(n) == pos {
		if i := index(n, member); i >= 0 {
			return n.Content[i], n.Content[i+1]
		}
	}
	for _, c := range n.Content {
		if key, value = r.mapping(c, pos, member); key != nil {
			return key, value
		}
	}
	return nil, nil
}

func quoted(n *yaml.Node) bool {
	return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
}

// quotedWord reports whether n, of which s has come, is a text that is meant as
// one. With a variable in it, it had to be quoted, and is whatever comes of it.
func quotedWord(n *yaml.Node, s string) bool { return quoted(n) && s == n.Value }

// null reports whether n says nothing.
func null(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Style&^yaml.TaggedStyle != 0 {
		return false
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// parse reads source i into a tree without aliases and merge keys. It returns
// nil when there is none to go on with.
func (r *report) parse(i int) *yaml.Node {
	s := r.sources[i]
	fail := func(line, column int, message, suggestion string) *yaml.Node {
		if s.path != "" {
			line = -i
		}
		r.at(Pos{s.Name, line, column}, 1, message, suggestion)
		return nil
	}
	if s.tree != nil {
		root := clone(s.tree)
		place(root, i, false)
		r.roots = append(r.roots, root)
		return root
	}
	var doc yaml.Node
	if p, ok := LoadYAML(s.Data, &doc); !ok {
		return fail(p.Line, p.Column, p.Message, p.Suggestion)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 || null(doc.Content[0]) && s.path == "" {
		return fail(1, 1, empty, "scenarios/quickstart.yaml is one to start from")
	}
	root := doc.Content[0]
	place(root, i, s.path != "")
	r.roots = append(r.roots, root)
	f := flattener{report: r, budget: aliasGrowth*count(root) + 10_000}
	if !f.flatten(root, 0) {
		return nil
	}
	return root
}

const empty = "the file is empty"

// load is yaml.Load, but for panics: a reader must not take the program down.
func load(data []byte, doc *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot be read: %v", p)
		}
	}()
	return yaml.Load(data, doc)
}

// count returns the number of nodes, aliases not followed.
func count(n *yaml.Node) int {
	sum := 1
	for _, c := range n.Content {
		sum += count(c)
	}
	return sum
}
