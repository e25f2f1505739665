package story

import (
	"fmt"
	"strings"

	"hcasim/ib"
)

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
