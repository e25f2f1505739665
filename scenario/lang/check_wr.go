package lang

import (
	"fmt"

	"hcasim/ib"
	"hcasim/sim"
)

// postSend completes a list of send requests.
func (c *checker) postSend(p *PostSend, host string, s *Step) {
	qp := c.defaulted(&p.QP, host, KindQP, s.Pos, "qp: declares one under the host")
	peer := lost
	if qp != nil {
		peer = qp.peer.Host
	}
	for i := range p.WRs {
		w := &p.WRs[i]
		if w.QP.Given() && w.QP.Name != p.QP.Name {
			c.resolve(&w.QP, search{hosts: []string{host}, kinds: "qp"})
			c.at(w.QP.Pos, len(w.QP.Name), "all requests of a list go to one queue pair", "")
		}
		w.QP = p.QP
		c.wr(w, host, peer, s)
	}
}

// The members of a request that only some opcodes take; the others all take.
const (
	takesSGE = 1 << iota
	takesRemote
	takesImm
	takesInvalidate
	takesBind
	takesReg
	takesAdd
	takesCompareSwap
	takesAH
)

var takes = map[ib.WROpcode]int{
	ib.WRRDMAWrite:         takesSGE | takesRemote,
	ib.WRRDMAWriteWithImm:  takesSGE | takesRemote | takesImm,
	ib.WRSend:              takesSGE | takesAH,
	ib.WRSendWithImm:       takesSGE | takesImm | takesAH,
	ib.WRSendWithInv:       takesSGE | takesInvalidate,
	ib.WRRDMARead:          takesSGE | takesRemote,
	ib.WRAtomicCmpAndSwp:   takesSGE | takesRemote | takesCompareSwap,
	ib.WRAtomicFetchAndAdd: takesSGE | takesRemote | takesAdd,
	ib.WRLocalInv:          takesInvalidate,
	ib.WRBindMW:            takesBind,
	ib.WRRegMR:             takesReg,
}

// wr completes one send request.
func (c *checker) wr(w *WR, host, peer string, s *Step) {
	if !w.Opcode.Given {
		c.at(w.Pos, 1, "opcode is missing", "such as RDMA_WRITE")
		return
	}
	may, known := takes[w.Opcode.Value]
	if !known && !refusal(s.Expect) {
		c.in(w.Pos, "opcode", fmt.Sprintf("opcode %d is of no work request", uint8(w.Opcode.Value)), sayErrno)
	}
	certain := known && !refusal(s.Expect)
	if certain {
		c.superfluous(w, may)
	}
	if may&takesSGE != 0 && w.SGE == nil {
		w.SGE = c.firstRegion(host, w.Pos, s.Verb+" needs data: sge: [] has none")
	}
	if may&takesSGE != 0 || w.SGE != nil || !certain {
		c.pieces(w.SGE, w.Length, host, w.Pos, w.Opcode.Value)
	}
	w.Length = nil
	// What an opcode does not take is said where a refusal is tested, and must
	// be complete all the same (L2).
	if may&takesRemote != 0 || w.Remote.Pos.Line != 0 {
		c.remote(&w.Remote, host, peer, w.Pos)
	}
	switch {
	case may&takesInvalidate == 0 && w.Invalidate == nil:
	case w.Invalidate == nil:
		c.at(w.Pos, 1, fmt.Sprintf("%s of which key?", w.Opcode.Value.Short()), "invalidate: names an object or a key")
	case w.Opcode.Value == ib.WRLocalInv:
		c.key(w.Invalidate, Ref{}, host, peer)
	default:
		c.key(w.Invalidate, Ref{}, peer, host)
	}
	if may&takesBind != 0 || w.Bind != nil {
		if w.Bind == nil {
			c.at(w.Pos, 1, "BIND_MW of what?", "bind_mw: names window and region")
		} else {
			c.bind(w.Bind, host, s)
		}
	}
	if may&takesReg != 0 || w.Reg != nil {
		c.reg(w, host, s)
	}
	c.resolve(&w.AH, search{hosts: []string{host}, kinds: "ah"})
}

