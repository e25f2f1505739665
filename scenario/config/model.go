package config

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// A group is one struct of the tree, seen through its tags: its members in
// the order of declaration.
type group struct {
	path    string // "" at the root
	doc     string
	index   []int // of the field, from the root
	members []member
	leaves  []*leaf // of this group and all below it, in order
}

// A member is one field of a group; one of its two pointers is set.
type member struct {
	name  string
	group *group
	leaf  *leaf
}

// A leaf is one parameter: what is told about it, and how to reach it.
type leaf struct {
	Param
	number   int   // its place among the leaves of the root
	index    []int // of the field, from the root
	kind     kind
	min, max reflect.Value // invalid: no bound
	def      reflect.Value
}

// in returns the parameter's field in a root struct.
func (l *leaf) in(root reflect.Value) reflect.Value { return root.FieldByIndex(l.index) }

// member returns the member called name.
func (g *group) member(name string) (m member, found bool) {
	for _, m := range g.members {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}

// under returns the group or the leaf at a dotted path below g; "" is g.
func (g *group) under(path string) (m member, found bool) {
	m = member{group: g}
	if path == "" {
		return m, true
	}
	for name := range strings.SplitSeq(path, ".") {
		if m.group == nil {
			return member{}, false
		}
		if m, found = m.group.member(name); !found {
			return member{}, false
		}
	}
	return m, true
}

var models sync.Map // reflect.Type -> *group

// modelOf reads the tags of a struct type once. Tags that contradict
// themselves are our mistake, so it panics and names the field.
func modelOf(t reflect.Type) *group {
	if g, known := models.Load(t); known {
		return g.(*group)
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("config: %v is no struct of parameters", t))
	}
	b := builder{}
	g := b.group(t, "", "", nil)
	kept, _ := models.LoadOrStore(t, g)
	return kept.(*group)
}

// A builder numbers the leaves while it walks the types.
type builder struct {
	leaves []*leaf
	within []reflect.Type
}

func (b *builder) group(t reflect.Type, path, doc string, index []int) *group {
	for _, outer := range b.within {
		if outer == t {
			panic(fmt.Sprintf("config: %v holds itself", t))
		}
	}
	b.within = append(b.within, t)
	g := &group{path: path, doc: doc, index: index}
	first := len(b.leaves)
	b.fields(g, t, index)
	g.leaves = b.leaves[first:len(b.leaves):len(b.leaves)]
	b.within = b.within[:len(b.within)-1]
	return g
}

// fields adds the fields of t to g. An embedded struct without a name of its
// own, or one tagged inline, lends its fields to the struct that holds it.
func (b *builder) fields(g *group, t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, inline := f.Tag.Get("yaml"), false
		if f.Anonymous && name == "" || name == ",inline" {
			name, inline = "", true
		}
		at := append(index[:len(index):len(index)], i)
		switch {
		case name == "-":
		case inline && f.Type.Kind() == reflect.Struct:
			b.fields(g, f.Type, at)
		case !f.IsExported():
		case name == "" || strings.ContainsAny(name, ",. "):
			panic(fmt.Sprintf("config: %v.%s needs a yaml tag with its name, or \"-\"", t, f.Name))
		default:
			b.field(g, t, f, name, at)
		}
	}
}

func (b *builder) field(g *group, t reflect.Type, f reflect.StructField, name string, at []int) {
	if _, twice := g.member(name); twice {
		panic(fmt.Sprintf("config: %v has two fields named %s", t, name))
	}
	path := strings.TrimPrefix(g.path+"."+name, ".")
	if f.Type.Kind() == reflect.Struct && !readsText(f.Type) {
		g.members = append(g.members, member{name: name, group: b.group(f.Type, path, f.Tag.Get("doc"), at)})
		return
	}
	l := newLeaf(path, f)
	l.number, l.index = len(b.leaves), at
	b.leaves = append(b.leaves, l)
	g.members = append(g.members, member{name: name, leaf: l})
}

// newLeaf reads the tags of one parameter.
func newLeaf(path string, f reflect.StructField) *leaf {
	l := &leaf{kind: kindOf(f.Type)}
	broken := func(what string, args ...any) {
		panic(fmt.Sprintf("config: %s (%s): ", path, f.Name) + fmt.Sprintf(what, args...))
	}
	if l.kind.word == "" {
		broken("a %v cannot be a parameter", f.Type)
	}
	l.Param = Param{Path: path, Type: l.kind.word, Unit: l.kind.unit, Doc: f.Tag.Get("doc")}
	if unit := f.Tag.Get("unit"); unit != "" {
		l.Unit = unit
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		l.Type, l.Enum = "choice", strings.Split(enum, ",")
	}
	if l.Doc == "" {
		broken("no doc")
	}
	read := func(tag string) (v reflect.Value, text string) {
		text, given := f.Tag.Lookup(tag)
		if !given {
			return reflect.Value{}, ""
		}
		v, err := l.parse(text)
		if err != nil {
			broken("%s %q: %v", tag, text, err)
		}
		return v, textOf(v)
	}
	if _, given := f.Tag.Lookup("default"); !given {
		broken("no default")
	}
	l.min, l.Min = read("min")
	l.max, l.Max = read("max")
	l.def, l.Default = read("default")
	return l
}
