package replay

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// qpName names a connection's queue pairs.
func (x *plan) qpName(c *conn) string { return fmt.Sprintf("q%d", slices.Index(x.conns, c)+1) }

// postText writes a post_send and what came of it.
func postText(ops []*op) string {
	wrs := make([]string, len(ops))
	for i, o := range ops {
		wrs[i] = o.text
	}
	what := wrs[0]
	if len(wrs) > 1 {
		what = "[" + strings.Join(wrs, ", ") + "]"
	}
	return "post_send: " + what + expectText(ops)
}

// expectText writes the completions that the answers show.
func expectText(ops []*op) string {
	if !ops[0].told {
		return ""
	}
	var words []string
	nak := ""
	for i := 0; i < len(ops); {
		n := 1
		for i+n < len(ops) && ops[i+n].status == ops[i].status {
			n++
		}
		word := ops[i].status.Short()
		if n > 1 {
			word += fmt.Sprintf("*%d", n)
		}
		words = append(words, word)
		if ops[i].nak != 0 {
			nak = ", nak: " + ops[i].nak.String()
		}
		i += n
	}
	wc := words[0]
	if len(words) > 1 {
		wc = "[" + strings.Join(words, ", ") + "]"
	}
	return ", expect: {wc: " + wc + nak + "}"
}

// request writes the work request of an op.
func (x *plan) request(o *op) string {
	var b strings.Builder
	s := x.sides[o.side]
	fmt.Fprintf(&b, "{qp: %s, opcode: %s", x.qpName(o.conn), o.opcode.Short())
	if o.solicited {
		b.WriteString(", send_flags: [SOLICITED]")
	}
	switch {
	case o.length == 0:
		b.WriteString(", sge: []")
	case o.brings():
		fmt.Fprintf(&b, ", sge: [{mr: %s, offset: %d, length: %d}]", localName(o.from.fill, s.pd[o.conn]), o.from.at, o.length)
	default:
		fmt.Fprintf(&b, ", sge: [{mr: %s, length: %d}]", localName(placeSink, s.pd[o.conn]), o.length)
	}
	switch o.opcode {
	case ib.WRSend, ib.WRSendWithImm:
	case ib.WRSendWithInv:
		fmt.Fprintf(&b, ", invalidate: 0x%08x", uint32(o.key))
	default:
		b.WriteString(", remote: " + x.remoteText(o))
	}
	switch o.opcode {
	case ib.WRSendWithImm, ib.WRRDMAWriteWithImm:
		fmt.Fprintf(&b, ", imm: 0x%x", o.imm)
	case ib.WRAtomicFetchAndAdd:
		fmt.Fprintf(&b, ", add: %d", o.swap)
	case ib.WRAtomicCmpAndSwp:
		fmt.Fprintf(&b, ", compare: %d, swap: %d", o.compare, o.swap)
	default: // nothing besides
	}
	b.WriteString("}")
	return b.String()
}

// remoteText names the region where one is implied, and else says key and
// address as they were.
func (x *plan) remoteText(o *op) string {
	s := x.sides[1-o.side]
	if l := o.life; l != nil && !l.region.fast() {
		lo, _ := l.span()
		return fmt.Sprintf("{mr: %s.%s, offset: %d}", hostNames[s.n], l.region.name, o.va-lo)
	}
	return fmt.Sprintf("{addr: 0x%x, key: 0x%08x}", o.va, uint32(o.key))
}

// storeText writes what a CPU did to its memory.
func storeText(s *side, c change) string {
	for _, e := range s.memory {
		if c.va >= e.lo && c.va+uint64(len(c.data))-1 <= e.hi {
			return fmt.Sprintf("store: {buf: %s, offset: %d, length: %d, data: %s}", e.name, c.va-e.lo, len(c.data), dataText(c.data))
		}
	}
	panic("replay: a change of no memory")
}

// regText writes how a fast-register region becomes valid.
func (x *plan) regText(s *side, l *life) string {
	access := l.access
	return fmt.Sprintf("wr_reg_mr: {qp: %s, mr: %s, %s, access: %s, key: 0x%08x}, expect: {wc: SUCCESS}", x.qpName(l.first.conn), l.region.name, s.behind(l), rights(access), uint32(l.key))
}

// invText writes how it is taken back.
func (x *plan) invText(l *life) string {
	return fmt.Sprintf("wr_local_inv: {qp: %s, invalidate: %s}, expect: {wc: SUCCESS}", x.qpName(l.first.conn), l.region.name)
}

// recvText writes the receives that ops took, and what became of them.
func (x *plan) recvText(h int, c *conn, ops []*op) string {
	var wrs, wcs []string
	told := true
	for i := 0; i < len(ops); {
		wr, wc := x.recv(h, c, ops[i])
		n := 1
		for ; i+n < len(ops); n++ {
			if more, also := x.recv(h, c, ops[i+n]); more != wr || also != wc {
				break
			}
		}
		told = told && wc != ""
		if n > 1 {
			wr, wc = fmt.Sprintf("%s, times: %d", wr, n), fmt.Sprintf("%s*%d", wc, n)
		}
		wrs, wcs = append(wrs, fmt.Sprintf("{qp: %s, %s}", x.qpName(c), wr)), append(wcs, wc)
		i += n
	}
	text := "post_recv: [" + strings.Join(wrs, ", ") + "]"
	if told {
		text += ", expect: {wc: [" + strings.Join(wcs, ", ") + "]}"
	}
	return text
}

// recv returns a receive and its completion; none if it is not known.
func (x *plan) recv(h int, c *conn, o *op) (wr, wc string) {
	s := x.sides[h]
	n := o.length
	if o.opcode == ib.WRRDMAWriteWithImm {
		n = 0
	}
	if o.answered {
		wc = ib.Success.Short()
	}
	key := ""
	switch {
	case o.nak == ib.NAKInvalidRequest && o.opcode != ib.WRRDMAWriteWithImm && n > 0:
		n, wc = o.short(), ""
	case o.nak == ib.NAKRemoteOperational && n > 0:
		key, wc = ", key: 0", ""
	case o.nak != 0:
		wc = ""
	}
	if n == 0 {
		return "sge: []", wc
	}
	pd := s.pd[c]
	s.local[[2]int{placeSink, pd}] = true
	s.sink = max(s.sink, n)
	return fmt.Sprintf("sge: [{mr: %s, length: %s%s}]", localName(placeSink, pd), sim.Bytes(n), key), wc
}

// short returns the length of a receive that the refused packet of a message
// did not fit into, and those before it did.
func (o *op) short() uint32 {
	if o.refused > 0 {
		return uint32(o.refused) * o.conn.mtu
	}
	return min(o.length, o.conn.mtu) - 1
}
