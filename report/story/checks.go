package story

import (
	"fmt"

	"hcasim/report/causes"
	"hcasim/rules"
	"hcasim/tpt"
)

// A Check is one question that was asked of the request, in the order in which
// it is asked.
type Check struct {
	What    string `json:"what"`
	Outcome string `json:"outcome"` // ok, refused, not reached
	Detail  string `json:"detail,omitempty"`
}

// The outcomes.
const (
	passed     = "ok"
	refused    = "refused"
	notReached = "not reached"
)

// checks tells what was asked, up to the question that refused.
func (t *teller) checks() {
	f := t.fault
	switch {
	case t.cause == nil:
	case t.cause.Name == causes.Flushed:
		t.fails("state of the queue pair", t.flushed())
	case t.cause.Name == causes.NoAnswer:
		t.unanswered()
	case f == nil && t.cause.Name == causes.NoRecv:
		t.passes("queue pair, sequence and rights at the responder", "")
		t.fails("a receive request is posted", fmt.Sprintf("none was there, after %s", count(uint64(t.attempts()), "attempt")))
		t.rest("length", "key")
	case f == nil:
		t.fails(t.op.Request, t.op.Outcome())
	case t.own && changes(t.op.Request) || t.invalidating():
		t.changeChecks()
	case f.Cause != tpt.OK:
		t.keyChecks()
	case t.own && t.op.Verb:
		t.verbChecks()
	default:
		t.packetChecks()
	}
}

func (t *teller) passes(what, detail string) {
	t.Checks = append(t.Checks, Check{what, passed, detail})
}

func (t *teller) fails(what, detail string) {
	t.Checks = append(t.Checks, Check{what, refused, detail})
}

// rest lists what was not asked any more: behind the refusal, so that the last
// that was asked is the cause (T2).
func (t *teller) rest(what ...string) {
	for _, w := range what {
		t.Checks = append(t.Checks, Check{w, notReached, ""})
	}
}

// A question is one of a fixed row of them.
type question struct {
	what  string
	rules []string // that refuse there
	fault tpt.Fault
	say   string // when it refuses
}

// ask goes through a row up to the one that refuses. It reports whether any
// did.
func (t *teller) ask(row []question, is func(q *question) bool, detail func(q *question) string) bool {
	for i := range row {
		if !is(&row[i]) {
			continue
		}
		for k := range row[:i] {
			t.passes(row[k].what, "")
		}
		t.fails(row[i].what, detail(&row[i]))
		for k := i + 1; k < len(row); k++ {
			t.rest(row[k].what)
		}
		return true
	}
	return false
}

// byRule finds the question that a rule stands for.
func byRule(rule string) func(q *question) bool {
	return func(q *question) bool {
		for _, r := range q.rules {
			if r == rule {
				return true
			}
		}
		return false
	}
}

// sentence is what a rule says.
func sentence(rule string) string {
	r, _ := rules.Find(rule)
	return r.Text
}
