package run

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/host"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

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
