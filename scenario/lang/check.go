package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// A checker completes the references of one scenario and notes what cannot be:
// names that do not exist, flags that no verb would take.
type checker struct {
	*report
	file  *File
	setup *Setup
	base  *scope // what the set-up declares
	scope *scope // what exists where the check has come to
	later map[string]Pos
	ids   map[string]Pos // of steps and requests
	steps int
}

// newChecker checks a set-up.
func newChecker(d *decoder, f *File, s *Setup) *checker {
	c := &checker{report: d.report, file: f, setup: s, scope: &scope{decls: map[string]*decl{}}}
	for _, h := range s.Hosts {
		c.scope.hosts = append(c.scope.hosts, h.Name)
	}
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
		if d := c.scope.get(host, h.MR[i].Name); d != nil && d.kind == KindMR {
			d.length = h.MR[i].Value.Length
		}
	}
	for i := range h.FR {
		h.FR[i].Value.As = Name{h.FR[i].Pos, h.FR[i].Name}
		c.pd(&h.FR[i].Value.PD, host, h.FR[i].Pos)
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
			d.peer, d.pd = q.Peer, q.PD
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

// scenario checks the steps and expectations of one scenario.
func (c *checker) scenario(s *Scenario) {
	c.scope, c.ids, c.steps, c.later = c.base.copied(), map[string]Pos{}, 0, map[string]Pos{}
	c.foresee(s.Ops)
	c.run(s.Ops)
	for _, e := range s.Expect {
		c.expect(e, &Step{})
	}
	c.references(s.Ops)
}

// foresee numbers the steps and notes ids, and the names that will be made.
func (c *checker) foresee(steps []Step) {
	for i := range steps {
		s := &steps[i]
		c.steps++
		s.Number = c.steps
		c.identify(s.ID, s.Pos)
		switch a := s.Do.(type) {
		case *PostSend:
			for _, w := range a.WRs {
				c.identify(w.ID, w.Pos)
			}
		case *PostRecv:
			for _, w := range a.WRs {
				c.identify(w.ID, w.Pos)
			}
		case *Loop:
			for _, round := range a.Rounds {
				c.foresee(round)
			}
		case *Parallel:
			for _, branch := range a.Branches {
				c.foresee(branch)
			}
		}
		if n := made(s.Do); n.Text != "" && c.later[n.Text].Line == 0 {
			c.later[n.Text] = n.Pos
		}
	}
}

// identify notes an id; one place may be met several times, in the rounds of a
// loop.
func (c *checker) identify(id string, pos Pos) {
	switch was, twice := c.ids[id]; {
	case id == "":
	case strings.Trim(id, "0123456789.") == "":
		c.at(pos, 1, fmt.Sprintf("id %q is a number", id), "steps have their numbers anyway; an id is a word")
	case twice && was != pos:
		c.at(pos, 1, fmt.Sprintf("id %q is here twice", id), fmt.Sprintf("the first is in line %d", was.Line))
	default:
		c.ids[id] = pos
	}
}

// made returns the name that an act gives to a new object.
func made(a Act) Name {
	switch a := a.(type) {
	case *AllocPD:
		return a.As
	case *RegMR:
		return a.As
	case *AllocMR:
		return a.As
	case *RegShared:
		return a.As
	case *AllocMW:
		return a.As
	case *CreateQP:
		return a.As
	case *CreateSRQ:
		return a.As
	case *CreateCQ:
		return a.As
	case *CreateAH:
		return a.As
	}
	return Name{}
}

// known notes a problem when no step or request has this id.
func (c *checker) known(id string, pos Pos) {
	if id == "" {
		return
	}
	first, _, _ := strings.Cut(id, ".")
	if n, err := strconv.Atoi(first); err == nil {
		if n < 1 || n > c.steps {
			c.at(pos, len(id), fmt.Sprintf("there is no step %s", first), fmt.Sprintf("1 to %d", c.steps))
		}
		return
	}
	if _, ok := c.ids[first]; !ok {
		all := make([]string, 0, len(c.ids))
		for id := range c.ids {
			all = append(all, id)
		}
		slices.Sort(all)
		c.at(pos, len(id), fmt.Sprintf("no step has the id %q", first), didYouMean(first, all))
	}
}

// lengthOf returns the bytes that a request moves, where that is known.
func (c *checker) lengthOf(w *WR) *sim.Bytes {
	var sum sim.Bytes
	for _, g := range w.SGE {
		n := g.Length
		if n == nil {
			if d := c.scope.get(g.MR.Host, g.MR.Name); d != nil && d.length != nil && g.Offset >= 0 && g.Addr == nil {
				rest := *d.length - min(*d.length, sim.Bytes(g.Offset))
				n = &rest
			}
		}
		if n == nil {
			return nil
		}
		sum += *n
	}
	return &sum
}

// refusal reports whether an expectation has the step's verb return an error
// in some world: then it may be written wrongly on purpose.
func refusal(e *Expect) bool {
	if e == nil {
		return false
	}
	if e.BadWR != nil || slices.ContainsFunc(e.Errno, func(x ib.Errno) bool { return x != ib.OK }) {
		return true
	}
	if e.Rereg != nil && *e.Rereg != ib.ReregOK || e.Not != nil && slices.Contains(e.Not.Errno, ib.OK) {
		return true
	}
	for i := range e.Any {
		if refusal(&e.Any[i]) {
			return true
		}
	}
	for i := range e.Under {
		if refusal(&e.Under[i].Value) {
			return true
		}
	}
	return false
}
