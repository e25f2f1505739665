package story

import (
	"cmp"
	"fmt"
	"slices"

	"hcasim/ib"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
)

// A Key is the life of the entry behind a key.
type Key struct {
	Host   string  `json:"host"`
	Object string  `json:"object"`
	Key    string  `json:"key"` // that the op used, or the last one
	Events []Event `json:"events"`
}

// An Event is one moment of it.
type Event struct {
	At   sim.Time `json:"at_ps"`
	Text string   `json:"text"`
	Op   string   `json:"op,omitempty"`
	At2  string   `json:"where,omitempty"`
}

// keys tells the whole life of every entry that the op is about.
func (t *teller) keys() {
	for end := range t.s.entries {
		if t.fault != nil && t.s.end(t.fault.Host) != end { // there the keys are right
			continue
		}
		for _, i := range t.s.entries[end] {
			k := Key{Host: t.host(end).Name, Object: t.object(end, i), Events: t.life(end, i)}
			k.Key = t.keyAt(end, i)
			if len(k.Events) == 0 {
				k.Events = []Event{{Text: "no object has ever stood at this index"}}
			}
			t.Keys = append(t.Keys, k)
		}
	}
}

// keyAt is the key by which the op named an entry; else the index.
func (t *teller) keyAt(end int, i ib.Index) string {
	if f := t.fault; f != nil && f.Cause != tpt.OK && f.Access.Key.Index() == i && t.s.end(f.Host) == end {
		return hex(f.Access.Key)
	}
	for k := range t.w.judged {
		if j := &t.w.judged[k]; j.end == end && j.Key.Index() == i {
			return hex(j.Key)
		}
	}
	return fmt.Sprintf("index %#x", uint32(i))
}

