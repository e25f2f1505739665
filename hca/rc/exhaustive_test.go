package rc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hcasim/ib"
)

// Every way to lose or repeat packets of a short conversation: everything that
// was posted is executed exactly once, in order, and ends well, within one more
// round for each loss (R1, R3).
func TestEveryLoss(t *testing.T) {
	for name, posts := range map[string][]post{
		"writes":  {{"write", 600}, {"send", 10}, {"write", 300}},
		"reads":   {{"read", 600}, {"read", 10}, {"write", 10}},
		"atomics": {{"add", 8}, {"write", 10}, {"add", 8}, {"read", 300}},
	} {
		for _, start := range []ib.PSN{5, 0xFFFFFD} {
			for requests := range 1 << 6 { // a bit for each packet of the first round
				for answers := range 1 << 6 {
					for _, fate := range []string{"lost", "twice", "late"} {
						l := loss{start, requests, answers, fate}
						if c := l.play(posts, true); c.wrong(start) != "" {
							c = l.play(posts, false)
							t.Fatalf("%s, %+v: %s\n%s", name, l, c.wrong(start), strings.Join(c.story, "\n"))
						}
					}
				}
			}
		}
	}
}

type post struct {
	kind   string
	length uint32
}

// A loss is what becomes of the packets of the first round.
type loss struct {
	start             ib.PSN
	requests, answers int
	fate              string
}

// play has a conversation with that loss until it is over.
func (l loss) play(posts []post, quiet bool) *conversation {
	c := connect(l.start, 256, 7, 7, -1)
	c.quiet = quiet
	for _, p := range posts {
		c.post(p.kind, p.length)
	}
	for round := 0; !c.over() && round < 8; round++ {
		c.round(func(answer bool, n int) string {
			bits := l.requests
			if answer {
				bits = l.answers
			}
			if round == 0 && bits>>(n-1)&1 == 1 {
				return l.fate
			}
			return ""
		})
		if len(c.requests) == 0 && !c.over() {
			c.react(c.requester.Timeout())
		}
	}
	return c
}

// wrong says what did not end as it must.
func (c *conversation) wrong(start ib.PSN) string {
	at, next := start, c.requester.Next
	for _, psn := range c.executed {
		if psn != at {
			return fmt.Sprintf("executed %d, want %d", psn, at)
		}
		at = at.Add(1)
		for _, m := range c.messages {
			if m.kind == "read" && m.first == psn {
				at = m.first.Add(m.count)
			}
		}
	}
	for _, m := range c.messages {
		if m.status != "done" || m.data() && m.got != m.count {
			return fmt.Sprintf("%s of %d ended with %q, %d of its answer", m.kind, m.first, m.status, m.got)
		}
	}
	if at != next || c.responder.Expected != next || c.requester.Outstanding() || c.responder.MSN != uint32(len(c.messages)) {
		return fmt.Sprintf("ends as %v", c)
	}
	return ""
}

// The verdict on a number, for every distance near and far (3.2 step 2): half
// of all numbers lie behind, and a gap is answered once.
func TestSequence(t *testing.T) {
	for _, expected := range []ib.PSN{0, 5, 0x7FFFFF, 0x800000, 0xFFFFFF} {
		for _, test := range []struct {
			distance uint32
			want     Verdict
		}{
			{0, Fresh}, {1, Gap}, {2, Gap}, {1<<23 - 1, Gap},
			{1<<24 - 1, Duplicate}, {1<<24 - 2, Duplicate}, {1 << 23, Duplicate}, {1<<23 + 1, Duplicate},
		} {
			r := Responder{Expected: expected}
			psn := expected.Add(test.distance)
			if got := r.Sequence(psn); got != test.want {
				t.Errorf("%d expected, %d: %v, want %v", expected, psn, got, test.want)
			}
			again := test.want
			if again == Gap {
				again = Ignore
			}
			if got := r.Sequence(psn); got != again {
				t.Errorf("%d expected, %d again: %v, want %v", expected, psn, got, again)
			}
		}
	}
}

