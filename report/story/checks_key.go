package story

import (
	"fmt"

	"hcasim/ib"
	"hcasim/tpt"
)

// keyChecks tells how the entry behind a key was judged.
func (t *teller) keyChecks() {
	f := t.fault
	e, a, end := &f.Entry, &f.Access, t.s.end(f.Host)
	if f.Remote && a.Remote {
		t.passes("queue pair, sequence, length", "the request may be made at all")
	}
	type asked struct {
		fault      tpt.Fault
		what       string
		good, bad  string
		applicable bool
	}
	whose := t.kind(end, a.Key, e)
	all := []asked{
		{tpt.BadIndex, fmt.Sprintf("index %#x", uint32(a.Key.Index())), whose, t.noObject(e, a), true},
		{tpt.BadKey, fmt.Sprintf("key byte 0x%02x", a.Key.Byte()), "", fmt.Sprintf("the one in use is 0x%02x", e.KeyByte), true},
		{tpt.NotValid, "state", "VALID", t.notValid(e), true},
		{tpt.PDMismatch, "protection domain", t.pd(end, e.PD), fmt.Sprintf("the object is of %s, the queue pair (or its SRQ) of %s", t.pd(end, e.PD), t.pd(end, a.PD)), e.Kind != tpt.Window2A},
		{tpt.QPMismatch, "queue pair", t.qp(end, a.QPN), fmt.Sprintf("bound by %s, used through %s", t.qp(end, e.QPN), t.qp(end, a.QPN)), e.Kind.Type2()},
		{tpt.NoRight, "rights", "wanted " + wanted(a.Need), fmt.Sprintf("wanted %s, has %s", wanted(a.Need), rights(e.Rights)), true},
		{tpt.OutOfRange, "range", fmt.Sprintf("%s + %s of %s", offset(e, a.Judge.VA), thousands(a.Judge.Length), bytes(e.Length)), beyond(e, judgedRange(a)), true},
		{tpt.NoTranslation, "pages", "", "no page that the adapter can reach stands behind the range", true},
	}
	reached := true
	for _, q := range all {
		switch {
		case !q.applicable:
		case !reached:
			t.rest(q.what)
		case q.fault == f.Cause:
			t.fails(q.what, q.bad)
			reached = false
		default:
			t.passes(q.what, q.good)
		}
	}
}

// judgedRange is the range that was judged: an atomic's is never empty.
func judgedRange(a *tpt.Access) tpt.Range {
	r := a.Judge
	if a.Need&ib.RemoteAtomic != 0 {
		r.Length = max(r.Length, 8)
	}
	return r
}

// kind names what stands at an index.
func (t *teller) kind(end int, k ib.Key, e *tpt.Entry) string {
	if e.State == tpt.Absent {
		return ""
	}
	text := fmt.Sprint(e.Kind)
	if name := t.object(end, k.Index()); name != "" {
		text = name + ", " + text
	}
	return text
}

// object names what an index belongs to, or the last that it belonged to.
func (t *teller) object(end int, i ib.Index) string {
	name := t.host(end).ObjectOf(i)
	for k := range t.s.Result.Keys {
		if l := &t.s.Result.Keys[k]; name == "" && t.s.end(l.Host) == end && l.Key.Index() == i {
			name = l.Object
		}
	}
	return name
}

func (t *teller) noObject(e *tpt.Entry, a *tpt.Access) string {
	if e.State != tpt.Absent && e.Kind.IsWindow() && !a.Remote {
		return "a window, which has no L_Key"
	}
	return "no object stands there"
}

func (t *teller) notValid(e *tpt.Entry) string {
	if e.State == tpt.Valid {
		return "the key died while the message was under way"
	}
	return state(e)
}
