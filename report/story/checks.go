package story

import (
	"fmt"
	"strings"

	"hcasim/ib"
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

// postRow is what ibv_post_send asks, postRecvRow what a receive is asked.
var postRow = []question{
	{what: "objects alive", rules: []string{"DER-5"}},
	{what: "state of the queue pair", rules: []string{"1.5"}},
	{what: "room in the queue, number of pieces", rules: []string{"QP-9"}},
	{what: "opcode of the service", rules: []string{"QP-8"}},
	{what: "inline data", rules: []string{"LOC-9"}},
	{what: "pieces of an atomic", rules: []string{"LOC-6"}},
	{what: "alignment of an atomic", rules: []string{"3.2-7"}},
	{what: "pieces of a bind", rules: []string{"BIN-10"}},
	{what: "window and region of a bind", rules: []string{"POST-3", "POST-4", "BND-6", "BND-7", "BND-8", "BND-9", "BIN-5", "BIN-4"}},
}

// verbChecks tells what a verb, or a post, was refused for.
func (t *teller) verbChecks() {
	rule := t.fault.Rule
	if posts(t.op.Request) && t.ask(postRow, byRule(rule), func(*question) string { return t.op.Outcome() + ": " + sentence(rule) }) {
		return
	}
	t.fails(t.op.Request, t.op.Outcome()+": "+sentence(rule)+t.holding())
}

// holding names the windows for which an object was not let go.
func (t *teller) holding() string {
	c := t.refusedChange()
	if c == nil || len(c.held) == 0 {
		return ""
	}
	var names []string
	for _, i := range c.held {
		name := t.object(c.end, i)
		if name == "" {
			name = fmt.Sprintf("index %#x", uint32(i))
		}
		names = append(names, name)
	}
	return " Bound to it: " + strings.Join(names, ", ") + "."
}

// packetRow is what a responder asks before it looks at a key.
var packetRow = []question{
	{what: "state of the queue pair, packet number", rules: []string{"1.5"}},
	{what: "sequence of opcodes", rules: []string{"3.2-3"}},
	{what: "access flags of the queue pair", rules: []string{"QP-11"}, say: "the responder's queue pair does not allow it"},
	{what: "opcode known, READs and atomics allowed", rules: []string{"3.2-4"}, say: "max_dest_rd_atomic of the responder's queue pair is 0, or the opcode is none"},
	{what: "length", rules: []string{"3.2-6"}},
	{what: "the message fits its receive", rules: []string{"LOC-12"}},
	{what: "alignment of an atomic", rules: []string{"3.2-7"}},
	{what: "key", rules: []string{"KEY-1"}},
	{what: "memory within reach", rules: []string{"3.2-10"}},
}

// localRow is what the requester asks of a request before its keys.
var localRow = []question{
	{what: "length of the message", rules: []string{"POST-5"}},
	{what: "sink of an atomic", rules: []string{"LOC-6"}},
	{what: "opcode of the service", rules: []string{"QP-8"}},
	{what: "address handle", rules: []string{"PD-1"}},
	{what: "L_Keys", rules: nil},
}

// packetChecks tells what was refused without a key being at fault.
func (t *teller) packetChecks() {
	row := localRow
	if t.fault.Remote {
		row = packetRow
	}
	detail := func(q *question) string {
		text := sentence(t.fault.Rule)
		switch {
		case t.fault.Rule == "LOC-12":
			text = t.tooLong() + text
		case t.fault.Rule == "3.2-7" && len(t.w.packets) > 0:
			va := t.w.packets[0].headers.Atomic.VA
			text = fmt.Sprintf("address %#x is %d beyond a multiple of 8", va, va%8)
		case q.say != "":
			text = q.say + ": " + text
		}
		return text
	}
	if !t.ask(row, byRule(t.fault.Rule), detail) {
		t.fails(t.op.Request, sentence(t.fault.Rule))
	}
}

// tooLong compares a message with the receive that it took.
func (t *teller) tooLong() string {
	for i := range t.s.Result.Ops {
		o := &t.s.Result.Ops[i]
		if o.Recv && o.Host == t.fault.Host && o.Failed() && o.Status != ib.WRFlushErr && o.End >= t.fault.At && o.ID != t.op.ID {
			return fmt.Sprintf("%s sent, receive op %s has %s: ", bytes(t.op.Bytes), o.ID, bytes(o.Bytes))
		}
	}
	return ""
}

// flushed says since when the queue pair took nothing any more, and why.
func (t *teller) flushed() string {
	text := fmt.Sprintf("%s was in an error state", t.op.QP)
	switch {
	case t.Culprit != "" && t.fault != nil:
		text += fmt.Sprintf(" since op %s was refused at %s, t = %s", t.Culprit, t.fault.Host, when(t.fault.At))
	case t.Culprit != "":
		text += fmt.Sprintf(" since op %s failed", t.Culprit)
	default:
		text += ", by ibv_modify_qp or because a peer's request was refused"
	}
	return text
}

// attempts counts how often the first packet of the op was sent.
func (t *teller) attempts() (n int) {
	var first *packet
	for i := range t.w.packets {
		p := &t.w.packets[i]
		switch {
		case p.from != t.from:
		case first == nil:
			first = p
			n++
		case p.headers.BTH.PSN == first.headers.BTH.PSN:
			n++
		}
	}
	return n + t.w.more/2
}

// unanswered tells why nothing came back.
func (t *teller) unanswered() {
	lost, answers, lostAnswers := 0, 0, 0
	for i := range t.w.packets {
		p := &t.w.packets[i]
		bad := p.fate.String() == "lost" || p.fate.String() == "corrupted" || p.fate.String() == "overrun"
		switch {
		case p.from != t.from:
			answers++
			if bad {
				lostAnswers++
			}
		case bad:
			lost++
		}
	}
	t.passes("sent", count(uint64(t.attempts()), "time"))
	switch state := t.w.answering; {
	case !t.w.reached && lost > 0:
		t.fails("a packet came through", fmt.Sprintf("%s lost on the wire", count(uint64(lost), "packet")))
	case !t.w.reached:
		t.fails("a packet came through", "none was taken by a queue pair of the peer")
	case answers > 0 && answers == lostAnswers:
		t.passes("a packet came through", "")
		t.fails("an answer came back", fmt.Sprintf("%s lost on the wire", count(uint64(answers), "answer")))
	case state != ib.RTR && state != ib.RTS && state != ib.SQD && state != ib.SQE:
		t.passes("a packet came through", "")
		t.fails("the peer's queue pair answers", fmt.Sprintf("it is in %s, and drops requests without a word", state))
	default:
		t.passes("a packet came through", "")
		t.fails("an answer came back in time", fmt.Sprintf("%s, of which %d were lost; the queue pair's timeout and retry_cnt ran out", count(uint64(answers), "answer"), lostAnswers))
	}
}