// Which opcode may follow which (3.2 step 3), for all pairs of them, told a
// second time by their names.
func TestInOrder(t *testing.T) {
	requests := []ib.Opcode{}
	for o := range ib.Opcode(0x20) {
		if o.IsRequest() {
			requests = append(requests, o)
		}
	}
	sends := []ib.Opcode{ib.RCSendMiddle, ib.RCSendLast, ib.RCSendLastImm, ib.RCSendLastInv}
	writes := []ib.Opcode{ib.RCWriteMiddle, ib.RCWriteLast, ib.RCWriteLastImm}
	for _, before := range requests {
		for _, o := range requests {
			r := Responder{}
			if before.Middle() || before.Last() { // what it belongs to has begun
				begin := ib.RCSendFirst
				if slices.Contains(writes, before) {
					begin = ib.RCWriteFirst
				}
				r.Accept(&ib.Headers{BTH: ib.BTH{Opcode: begin}}, 256, 256)
			}
			r.Accept(&ib.Headers{BTH: ib.BTH{Opcode: before}}, 256, 256)
			var want bool
			switch before {
			case ib.RCSendFirst, ib.RCSendMiddle:
				want = slices.Contains(sends, o)
			case ib.RCWriteFirst, ib.RCWriteMiddle:
				want = slices.Contains(writes, o)
			default:
				want = !slices.Contains(sends, o) && !slices.Contains(writes, o)
			}
			kept := r
			if got := r.InOrder(o); got != want || r != kept {
				t.Errorf("%v behind %v: %v, want %v", o, before, got, want)
			}
		}
	}
}

// The lengths that fit (3.2 step 6), for all small numbers.
func TestLengths(t *testing.T) {
	const mtu = 4
	for o := range ib.Opcode(0x20) {
		if !o.IsRequest() || !o.HasPayload() {
			continue
		}
		for payload := range uint32(mtu + 2) {
			for length := range uint32(3*mtu + 2) {
				for _, done := range []uint32{0, mtu, 2 * mtu} {
					r := Responder{Message: Message{Open: true, Write: IsWrite(o), Length: length, Done: done}}
					h := ib.Headers{BTH: ib.BTH{Opcode: o}, RETH: ib.RETH{Length: length}}
					before := done
					if o.Starts() {
						before = 0
					}
					full, some := payload == mtu, payload > 0 && payload <= mtu
					want := map[bool]bool{true: some, false: full}[o.Ends()]
					if o.Only() {
						want = payload <= mtu
					}
					if IsWrite(o) {
						total := before + payload
						want = want && (o.Ends() && total == length || !o.Ends() && total < length)
					}
					if got := r.LengthFits(&h, payload, mtu); got != want {
						t.Fatalf("%v of %d bytes behind %d of %d: %v, want %v", o, payload, before, length, got, want)
					}
				}
			}
		}
	}
}

// What a NAK, or anything else in its place, means to the requester (5.4).
func TestSyndromes(t *testing.T) {
	want := map[ib.Syndrome]ib.WCStatus{
		ib.NAKInvalidRequest: ib.RemInvReqErr, ib.NAKRemoteAccess: ib.RemAccessErr,
		ib.NAKRemoteOperational: ib.RemOpErr, ib.NAKInvalidRDRequest: ib.RemInvRDReqErr,
	}
	for s := range 256 {
		var r Requester
		r.Start(5, 3, 3)
		r.Next = 9
		a := r.Receive(7, ib.Syndrome(s))
		switch {
		case s < 0x20:
			if a.Reaction != Advance || a.PSN != 7 {
				t.Errorf("%#x: %+v", s, a)
			}
		case s < 0x40:
			if a.Reaction != Wait || a.Timer != uint8(s&0x1F) || r.RNRs != 2 || r.Retries != 3 {
				t.Errorf("%#x: %+v, %+v", s, a, r)
			}
		case s == 0x60:
			if a.Reaction != Resend || a.PSN != 7 || r.Retries != 2 || r.RNRs != 3 {
				t.Errorf("%#x: %+v, %+v", s, a, r)
			}
		default:
			status, known := want[ib.Syndrome(s)]
			if !known {
				status = ib.BadRespErr // reserved
			}
			if a.Reaction != Fail || a.Status != status {
				t.Errorf("%#x: %+v, want %v", s, a, status)
			}
		}
	}
}
