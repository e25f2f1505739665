package story

import (
	"fmt"

	"hcasim/tpt"
)

// bindRow is what a bind is asked, in the order of the rules.
var bindRow = []question{
	{what: "window", rules: []string{"KEY-1"}, say: "no window stands at this index"},
	{what: "verb and type of window go together", rules: []string{"POST-3", "POST-4"}},
	{what: "flags that a window may have", rules: []string{"BND-7", "BND-8"}},
	{what: "window is free to be bound", rules: []string{"BIN-3"}},
	{what: "region and length are given", rules: []string{"BIN-4"}},
	{what: "region", rules: []string{"KEY-11", "KEY-2"}},
	{what: "region is valid", rules: []string{"MR-4", "RER-7"}},
	{what: "one protection domain", rules: []string{"BIN-5"}},
	{what: "region is not zero-based", rules: []string{"BND-9"}},
	{what: "region may have windows", rules: []string{"BND-1"}},
	{what: "region may be written", rules: []string{"BND-2"}},
	{what: "range lies within the region", rules: []string{"BND-6"}},
}

// invalidateRow is what an invalidate is asked.
var invalidateRow = []question{
	{what: "index", rules: []string{"INV-2"}, fault: tpt.BadIndex},
	{what: "key byte", rules: []string{"INV-2"}, fault: tpt.BadKey},
	{what: "kind of object", rules: []string{"INV-3"}, say: "this kind is not invalidated, or windows are bound to it"},
	{what: "it is bound", rules: []string{"INV-8"}, say: "the window is free already"},
	{what: "queue pair and domain", rules: []string{"INV-4"}},
}

// registerRow is what a fast registration is asked.
var registerRow = []question{
	{what: "region", rules: []string{"KEY-1"}, say: "no object stands at this index"},
	{what: "fast-register region, free, of the domain, with room", rules: []string{"MR-5"}},
	{what: "index of the new key", rules: []string{"KEY-4"}},
	{what: "rights", rules: []string{"ACC-19", "ACC-5", "ACC-6", "ACC-7"}},
	{what: "addresses and length", rules: []string{"ACC-10", "ACC-11"}},
	{what: "page list", rules: []string{"MR-8", "ACC-12"}},
}

// changeChecks tells how a change of the tables was judged.
func (t *teller) changeChecks() {
	rule := t.fault.Rule
	c := t.refusedChange()
	row, detail := bindRow, func(q *question) string { return t.explainBind(q, rule, c) }
	is := byRule(rule)
	switch {
	case t.invalidating():
		row, detail = invalidateRow, func(q *question) string { return t.explainInvalidate(q, rule, c) }
		is = func(q *question) bool { return byRule(rule)(q) && (q.fault == tpt.OK || q.fault == t.fault.Cause) }
	case t.op.Request == "IBV_WR_REG_MR":
		row, detail = registerRow, func(q *question) string { return said(q, rule) }
	case rule == "KEY-1" && c != nil && c.of[0].Kind.IsWindow(): // the region is what is missing
		is = func(q *question) bool { return q.what == "region" }
	}
	if t.op.Verb && t.ask(postRow, byRule(rule), func(*question) string { return t.op.Outcome() + ": " + sentence(rule) }) {
		return
	}
	if !t.ask(row, is, detail) {
		t.fails(t.op.Request, sentence(rule))
	}
}

// refusedChange returns what was asked of the table unit.
func (t *teller) refusedChange() *changed {
	for i := range t.w.changes {
		if c := &t.w.changes[i]; !c.res.Done() && c.op == t.op.ID {
			return c
		}
	}
	return nil
}

func said(q *question, rule string) string {
	if q.say != "" {
		return q.say + ": " + sentence(rule)
	}
	return sentence(rule)
}

// explainBind puts the values of a bind beside what was asked of them.
func (t *teller) explainBind(q *question, rule string, c *changed) string {
	if c == nil {
		return said(q, rule)
	}
	w, r := &c.of[0], &c.of[1]
	switch rule {
	case "BIN-3":
		return fmt.Sprintf("it is bound already, by %s", t.qp(c.end, w.QPN))
	case "BIN-5":
		return fmt.Sprintf("queue pair of %s, window of %s, region of %s", t.pd(c.end, c.cmd.PD), t.pd(c.end, w.PD), t.pd(c.end, r.PD))
	case "BND-1":
		return fmt.Sprintf("wanted MW_BIND, the region has %s", rights(r.Rights))
	case "BND-2":
		return fmt.Sprintf("the window asks for %s, which wants LOCAL_WRITE; the region has %s", rights(c.cmd.Access), rights(r.Rights))
	case "BND-6":
		return beyond(r, tpt.Range{VA: c.cmd.VA, Length: c.cmd.Length})
	case "BND-7":
		return fmt.Sprintf("asked for %s", rights(c.cmd.Access))
	case "KEY-2":
		return fmt.Sprintf("key byte 0x%02x, the one in use is 0x%02x", c.cmd.Region.Byte(), r.KeyByte)
	case "MR-4", "RER-7":
		return state(r)
	case "KEY-1":
		if w.Kind.IsWindow() {
			return fmt.Sprintf("no object stands at index %#x", uint32(c.cmd.Region.Index()))
		}
	}
	return said(q, rule)
}

// explainInvalidate does so of an invalidate.
func (t *teller) explainInvalidate(q *question, rule string, c *changed) string {
	if c == nil {
		return said(q, rule)
	}
	e := &c.after // nothing has changed
	switch {
	case rule == "INV-2" && t.fault.Cause == tpt.BadIndex:
		return fmt.Sprintf("no object stands at index %#x", uint32(c.cmd.Key.Index()))
	case rule == "INV-2":
		return fmt.Sprintf("0x%02x was given, the one in use is 0x%02x", c.cmd.Key.Byte(), e.KeyByte)
	case rule == "INV-3":
		return fmt.Sprintf("%s: %s", t.kind(c.end, c.cmd.Key, e), sentence(rule))
	case rule == "INV-4" && t.fault.Cause == tpt.QPMismatch:
		return fmt.Sprintf("bound by %s, invalidated through %s", t.qp(c.end, e.QPN), t.qp(c.end, c.cmd.QPN))
	case rule == "INV-4":
		return fmt.Sprintf("the object is of %s, the queue pair of %s", t.pd(c.end, e.PD), t.pd(c.end, c.cmd.PD))
	}
	return said(q, rule)
}
