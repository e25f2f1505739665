package lang

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

const sayStep = "to test the refusal, let a step do it, with  expect: {errno: EINVAL}"

const sayErrno = "if the refusal is what you test, write  expect: {errno: EINVAL}"

// onPurpose says how a refusal is tested.
func (c *checker) onPurpose() string {
	if c.declared {
		return sayStep
	}
	return sayErrno
}

// regMR completes a registration, declared (s nil) or made by a step.
func (c *checker) regMR(m *RegMR, host string, s *Step) {
	c.pd(&m.PD, host, m.Pos)
	own := search{hosts: []string{host}, kinds: "mem,mr"}
	buf := c.resolve(&m.Buf, own)
	c.proc(&m.Proc, host)
	c.data(m.Fill, host)
	if m.Length == nil && buf != nil && buf.length != nil && m.Offset >= 0 && sim.Bytes(m.Offset) < *buf.length {
		rest := *buf.length - sim.Bytes(m.Offset)
		m.Length = &rest
	}
	if s != nil && refusal(s.Expect) {
		return
	}
	c.declared = s == nil
	defer func() { c.declared = false }()
	c.rights(m.Access, m.Pos)
	switch {
	case m.Length != nil && *m.Length == 0:
		c.in(m.Pos, "length", "a region of no bytes (ibv_reg_mr refuses it with EINVAL)", c.onPurpose())
	case m.Length == nil && !m.Buf.Given():
		c.at(m.Pos, 1, "length is missing", "or buf: names memory to register")
	case m.Addr != nil && m.Length != nil && uint64(*m.Addr)+uint64(*m.Length)-1 < uint64(*m.Addr):
		c.in(m.Pos, "length", "the region passes the end of the address space", c.onPurpose())
	case m.Addr != nil && m.Buf.Given():
		c.in(m.Pos, "addr", "buf and addr both say what is registered", "say one")
	case buf != nil && buf.length != nil && m.Length == nil:
		c.in(m.Pos, "offset", fmt.Sprintf("the region begins behind buffer %s of %s", m.Buf.Name, *buf.length), "addr: registers raw addresses")
	case buf != nil && buf.length != nil && *buf.length > 0 && m.Length != nil && !(&Span{m.Offset, *m.Length * sim.Bytes(max(1, elements(m.Count)))}).within(*buf.length):
		c.in(m.Pos, "length", fmt.Sprintf("the region leaves buffer %s of %s", m.Buf.Name, *buf.length), "addr: registers raw addresses")
	}
	if m.Buf.Given() && (m.At != nil || m.Page != nil || m.Fill != nil || m.Prot != "") {
		c.at(m.Pos, 1, fmt.Sprintf("at, page, fill and prot are of buffer %s", m.Buf.Name), "say them under mem:")
	}
}

// chosen notes a key that is asked for where the device chooses.
func (c *checker) chosen(key *uint32, pos Pos, what, why string) {
	if key != nil {
		c.in(pos, "key", what, why)
	}
}

// rights notes rights that a registration never grants.
func (c *checker) rights(a ib.AccessFlags, pos Pos) {
	need := a & (ib.RemoteWrite | ib.RemoteAtomic)
	if need == 0 || a&ib.LocalWrite != 0 {
		return
	}
	words := need.Short() + " needs"
	if one, two, both := strings.Cut(need.Short(), "|"); both {
		words = one + " and " + two + " need"
	}
	c.in(pos, "access", fmt.Sprintf("%s LOCAL_WRITE on the same region (ibv_reg_mr refuses it with EINVAL)", words), c.onPurpose())
}

// allocMW completes the allocation of a window.
func (c *checker) allocMW(w *AllocMW, host string, pos Pos, s *Step) {
	c.pd(&w.PD, host, pos)
	c.declared = s == nil
	defer func() { c.declared = false }()
	if w.Type != 1 && w.Type != 2 && (s == nil || !refusal(s.Expect)) {
		c.in(w.Pos, "type", fmt.Sprintf("window type %d does not exist", w.Type), "1 or 2; "+c.onPurpose())
	}
}

// verb completes the act of a step on its host. Loops and the like are not
// seen here.
func (c *checker) verb(s *Step, host string) {
	if c.makes(s, host) || c.ends(s, host) {
		return
	}
	switch a := s.Do.(type) {
	case *ReregMR:
		c.rereg(a, host, s)
	case *BindMW:
		c.defaulted(&a.QP, host, KindQP, s.Pos, "")
		c.bind(&a.Bind, host, s)
	case *IncRKey:
		c.key(&a.Key, Ref{}, host)
	case *PostSend:
		c.postSend(a, host, s)
	case *PostRecv:
		c.postRecv(a, host, s)
	case *HostAct:
		c.hostAct(a, host, s)
	case *Traffic:
		c.traffic(a, host, s)
	case *DMA:
		c.dma(a, host, s)
	case *Fault:
		c.fault(a, host, s)
	case *Packet:
		c.packet(a, host, s)
	default:
		c.uses(s, host)
	}
}

