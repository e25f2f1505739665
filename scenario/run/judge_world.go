package run

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
	"hcasim/tpt"
)

// events compares the asynchronous events since the step began, on all hosts.
func (v *verdict) events(e *lang.Events) {
	got := v.r.rec.events[v.from.events:]
	var names []string
	for _, g := range got {
		names = append(names, g.side.name+": "+g.eqe.Event.String())
	}
	ok := len(got) == len(e.List)
	left := slices.Clone(got)
	for i := range e.List {
		w := &e.List[i]
		at := slices.IndexFunc(left, func(g event) bool { return v.isEvent(w, g) })
		if at < 0 {
			ok = false
			break
		}
		left = slices.Delete(left, at, at+1)
	}
	want := "none"
	if !e.None {
		var list []string
		for i := range e.List {
			list = append(list, showEvent(&e.List[i]))
		}
		want = strings.Join(list, ", ")
	}
	v.hold(ok, e.Pos, "event", want, orNone(names))
}

func showEvent(w *lang.EventExpect) string {
	text := "IOMMU fault"
	if w.Event != nil {
		text = w.Event.String()
	}
	if w.QP.Given() {
		text += " of " + w.QP.Name
	}
	if w.On.Text != "" {
		text = w.On.Text + ": " + text
	}
	return text
}

