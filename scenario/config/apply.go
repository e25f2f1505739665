package config

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// largest is how many nodes a tree may have once its aliases are followed.
// The largest honest tree has a few hundred.
const largest = 20_000

// A walk goes through a tree of values and the model side by side.
type walk struct {
	top      *group
	root     reflect.Value
	origins  []Origin
	where    Where
	profile  string // its name: leaves are {value, source}
	visited  int
	problems []lang.Problem
}

// run applies tree to the group or the leaf at a path. A path that leads
// nowhere is the caller's mistake, not the user's.
func (w *walk) run(at string, tree *yaml.Node) {
	m, found := w.top.under(at)
	if !found {
		panic(fmt.Sprintf("config: no parameters at %q", at))
	}
	w.member(m, tree)
}

func (w *walk) member(m member, n *yaml.Node) {
	if m.leaf == nil {
		w.group(m.group, n)
		return
	}
	w.leaf(m.leaf, n)
}

// group takes a mapping of names to values. Nothing at all is an empty one.
func (w *walk) group(g *group, n *yaml.Node) {
	n, fine := w.follow(n)
	switch {
	case !fine, n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return
	case n.Kind != yaml.MappingNode:
		w.report(g.path, n, fmt.Sprintf("%s is a group of parameters, not %s", name(g.path), shape(n)),
			"write {name: value} "+g.see())
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" {
			w.merge(g, n.Content[i+1])
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Tag != "!!merge" {
			w.pair(g, key, n.Content[i+1], seen)
		}
	}
}

// pair takes one name and its value. seen holds the names before it.
func (w *walk) pair(g *group, key, value *yaml.Node, seen map[string]bool) {
	path := key.Value
	if g.path != "" {
		path = g.path + "." + key.Value
	}
	m, known := g.member(key.Value)
	switch {
	case key.Kind != yaml.ScalarNode:
		w.report(path, key, "a name is a word, not "+shape(key), "")
		return
	case !known:
		w.unknown(g, path, key)
		return
	case seen[key.Value]:
		w.report(path, key, fmt.Sprintf("%s is given twice", key.Value), "")
		return
	}
	seen[key.Value] = true
	w.member(m, value)
}

// merge takes the mapping, or the list of mappings, behind a << key. Of a
// list the first has precedence, so it is laid last.
func (w *walk) merge(g *group, n *yaml.Node) {
	n, fine := w.follow(n)
	switch {
	case !fine:
	case n.Kind == yaml.SequenceNode:
		for i := len(n.Content) - 1; i >= 0; i-- {
			w.group(g, n.Content[i])
		}
	default:
		w.group(g, n)
	}
}

// leaf takes the value of one parameter.
func (w *walk) leaf(l *leaf, n *yaml.Node) {
	n, fine := w.follow(n)
	if !fine {
		return
	}
	if w.profile != "" {
		if n, fine = w.split(l, n); !fine {
			return
		}
	}
	v, problem := w.decode(l, n)
	if problem != "" {
		hint := ""
		if near := nearest(n.Value, l.Enum); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		w.report(l.Path, n, problem, hint)
		return
	}
	l.in(w.root).Set(v)
	from := originOf(w.where(n))
	if w.profile != "" {
		from.Source, from.Name = FromProfile, w.profile
	}
	w.origins[l.number] = from
}

// decode reads the scalar n as a value of l, or says what is wrong with it.
func (w *walk) decode(l *leaf, n *yaml.Node) (v reflect.Value, problem string) {
	prefix := ""
	if w.where(n).Line >= 0 { // a flag's problem has the path before it already
		prefix = name(l.Path) + ": "
	}
	switch {
	case n.Kind != yaml.ScalarNode:
		return v, prefix + shape(n) + ", want " + l.kind.wanted()
	case n.Tag == "!!null":
		return v, prefix + "no value, want " + l.kind.wanted()
	case l.kind.bare() && n.Tag == "!!str" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return v, prefix + fmt.Sprintf("%q in quotes is text, want %s", n.Value, l.kind.wanted())
	}
	v, err := l.parse(n.Value)
	if err != nil {
		return v, prefix + err.Error()
	}
	return v, ""
}

// follow resolves an alias, and stops a tree that grows without end by them.
func (w *walk) follow(n *yaml.Node) (*yaml.Node, bool) {
	for n != nil {
		w.visited++
		switch {
		case w.visited == largest:
			w.report("", n, "too many values: the aliases of this tree multiply", "")
			return nil, false
		case w.visited > largest:
			return nil, false
		case n.Kind == yaml.AliasNode:
			n = n.Alias
		case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
			n = n.Content[0]
		default:
			return n, true
		}
	}
	return nil, false
}

// unknown reports a name that g does not have.
func (w *walk) unknown(g *group, path string, key *yaml.Node) {
	message := "unknown parameter"
	if w.where(key).Line >= 0 {
		message += fmt.Sprintf(" %q", key.Value)
	}
	w.report(path, key, message, suggest(w.top, g, key.Value))
}

// report adds a problem at node n: of a flag it is named by its path, of a
// file by its line.
func (w *walk) report(path string, n *yaml.Node, message, suggestion string) {
	at := w.where(n)
	p := lang.Problem{File: at.File, Line: at.Line, Column: at.Column, Message: message, Suggestion: suggestion}
	if at.Line < 0 {
		p.File, p.Line, p.Column = flagOf(at.File, path), 0, 0
	}
	if n.Kind == yaml.ScalarNode {
		p.Length = utf8.RuneCountInString(n.Value)
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			p.Length += 2
		}
	}
	w.problems = append(w.problems, p)
}

// flagOf names a flag by the path of what is wrong in it: the value may be a
// tree, and the path may begin with the one host that it is for.
func flagOf(flag, path string) string {
	parts := strings.SplitN(strings.TrimPrefix(flag, "--set "), ".", 3)
	if len(parts) == 3 && parts[0] == "hosts" {
		path = parts[0] + "." + parts[1] + "." + path
	}
	return strings.TrimSpace("--set " + path)
}
