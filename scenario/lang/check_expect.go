package lang

import (
	"fmt"
	"slices"

	"hcasim/rules"
	"hcasim/sim"
)

// expect completes the references of an expectation of a step; of the whole
// run, s has no host.
func (c *checker) expect(e *Expect, s *Step) {
	here := []string{}
	if s.On.Text != "" {
		here = append(here, s.On.Text)
	}
	there := c.peerOf(s)
	near := func(kinds string) search { return search{hosts: here, anywhere: true, kinds: kinds} }
	for _, list := range []*Completions{e.WC, e.Recv} {
		c.completions(list, here, there)
	}
	if e.Event != nil {
		for i := range e.Event.List {
			x := &e.Event.List[i]
			if c.host(x.On) && x.On.Text != "" {
				c.resolve(&x.QP, search{hosts: []string{x.On.Text}, kinds: "qp"})
			} else {
				c.resolve(&x.QP, search{hosts: there, anywhere: true, kinds: "qp"})
			}
		}
	}
	if e.Fault != nil {
		c.host(e.Fault.At)
		if ids := rules.IDs(); e.Fault.Rule != "" && !slices.Contains(ids, e.Fault.Rule) {
			c.in(e.Fault.Pos, "rule", fmt.Sprintf("there is no rule %q", e.Fault.Rule), didYouMean(e.Fault.Rule, ids))
		}
	}
	c.memory(e.Memory, here, s)
	for i := range e.QP {
		c.resolve(&e.QP[i].QP, near("qp"))
	}
	c.objects(e)
	for i := range e.Key {
		k := &e.Key[i]
		c.resolve(&k.Of, near("mr,mw"))
		for j := range k.Distinct {
			c.resolve(&k.Distinct[j], search{hosts: here, anywhere: true, arrays: true, kinds: "mr,mw"})
		}
		c.key(k.Equals, k.Of, here...)
		c.key(k.Differs, k.Of, here...)
	}
	if e.Packets != nil {
		for i := range e.Packets.List {
			p := &e.Packets.List[i]
			c.host(p.From)
			c.resolve(&p.QP, near("qp"))
		}
	}
	for i := range e.Any {
		c.expect(&e.Any[i], s)
	}
	if e.Not != nil {
		c.expect(e.Not, s)
	}
	for i := range e.Under {
		c.variant(e.Under[i].Name, e.Under[i].Pos)
		c.expect(&e.Under[i].Value, s)
	}
}

// Variants are the named sets of switches.
var Variants = []string{"spec", "mlx5", "rxe"}

// variant notes a set of switches that does not exist.
func (c *checker) variant(name string, pos Pos) {
	if name != "" && !slices.Contains(Variants, name) {
		c.at(pos, len(name), fmt.Sprintf("variant %q is not known", name), didYouMean(name, Variants))
	}
}

// peerOf returns the host at the other end of a post.
func (c *checker) peerOf(s *Step) []string {
	if p, ok := s.Do.(*PostSend); ok {
		if d := c.scope.get(p.QP.Host, p.QP.Name); d != nil && d.peer.Host != "" {
			return []string{d.peer.Host}
		}
	}
	if s.On.Text == "" {
		return nil
	}
	return c.others(s.On.Text)
}

func (c *checker) completions(x *Completions, here, there []string) {
	if x == nil {
		return
	}
	for i := range x.List {
		w := &x.List[i]
		c.resolve(&w.QP, search{hosts: slices.Concat(here, there), anywhere: true, kinds: "qp"})
		c.key(w.InvalidatedKey, Ref{}, slices.Concat(there, here)...)
	}
}

// memory completes expectations on bytes. One that names no length looks at
// what the step's one request moves.
func (c *checker) memory(list MemoryExpects, here []string, s *Step) {
	var moves *PostSend
	if p, ok := s.Do.(*PostSend); ok && len(p.WRs) == 1 {
		moves = p
	}
	for i := range list {
		m := &list[i]
		of := c.resolve(&m.Of, search{hosts: here, anywhere: true, kinds: "mem,mr"})
		if m.Equals != nil {
			c.data(m.Equals, here...)
			own := m.Equals.Kind == DataBytes || m.Equals.Kind == DataU64
			if m.Length == nil && m.First == nil && !own && moves != nil {
				if n := c.lengthOf(&moves.WRs[0]); n != nil && *n > 0 { // of none, nothing would be compared
					m.Length = n
				}
			}
		}
		if of != nil && of.kind == KindMem && of.length != nil {
			c.reaches(m, *of.length)
		}
	}
}

// reaches holds an expectation to the buffer that it is of.
func (c *checker) reaches(m *MemoryExpect, whole sim.Bytes) {
	n := sim.Bytes(0)
	switch {
	case m.Length != nil:
		n = *m.Length
	case m.First != nil:
		n = *m.First
	}
	if m.At > 0 && (sim.Bytes(m.At) > whole || n > whole-sim.Bytes(m.At)) || n > whole {
		c.at(m.Pos, 1, fmt.Sprintf("%s has %s, and this reaches beyond", m.Of.Name, whole), "")
	}
}

// objects completes at:.
func (c *checker) objects(e *Expect) {
	for i := range e.At {
		item := &e.At[i]
		host := item.Name
		if !c.host(Name{item.Pos, host}) {
			continue
		}
		own := func(kinds string) search { return search{hosts: []string{host}, kinds: kinds} }
		for j := range item.Value.Objects {
			o := &item.Value.Objects[j]
			d := c.resolve(&o.Of, own("mr,mw,qp,srq,mem"))
			c.resolve(&o.PD, own("pd"))
			c.resolve(&o.QP, own("qp"))
			c.resolve(&o.MR, own("mr"))
			if d != nil {
				c.fits(o, d.kind)
			}
		}
	}
}

// fits notes what cannot be asked of an object of a kind.
func (c *checker) fits(o *ObjectExpect, kind Kind) {
	places := o.StillSince != "" || o.MovedSince != ""
	switch {
	case kind == KindMem && !places:
		c.at(o.Pos, len(o.Of.Name), "a buffer is not in the tables", "say still_since or moved_since, or name the region")
	case places && kind != KindMem && kind != KindMR:
		c.at(o.Pos, len(o.Of.Name), fmt.Sprintf("a %s has no pages", kind), "")
	case kind == KindQP && o.State != nil, kind != KindQP && o.QPState != nil, kind == KindMem && o.State != nil:
		c.at(o.Pos, len(o.Of.Name), fmt.Sprintf("that is no state of a %s", kind), "")
	}
}
