package replay

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// receives plans the receives of a side: all at the beginning, but those that
// an RNR NAK shows to have come later.
func (x *plan) receives(h int) {
	for _, c := range x.conns {
		var list []*op
		var at *int64
		post := func() {
			if len(list) == 0 {
				return
			}
			s := &step{on: h, do: x.recvText(h, c, list), why: "implied by what is sent"}
			if at == nil {
				x.setup = append(x.setup, s)
			} else {
				s.at = *at
				x.steps = append(x.steps, s)
			}
			list = nil
		}
		for _, o := range c.ops[1-h] {
			if !o.Receives() || o.Answered && o.Status == ib.WRFlushErr || o.unready() {
				continue
			}
			if n := len(o.RNR); n > 0 {
				post()
				t := between(o.RNR[n-1], max(o.Done, o.RNR[n-1]))
				at = &t
			}
			if list = append(list, o); len(list) == mostReceives {
				post()
				t := o.At
				at = &t
			}
			x.sides[h].sink = max(x.sides[h].sink, o.Length)
		}
		post()
	}
}

// mostReceives is how many are posted at once.
const mostReceives = 16384

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
		wrs, wcs = append(wrs, fmt.Sprintf("{qp: %s, %s}", c.label, wr)), append(wcs, wc)
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
	n := o.Length
	if o.Opcode == ib.WRRDMAWriteWithImm {
		n = 0
	}
	if o.Answered {
		wc = ib.Success.Short()
	}
	key := ""
	switch {
	case o.NAK == ib.NAKInvalidRequest && o.Opcode != ib.WRRDMAWriteWithImm && n > 0:
		n, wc = o.short(), ""
	case o.NAK == ib.NAKRemoteOperational && n > 0:
		key, wc = ", key: 0", ""
	case o.NAK != 0:
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
	if o.Refused > 0 {
		return uint32(o.Refused) * o.conn.MTU
	}
	return min(o.Length, o.conn.MTU) - 1
}
