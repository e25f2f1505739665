package run

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/scenario/lang"
)

// A seen is a completion as an expectation looks at it.
type seen struct {
	cqe  *ib.CQE
	side *side
	op   string
}

// statuses returns the completions of the step's own requests, in order.
func (v *verdict) statuses() (list []seen) {
	if _, poll := v.st.Do.(*lang.PollCQ); poll {
		for i := v.st.polled[0]; i < v.st.polled[1]; i++ {
			list = append(list, v.seen(&v.r.rec.completions[i]))
		}
		return list
	}
	if w, wait := v.st.Do.(*lang.Wait); wait {
		return v.awaited(w)
	}
	for i := range v.r.rec.completions[v.from.completions:] {
		c := &v.r.rec.completions[v.from.completions+i]
		if c.step == v.st || v.st.id == "" && !c.cqe.Recv {
			list = append(list, v.seen(c))
		}
	}
	return list
}

// received returns the completions of receives at the peer since the step
// began; of a step that posts them, its own.
func (v *verdict) received() (list []seen) {
	if v.st.Step.Do != nil && v.st.receives() {
		return v.statuses()
	}
	for i := range v.r.rec.completions[v.from.completions:] {
		c := &v.r.rec.completions[v.from.completions+i]
		if c.cqe.Recv && (v.st.side == nil || c.side != v.st.side) {
			list = append(list, v.seen(c))
		}
	}
	return list
}

func (v *verdict) seen(c *completion) seen { return seen{cqe: &c.cqe, side: c.side, op: c.op} }

// isQP reports whether a completion is of a queue pair that a file names.
func (v *verdict) isQP(ref lang.Ref, s seen) bool {
	n := v.r.object(ref)
	return n != nil && n.qp != nil && n.side == s.side && n.qp.N == s.cqe.QPN
}

// completions compares what a poller saw with what it should have seen.
func (v *verdict) completions(what string, want *lang.Completions, got []seen) {
	v.asked++
	problem := ""
	switch {
	case want.None && len(got) > 0, !want.None && len(got) != len(want.List):
		problem = show(got)
	default:
		for i := range want.List {
			if miss := v.mismatch(&want.List[i], got[i]); miss != "" {
				problem = show(got)
				if miss != "status" {
					problem += " with " + miss
				}
				break
			}
		}
	}
	if problem == "" {
		return
	}
	v.failures = append(v.failures, Failure{Pos: want.Pos, Op: v.st.id, What: what, Expected: showWant(want), Got: problem, Note: v.note()})
}

func show(got []seen) string {
	if len(got) == 0 {
		return "none"
	}
	var b []string
	for _, s := range got {
		b = append(b, s.cqe.Status.String())
	}
	return strings.Join(b, ", ")
}

func showWant(want *lang.Completions) string {
	if want.None {
		return "none"
	}
	var b []string
	for i := range want.List {
		w := &want.List[i]
		text := "any status"
		if len(w.Status) > 0 {
			var names []string
			for _, s := range w.Status {
				names = append(names, s.String())
			}
			text = strings.Join(names, " or ")
		}
		for _, part := range wantedParts(w) {
			text += " " + part
		}
		b = append(b, text)
	}
	return strings.Join(b, ", ")
}

func wantedParts(w *lang.WC) (parts []string) {
	if w.QP.Given() {
		parts = append(parts, "of "+w.QP.String())
	}
	if w.ID != "" {
		parts = append(parts, "of "+w.ID)
	}
	if w.Opcode != nil {
		parts = append(parts, w.Opcode.String())
	}
	if w.ByteLen != nil {
		parts = append(parts, fmt.Sprintf("byte_len %d", *w.ByteLen))
	}
	if w.Flags != nil {
		parts = append(parts, w.Flags.String())
	}
	if w.Imm != nil {
		parts = append(parts, fmt.Sprintf("imm %#x", *w.Imm))
	}
	return parts
}

// mismatch names the first member of a completion that is not as wanted.
func (v *verdict) mismatch(w *lang.WC, s seen) string {
	c := s.cqe
	allowed := append(slices.Clone(w.Status), w.Any...)
	switch {
	case len(allowed) > 0 && !slices.Contains(allowed, c.Status):
		return "status"
	case w.QP.Given() && !v.isQP(w.QP, s):
		return "qp " + s.side.nameOf(c.QPN)
	case w.ID != "" && w.ID != s.op && v.r.opOf(w.ID) != s.op:
		return "id " + s.op
	case w.Opcode != nil && *w.Opcode != c.Opcode:
		return c.Opcode.String()
	case w.ByteLen != nil && *w.ByteLen != c.ByteLen:
		return fmt.Sprintf("byte_len %d", c.ByteLen)
	case w.Flags != nil && *w.Flags != c.Flags:
		return "wc_flags " + c.Flags.String()
	case w.Imm != nil && *w.Imm != c.Imm:
		return fmt.Sprintf("imm %#x", c.Imm)
	case w.InvalidatedKey != nil && v.r.value(w.InvalidatedKey, nil, false) != ib.Key(c.InvalidatedKey):
		return fmt.Sprintf("invalidated_rkey %#08x", uint32(c.InvalidatedKey))
	}
	return ""
}
