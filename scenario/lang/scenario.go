package lang

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v4"
)

// Scenarios returns what there is to run: one for each case, or the file
// itself.
func (f *File) Scenarios() []Scenario { return f.scenarios }

// Sources returns all texts that the file came from, for Print.
func (f *File) Sources() []Source { return f.sources }

// Position returns where a node of a ConfigTree was written.
func (f *File) Position(n *yaml.Node) Pos { return (&report{sources: f.sources}).pos(n) }

// whole makes the one scenario of a file without cases.
func (d *decoder) whole(f *File, shared *checker) {
	s := Scenario{File: f, Setup: &f.Setup, Name: f.Name, Ops: f.Ops, Thresholds: f.Thresholds, Record: f.Record}
	if f.Expect != nil {
		s.Expect = []*Expect{f.Expect}
	}
	if len(f.Ops) == 0 && len(d.problems) == 0 {
		d.at(f.Pos, 1, "there is nothing to run", "ops: has the steps")
	}
	shared.scenario(&s)
	s.named = d.distributions
	f.scenarios = []Scenario{s}
}

// cases reads the cases, each on the set-up of the file or on its own.
func (d *decoder) cases(f *File, root, list *yaml.Node, shared *checker) {
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		d.node(list, "cases: takes a list of cases", "")
		return
	}
	names := map[string]Pos{}
	for _, n := range list.Content {
		c, s := d.oneCase(f, root, n, shared)
		if c.Name == "" {
			continue
		}
		if was, twice := names[c.Name]; twice {
			d.node(find(n, "name"), fmt.Sprintf("case %q is here twice", c.Name), fmt.Sprintf("the first is in line %d", was.Line))
		}
		names[c.Name] = c.Pos
		f.Cases = append(f.Cases, *c)
		s.Case = c
		f.scenarios = append(f.scenarios, s)
	}
}

// oneCase reads one case into a scenario.
func (d *decoder) oneCase(f *File, root, n *yaml.Node, shared *checker) (*Case, Scenario) {
	saved := d.env
	defer func() { d.env = saved }()
	d.distributions = nil
	setup, check := &f.Setup, shared
	if s := find(n, "set"); n.Kind == yaml.MappingNode && s != nil && !null(s) {
		setup = d.changed(root, s)
		check = newChecker(d, setup)
	}
	c := &Case{}
	d.structure(n, reflect.ValueOf(c))
	c.Setup = setup
	s := Scenario{File: f, Setup: setup, Name: f.Name + "/" + c.Name}
	if ops := find(root, "ops"); ops != nil {
		d.value(ops, reflect.ValueOf(&s.Ops).Elem(), "")
	}
	s.Ops = append(s.Ops, c.Ops...)
	s.Thresholds = append(append(s.Thresholds, f.Thresholds...), c.Thresholds...)
	s.Record = append(append(s.Record, f.Record...), c.Record...)
	if e := find(root, "expect"); e != nil { // read again: names are completed in each world anew
		var again *Expect
		d.value(e, reflect.ValueOf(&again).Elem(), "")
		s.Expect = append(s.Expect, again)
	}
	if c.Expect != nil {
		s.Expect = append(s.Expect, c.Expect)
	}
	check.scenario(&s)
	s.named = d.distributions
	return c, s
}

// changed reads the set-up of a case with its own set: and takes over its
// variables.
func (d *decoder) changed(root, changes *yaml.Node) *Setup {
	plan := planOf(reflect.TypeFor[Setup]())
	tree := &yaml.Node{Kind: yaml.MappingNode, Line: root.Line, Column: root.Column}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if plan.byName[root.Content[i].Value] != nil {
			tree.Content = append(tree.Content, root.Content[i], clone(root.Content[i+1]))
		}
	}
	if changes.Kind != yaml.MappingNode {
		d.node(changes, "set: takes a mapping from paths to values", "such as hosts.B.qp.qB.access: [REMOTE_READ]")
	} else {
		for i := 0; i+1 < len(changes.Content); i += 2 {
			set(tree, changes.Content[i], changes.Content[i].Value, clone(changes.Content[i+1]))
		}
	}
	d.env = nil
	d.env = d.variables(find(tree, "vars"))
	s := &Setup{}
	d.structure(tree, reflect.ValueOf(s))
	s.configure()
	return s
}
