package story

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/report/causes"
	"hcasim/tpt"
)

// asked says what was asked for.
func (t *teller) asked() {
	o := t.op
	who := o.Host
	if o.QP != "" {
		who += " " + o.QP
	}
	t.Asked = append(t.Asked, who, o.Request)
	if o.Object != "" {
		t.Asked = append(t.Asked, "on "+o.Object)
	}
	if k, va := t.target(); k != 0 {
		t.Asked = append(t.Asked, "key "+hex(k), va)
	}
	if o.Bytes > 0 {
		t.Asked = append(t.Asked, bytes(o.Bytes))
	}
}

// target returns the key and address that the first packet names, or those that
// were refused at home.
func (t *teller) target() (k ib.Key, at string) {
	if f := t.fault; f != nil && t.own && f.Cause != tpt.OK && f.Access.Key != 0 {
		return f.Access.Key, fmt.Sprintf("address %#x", f.Access.Judge.VA)
	}
	for i := range t.w.packets {
		h := &t.w.packets[i].headers
		switch {
		case h.RETH.Length > 0:
			return ib.Key(h.RETH.RKey), fmt.Sprintf("address %#x", h.RETH.VA)
		case h.Atomic.RKey != 0:
			return ib.Key(h.Atomic.RKey), fmt.Sprintf("address %#x", h.Atomic.VA)
		case h.IETH.RKey != 0:
			return ib.Key(h.IETH.RKey), "to be invalidated"
		}
	}
	return 0, ""
}

// verdict says in a line what became of it.
func (t *teller) verdict() {
	o, f := t.op, t.fault
	if f != nil {
		t.Rule, t.RuleText = f.Rule, sentence(f.Rule)
	}
	switch {
	case f != nil && t.own:
		where := "refused at " + f.Host
		switch {
		case f.Remote:
			where += ", by the peer"
		case !o.Verb:
			where += ", by its own adapter"
		}
		t.Verdict = fmt.Sprintf("%s, t = %s", where, when(f.At))
		if !o.Failed() && o.Done {
			t.Verdict += "; the requester is not told (" + o.Status.String() + ")"
		}
	case t.Culprit != "":
		t.Verdict = fmt.Sprintf("%s because of op %s", o.Outcome(), t.Culprit)
	case !o.Done && o.Recv:
		t.Verdict = "still posted: no message has taken it"
	case !o.Done:
		t.Verdict = "has not ended"
	case o.Failed():
		t.Verdict = fmt.Sprintf("failed with %s after %s", o.Outcome(), ns(o.Latency()))
	default:
		t.Verdict = fmt.Sprintf("done after %s", ns(o.Latency()))
		if x := t.w.fastest; x != nil && x.Latency() < o.Latency() {
			t.Verdict += fmt.Sprintf("; op %s, the fastest of its kind, took %s", x.ID, ns(x.Latency()))
		}
	}
}

// advice says what to change.
func (t *teller) advice() []string {
	rule := t.Rule
	if t.cause != nil && t.cause.Name == causes.Flushed {
		rule = ""
	}
	list := causes.Advice(t.cause, rule)
	if t.cause == nil && (t.fault != nil || t.op.Failed()) {
		list = append(list, "read the rule, and what each side was told")
	}
	if len(list) > mostAdvice {
		list = list[:mostAdvice]
	}
	return list
}

// mostAdvice bounds what is told one to change: help faults has the rest.
const mostAdvice = 3

// see lists the commands that show more.
func (t *teller) see() {
	add := func(format string, args ...any) { t.See = append(t.See, fmt.Sprintf(format, args...)) }
	if t.Culprit != "" {
		add("hcasim explain %s %s", t.src.Name+t.src.Flags, t.Culprit)
	}
	if t.Cause != "" {
		add("hcasim help faults %s", t.Cause)
	}
	if t.Rule != "" {
		add("hcasim help rule %s", t.Rule)
	}
	if len(t.Packets) > 0 {
		file := t.src.Name
		if t.src.Kept {
			file += "/config.yaml"
		}
		add("hcasim run %s --pcap wire, then in Wireshark: frame.comment contains \"op %s ·\"", file+t.src.Flags, t.Op)
	}
	if t.src.Kept {
		add("hcasim trace %s --op %s, a timeline for ui.perfetto.dev", t.src.Name, t.Op)
	}
	if len(t.Savings) > 0 && len(t.Savings[0].Set) > 0 {
		path, _, _ := strings.Cut(t.Savings[0].Set[0], " ")
		add("hcasim params %s", path)
	}
}
