package lang

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A Loader reads scenario files. Its zero value knows no openings.
type Loader struct {
	// Opening finds the text of an opening by its name.
	Opening func(name string) (Source, bool)
	// Openings are the names there are, for suggestions.
	Openings []string
	// Checks look at each scenario that is whole in itself, to compare it with
	// what this room does not know: sizes of tables, names of switches.
	Checks []func(*Scenario) []Problem

	// Beside reads a file that a scenario names; nil: it cannot name any.
	Beside func(name string) (Source, error)

	limit uint64 // for tests: steps at most
}

// Load reads one file and the --set flags that go with it, with no openings.
func Load(src ...Source) (*File, []Problem) { return Loader{}.Load(src...) }

// Load reads the file src[0] and the flags after it. It reports all mistakes
// in the order of their places; the file is nil if there are any.
func (l Loader) Load(src ...Source) (*File, []Problem) {
	if len(src) == 0 {
		panic("lang: nothing to load")
	}
	r := &report{sources: slices.Clone(src)}
	d := &decoder{report: r, limit: l.limit, beside: l.Beside}
	f := l.file(d)
	if len(r.problems) == 0 {
		f.sources = r.sources
		for i := range f.scenarios {
			for _, check := range l.Checks {
				for _, p := range check(&f.scenarios[i]) {
					r.add(p)
				}
			}
		}
	}
	for _, p := range d.late {
		r.add(p)
	}
	if len(r.problems) > 0 {
		return nil, r.sorted()
	}
	return f, nil
}

// file reads everything into a File, as far as that is possible.
func (l Loader) file(d *decoder) *File {
	root := d.parse(0)
	if root == nil {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		d.node(root, fmt.Sprintf("a scenario is a mapping, not a %s", kindWord(root)), "it begins with version: 1")
		return nil
	}
	if !d.header(root) {
		return nil
	}
	root = l.merged(d, root)
	d.flags(root)

	d.limited(root)
	f := &File{tree: root}
	cases := find(root, "cases")
	if cases != nil && null(cases) {
		cases = nil
	}
	d.env = d.variables(find(root, "vars"))
	d.structure(without(root, "cases", cases != nil, "ops"), reflect.ValueOf(f))
	if f.Name == "" {
		base := filepath.Base(d.sources[0].Name)
		f.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	f.Setup.configure()
	shared := newChecker(d, &f.Setup)
	if f.Kind == "opening" {
		d.acts(root)
		return f
	}
	if cases == nil {
		d.whole(f, shared)
		return f
	}
	d.cases(f, root, cases, shared)
	return f
}

// otherKinds are the kinds of files that are no scenarios.
var otherKinds = []string{"study", "profile", "validation", "testbed", "golden"}

// header looks at version and kind before anything else: a file of another
// kind would be full of unknown fields.
func (d *decoder) header(root *yaml.Node) bool {
	kind := find(root, "kind")
	switch {
	case kind != nil && kind.Kind != yaml.ScalarNode:
		d.node(kind, fmt.Sprintf("kind is a word, not a %s", kindWord(kind)), "kind: scenario")
		return false
	case kind == nil:
		d.node(root, "kind is missing", "a scenario begins with version: 1, kind: scenario")
		return false
	case kind.Value == "scenario" || kind.Value == "opening":
	case slices.Contains(otherKinds, kind.Value):
		d.node(kind, fmt.Sprintf("this is a %s, not a scenario", kind.Value), Instead(kind.Value, d.pos(kind).File))
		return false
	default:
		d.node(kind, fmt.Sprintf("kind %q is not known", kind.Value), didYouMean(kind.Value, append([]string{"scenario", "opening"}, otherKinds...)))
		return false
	}
	return d.version(root)
}

// version reports whether a file is in a version of the language that can be
// read.
func (d *decoder) version(root *yaml.Node) bool {
	version := find(root, "version")
	if version == nil {
		d.node(root, "version is missing", fmt.Sprintf("version: %d", Version))
	} else if version.Value != fmt.Sprint(Version) {
		d.node(version, fmt.Sprintf("version %q of the language is not known", version.Value), fmt.Sprintf("version: %d", Version))
		return false
	}
	return true
}

// merged returns root laid over the opening that it uses, and that over its
// own.
func (l Loader) merged(d *decoder, root *yaml.Node) *yaml.Node {
	for range 8 {
		use := find(root, "use")
		if use == nil || null(use) {
			return root
		}
		name, ok := d.text(use, "the name of an opening")
		if !ok {
			return without(root, "use", true)
		}
		s, found := Source{}, false
		if l.Opening != nil {
			s, found = l.Opening(name)
		}
		if !found {
			d.node(use, fmt.Sprintf("opening %q is not there", name), didYouMean(name, l.Openings))
			return root
		}
		d.sources = append(d.sources, s)
		base := d.parse(len(d.sources) - 1)
		if base == nil {
			return root
		}
		if !d.opening(base, s.Name) {
			return root
		}
		d.acts(base)
		next := find(base, "use")
		under := without(base, "version", true, "kind", "name", "about", "use")
		top := without(root, "use", true)
		overlay(under, top)
		under.Line, under.Column = root.Line, root.Column // what is missing is missing in the user's file
		root = under
		if next != nil {
			root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "use", Line: next.Line, Column: next.Column}, next)
		}
	}
	d.node(find(root, "use"), "openings use each other in a circle", "")
	return root
}