// life puts the changes of an entry and the uses of its keys in order.
func (t *teller) life(end int, i ib.Index) (list []Event) {
	host := t.host(end).Name
	var uses []Event
	asked := t.refusals(host, i)
	if e := t.w.before[end][i]; e.State != tpt.Absent && e.State != tpt.Valid {
		list = append(list, Event{Text: "there before time 0: " + state(&e)})
	}
	for k := range t.s.Result.Keys {
		l := &t.s.Result.Keys[k]
		if l.Host != host || l.Key.Index() != i {
			continue
		}
		if l.Declared {
			list = append(list, Event{Text: fmt.Sprintf("there before time 0 as %s: %s", hex(l.Key), grants(l))})
		}
		if at, text := used(l, asked); text != "" {
			uses = append(uses, Event{At: at, Text: text})
		}
	}
	for k := range t.w.changes {
		c := &t.w.changes[k]
		if c.end != end || c.entry != i {
			continue
		}
		e := Event{At: c.at, Text: t.changeText(c), Op: c.op}
		if c.op != "" {
			e.At2 = t.src.line(step(c.op), c.line)
		}
		list = append(list, e)
	}
	list = append(list, uses...) // of one instant: it came about, and was used then
	slices.SortStableFunc(list, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// step returns the number of the step of an op.
func step(id string) (n int) {
	_, _ = fmt.Sscanf(id, "%d", &n) // every id begins with it
	return n
}

// grants says what a key opens.
func grants(l *run.KeyLife) string {
	return fmt.Sprintf("%s, %s for %s", l.Kind, bytes(l.Length), rights(l.Rights))
}

// changeWords say what a change did.
var changeWords = map[tpt.Op]string{
	tpt.RegMR: "registered", tpt.RegShared: "shared region made", tpt.AllocMR: "fast-register region allocated", tpt.ReregMR: "registered anew",
	tpt.DeregMR: "deregistered", tpt.AllocMW: "window allocated", tpt.DeallocMW: "window deallocated", tpt.BindMW: "bound",
	tpt.FastRegMR: "registered by REG_MR", tpt.LocalInv: "invalidated by LOCAL_INV", tpt.RemoteInv: "invalidated by the peer's SEND_WITH_INV",
	tpt.SetPages: "pages set by the driver",
}

// changeText tells one change.
func (t *teller) changeText(c *changed) string {
	what := changeWords[c.cmd.Op]
	if what == "" {
		what = c.cmd.Op.String()
	}
	if !c.res.Done() {
		why := c.res.Status.String()
		if c.res.Errno != ib.OK {
			why = c.res.Errno.String()
		}
		return fmt.Sprintf("not %s: %s (rule %s)", what, why, c.res.Rule)
	}
	e := &c.after
	switch {
	case c.cmd.Op == tpt.BindMW && c.entry != c.cmd.Window, c.cmd.Op == tpt.DeregMR && c.entry != c.cmd.Index:
		what += ": follows from it"
	case e.State == tpt.Valid:
		what += fmt.Sprintf(" as %s: %s for %s", hex(ib.MakeKey(c.entry, e.KeyByte)), bytes(e.Length), rights(e.Rights))
	case e.State == tpt.Free && c.cmd.Op == tpt.BindMW:
		what = "unbound"
	}
	if c.done > c.at && (e.State != tpt.Valid || c.res.OldKey != 0) {
		what += fmt.Sprintf(", in force at the latest by %s", when(c.done))
	}
	return what
}

// entry tells the copy that judged the op, beside what stood in host memory.
func (t *teller) entry() {
	j := t.decisive()
	if j == nil {
		return
	}
	host := t.host(j.end).Name
	t.Entry = append(t.Entry, fmt.Sprintf("at %s when it was judged, t = %s", host, when(j.at)),
		fmt.Sprintf("cached copy   %s", t.copied(j)), fmt.Sprintf("judged by     %s", t.entryText(j.end, &j.entry)))
	if j.truth == j.entry {
		t.Entry = append(t.Entry, "host table    the same")
	} else {
		t.Entry = append(t.Entry, fmt.Sprintf("host table    %s", t.entryText(j.end, &j.truth)))
	}
}

// copied says how the copy came on chip that an access was judged by.
func (t *teller) copied(j *judged) string {
	f := &j.since
	whose := ""
	if f.op != "" && f.op != t.op.ID {
		whose = ", fetched for op " + f.op
	}
	switch {
	case j.hit && f.known && !f.gone:
		return fmt.Sprintf("on chip since %s%s", when(f.at), whose)
	case j.hit:
		return "on chip since it was changed last"
	case f.known && f.at == j.at:
		return "none: it came with the fetch that was under way for op " + f.op
	case f.gone:
		return fmt.Sprintf("none, dropped by the change at %s: fetched from host memory for this access", when(f.at))
	case f.known:
		return fmt.Sprintf("none any more, one that came at %s%s had made room for others: fetched from host memory for this access", when(f.at), whose)
	}
	return "none, this is its first use: fetched from host memory for this access"
}

// decisive returns the access that was refused; of a granted op the last one
// that the peer judged, or the last of all.
func (t *teller) decisive() (out *judged) {
	for i := range t.w.judged {
		switch j := &t.w.judged[i]; {
		case j.fault != tpt.OK:
			return j
		case out == nil || j.Remote || !out.Remote:
			out = j
		}
	}
	if t.fault != nil && t.fault.Cause != tpt.NoTranslation || t.op.Failed() && t.fault == nil {
		return nil // what was granted says nothing about a failure
	}
	return out
}

// entryText writes an entry.
func (t *teller) entryText(end int, e *tpt.Entry) string {
	if e.State != tpt.Valid {
		text := state(e)
		if e.State != tpt.Absent {
			text += fmt.Sprintf(", last key byte 0x%02x", e.KeyByte)
		}
		return text
	}
	text := fmt.Sprintf("%s, VALID, key byte 0x%02x, %s, %s, %s from %#x", e.Kind, e.KeyByte, t.pd(end, e.PD), rights(e.Rights), bytes(e.Length), e.Start)
	if e.Kind.Type2() {
		text += ", bound by " + t.qp(end, e.QPN)
	}
	return text
}
