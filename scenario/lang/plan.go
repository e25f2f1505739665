package lang

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A plan is how the members of one struct type are found. The tags of a
// member: yaml (name, or "-", or ",inline"), required, short (a scalar in
// place of the mapping is this member), kind (of the object that a Ref names),
// bare, pow2, min, max, enum, oneof, raw (a node as it was written).
type plan struct {
	names    []string
	byName   map[string]*member
	required []*member
	short    *member
	pos      []int
}

// A member is one field of a struct, as a file names it.
type member struct {
	name      string
	index     []int
	tag       reflect.StructTag
	emptyBody bool // a null value still makes one
}

var plans sync.Map // reflect.Type -> *plan

// planOf returns the plan of a struct type.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{byName: map[string]*member{}}
	p.collect(t, nil)
	actual, _ := plans.LoadOrStore(t, p)
	return actual.(*plan)
}

func (p *plan) collect(t reflect.Type, above []int) {
	for f := range t.Fields() {
		index := append(slices.Clone(above), f.Index...)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			p.collect(f.Type, index)
		case f.Type == reflect.TypeFor[Pos]() && f.Name == "Pos" && p.pos == nil:
			p.pos = index
		case name != "-" && name != "" && f.IsExported():
			p.add(&member{name: name, index: index, tag: f.Tag, emptyBody: hasBody(f.Type)})
		}
	}
}

func (p *plan) add(m *member) {
	p.names = append(p.names, m.name)
	p.byName[m.name] = m
	if m.tag.Get("required") == "true" {
		p.required = append(p.required, m)
	}
	if m.tag.Get("short") == "true" && p.short == nil {
		p.short = m
	}
}

// such says what a mapping looks like that should stand in the place of
// something else.
func (p *plan) such(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Step]():
		return "a step is {on: HOST, VERB: {…}}"
	case t == reflect.TypeFor[Expect]():
		return "such as expect: {wc: SUCCESS}"
	case len(p.names) == 0:
		return "{} leaves all as it is"
	}
	return "{} for all defaults, or with " + strings.Join(p.names[:min(6, len(p.names))], ", ") + " …"
}

// hasBody reports whether a member of type t is a struct that may be written
// without a body: a verb, say, all of whose members have defaults.
func hasBody(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct &&
		reflect.PointerTo(t.Elem()).Implements(reflect.TypeFor[Act]())
}
