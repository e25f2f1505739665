package lang

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
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

func quoted(n *yaml.Node) bool {
	return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
}

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
	if bytes.IndexByte(s.Data, 0) >= 0 || !utf8.Valid(s.Data) {
		return fail(1, 1, "this is no text", "a scenario is YAML in UTF-8")
	}
	var doc yaml.Node
	if err := load(s.Data, &doc); err != nil {
		p := syntax(err, s.Data)
		return fail(max(p.Line, 1), max(p.Column, 1), p.Message, p.Suggestion)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 || null(doc.Content[0]) && s.path == "" {
		return fail(1, 1, empty, "hcasim init writes one to start from")
	}
	root := doc.Content[0]
	place(root, i, s.path != "")
	f := flattener{report: r, budget: 10*count(root) + 10_000}
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

// syntax makes a problem of what the reader of YAML says.
func syntax(err error, data []byte) (p Problem) {
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	switch {
	case errors.As(err, &many) && len(many.Errors) > 0:
		one = many.Errors[0]
	case errors.As(err, &one):
	default:
		return Problem{Message: err.Error()}
	}
	p = Problem{Line: one.Mark.Line, Column: one.Mark.Column, Message: one.Message}
	line, _ := lineOf([]Source{{Data: data}}, p)
	switch {
	case strings.Contains(p.Message, "no documents"):
		p.Message, p.Suggestion = empty, "hcasim init writes one to start from"
	case strings.Contains(p.Message, "expected single document"), strings.Contains(p.Message, "multiple documents"):
		p.Message, p.Suggestion, p.Column = "a second document begins here", "a file holds one", 1
		p.Line = 1 + bytes.Count(data[:max(0, bytes.LastIndex(data, []byte("\n---")))], []byte("\n")) + 1
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"), strings.Contains(p.Message, "tab"):
		p.Suggestion = "indent with spaces, not tabs"
	case strings.Contains(line, ": >"):
		p.Suggestion = `quote a value that begins with >, such as latency: ">= 3us"`
	}
	return p
}

// A flattener replaces aliases and merge keys by copies of what they mean.
type flattener struct {
	*report
	budget int // nodes that may still be made
	open   map[*yaml.Node]bool
}

const deepest = 200

// flatten works on n in place and reports whether all is well enough to go on.
func (f *flattener) flatten(n *yaml.Node, depth int) bool {
	if depth > deepest {
		f.node(n, "nested too deeply", "")
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
		f.node(n, "an alias of what it stands in", "")
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
		f.node(n, "aliases make this file too large", "")
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
				f.node(m, "<< takes a mapping", "")
				continue
			}
			merged = append(merged, m.Content...)
		}
	}
	if len(merged) == 0 {
		return
	}
	n.Content = own
	for i := 0; i+1 < len(merged); i += 2 {
		if find(n, merged[i].Value) == nil {
			n.Content = append(n.Content, merged[i], merged[i+1])
		}
	}
}

// unique notes keys that stand twice in a mapping, or that are no words.
func (f *flattener) unique(n *yaml.Node) {
	first := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			f.node(key, "a key must be a word", "")
			continue
		}
		if was := first[key.Value]; was != nil {
			f.node(key, fmt.Sprintf("%q stands here twice", key.Value),
				fmt.Sprintf("the first is in line %d", f.pos(was).Line))
			continue
		}
		first[key.Value] = key
	}
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
