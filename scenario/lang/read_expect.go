package lang

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/ib"
)

// word reports whether n is the scalar s.
func word(n *yaml.Node, s string) bool {
	return n.Kind == yaml.ScalarNode && n.Value == s && !quoted(n)
}

// each calls f for every member of a mapping, its name expanded.
func (d *decoder) each(n *yaml.Node, f func(name string, key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		d.node(n, fmt.Sprintf("want a mapping from names, not a %s", kindWord(n)), "")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Kind == yaml.ScalarNode {
			if name, ok := d.text(key, "a name"); ok {
				f(name, key, n.Content[i+1])
			}
		}
	}
}

func (m *Map[T]) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	d.each(n, func(name string, key, value *yaml.Node) {
		if !isWord(name) {
			d.node(key, fmt.Sprintf("%q is no name", name), "letters, digits, - and _, beginning with a letter")
			return
		}
		item := Item[T]{Pos: d.pos(key), Name: name}
		d.value(value, reflect.ValueOf(&item.Value).Elem(), "")
		*m = append(*m, item)
	})
}

func (x *Completions) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	if word(n, None) {
		x.None = true
		return
	}
	var list []WC
	d.value(n, reflect.ValueOf(&list).Elem(), "")
	for _, w := range list {
		d.repeat(w.Pos, w.Times, func() { x.List = append(x.List, w) })
	}
	x.None = len(x.List) == 0
}

// wcForm keeps WC from reading itself.
type wcForm WC

func (x *WC) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if n.Kind == yaml.MappingNode {
		d.structure(n, reflect.ValueOf((*wcForm)(x)))
		x.Status, x.Any = append(x.Status, x.Any...), nil
		return
	}
	x.Pos = d.pos(n)
	s, ok := d.text(n, "a completion status")
	if !ok {
		return
	}
	c := *n
	c.Value, x.Times = d.repeated(n, s)
	var status ib.WCStatus
	d.value(&c, reflect.ValueOf(&status).Elem(), "")
	x.Status = []ib.WCStatus{status}
}

// mostTimes bounds N of WORD*N.
const mostTimes = 1_000_000

// repeated splits WORD*N.
func (d *decoder) repeated(n *yaml.Node, s string) (word string, times *uint32) {
	word, count, found := strings.Cut(s, "*")
	if !found {
		return s, nil
	}
	w, err := strconv.ParseUint(strings.TrimSpace(count), 10, 32)
	if err != nil || w == 0 || w > mostTimes {
		d.node(n, fmt.Sprintf("%q is no number of times", count), fmt.Sprintf("such as SUCCESS*4, at most *%d", mostTimes))
		return strings.TrimSpace(word), nil
	}
	t := uint32(w)
	return strings.TrimSpace(word), &t
}

func (x *Events) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	if x.None = word(n, None); x.None {
		return
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	for _, item := range items {
		if word(item, None) {
			d.node(item, "none stands alone", "event: none")
			continue
		}
		x.entry(d, item)
	}
	x.None = len(x.List) == 0
}

// eventForm is the full form of an EventExpect.
type eventForm struct {
	// On is the host that raises it; any if empty.
	On Name `yaml:"on"`
	// Event is its name, or IOMMU_FAULT.
	Event *eventWord `yaml:"event" required:"true"`
	// QP that it is about.
	QP Ref `yaml:"qp" kind:"qp"`
}

// A eventWord is an event's name, IOMMU_FAULT among them.
type eventWord struct{ EventExpect }

func (w *eventWord) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if w.IOMMU = word(n, "IOMMU_FAULT"); !w.IOMMU {
		d.value(n, reflect.ValueOf(&w.Event).Elem(), "")
	}
}

// entry reads NAME, {HOST: NAME or list} or {on, event, qp}.
func (x *Events) entry(d *decoder, n *yaml.Node) {
	switch {
	case n.Kind == yaml.MappingNode && find(n, "event") != nil:
		var f eventForm
		d.structure(n, reflect.ValueOf(&f))
		e := EventExpect{Pos: d.pos(n), On: f.On, QP: f.QP}
		if f.Event != nil {
			e.Event, e.IOMMU = f.Event.Event, f.Event.IOMMU
		}
		x.List = append(x.List, e)
	case n.Kind == yaml.MappingNode:
		d.each(n, func(name string, key, value *yaml.Node) {
			var list []eventWord
			if !word(value, None) {
				d.value(value, reflect.ValueOf(&list).Elem(), "")
			}
			for _, w := range list {
				w.Pos, w.On = d.pos(value), Name{d.pos(key), name}
				x.List = append(x.List, w.EventExpect)
			}
		})
	default:
		var w eventWord
		w.read(d, n, "")
		w.Pos = d.pos(n)
		x.List = append(x.List, w.EventExpect)
	}
}

// faultForm keeps FaultExpect from reading itself.
type faultForm FaultExpect

func (x *FaultExpect) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if x.None = word(n, None); x.None {
		x.Pos = d.pos(n)
		return
	}
	d.structure(n, reflect.ValueOf((*faultForm)(x)))
}

// memoryForm keeps MemoryExpect from reading itself.
type memoryForm MemoryExpect

func (x *MemoryExpects) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	d.each(n, func(name string, key, value *yaml.Node) {
		var of Ref
		of.read(d, key, "")
		items := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode && (len(value.Content) == 0 || value.Content[0].Kind == yaml.MappingNode) {
			items = value.Content
		}
		for _, item := range items {
			m := MemoryExpect{Pos: d.pos(item), Of: of}
			m.entry(d, item)
			*x = append(*x, m)
		}
	})
}

func (m *MemoryExpect) entry(d *decoder, n *yaml.Node) {
	switch {
	case word(n, "unchanged"):
		m.Unchanged = true
	case n.Kind != yaml.MappingNode:
		m.Equals = new(Data)
		m.Equals.read(d, n, "")
	default:
		d.structure(n, reflect.ValueOf((*memoryForm)(m)))
		if m.First != nil {
			m.Length = m.First
		}
		if !m.Unchanged && m.Equals == nil && m.Changed == nil && m.Rest == "" {
			d.node(n, "what must these bytes be?", "say equals, unchanged or changed")
		}
		if m.Prefix != nil && m.Equals == nil {
			d.node(n, "prefix needs equals", "")
		}
	}
}

// stateForm is a state, or {any: […]}.
type stateForm struct {
	// Any of these states.
	Any []ib.QPState `yaml:"any" short:"true"`
}

func (x *StateExpects) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	d.each(n, func(name string, key, value *yaml.Node) {
		s := StateExpect{Pos: d.pos(value)}
		s.QP.read(d, key, "")
		var f stateForm
		d.structure(value, reflect.ValueOf(&f))
		if s.State = f.Any; len(s.State) == 0 {
			d.node(value, "which state?", "")
		}
		*x = append(*x, s)
	})
}
