package reference

import (
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/invopop/jsonschema"

	"hcasim/scenario/lang"
	"hcasim/scenarios"
)

// An Entry is one word of the language.
type entry struct {
	Name    string
	Chapter string // name of its chapter
	Means   string
	Takes   string // what may stand in its place, "" of a mapping alone
	Like    string // the entry that tells the same fields before, "" if none does
	Fields  []field
	Less    []string // fields of Like that are not its own
	Example string
}

// A Field is a member of an entry's mapping.
type field struct {
	Name, Takes, Default, Means string
	Required                    bool
}

// A library is the schema, with the entry that each definition belongs to.
type library struct {
	root  *jsonschema.Schema
	entry map[string]string // of definitions
}

// all returns the entries in the order of the book.
var all = sync.OnceValue(func() []entry {
	l := open()
	texts := examples()
	var list []entry
	for _, c := range book {
		headings := c.entries
		if c.name == "verbs" {
			headings = l.verbs()
		}
		for _, h := range headings {
			e := l.read(h)
			e.Chapter, e.Example = c.name, strings.TrimRight(texts[h.name], "\n")
			list = append(list, e)
		}
	}
	return list
})

// open reads the embedded schema, whose form a test of scenario/lang holds.
func open() *library {
	text, err := fs.ReadFile(scenarios.Schemas, "schema/scenario.v1.json")
	if err != nil {
		panic("reference: the schema is not embedded: " + err.Error())
	}
	l := &library{root: &jsonschema.Schema{}, entry: map[string]string{}}
	if err := l.root.UnmarshalJSON(text); err != nil {
		panic("reference: the schema cannot be read: " + err.Error())
	}
	for _, c := range book {
		for _, h := range c.entries {
			for _, def := range h.defs {
				l.entry[def] = h.name
			}
		}
	}
	for _, h := range l.verbs() {
		if _, told := l.entry[h.defs[0]]; !told {
			l.entry[h.defs[0]] = h.name
		}
	}
	for def, other := range sameAs {
		if l.entry[def] = l.entry[other]; l.entry[def] == "" {
			l.entry[def] = other
		}
	}
	for def := range l.root.Definitions {
		if strict, declared := strings.CutSuffix(def, "Declared"); declared && l.entry[def] == "" {
			l.entry[def] = l.entry[strict]
		}
	}
	return l
}

// verbs are the words of which a step has one, with the definition of each.
func (l *library) verbs() (list []heading) {
	step := l.root.Definitions["Step"]
	for _, one := range step.OneOf {
		word := one.Required[0]
		s, _ := step.Properties.Get(word)
		list = append(list, heading{word, []string{definition(s), "Step." + word}})
	}
	return list
}

// definition returns the name of the first mapping that a schema refers to.
func definition(s *jsonschema.Schema) string {
	if s.Ref != "" {
		return strings.TrimPrefix(s.Ref, "#/$defs/")
	}
	for _, form := range append(s.AnyOf, s.AllOf...) {
		if form.Ref != "" || len(form.AllOf) > 0 {
			return definition(form)
		}
	}
	return ""
}

// find returns a definition, the root, or what stands at a verb of a step.
func (l *library) find(def string) *jsonschema.Schema {
	if def == "" {
		return l.root
	}
	if word, verb := strings.CutPrefix(def, "Step."); verb {
		s, _ := l.root.Definitions["Step"].Properties.Get(word)
		return s
	}
	return l.root.Definitions[def]
}

func (l *library) read(h heading) entry {
	e := entry{Name: h.name}
	last := h.defs[len(h.defs)-1]
	e.Means = l.find(last).Description
	if h.defs[0] != "" || h.name == "file" {
		e.Fields = l.fields(l.find(h.defs[0]), last == "Step")
	}
	if e.Takes = written[h.name]; e.Takes == "" && (len(e.Fields) == 0 || len(h.defs) > 1) {
		e.Takes = l.alternatives(l.find(last), h.name)
	}
	if teller := l.entry[h.defs[0]]; teller != h.name && len(e.Fields) > 0 {
		e.Like = teller
	}
	e.Fields = slices.DeleteFunc(e.Fields, func(f field) bool {
		foreign := lang.Foreign(e.Name, f.Name)
		if foreign {
			e.Less = append(e.Less, f.Name)
		}
		return foreign
	})
	return e
}

// fields are the members of a mapping; of a step those that are no verb.
func (l *library) fields(s *jsonschema.Schema, step bool) (list []field) {
	verbs := map[string]bool{}
	for _, v := range l.verbs() {
		verbs[v.name] = step
	}
	if s.Properties == nil {
		return nil
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if verbs[p.Key] {
			continue
		}
		f := field{Name: p.Key, Takes: l.alternatives(p.Value, ""), Means: p.Value.Description}
		if p.Value.Default != nil {
			f.Default = scalar(p.Value.Default)
		}
		for _, word := range s.Required {
			f.Required = f.Required || word == p.Key
		}
		list = append(list, f)
	}
	return list
}
