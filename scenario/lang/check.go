package lang

import (
	"fmt"
	"slices"
)

// A checker completes the references of one scenario and notes what cannot be:
// names that do not exist, flags that no verb would take.
type checker struct {
	*report
	setup *Setup
	base  *scope // what the set-up declares
	scope *scope // what exists where the check has come to
	later map[string]Pos
	ids   map[string]idAt // of steps and requests
	steps int

	declared bool // the object being checked stands under hosts:
}

// An idAt is where an id stands: its place and its step's number.
type idAt struct {
	pos  Pos
	step int
}

// newChecker checks a set-up.
func newChecker(d *decoder, s *Setup) *checker {
	c := &checker{report: d.report, setup: s, scope: &scope{decls: map[string]*decl{}}}
	for _, h := range s.Hosts {
		c.scope.hosts = append(c.scope.hosts, h.Name)
	}
	c.variant(s.Variant.Base, s.Variant.Pos)
	for i := range s.Hosts {
		c.declareHost(s.Hosts[i].Name, &s.Hosts[i].Value)
	}
	for i := range s.Hosts {
		c.completeHost(s.Hosts[i].Name, &s.Hosts[i].Value)
	}
	c.base = c.scope
	return c
}

// declareHost declares all names of a host, so that they may refer to each
// other in any order.
func (c *checker) declareHost(host string, h *Host) {
	name := func(kind Kind, n Name, d decl) {
		d.kind, d.host = kind, host
		c.declare(n, d)
	}
	for _, n := range h.PD {
		name(KindPD, n, decl{})
	}
	if len(h.Proc) == 0 {
		h.Proc = []Name{{Text: "main"}}
	}
	for _, n := range h.Proc {
		name(KindProc, n, decl{})
	}
	for _, m := range h.Mem {
		name(KindMem, Name{m.Pos, m.Name}, decl{length: &m.Value.Length})
	}
	for _, m := range h.CQ {
		name(KindCQ, Name{m.Pos, m.Name}, decl{})
	}
	for _, m := range h.SRQ {
		name(KindSRQ, Name{m.Pos, m.Name}, decl{})
	}
	for _, m := range h.MR {
		name(KindMR, Name{m.Pos, m.Name}, decl{count: elements(m.Value.Count), length: m.Value.Length})
	}
	for _, m := range h.FR {
		name(KindMR, Name{m.Pos, m.Name}, decl{count: elements(m.Value.Count)})
	}
	for _, m := range h.MW {
		name(KindMW, Name{m.Pos, m.Name}, decl{count: elements(m.Value.Count)})
	}
	for _, m := range h.QP {
		name(KindQP, Name{m.Pos, m.Name}, decl{count: elements(m.Value.Count)})
	}
}

// apart notes one key for many regions.
func (c *checker) apart(key, count *uint32, pos Pos) {
	if count != nil {
		c.chosen(key, pos, "an array cannot ask for one key", "declare the region apart, without count:")
	}
}

func elements(n *uint32) int {
	if n == nil {
		return 0
	}
	return int(*n)
}

