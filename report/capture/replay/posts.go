package replay

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/report/capture/talk"
)

// posts plans the requests, those together that followed each other without a
// pause.
func (x *plan) posts() {
	for _, c := range x.conns {
		for side := range c.Asks {
			var cur *step
			var was *op
			for _, o := range c.ops[side] {
				x.place(o)
				if cur == nil || len(cur.ops) == mostTogether || !x.follows(was, o) {
					cur = &step{at: o.At, on: side}
					x.steps = append(x.steps, cur)
				}
				cur.ops = append(cur.ops, o)
				was = o
			}
		}
	}
}

// mostTogether is how many requests stand in one list.
const mostTogether = 64

// follows reports whether a request was posted with the one before it, as far
// as one can tell: it left as soon as the link was done with that, and as much is
// known of its end.
func (x *plan) follows(a, b *op) bool {
	const pause = 100 // ns
	wire := float64(min(a.Length, a.conn.MTU)+overhead) * x.perByte[a.Side]
	return b.At-a.Last <= pause+int64(1.25*wire) && a.Answered == b.Answered && !a.gaveUp(x.end) && len(b.RNR) == 0
}

// overhead is what a packet has around its payload, more or less.
const overhead = 100

// pace finds how long a byte takes on the wire, by the large packets of a host
// that come closest behind one another; 10 Gb/s if there are none.
func (x *plan) pace(h int) float64 {
	best := 0.8 // ns
	var last *talk.Packet
	for _, k := range x.talk.Packets {
		if k.End != h {
			continue
		}
		if last != nil && len(last.Payload) >= 1024 && k.At > last.At {
			best = min(best, float64(k.At-last.At)/float64(len(last.Payload)+overhead))
		}
		last = k
	}
	return best
}

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
		for i+n < len(ops) && ops[i+n].wc == ops[i].wc {
			n++
		}
		word := ops[i].wc.Short()
		if n > 1 {
			word += fmt.Sprintf("*%d", n)
		}
		words = append(words, word)
		if ops[i].NAK != 0 {
			nak = ", nak: " + ops[i].NAK.String()
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
	s := x.sides[o.Side]
	fmt.Fprintf(&b, "{qp: %s, opcode: %s", o.conn.label, o.Opcode.Short())
	if o.Solicited {
		b.WriteString(", send_flags: [SOLICITED]")
	}
	switch {
	case o.Length == 0:
		b.WriteString(", sge: []")
	case o.Brings():
		fmt.Fprintf(&b, ", sge: [{mr: %s, offset: %d, length: %d}]", localName(o.from.fill, s.pd[o.conn]), o.from.at, o.Length)
	default:
		fmt.Fprintf(&b, ", sge: [{mr: %s, length: %d}]", localName(placeSink, s.pd[o.conn]), o.Length)
	}
	switch o.Opcode {
	case ib.WRSend, ib.WRSendWithImm:
	case ib.WRSendWithInv:
		fmt.Fprintf(&b, ", invalidate: 0x%08x", uint32(o.Key))
	default:
		b.WriteString(", remote: " + x.remoteText(o))
	}
	switch o.Opcode {
	case ib.WRSendWithImm, ib.WRRDMAWriteWithImm:
		fmt.Fprintf(&b, ", imm: 0x%x", o.Imm)
	case ib.WRAtomicFetchAndAdd:
		fmt.Fprintf(&b, ", add: %d", o.Swap)
	case ib.WRAtomicCmpAndSwp:
		fmt.Fprintf(&b, ", compare: %d, swap: %d", o.Compare, o.Swap)
	default: // nothing besides
	}
	b.WriteString("}")
	return b.String()
}

// remoteText names the region where one is implied, and else says key and
// address as they were.
func (x *plan) remoteText(o *op) string {
	s := x.sides[1-o.Side]
	if l := o.life; l != nil && !l.region.fast() {
		lo, _ := l.span()
		return fmt.Sprintf("{mr: %s.%s, offset: %d}", talk.Names[s.n], l.region.name, o.VA-lo)
	}
	return fmt.Sprintf("{addr: 0x%x, key: 0x%08x}", o.VA, uint32(o.Key))
}
