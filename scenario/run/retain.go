package run

import (
	"reflect"
	"strings"

	"hcasim/scenario/lang"
)

// A long run keeps of its past what something will still ask for: a loop of
// ten million rounds may take time, not memory.

// A mention is what the file of a run speaks of by its number: elements of
// arrays, and steps of one round of a loop.
type mention struct {
	elements map[lang.Ref]bool // without place and kind
	steps    map[string]bool
	oldKeys  bool // keys that an object had before the last one
}

// mentions reads all of a scenario once.
func mentions(s *lang.Scenario) *mention {
	m := &mention{elements: map[lang.Ref]bool{}, steps: map[string]bool{}}
	for _, v := range [...]any{s.Hosts, s.Ops, s.Expect} {
		m.read(reflect.ValueOf(v))
	}
	return m
}

// element reports whether the file speaks of an element alone. The first may
// stand for its array anywhere.
func (m *mention) element(host, name string, index int) bool {
	return index <= 0 || m.elements[lang.Ref{Host: host, Name: name, Index: index}]
}

var (
	refType       = reflect.TypeFor[lang.Ref]()
	keyExprType   = reflect.TypeFor[lang.KeyExpr]()
	keyExpectType = reflect.TypeFor[lang.KeyExpect]()
)

func (m *mention) read(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			m.read(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() < reflect.Array { // numbers
			return
		}
		for i := range v.Len() {
			m.read(v.Index(i))
		}
	case reflect.String:
		if before, _, dotted := strings.Cut(v.String(), "."); dotted && before != "" {
			m.step(v.String())
		}
	case reflect.Struct:
		if v.Type() == refType {
			m.ref(v.Interface().(lang.Ref))
			return
		}
		m.oldKeys = m.oldKeys || v.Type() == keyExprType || v.Type() == keyExpectType
		if !strings.HasPrefix(v.Type().PkgPath(), "hcasim/") { // configuration, which is others' to read
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				m.read(v.Field(i))
			}
		}
	default:
	}
}

func (m *mention) ref(r lang.Ref) {
	if r.Given() && r.Index > 0 {
		m.elements[lang.Ref{Host: r.Host, Name: r.Name, Index: r.Index}] = true
	}
}

// step notes an id: of a step, or of one request of a step.
func (m *mention) step(id string) {
	m.steps[id] = true
	if i := strings.LastIndexByte(id, '.'); i > 0 {
		m.steps[id[:i]] = true
	}
}

// memory says which of the things that a recorder lists are asked for, and
// whether as far back as the beginning of the run.
type memory struct{ completions, completionsAlways, packetsAlways bool }

// recall reads what the expectations of a scenario look back at.
func recall(s *lang.Scenario) (m memory) {
	look := func(always bool) func(e *lang.Expect) {
		return func(e *lang.Expect) {
			wc := e.WC != nil || e.Recv != nil
			m.completions = m.completions || wc
			m.completionsAlways = m.completionsAlways || wc && always
			m.packetsAlways = m.packetsAlways || always && (e.Packets != nil || e.NAK != nil)
		}
	}
	for _, e := range s.Expect {
		visitExpect(e, look(true))
	}
	lang.EachStep(s.Ops, func(s *lang.Step) {
		_, wait := s.Do.(*lang.Wait)
		visitExpect(s.Expect, look(wait))
	})
	return m
}

// forget lets go of what no step that is still to be judged can look back at.
func (r *runner) forget() {
	if r.unjudged > 0 {
		return
	}
	c := &r.rec
	if !c.recall.completionsAlways {
		clear(c.completions)
		c.completions = c.completions[:0]
	}
	if !c.recall.packetsAlways {
		clear(c.packets)
		c.packets = c.packets[:0]
	}
}

// keep enters a step into the list of those that are looked at again in the
// end. Those of which nothing is open make room first.
func (r *runner) keep(st *step) {
	if len(r.started) == cap(r.started) {
		open := r.started[:0]
		for _, s := range r.started {
			if !s.judged || s.verbs > 0 || len(s.ops) > 0 {
				open = append(open, s)
			}
		}
		clear(r.started[len(open):])
		if r.started = open; 2*len(open) > cap(open) {
			r.started = append(make([]*step, 0, 2*cap(open)), open...)
		}
	}
	r.started = append(r.started, st)
}