// completeHost completes what a host declares.
func (c *checker) completeHost(host string, h *Host) {
	own := func(kinds string) search { return search{hosts: []string{host}, kinds: kinds} }
	for i := range h.Mem {
		m := &h.Mem[i]
		c.proc(&m.Value.Proc, host)
		for _, part := range []*Span{m.Value.Hole, m.Value.Small} {
			if part != nil && !part.within(m.Value.Length) {
				c.at(m.Value.Pos, 1, fmt.Sprintf("a part leaves buffer %s of %s", m.Name, m.Value.Length), "")
			}
		}
		c.data(m.Value.Fill, host)
	}
	c.apartInMemory(h)
	for i := range h.SRQ {
		h.SRQ[i].Value.As = Name{h.SRQ[i].Pos, h.SRQ[i].Name}
		c.pd(&h.SRQ[i].Value.PD, host, h.SRQ[i].Pos)
	}
	for i := range h.CQ {
		h.CQ[i].Value.As = Name{h.CQ[i].Pos, h.CQ[i].Name}
	}
	for i := range h.MR {
		h.MR[i].Value.As = Name{h.MR[i].Pos, h.MR[i].Name}
		c.regMR(&h.MR[i].Value, host, nil)
		c.apart(h.MR[i].Value.Key, h.MR[i].Value.Count, h.MR[i].Pos)
		if d := c.scope.get(host, h.MR[i].Name); d != nil && d.kind == KindMR {
			d.length = h.MR[i].Value.Length
		}
	}
	for i := range h.FR {
		h.FR[i].Value.As = Name{h.FR[i].Pos, h.FR[i].Name}
		c.pd(&h.FR[i].Value.PD, host, h.FR[i].Pos)
		c.apart(h.FR[i].Value.Key, h.FR[i].Value.Count, h.FR[i].Pos)
	}
	for i := range h.MW {
		h.MW[i].Value.As = Name{h.MW[i].Pos, h.MW[i].Name}
		c.allocMW(&h.MW[i].Value, host, h.MW[i].Pos, nil)
	}
	for i := range h.QP {
		q := &h.QP[i].Value
		q.As = Name{h.QP[i].Pos, h.QP[i].Name}
		c.qp(q, host, h.QP[i].Pos, own)
		if d := c.scope.get(host, h.QP[i].Name); d != nil {
			d.peer = q.Peer
		}
	}
}

// qp completes the references of a queue pair.
func (c *checker) qp(q *QP, host string, pos Pos, own func(kinds string) search) {
	c.pd(&q.PD, host, pos)
	for _, r := range []*Ref{&q.CQ, &q.SendCQ, &q.RecvCQ} {
		c.resolve(r, own("cq"))
	}
	c.resolve(&q.SRQ, own("srq"))
	if q.SendCQ == (Ref{}) {
		q.SendCQ = q.CQ
	}
	if q.RecvCQ == (Ref{}) {
		q.RecvCQ = q.CQ
	}
	peer := c.resolve(&q.Peer, search{hosts: c.others(host), anywhere: true, arrays: true, kinds: "qp"})
	if peer != nil && peer.host == host {
		c.at(q.Peer.Pos, len(q.Peer.Name), fmt.Sprintf("%s and its peer %s are both on host %s", q.As.Text, q.Peer.Name, host), "a cable joins two hosts: peer: HOST.NAME of the other")
	}
	if peer != nil && q.Peer.Index == Whole && peer.count != elements(q.Count) && peer.host+peer.name != host+q.As.Text {
		c.at(q.Peer.Pos, len(q.Peer.Name), fmt.Sprintf("%s has %d elements, its peer %d", q.As.Text, elements(q.Count), peer.count),
			"arrays pair up one to one")
	}
}

// others returns the hosts but this.
func (c *checker) others(host string) []string {
	return slices.DeleteFunc(slices.Clone(c.scope.hosts), func(h string) bool { return h == host })
}

// pd completes a protection domain; left out, it is the host's first.
func (c *checker) pd(r *Ref, host string, pos Pos) {
	c.defaulted(r, host, KindPD, pos, "it needs a protection domain: pd: [pd0] under the host")
}

func (c *checker) proc(r *Ref, host string) { c.defaulted(r, host, KindProc, Pos{}, "") }

// defaulted completes r, or makes it the host's first object of a kind.
func (c *checker) defaulted(r *Ref, host string, kind Kind, pos Pos, advice string) *decl {
	if r.Given() {
		return c.resolve(r, search{hosts: []string{host}, kinds: kind.String()})
	}
	d := c.scope.first(host, kind)
	if d == nil {
		c.at(pos, 1, fmt.Sprintf("host %s has no %s", host, kind), advice)
		return nil
	}
	*r = Ref{Pos: pos, Host: host, Name: d.name, Index: Whole, Kind: kind}
	if d.count > 0 {
		r.Index = 0
	}
	return d
}

// data completes the object in some data.
func (c *checker) data(x *Data, hosts ...string) {
	if x != nil && x.Kind == DataOf {
		c.resolve(&x.Of, search{hosts: hosts, anywhere: true, kinds: "mem,mr"})
	}
}