// special are those members, by their names, and whether a request says them.
var special = []struct {
	name string
	bit  int
	said func(w *WR) bool
}{
	{"sge", takesSGE, func(w *WR) bool { return len(w.SGE) > 0 }},
	{"length", takesSGE, func(w *WR) bool { return w.Length != nil }},
	{"remote", takesRemote, func(w *WR) bool { return w.Remote.Pos.Line != 0 }},
	{"imm", takesImm, func(w *WR) bool { return w.Imm != nil }},
	{"invalidate", takesInvalidate, func(w *WR) bool { return w.Invalidate != nil }},
	{"add", takesAdd, func(w *WR) bool { return w.Add != nil }},
	{"compare", takesCompareSwap, func(w *WR) bool { return w.Compare != nil }},
	{"swap", takesCompareSwap, func(w *WR) bool { return w.Swap != nil }},
	{"bind_mw", takesBind, func(w *WR) bool { return w.Bind != nil }},
	{"reg_mr", takesReg, func(w *WR) bool { return w.Reg != nil }},
	{"ah", takesAH, func(w *WR) bool { return w.AH.Given() }},
	{"qkey", takesAH, func(w *WR) bool { return w.QKey != nil }},
}

// Foreign reports whether a member of a request, by its name, belongs to other
// requests than those of the verb, such as wr_send; of other verbs none does.
func Foreign(verb, member string) bool {
	var s Step
	for _, short := range s.shortForms() {
		if short.verb != verb {
			continue
		}
		for _, m := range special {
			if m.name == member {
				return takes[short.opcode]&m.bit == 0
			}
		}
		return member == "opcode"
	}
	return false
}

// superfluous notes members that an opcode does not have.
func (c *checker) superfluous(w *WR, may int) {
	for _, m := range special {
		if m.said(w) && may&m.bit == 0 {
			c.in(w.Pos, m.name, fmt.Sprintf("%s has no %s", w.Opcode.Value.Short(), m.name), "")
		}
	}
	if may&takesAH != 0 && w.QKey != nil && !w.AH.Given() {
		c.in(w.Pos, "qkey", "a Q_Key goes with a datagram, and this request has no address handle", "ah: names one")
	}
}

// firstRegion makes the list that stands for a left-out sge.
func (c *checker) firstRegion(host string, pos Pos, advice string) []SGE {
	g := SGE{Pos: pos}
	if c.defaulted(&g.MR, host, KindMR, pos, advice) == nil {
		return nil
	}
	return []SGE{g}
}

// pieces completes a scatter/gather list. A lone piece without a length has
// that of the request, or the default of the set-up.
func (c *checker) pieces(list []SGE, length *sim.Bytes, host string, pos Pos, opcode ib.WROpcode) {
	for i := range list {
		g := &list[i]
		here := search{hosts: []string{host}, kinds: "mr,mem"}
		if d := c.resolve(&g.MR, here); d != nil && d.kind == KindMem {
			g.MR, g.Buf = Ref{}, g.MR
		}
		c.resolve(&g.Buf, search{hosts: []string{host}, kinds: "mem,mr"})
		c.key(g.Key, g.MR, append([]string{host}, c.others(host)...)...)
		switch {
		case g.Buf.Given() && g.Key == nil:
			c.at(g.Pos, 1, fmt.Sprintf("%s is memory without a key", g.Buf.Name), "mr: names a region, or key: says one")
		case !g.Buf.Given() && !g.MR.Given() && (g.Addr == nil || g.Key == nil):
			c.at(g.Pos, 1, "a piece needs a region, or an address and a key", "such as {mr: src, length: 64}")
		}
	}
	switch {
	case len(list) == 0:
		if list != nil && length != nil { // none at all is told by now
			c.in(pos, "length", "there is no piece whose length it could be", "")
		}
	case len(list) > 1 || list[0].Length != nil:
		if length != nil {
			c.in(pos, "length", "length beside pieces that say their own", "")
		}
	case length != nil:
		list[0].Length = length
	case opcode == ib.WRAtomicCmpAndSwp, opcode == ib.WRAtomicFetchAndAdd:
		n := sim.Bytes(8)
		list[0].Length = &n
	case opcode != recvOpcode && c.setup.Defaults.Length != nil:
		list[0].Length = c.setup.Defaults.Length
	}
}

