package run

import (
	"fmt"
	"slices"

	"hcasim/ib"
	"hcasim/scenario/lang"
)

// nak looks for a negative acknowledgement since the step began.
func (v *verdict) nak(e *lang.NAKExpect) {
	var names []string
	found := false
	for i := range v.r.rec.packets[v.from.packets:] {
		p := &v.r.rec.packets[v.from.packets+i]
		if p.headers.BTH.Opcode != ib.RCAck || p.headers.AETH.Syndrome.IsACK() {
			continue
		}
		s := p.headers.AETH.Syndrome
		names = append(names, fmt.Sprintf("%v at PSN %d", s, p.headers.BTH.PSN))
		found = found || sameSyndrome(e.Syndrome, s) && v.isPSN(e.PSN, p)
	}
	if e.None {
		v.hold(len(names) == 0, e.Pos, "nak", "none", orNone(names))
		return
	}
	want := e.Syndrome.Value.String()
	if e.PSN != nil && !e.PSN.Relative {
		want += fmt.Sprintf(" at PSN %d", e.PSN.Value)
	}
	v.hold(found, e.Pos, "nak", want, orNone(names))
}

func sameSyndrome(want lang.Syndrome, got ib.Syndrome) bool {
	const kind, nak = 5, 3 // the kinds are ACK, RNR NAK and NAK; a NAK is told by its code
	if want.Class && want.Value>>kind != nak {
		return want.Value>>kind == got>>kind
	}
	return want.Value == got
}

// isPSN compares a packet number: absolute, or counted from the first request
// packet since the step began.
func (v *verdict) isPSN(want *lang.PSN, p *packet) bool {
	if want == nil || !want.Relative {
		return want == nil || ib.PSN(uint32(want.Value)) == p.headers.BTH.PSN
	}
	got := v.r.rec.packets[v.from.packets:]
	first := slices.IndexFunc(got, func(q packet) bool { return q.headers.BTH.Opcode.IsRequest() })
	return first >= 0 && p.headers.BTH.PSN.Sub(got[first].headers.BTH.PSN) == want.Value
}

// packets compares what a tap on the wire saw since the step began.
func (v *verdict) packets(e *lang.Packets) {
	got := v.r.rec.packets[v.from.packets:]
	var names []string
	for i := range got {
		names = append(names, got[i].headers.BTH.Opcode.String())
	}
	switch {
	case e.None:
		v.hold(len(got) == 0, e.Pos, "packets", "none", orNone(names))
	case e.Count != nil:
		v.hold(uint32(len(got)) == *e.Count, e.Pos, "packets", fmt.Sprint(*e.Count), fmt.Sprintf("%d: %s", len(got), orNone(names)))
	default:
		v.packetList(e, got, names)
	}
}

func (v *verdict) packetList(e *lang.Packets, got []packet, names []string) {
	var words []string
	for i := range e.List {
		if e.List[i].Opcode != nil {
			words = append(words, e.List[i].Opcode.String())
		} else {
			words = append(words, "a packet")
		}
	}
	problem := ""
	for i := 0; problem == "" && i < min(len(e.List), len(got)); i++ {
		if miss := v.packetMismatch(&e.List[i], &got[i]); miss != "" {
			problem = fmt.Sprintf("; packet %d is %s", i+1, miss)
		}
	}
	v.hold(problem == "" && len(e.List) == len(got), e.Pos, "packets", orNone(words), orNone(names)+problem)
}

// packetMismatch names the first member of a packet that is not as wanted.
func (v *verdict) packetMismatch(w *lang.PacketExpect, p *packet) string {
	h := &p.headers
	switch {
	case !on(w.From, p.from):
		return "from " + p.from.name
	case w.Opcode != nil && *w.Opcode != h.BTH.Opcode:
		return h.BTH.Opcode.String()
	case !v.isPSN(w.PSN, p):
		return fmt.Sprintf("PSN %d", h.BTH.PSN)
	case w.Length != nil && uint32(*w.Length) != p.payload:
		return fmt.Sprintf("%d bytes long", p.payload)
	case w.DMALength != nil && !h.BTH.Opcode.HasRETH():
		return "without a RETH"
	case w.DMALength != nil && uint32(*w.DMALength) != h.RETH.Length:
		return fmt.Sprintf("of a message of %d bytes", h.RETH.Length)
	case w.Syndrome != nil && !h.BTH.Opcode.HasAETH():
		return "without an AETH"
	case w.Syndrome != nil && !sameSyndrome(*w.Syndrome, h.AETH.Syndrome):
		return h.AETH.Syndrome.String()
	}
	if n := v.r.object(w.QP); n != nil && n.qp != nil && (n.side != p.from || n.qp.Attr.Dest != h.BTH.DestQP) {
		return fmt.Sprintf("to queue pair %#x from %s", uint32(h.BTH.DestQP), p.from.name)
	}
	return ""
}
