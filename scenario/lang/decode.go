package lang

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A decoder turns nodes into the structs of the language. It goes on after a
// mistake, so that one load reports them all. The reader of YAML could fill
// structs too, but would name Go's types in its messages, and knows neither
// texts with two readings nor how long the word in question is.
type decoder struct {
	*report
	env   []binding // variables, innermost last
	steps uint64    // steps and repetitions made so far
	limit uint64    // how many there may be; 0: MaxSteps
	full  bool      // too many of them
	late  []Problem // that keep nothing else from being looked at

	beside        func(name string) (Source, error) // reads a file that a scenario names; nil: there are none
	distributions map[*yaml.Node]distribution       // that the scenario being read names
}

// A reader is a type with a form of its own.
type reader interface {
	read(d *decoder, n *yaml.Node, tag reflect.StructTag)
}

// A completer looks over its members once they are all read.
type completer interface {
	complete(d *decoder, n *yaml.Node)
}

// value reads n into v, which tag describes.
func (d *decoder) value(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	if v.Kind() == reflect.Pointer {
		if v.Type() == nodeType {
			if tag.Get("raw") != "true" {
				n = d.expanded(n)
			}
			v.Set(reflect.ValueOf(n))
			return
		}
		if null(n) && v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), tag)
		return
	}
	if r, ok := v.Addr().Interface().(reader); ok {
		r.read(d, n, tag)
		return
	}
	if e := enumOf(v.Type()); e != nil {
		d.enum(n, v, e)
		return
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		d.quantity(n, v, u, tag)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(n, v.Addr())
	case reflect.Slice:
		d.list(n, v, tag)
	default:
		d.scalar(n, v, tag)
	}
}

var nodeType = reflect.TypeFor[*yaml.Node]()

// text returns the text of a scalar with its variables put in; want says what
// it should be, for the message when it is none.
func (d *decoder) text(n *yaml.Node, want string) (string, bool) {
	switch {
	case n.Kind != yaml.ScalarNode:
		d.node(n, fmt.Sprintf("want %s, not a %s", want, kindWord(n)), "")
		return "", false
	case null(n):
		d.node(n, fmt.Sprintf("want %s, not nothing", want), "")
		return "", false
	case !strings.Contains(n.Value, "$"):
		return n.Value, true
	}
	s, err := expand(n.Value, d.env)
	if err != nil {
		d.node(n, err.Error(), "")
		return "", false
	}
	return s, true
}

func kindWord(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "list"
	case yaml.MappingNode:
		return "mapping"
	}
	return "value"
}

// expanded returns n with all its variables put in, for those who read nodes.
func (d *decoder) expanded(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "$") {
		c := *n
		if s, ok := d.text(n, "a value"); ok {
			c.Value, c.Tag = s, ""
			c.Tag = c.ShortTag()
		}
		return &c
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		c.Content[i] = d.expanded(n.Content[i])
	}
	return &c
}

// list reads a sequence; one value alone is a list of one, save for steps.
func (d *decoder) list(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	if null(n) {
		return
	}
	items := []*yaml.Node{n}
	switch {
	case n.Kind == yaml.SequenceNode:
		items = n.Content
	case v.Type() == reflect.TypeFor[[]Step](), v.Type() == reflect.TypeFor[[]Case]():
		d.node(n, fmt.Sprintf("want a list, not a %s", kindWord(n)), "")
		return
	}
	out := reflect.MakeSlice(v.Type(), 0, len(items))
	for _, item := range items {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(item, e, tag)
		out = reflect.Append(out, e)
	}
	v.Set(out)
}

// structure reads a mapping, or the short form of a struct that has one, into
// the struct that p points to.
func (d *decoder) structure(n *yaml.Node, p reflect.Value) {
	v := p.Elem()
	plan := planOf(v.Type())
	if plan.pos != nil {
		v.FieldByIndex(plan.pos).Set(reflect.ValueOf(d.pos(n)))
	}
	switch {
	case null(n):
	case n.Kind == yaml.MappingNode:
		d.members(n, v, plan)
	case plan.short != nil:
		d.value(n, v.FieldByIndex(plan.short.index), plan.short.tag)
	default:
		d.node(n, fmt.Sprintf("want a mapping, not a %s", kindWord(n)), plan.such(v.Type()))
		return
	}
	if c, ok := p.Interface().(completer); ok {
		c.complete(d, n)
	}
}

// members reads the members of a mapping.
func (d *decoder) members(n *yaml.Node, v reflect.Value, plan *plan) {
	met := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		f, known := plan.byName[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			continue // reported as the tree was made
		case !known:
			d.node(key, fmt.Sprintf("unknown field %q", clipped(key.Value)), didYouMean(key.Value, plan.names))
			continue
		case met[key.Value]:
			continue
		}
		met[key.Value] = true
		if null(value) && !f.emptyBody {
			d.node(key, fmt.Sprintf("%s has no value", f.name), "leave it out, or give it one")
			continue
		}
		d.value(value, v.FieldByIndex(f.index), f.tag)
	}
	for _, f := range plan.required {
		if !met[f.name] {
			d.node(n, fmt.Sprintf("%s is missing", f.name), "")
		}
	}
}