// recvOpcode stands for a receive where an opcode is asked for.
const recvOpcode = ib.WROpcode(0xff)

// lost stands for the peer of a queue pair that was not found: what hangs on
// it is not looked at.
const lost = "?"

// remote completes the place at the peer; left out, it is the peer's first
// region.
func (c *checker) remote(r *Remote, host, peer string, pos Pos) {
	if r.Pos.Line == 0 {
		r.Pos = pos
	}
	hosts := []string{peer}
	switch peer {
	case "":
		hosts = []string{host}
	case lost:
		return
	}
	if d := c.resolve(&r.MR, search{hosts: hosts, kinds: "mr,mw"}); d != nil && d.kind == KindMW {
		r.MR, r.MW = Ref{}, r.MR
	}
	c.resolve(&r.MW, search{hosts: hosts, kinds: "mw"})
	switch {
	case r.MR.Given() || r.MW.Given():
	case r.Addr == nil && peer == "":
		c.at(r.Pos, 1, "remote is missing, and the queue pair has no peer", "")
	case r.Addr == nil:
		c.defaulted(&r.MR, peer, KindMR, r.Pos, "remote: names a region or window, or an address and a key")
	case r.Key == nil:
		c.in(r.Pos, "addr", "an address alone opens nothing", "key: says which key to use")
	}
	c.key(r.Key, r.Object(), append(hosts, host)...)
}

// key completes a key expression about an object, whose name is looked up on
// hosts, in their order.
func (c *checker) key(k *KeyExpr, about Ref, hosts ...string) {
	if k == nil {
		return
	}
	if k.Of.Given() {
		c.resolve(&k.Of, search{hosts: hosts, anywhere: true, kinds: "mr,mw"})
		return
	}
	if k.Of = about; !about.Given() && k.Kind != KeyNumber && k.Kind != KeyRandom {
		c.at(k.Pos, 1, "the key of what?", "{of: NAME, …}")
	}
}

// bind completes a bind.
func (c *checker) bind(b *Bind, host string, s *Step) {
	c.needed(&b.MW, host, KindMW, s)
	if b.MR.Given() {
		c.resolve(&b.MR, search{hosts: []string{host}, kinds: "mr", none: true})
	} else {
		c.defaulted(&b.MR, host, KindMR, s.Pos, "mr: names the region behind")
	}
	c.key(b.Key, b.MW, host)
	c.key(b.MRKey, b.MR, host)
	allowed := ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic | ib.ZeroBased
	if extra := b.Access &^ allowed; extra != 0 && !refusal(s.Expect) {
		c.in(s.Pos, s.Verb, fmt.Sprintf("%s is no right of a window (it is refused with EINVAL)", extra.Short()), sayErrno)
	}
}

// reg completes a REG_MR request.
func (c *checker) reg(w *WR, host string, s *Step) {
	if w.Reg == nil {
		c.at(w.Pos, 1, "REG_MR of what?", "reg_mr: names region and memory")
		return
	}
	c.needed(&w.Reg.MR, host, KindMR, s)
	c.resolve(&w.Reg.Buf, search{hosts: []string{host}, kinds: "mem,mr"})
	if !w.Reg.Buf.Given() {
		c.defaulted(&w.Reg.Buf, host, KindMem, w.Pos, "buf: names the memory behind")
	}
	c.key(w.Reg.Key, w.Reg.MR, host)
}

// postRecv completes a list of receive requests.
func (c *checker) postRecv(p *PostRecv, host string, s *Step) {
	switch {
	case p.SRQ.Given() || s.Verb == "post_srq_recv":
		c.defaulted(&p.SRQ, host, KindSRQ, s.Pos, "srq: declares one under the host")
	default:
		c.defaulted(&p.QP, host, KindQP, s.Pos, "qp: declares one under the host")
	}
	for i := range p.WRs {
		w := &p.WRs[i]
		if w.SGE == nil {
			w.SGE = c.firstRegion(host, w.Pos, "a receive needs memory: sge: [] has none")
		}
		w.QP, w.SRQ = p.QP, p.SRQ
		c.pieces(w.SGE, w.Length, host, w.Pos, recvOpcode)
		w.Length = nil
	}
}