// opening looks at version and kind of a file that is used.
func (d *decoder) opening(root *yaml.Node, file string) bool {
	kind := find(root, "kind")
	switch {
	case root.Kind != yaml.MappingNode:
		d.node(root, fmt.Sprintf("an opening is a mapping, not a %s", kindWord(root)), "it begins with version: 1")
		return false
	case kind == nil:
		d.node(root, "kind is missing", "an opening begins with version: 1, kind: opening")
		return false
	case kind.Value == "scenario":
		d.node(kind, "this is a scenario, and use: takes an opening", "kind: opening, without cases, steps and expectations")
		return false
	case kind.Value != "opening":
		d.node(kind, fmt.Sprintf("this is no opening, but of kind %q", kind.Value), otherwise(kind.Value, "opening", file))
		return false
	}
	return d.version(root)
}

// acts notes members of an opening that do something.
func (d *decoder) acts(opening *yaml.Node) {
	for _, word := range []string{"ops", "cases", "expect", "thresholds", "record"} {
		if i := index(opening, word); i >= 0 {
			d.node(opening.Content[i], fmt.Sprintf("an opening has no %s", word), "it declares what exists before time 0")
		}
	}
}

// without returns a mapping without some members; those after also only if
// also is true.
func without(n *yaml.Node, first string, also bool, rest ...string) *yaml.Node {
	c := *n
	c.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		word := n.Content[i].Value
		if word != first && (!also || !slices.Contains(rest, word)) {
			c.Content = append(c.Content, n.Content[i], n.Content[i+1])
		}
	}
	return &c
}

// flags lays the --set flags over the tree, in their order.
func (d *decoder) flags(root *yaml.Node) {
	for i, s := range d.sources {
		if s.path == "" {
			continue
		}
		value := d.parse(i)
		if value == nil {
			continue
		}
		if strings.HasPrefix(s.path, "ops") || strings.HasPrefix(s.path, "cases") {
			d.node(value, "steps are not set by a flag", "vars: and ${name} let a flag reach into them")
			continue
		}
		if name, is := strings.CutPrefix(s.path, "vars."); is && !Speaks(root, name) {
			at := d.pos(value)
			d.late = append(d.late, Problem{File: at.File, Line: at.Line, Column: at.Column,
				Message: fmt.Sprintf("unknown variable %q", name), Suggestion: didYouMean(name, Keys(find(root, "vars")))})
			continue
		}
		set(root, value, s.path, value)
	}
}

// Speaks reports whether a scenario declares a variable, or uses it in any
// value: who sets another one sets nothing. nil uses none.
func Speaks(root *yaml.Node, name string) bool {
	if root == nil {
		return false
	}
	if vars := find(root, "vars"); vars != nil && find(vars, name) != nil {
		return true
	}
	if !isName(name) {
		return false // ${…} could not say it
	}
	use := regexp.MustCompile(`\$(\{[^}]*)?\b` + regexp.QuoteMeta(name) + `\b`)
	var used func(n *yaml.Node) bool
	used = func(n *yaml.Node) bool {
		return n.Kind == yaml.ScalarNode && use.MatchString(n.Value) || slices.ContainsFunc(n.Content, used)
	}
	return used(root)
}

// Keys returns those of a mapping, in its order; none of nil.
func Keys(n *yaml.Node) (list []string) {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		list = append(list, n.Content[i].Value)
	}
	return list
}

// variables returns the bindings of vars:; each may use those before it.
func (d *decoder) variables(n *yaml.Node) (env []binding) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	saved := d.env
	defer func() { d.env = saved }()
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if !isName(name.Value) {
			d.node(name, fmt.Sprintf("%q is no name of a variable", name.Value), "letters, digits and _")
			continue
		}
		d.env = env
		if value, ok := d.text(n.Content[i+1], "a value"); ok {
			env = append(env, binding{name.Value, value})
		}
	}
	return env
}

// configure gathers the configuration trees.
func (s *Setup) configure() {
	add := func(path string, n *yaml.Node) {
		if n != nil {
			s.Config = append(s.Config, ConfigTree{path, n})
		}
	}
	if s.Run.Seed == 0 {
		s.Run.Seed = 1
	}
	s.Config = nil
	add("hca", s.HCA)
	add("host", s.HostParams)
	add("wire", s.Wire)
	for _, h := range s.Hosts {
		add("hosts."+h.Name+".hca", h.Value.HCA)
		add("hosts."+h.Name+".host", h.Value.HostParams)
		add("hosts."+h.Name+".wire", h.Value.Wire)
	}
}
