package story

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A Frame is a packet of the op.
type Frame struct {
	At      sim.Time `json:"at_ps"`
	From    string   `json:"from"`
	Opcode  string   `json:"opcode"`
	PSN     uint32   `json:"psn"`
	Payload int      `json:"payload_bytes"`
	Note    string   `json:"note,omitempty"`
}

// frames lists the packets.
func (t *teller) frames() {
	t.MorePackets = t.w.more
	for i := range t.w.packets {
		p := &t.w.packets[i]
		f := Frame{p.at, t.host(p.from).Name, p.headers.BTH.Opcode.String(), uint32(p.headers.BTH.PSN), p.payload, ""}
		var notes []string
		if s := p.headers.AETH.Syndrome; p.headers.BTH.Opcode.IsResponse() && !s.IsACK() {
			notes = append(notes, fmt.Sprintf("%s, syndrome %#02x", syndrome(s), uint8(s)))
		}
		if p.again {
			notes = append(notes, "sent again")
		}
		if p.fate != wire.Sound {
			notes = append(notes, p.fate.String()+" on the wire")
		}
		f.Note = strings.Join(notes, ", ")
		t.Packets = append(t.Packets, f)
	}
}

// syndrome calls an answer by its name.
func syndrome(s ib.Syndrome) string {
	if s.IsRNR() {
		return fmt.Sprintf("RNR NAK, wait %s", ns(sim.Duration(ib.RNRTimer(s.Code()))*sim.Nanosecond))
	}
	return s.String()
}

// told says what each side learned.
func (t *teller) told() {
	o, me, peer := t.op, t.op.Host, t.host(1-t.from).Name
	say := func(format string, args ...any) { t.Told = append(t.Told, fmt.Sprintf(format, args...)) }
	switch {
	case !o.Done && o.Recv:
		say("%s: nothing yet, the receive is still posted", me)
	case !o.Done:
		say("%s: nothing yet", me)
	case o.Verb:
		say("%s: %s returned %s at %s", me, o.Request, o.Outcome(), when(o.End))
	case o.Unsignaled:
		say("%s: no completion, the request is unsignaled; retired at %s", me, when(o.End))
	default:
		say("%s: completion %s at %s", me, o.Status, when(o.End))
	}
	for end, n := range t.w.qpn {
		if n != 0 && (t.fault != nil || o.Failed()) {
			say("%s: %s in %s", t.host(end).Name, t.qp(end, n), t.w.states[end])
		}
	}
	for _, e := range t.w.events {
		of := ""
		if e.eqe.QPN != 0 {
			of = " for " + t.qp(e.end, e.eqe.QPN)
		}
		say("%s: async event %s%s at %s", t.host(e.end).Name, e.eqe.Event, of, when(e.at))
	}
	if t.fault == nil && !o.Failed() {
		return
	}
	t.others(peer)
}

// others says which other requests and receives ended because of it.
func (t *teller) others(peer string) {
	var flushed, failed []string
	for i := range t.s.Result.Ops {
		x := &t.s.Result.Ops[i]
		switch {
		case x.ID == t.op.ID || !x.Done || x.Verb || !x.Failed() || x.End < t.op.Start || t.fault == nil:
		case x.Status == ib.WRFlushErr && x.Host == t.op.Host && x.QP == t.op.QP && t.op.Status != ib.WRFlushErr,
			x.Status == ib.WRFlushErr && x.Recv && x.Host == t.fault.Host && t.fault.Remote:
			flushed = append(flushed, x.ID)
		case x.Recv && x.Host == peer && t.fault.Remote && x.End >= t.fault.At && t.own:
			failed = append(failed, fmt.Sprintf("receive op %s %s at %s", x.ID, x.Status, when(x.End)))
		}
	}
	for _, f := range failed[:min(len(failed), 2)] {
		t.Told = append(t.Told, peer+": "+f)
	}
	if len(flushed) > 0 {
		t.Told = append(t.Told, fmt.Sprintf("flushed with it: %s", ops(flushed)))
	}
}

// ops lists ids, the first few of them.
func ops(ids []string) string {
	const most = 8
	text := "op "
	if len(ids) > 1 {
		text = "ops "
	}
	text += strings.Join(ids[:min(len(ids), most)], ", ")
	if len(ids) > most {
		text += fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return text
}

// memory says what reached memory.
func (t *teller) memory() {
	o := t.op
	if o.Verb || o.Bytes == 0 || changes(o.Request) {
		return
	}
	if t.Culprit != "" || o.Recv {
		return
	}
	end := 1 - t.from
	what := "at " + t.host(end).Name
	switch {
	case strings.Contains(o.Request, "READ"), strings.Contains(o.Request, "ATOMIC"):
		end, what = t.from, "at "+o.Host
	case o.Object != "" && !strings.Contains(o.Request, "SEND"):
		what = fmt.Sprintf("in %s at %s", o.Object, t.host(end).Name)
	}
	n := t.w.placed[end]
	switch {
	case n == 0:
		t.Memory = append(t.Memory, fmt.Sprintf("unchanged %s: none of %s placed", what, bytes(o.Bytes)))
	default:
		t.Memory = append(t.Memory, fmt.Sprintf("%s of %s placed %s", thousands(n), bytes(o.Bytes), what))
	}
	if strings.Contains(o.Request, "ATOMIC") && o.Failed() && t.w.placed[1-t.from] > 0 {
		t.Memory = append(t.Memory, fmt.Sprintf("the word at %s was changed all the same", t.host(1-t.from).Name))
	}
}