// makes completes a verb that makes an object, and declares it unless the verb
// is to be refused whatever happens.
func (c *checker) makes(s *Step, host string) bool {
	declare := func(kind Kind, as Name, count *uint32, d decl) bool {
		if count != nil {
			c.in(s.Pos, s.Verb, fmt.Sprintf("%s makes one object", s.Verb), "count: makes arrays under hosts:")
		}
		if !refused(s.Expect) {
			d.kind, d.host = kind, host
			c.declare(as, d)
		}
		return true
	}
	switch a := s.Do.(type) {
	case *AllocPD:
		return declare(KindPD, a.As, nil, decl{})
	case *RegMR:
		c.regMR(a, host, s)
		c.chosen(a.Key, s.Pos, s.Verb+" cannot ask for a key", "no verb can; key: is for regions under hosts:")
		return declare(KindMR, a.As, a.Count, decl{length: a.Length})
	case *AllocMR:
		c.pd(&a.PD, host, s.Pos)
		c.chosen(a.Key, s.Pos, s.Verb+" cannot ask for a key", "no verb can; key: is for regions under hosts:")
		return declare(KindMR, a.As, a.Count, decl{})
	case *RegShared:
		c.needed(&a.Of, host, KindMR, s)
		c.pd(&a.PD, host, s.Pos)
		return declare(KindMR, a.As, nil, decl{})
	case *AllocMW:
		c.allocMW(a, host, s.Pos, s)
		return declare(KindMW, a.As, a.Count, decl{})
	case *CreateQP:
		c.qp(&a.QP, host, s.Pos, func(kinds string) search { return search{hosts: []string{host}, kinds: kinds} })
		return declare(KindQP, a.As, a.Count, decl{peer: a.Peer})
	case *CreateSRQ:
		c.pd(&a.PD, host, s.Pos)
		return declare(KindSRQ, a.As, nil, decl{})
	case *CreateCQ:
		return declare(KindCQ, a.As, nil, decl{})
	case *CreateAH:
		c.pd(&a.PD, host, s.Pos)
		c.resolve(&a.Peer, search{hosts: c.others(host), anywhere: true, kinds: "qp"})
		return declare(KindAH, a.As, nil, decl{})
	}
	return false
}

// ends completes a verb that ends an object.
func (c *checker) ends(s *Step, host string) bool {
	var r *Ref
	var kind Kind
	switch a := s.Do.(type) {
	case *DeallocPD:
		r, kind = &a.PD, KindPD
	case *DeregMR:
		r, kind = &a.MR, KindMR
	case *DeallocMW:
		r, kind = &a.MW, KindMW
	case *DestroyQP:
		r, kind = &a.QP, KindQP
	case *Destroy:
		r, kind = &a.Of, a.Of.Kind
	default:
		return false
	}
	if d := c.needed(r, host, kind, s); d != nil && !refusal(s.Expect) && d.count == 0 {
		d.gone = true
	}
	return true
}

// uses completes a verb that looks at an object or changes it.
func (c *checker) uses(s *Step, host string) {
	own := func(kinds string) search { return search{hosts: []string{host}, kinds: kinds} }
	switch a := s.Do.(type) {
	case *AdviseMR:
		c.defaulted(&a.MR, host, KindMR, s.Pos, "")
	case *ModifyQP:
		d := c.defaulted(&a.QP, host, KindQP, s.Pos, "")
		c.resolve(&a.Peer, search{hosts: c.others(host), anywhere: true, kinds: "qp"})
		if d != nil && a.Peer.Given() {
			d.peer = a.Peer
		}
	case *ModifySRQ:
		c.defaulted(&a.SRQ, host, KindSRQ, s.Pos, "")
	case *Query:
		if a.Of.Kind != NoKind {
			c.defaulted(&a.Of, host, a.Of.Kind, s.Pos, "")
		}
	case *ReqNotify:
		c.resolve(&a.CQ, own("cq"))
	case *GetEvent:
		c.resolve(&a.CQ, own("cq"))
	case *PollCQ:
		c.resolve(&a.CQ, own("cq"))
		c.resolve(&a.QP, own("qp"))
	}
}

// needed completes a reference that a step must give.
func (c *checker) needed(r *Ref, host string, kind Kind, s *Step) *decl {
	if !r.Given() {
		c.in(s.Pos, s.Verb, fmt.Sprintf("%s: which %s?", s.Verb, kind), "")
		return nil
	}
	return c.resolve(r, search{hosts: []string{host}, kinds: kind.String()})
}

// rereg completes ibv_rereg_mr; left out, its flags follow from what is given.
func (c *checker) rereg(a *ReregMR, host string, s *Step) {
	c.needed(&a.MR, host, KindMR, s)
	c.resolve(&a.PD, search{hosts: []string{host}, kinds: "pd"})
	c.resolve(&a.Buf, search{hosts: []string{host}, kinds: "mem,mr"})
	if a.Flags == nil {
		var flags ib.ReregFlags
		if a.PD.Given() {
			flags |= ib.ReregPD
		}
		if a.Buf.Given() || a.Addr != nil || a.Length != nil {
			flags |= ib.ReregTranslation
		}
		if a.Access != nil {
			flags |= ib.ReregAccess
		}
		a.Flags = &flags
	}
	if a.Access != nil && *a.Flags&ib.ReregAccess != 0 && !refusal(s.Expect) {
		c.rights(*a.Access, s.Pos)
	}
}

// hostAct completes what a CPU does to memory.
func (c *checker) hostAct(a *HostAct, host string, s *Step) {
	d := c.resolve(&a.Buf, search{hosts: []string{host}, kinds: "mem,mr"})
	if d != nil && d.kind == KindMR {
		a.Buf, a.MR = Ref{}, a.Buf
	}
	if other := c.resolve(&a.MR, search{hosts: []string{host}, kinds: "mr"}); d == nil {
		d = other
	}
	c.touched(a, d, s)
	c.proc(&a.Proc, host)
	c.data(a.Data, host)
	switch {
	case !a.Buf.Given() && !a.MR.Given() && a.Addr == nil:
		c.in(s.Pos, s.Verb, fmt.Sprintf("%s: which memory?", s.Verb), "buf: names a buffer")
	case a.Verb == "store" && a.Data == nil:
		c.in(s.Pos, s.Verb, "store: which data?", "such as data: 0x77")
	case a.Verb == "mprotect" && a.Prot == "":
		c.in(s.Pos, s.Verb, "mprotect: which prot?", "rw, r or none")
	}
}
