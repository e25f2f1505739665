package story

import (
	"fmt"

	"hcasim/ib"
)

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
