package stress

import (
	"fmt"

	"hcasim/ib"
	"hcasim/scenario/run"
	"hcasim/wire"
)

// A requester is what one end of a connection has sent for the first time.
type requester struct {
	sent  []sent
	count uint32 // messages
}

// sent is a packet of a request.
type sent struct {
	psn    ib.PSN
	op     uint32 // the sender's number of the request
	read   bool
	ends   bool
	before uint32 // messages that end before it
}

// held holds packets of requests to their order, and the MSN of answers to what
// was asked: each counts the messages through its own packet, a NAK those before it. Queue pairs of a pair
// have one number, as both hosts declare them in the same order.
func (w *world) held(v *run.View) {
	ends := map[wire.End]map[ib.QPN]*requester{wire.A: {}, wire.B: {}}
	v.Link.Tap.Watch(func(p *wire.Packet) {
		if p.BTH.Opcode > 0x1F { // not of RC
			return
		}
		if wire.ClassOf(p.BTH.Opcode) == wire.Requests {
			r := ends[p.Src][p.BTH.DestQP]
			if r == nil {
				r = &requester{}
				ends[p.Src][p.BTH.DestQP] = r
			}
			if !r.ask(p) {
				w.odd = append(w.odd, fmt.Sprintf("queue pair %#x: %#x is sent, and not what is before it", uint32(p.BTH.DestQP), uint32(p.BTH.PSN)))
			}
			return
		}
		if r := ends[1-p.Src][p.BTH.DestQP]; r != nil && p.BTH.Opcode.HasAETH() {
			w.answers++
			if !p.AETH.Syndrome.IsACK() {
				w.naks++
			}
			if p.AETH.Syndrome.IsRNR() {
				w.away++
			}
			if why := r.answer(p); why != "" {
				w.odd = append(w.odd, fmt.Sprintf("queue pair %#x: %v of %#x with MSN %d: %s", uint32(p.BTH.DestQP), p.AETH.Syndrome, uint32(p.BTH.PSN), p.AETH.MSN, why))
			}
		}
	})
}

// ask notes a packet that was not sent before, and reports whether it is the next
// one. Of a READ that is sent again, the rest may look like new, and how many
// numbers it takes is not known here.
func (r *requester) ask(p *wire.Packet) bool {
	next := true
	if n := len(r.sent); n > 0 {
		last := &r.sent[n-1]
		if !last.psn.Less(p.BTH.PSN) || last.read && last.op == p.Op {
			return true
		}
		next = last.read || p.BTH.PSN == last.psn.Add(1)
	}
	o := p.BTH.Opcode
	r.sent = append(r.sent, sent{p.BTH.PSN, p.Op, o == ib.RCReadRequest, o.Ends(), r.count})
	if o.Ends() {
		r.count++
	}
	return next
}

// answer says what is wrong with an answer.
func (r *requester) answer(p *wire.Packet) string {
	i := len(r.sent) - 1
	for i >= 0 && p.BTH.PSN.Less(r.sent[i].psn) {
		i--
	}
	if i < 0 {
		return "" // of what came before the first
	}
	s, msn := &r.sent[i], p.AETH.MSN
	through := s.before
	if s.ends {
		through++
	}
	switch ack := p.AETH.Syndrome.IsACK(); {
	case msn > r.count:
		return fmt.Sprintf("only %d messages were sent", r.count)
	case p.BTH.Opcode != ib.RCAck && msn < through, // it may be of a repetition
		p.BTH.Opcode == ib.RCAck && ack && msn != through:
		return fmt.Sprintf("%d messages end there", through)
	case !ack && msn != s.before && !s.read:
		return fmt.Sprintf("%d messages end before", s.before)
	default:
		return ""
	}
}