func (v *verdict) isEvent(w *lang.EventExpect, g event) bool {
	if w.Event != nil && *w.Event != g.eqe.Event || !on(w.On, g.side) {
		return false
	}
	if n := v.r.object(w.QP); n != nil && n.qp != nil {
		return n.side == g.side && n.qp.N == g.eqe.QPN
	}
	return true
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// fault compares the refusals since the step began.
func (v *verdict) fault(f *lang.FaultExpect) {
	got := v.r.rec.faults[v.from.faults:]
	var names []string
	found := false
	for _, g := range got {
		names = append(names, fmt.Sprintf("%v at %s (%s)", g.Cause, g.Host, g.Rule))
		found = found || on(f.At, &side{name: g.Host}) && (f.Cause == nil || *f.Cause == g.Cause) && (f.Rule == "" || f.Rule == g.Rule)
	}
	if f.None {
		v.hold(len(got) == 0, f.Pos, "fault", "none", orNone(names))
		return
	}
	want := "any"
	if f.Cause != nil {
		want = f.Cause.String()
	}
	if f.At.Text != "" {
		want += " at " + f.At.Text
	}
	if f.Rule != "" {
		want += " (" + f.Rule + ")"
	}
	v.hold(found, f.Pos, "fault", want, orNone(names))
}

// state compares the state of a queue pair.
func (v *verdict) state(s *lang.StateExpect) {
	n := v.r.object(s.QP)
	if n == nil || n.qp == nil {
		v.hold(false, s.Pos, "qp "+s.QP.String(), "a state", "no such queue pair")
		return
	}
	got, _ := n.side.hca.QPState(n.qp.N)
	var names []string
	for _, w := range s.State {
		names = append(names, w.String())
	}
	v.hold(slices.Contains(s.State, got), s.Pos, "qp "+s.QP.String(), strings.Join(names, " or "), got.String())
}

// host compares objects and counts of one host.
func (v *verdict) host(name string, h *lang.HostExpect) {
	for i := range h.Objects {
		v.object(&h.Objects[i])
	}
	now := v.r.census()
	for _, c := range h.Counts {
		what := name + "." + c.What
		want := c.N
		if c.Unchanged {
			want = v.from.counts[what]
		}
		v.hold(now[what] == want, c.Pos, "count of "+c.What, fmt.Sprint(want), fmt.Sprint(now[what]))
	}
}

// object compares the state of a region, window or queue pair as the table
// has it.
func (v *verdict) object(o *lang.ObjectExpect) {
	n := v.r.object(o.Of)
	what := o.Of.String()
	if n == nil {
		v.hold(o.State != nil && *o.State == tpt.Absent, o.Pos, what, "a state", "no such object")
		return
	}
	v.place(o, n, what)
	if o.QPState != nil {
		v.state(&lang.StateExpect{Pos: o.Pos, QP: o.Of, State: []ib.QPState{*o.QPState}})
	}
	e := n.side.hca.Table.Entry(n.index())
	if o.State != nil {
		v.hold(e.State == *o.State, o.Pos, what, o.State.String(), e.State.String())
	}
	rights := e.Rights
	if o.Access != nil {
		v.hold(rights == *o.Access, o.Pos, what+" access", o.Access.String(), rights.String())
	}
	if pd := v.r.object(o.PD); pd != nil {
		v.hold(e.PD == pd.pd.N, o.Pos, what+" pd", o.PD.Name, fmt.Sprint(e.PD))
	}
	if q := v.r.object(o.QP); q != nil {
		v.hold(e.QPN == q.qp.N, o.Pos, what+" qp", o.QP.Name, fmt.Sprint(e.QPN))
	}
	if m := v.r.object(o.MR); m != nil {
		v.hold(e.Region == m.mr.Index, o.Pos, what+" mr", o.MR.Name, fmt.Sprintf("entry %d", e.Region))
	}
	if o.Addr != nil {
		v.hold(e.Start == uint64(*o.Addr), o.Pos, what+" addr", fmt.Sprintf("%#x", uint64(*o.Addr)), fmt.Sprintf("%#x", e.Start))
	}
	if o.Length != nil {
		v.hold(e.Length == uint64(*o.Length), o.Pos, what+" length", o.Length.String(), sim.Bytes(e.Length).String())
	}
	if o.Windows != nil {
		bound := n.side.hca.Table.Bound(n.index())
		v.hold(bound == *o.Windows, o.Pos, what+" windows", fmt.Sprint(*o.Windows), fmt.Sprint(bound))
	}
	if o.Posted != nil && n.qp != nil {
		posted := n.side.hca.PostedReceives(n.qp.N)
		v.hold(posted == *o.Posted, o.Pos, what+" posted", fmt.Sprint(*o.Posted), fmt.Sprint(posted))
	}
}

// key compares keys.
func (v *verdict) key(k *lang.KeyExpect) {
	if k.Distinct != nil {
		v.distinct(k)
		return
	}
	n := v.r.object(k.Of)
	var got, before ib.Key
	what := "key"
	if n != nil {
		got, before, what = n.key(), v.from.keys[n], "key of "+k.Of.String()
	} else if inc, ok := v.st.Do.(*lang.IncRKey); ok {
		before = v.r.value(&inc.Key, nil, false)
		got = before.Next()
	}
	hex := func(k ib.Key) string { return fmt.Sprintf("%#08x", uint32(k)) }
	if k.New != nil {
		v.hold((got != before) == *k.New, k.Pos, what, map[bool]string{true: "a new one", false: "the same"}[*k.New], hex(got)+", before "+hex(before))
	}
	if k.Equals != nil {
		want := v.r.value(k.Equals, n, true)
		v.hold(got == want, k.Pos, what, hex(want), hex(got))
	}
	if k.Differs != nil {
		other := v.r.value(k.Differs, n, true)
		v.hold(got != other, k.Pos, what, "not "+hex(other), hex(got))
	}
	if k.Byte.Given {
		want := uint8(k.Byte.Apply(int64(before.Byte())))
		v.hold(got.Byte() == want, k.Pos, what+" byte", fmt.Sprintf("%#02x", want), fmt.Sprintf("%#02x", got.Byte()))
	}
	if k.SameIndex != nil {
		v.hold((got.Index() == before.Index()) == *k.SameIndex, k.Pos, what+" index", fmt.Sprint(before.Index()), fmt.Sprint(got.Index()))
	}
}

// distinct asks that no two objects have the same index, and none has 0.
func (v *verdict) distinct(k *lang.KeyExpect) {
	seen := map[ib.Index]string{}
	problem := ""
	for _, ref := range k.Distinct {
		for _, n := range v.r.elements(ref) {
			i := n.index()
			switch {
			case i == 0:
				problem = ref.String() + " has index 0"
			case seen[i] != "":
				problem = fmt.Sprintf("%s and %s have index %d", seen[i], n.ref, i)
			}
			seen[i] = n.ref.String()
		}
	}
	v.hold(problem == "", k.Pos, "keys", "distinct indices, none 0", problem)
}

// elements returns the object that a reference names, or all of an array.
func (r *runner) elements(ref lang.Ref) (list []*named) {
	if ref.Index != lang.Whole {
		return []*named{r.object(ref)}
	}
	x := r.side(ref.Host)
	if x.names[element(ref.Name, 1)] == nil {
		if n := r.object(ref); n != nil {
			list = append(list, n)
		}
		return list
	}
	for i := 0; ; i++ {
		n := x.names[element(ref.Name, i)]
		if n == nil {
			return list
		}
		list = append(list, n)
	}
}

// memory compares the bytes of a buffer or region.
func (v *verdict) memory(m *lang.MemoryExpect) {
	n := v.r.object(m.Of)
	b, ok := n.memory()
	if !ok {
		v.hold(false, m.Pos, "memory "+m.Of.String(), "bytes", "nothing is there")
		return
	}
	what := "memory " + m.Of.String()
	whole := b
	b.va += uint64(m.At)
	b.length = v.extent(m, b.length-min(b.length, uint64(max(m.At, 0))))
	switch {
	case m.Unchanged:
		v.unchanged(m, what, b, whole.va)
	case m.Prefix != nil && m.Equals != nil:
		v.prefix(m, what, b)
	case m.Equals != nil:
		v.equals(m, what, b)
	}
	if m.Changed != nil {
		n := v.changedBytes(whole)
		v.hold(n == uint64(*m.Changed), m.Pos, what, m.Changed.String()+" changed", sim.Bytes(n).String()+" changed")
	}
	if m.Rest != "" {
		v.unchanged(m, what+" before it", buffer{proc: b.proc, va: whole.va, length: b.va - whole.va}, whole.va)
		after := b.va + b.length
		v.unchanged(m, what+" after it", buffer{proc: b.proc, va: after, length: whole.va + whole.length - after}, whole.va)
	}
}

// extent returns how many bytes an expectation is about.
func (v *verdict) extent(m *lang.MemoryExpect, left uint64) uint64 {
	switch {
	case m.Length != nil:
		return uint64(*m.Length)
	case m.First != nil:
		return uint64(*m.First)
	case m.Unchanged:
		return left
	case m.Equals != nil && (m.Equals.Kind == lang.DataBytes):
		return min(left, uint64(len(m.Equals.Bytes)))
	case m.Equals != nil && m.Equals.Kind == lang.DataU64:
		return 8
	}
	if len(v.st.done) == 1 && v.st.done[0].Bytes > 0 && !v.st.done[0].Verb {
		return min(left, v.st.done[0].Bytes)
	}
	if m.Equals != nil && m.Equals.Kind == lang.DataOf {
		if o, ok := v.r.object(m.Equals.Of).memory(); ok {
			return min(left, o.length)
		}
	}
	return left
}

func (v *verdict) changedBytes(b buffer) (n uint64) {
	mark := v.from.marks[v.sideOf(b.proc).end]
	b.proc.Dirty(mark, b.va, b.length, func(c host.Change) { n += c.N })
	return n
}

// sideOf returns the host that a process lives on.
func (v *verdict) sideOf(p *host.Process) *side {
	for _, x := range v.r.world.sides {
		if slices.Contains(x.host.Processes, p) {
			return x
		}
	}
	panic("run: a process of no host")
}

// unchanged asks that no byte of b has changed; what did is told by its offset
// from base.
func (v *verdict) unchanged(m *lang.MemoryExpect, what string, b buffer, base uint64) {
	first := uint64(0)
	dirty := false
	if b.length > 0 {
		mark := v.from.marks[v.sideOf(b.proc).end]
		b.proc.Dirty(mark, b.va, b.length, func(c host.Change) {
			if !dirty {
				first = c.PA - base
			}
			dirty = true
		})
	}
	v.hold(!dirty, m.Pos, what, "unchanged", fmt.Sprintf("byte %d changed", first))
}

func (v *verdict) equals(m *lang.MemoryExpect, what string, b buffer) {
	want := v.r.bytes(m.Equals, b.length)
	at, same := b.proc.Compare(b.va, want)
	got := ""
	if !same {
		var one [1]byte
		b.proc.Peek(b.va+at, one[:])
		got = fmt.Sprintf("byte %d is %#02x, not %#02x", at, one[0], want[at])
	}
	v.hold(same, m.Pos, what, fmt.Sprintf("%d bytes equal", b.length), got)
}

// prefix asks that a beginning equals the data, of a length that is a
// multiple of the grain, and that what follows is unchanged.
func (v *verdict) prefix(m *lang.MemoryExpect, what string, b buffer) {
	want := v.r.bytes(m.Equals, b.length)
	at, same := b.proc.Compare(b.va, want)
	if same {
		at = b.length
	}
	grain := uint64(*m.Prefix)
	n := at / grain * grain
	rest := buffer{proc: b.proc, va: b.va + n, length: b.length - n}
	v.hold(v.changedBytes(rest) == 0, m.Pos, what, fmt.Sprintf("a prefix of a multiple of %d bytes, the rest unchanged", grain),
		fmt.Sprintf("%d bytes equal, and some behind byte %d changed", at, n))
}

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

// noBytesAfter asks that no byte of this step's requests landed at the peer
// after another step had completed.
func (v *verdict) noBytesAfter(e *lang.Expect) {
	other := v.r.steps[e.NoBytesAfter]
	if _, settled := v.r.span(other); !settled {
		v.hold(false, e.Pos, "no_bytes_after", "no byte after "+e.NoBytesAfter, e.NoBytesAfter+" has not settled")
		return
	}
	end := sim.Time(0)
	for i := range other.done {
		end = max(end, other.done[i].End)
	}
	for _, h := range other.ops {
		end = max(end, v.r.ops.At(h).End)
	}
	late, at := uint64(0), sim.Time(0)
	for _, l := range v.r.rec.landings {
		if l.at > end && l.step == v.st && l.side != v.st.side {
			late += uint64(l.n)
			at = l.at
		}
	}
	v.hold(late == 0, e.Pos, "no_bytes_after", "no byte after "+end.String(), fmt.Sprintf("%d bytes, the last at %v", late, at))
}

// coherence asks whether the watcher has seen a copy out of date at work.
func (v *verdict) coherence(e *lang.Expect) {
	if v.r.plan.Unwatched {
		return // nobody looked
	}
	var seen []string
	for i, x := range v.r.world.sides {
		seen = append(seen, x.watch.Broken()[v.from.broken[i]:]...)
	}
	v.hold((e.Coherence == "broken") == (len(seen) > 0), e.Pos, "coherence", e.Coherence, map[bool]string{true: "unbroken", false: strings.Join(seen, "; ")}[len(seen) == 0])
}
