package lang

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Counted are the things whose number at: {HOST: {count: …}} can judge.
var Counted = []string{"pd", "mr", "mw", "qp", "cq", "srq", "mtt", "pinned"}

func (x *HostExpect) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	d.each(n, func(name string, key, value *yaml.Node) {
		if name == "count" {
			x.counts(d, value)
			return
		}
		o := ObjectExpect{Pos: d.pos(key)}
		o.Of.read(d, key, "")
		o.entry(d, value)
		x.Objects = append(x.Objects, o)
	})
}

func (x *HostExpect) counts(d *decoder, n *yaml.Node) {
	d.each(n, func(name string, key, value *yaml.Node) {
		c := CountExpect{Pos: d.pos(key), What: name, Unchanged: word(value, "unchanged")}
		d.oneOf(key, name, Counted)
		if !c.Unchanged {
			c.N, _ = d.unsigned(value, "", 1<<63)
		}
		x.Counts = append(x.Counts, c)
	})
}

// objectForm is ObjectExpect with its state as it is written.
type objectForm struct {
	// State: ABSENT, FREE, VALID (BOUND of a window) or UNUSABLE; of a queue pair
	// RESET, INIT, RTR, RTS, SQD, SQE or ERR.
	State         *stateWord `yaml:"state" short:"true"`
	objectMembers `yaml:",inline"`
}

// objectMembers keeps ObjectExpect from reading itself.
type objectMembers ObjectExpect

// A stateWord is the state of an entry or of a queue pair.
type stateWord string

func (x *stateWord) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a state")
	if !ok {
		return
	}
	*x = stateWord(strings.TrimPrefix(s, "IBV_QPS_"))
	if _, entry := parseState(string(*x)); !entry && !isQPState(string(*x)) {
		d.node(n, fmt.Sprintf("state %q is not known", s), didYouMean(s, append(stateNames(), queueStates()...)))
	}
}

func (o *ObjectExpect) entry(d *decoder, n *yaml.Node) {
	f := objectForm{objectMembers: objectMembers(*o)}
	d.structure(n, reflect.ValueOf(&f))
	of, pos := o.Of, o.Pos
	*o = ObjectExpect(f.objectMembers)
	o.Of, o.Pos = of, pos
	if f.State == nil {
		return
	}
	if s, ok := parseState(string(*f.State)); ok {
		o.State = &s
	} else if s, ok := enums[reflect.TypeOf(o.QPState).Elem()].parse(string(*f.State)); ok {
		o.QPState = qpState(s)
	}
}

// keyExpectForm keeps KeyExpect from reading itself.
type keyExpectForm KeyExpect

func (x *KeyExpects) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if n.Kind != yaml.MappingNode {
		k := KeyExpect{Pos: d.pos(n), Equals: new(KeyExpr)}
		k.Equals.read(d, n, "")
		*x = append(*x, k)
		return
	}
	d.each(n, func(name string, key, value *yaml.Node) {
		k := KeyExpect{Pos: d.pos(value)}
		switch {
		case name == "distinct":
			d.value(value, reflect.ValueOf(&k.Distinct).Elem(), "")
		case word(value, "new"), word(value, "unchanged"):
			k.Of.read(d, key, "")
			is := value.Value == "new"
			k.New = &is
		case value.Kind == yaml.MappingNode:
			d.structure(value, reflect.ValueOf((*keyExpectForm)(&k)))
			k.Of.read(d, key, "")
		default:
			k.Of.read(d, key, "")
			k.Equals = new(KeyExpr)
			k.Equals.read(d, value, "")
		}
		*x = append(*x, k)
	})
}

// nakForm keeps NAKExpect from reading itself.
type nakForm NAKExpect

func (x *NAKExpect) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if x.None = word(n, None); x.None {
		x.Pos = d.pos(n)
		return
	}
	d.structure(n, reflect.ValueOf((*nakForm)(x)))
}

func (x *Packets) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	if x.None = word(n, None); x.None {
		return
	}
	if n.Kind == yaml.ScalarNode && strings.IndexFunc(n.Value, func(r rune) bool { return r < '0' || r > '9' }) < 0 {
		if w, ok := d.unsigned(n, "", 1<<32-1); ok {
			c := uint32(w)
			x.Count = &c
		}
		return
	}
	var list []PacketExpect
	d.value(n, reflect.ValueOf(&list).Elem(), "")
	for _, p := range list {
		d.repeat(p.Pos, p.Times, func() { x.List = append(x.List, p) })
	}
	x.None = len(x.List) == 0
}

// packetForm keeps PacketExpect from reading itself.
type packetForm PacketExpect

func (x *PacketExpect) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if n.Kind == yaml.MappingNode {
		d.structure(n, reflect.ValueOf((*packetForm)(x)))
		return
	}
	x.Pos = d.pos(n)
	if s, ok := d.text(n, "a packet opcode"); ok {
		c := *n
		c.Value, x.Times = d.repeated(n, s)
		d.value(&c, reflect.ValueOf(&x.Opcode).Elem(), "")
	}
}
