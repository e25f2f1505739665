package rc

import (
	"fmt"

	"hcasim/ib"
)

// A conversation is a requester and a responder that speak in rounds: all
// requests that are under way are delivered, then all answers to them. It does
// for the steps of this package what an adapter does, without time and memory.
type conversation struct {
	requester Requester
	responder Responder
	mtu       uint32
	receives  int // left at the responder; -1 is enough for ever
	messages  []*message
	requests  []packet // under way
	answers   []packet
	saved     map[ib.PSN]bool // atomics executed
	executed  []ib.PSN        // what the responder has executed, in order
	story     []string
	quiet     bool // no story
}

// A message is a request as its poster sees it.
type message struct {
	kind   string
	first  ib.PSN
	length uint32
	count  uint32 // packets
	got    uint32 // of its answer
	status string
}

// A packet is what the steps look at of one.
type packet struct {
	ib.Headers
	payload uint32
}

func connect(psn ib.PSN, mtu uint32, retry, rnr uint8, receives int) *conversation {
	c := &conversation{mtu: mtu, receives: receives, saved: map[ib.PSN]bool{}}
	c.requester.Start(psn, retry, rnr)
	c.responder.Expected = psn
	return c
}

func (c *conversation) say(format string, args ...any) {
	if !c.quiet {
		c.story = append(c.story, fmt.Sprintf(format, args...))
	}
}

// post adds a message and sends it.
func (c *conversation) post(kind string, length uint32) {
	m := &message{kind: kind, first: c.requester.Next, length: length, count: max(1, (length+c.mtu-1)/c.mtu)}
	c.requester.Next = m.first.Add(m.count)
	c.messages = append(c.messages, m)
	c.send(m, m.first)
}

// data reports whether the answer brings data.
func (m *message) data() bool { return m.kind == "read" || m.kind == "add" }

func (m *message) last() ib.PSN { return m.first.Add(m.count - 1) }

// send sends what a message has from psn on.
func (c *conversation) send(m *message, psn ib.PSN) {
	switch m.kind {
	case "read":
		p := packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: ib.RCReadRequest, PSN: m.first.Add(m.got)}}}
		p.RETH.Length = m.length - m.got*c.mtu
		c.requests = append(c.requests, p)
		return
	case "add":
		c.requests = append(c.requests, packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: ib.RCFetchAdd, PSN: m.first}}})
		return
	}
	base := map[string]ib.Opcode{"send": ib.RCSendFirst, "write": ib.RCWriteFirst, "write-imm": ib.RCWriteFirst}[m.kind]
	for i := uint32(0); i < m.count; i++ {
		at := m.first.Add(i)
		if at.Less(psn) {
			continue
		}
		o := base + 1
		switch {
		case m.count == 1:
			o = base + 4
		case i == 0:
			o = base
		case i == m.count-1:
			o = base + 2
		}
		if m.kind == "write-imm" && i == m.count-1 {
			o++
		}
		p := packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: o, PSN: at}}, payload: min(c.mtu, m.length-i*c.mtu)}
		p.RETH.Length = m.length
		c.requests = append(c.requests, p)
	}
}

// answer sends an acknowledgement.
func (c *conversation) answer(psn ib.PSN, s ib.Syndrome) {
	p := packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: ib.RCAck, PSN: psn}}}
	p.AETH = ib.AETH{Syndrome: s, MSN: c.responder.MSN}
	c.answers = append(c.answers, p)
	c.say("    <- %v psn %d msn %d", s, psn, c.responder.MSN)
}

// request is one request at the responder, taken through the steps of 3.2.
func (c *conversation) request(p packet) {
	r, o, psn := &c.responder, p.BTH.Opcode, p.BTH.PSN
	switch r.Sequence(psn) {
	case Duplicate:
		c.duplicate(p)
		return
	case Gap:
		c.say("    gap, %d is missing", r.Expected)
		c.answer(r.Expected, ib.NAKPSNSequence)
		return
	case Ignore:
		c.say("    ignored")
		return
	}
	switch takes := TakesReceive(o) && (!IsWrite(o) || o.Ends()) && !(r.Message.Open && !IsWrite(o)); {
	case !r.InOrder(o):
		c.say("    refused by 3.2 step 3: out of sequence")
		c.answer(psn, ib.NAKInvalidRequest)
		return
	case takes && c.receives == 0:
		c.say("    no receive")
		r.NotReady()
		c.answer(psn, ib.RNRNAK(1))
		return
	case !r.LengthFits(&p.Headers, p.payload, c.mtu):
		c.say("    refused by 3.2 step 6: length")
		c.answer(psn, ib.NAKInvalidRequest)
		return
	case takes && c.receives > 0:
		c.receives--
	}
	r.Accept(&p.Headers, p.payload, c.mtu)
	c.executed = append(c.executed, psn)
	c.say("    executed, expects %d", r.Expected)
	switch {
	case o == ib.RCReadRequest:
		c.respond(p)
	case o.IsAtomic():
		c.saved[psn] = true
		c.respond(p)
	case o.Ends():
		c.answer(psn, ib.ACKNoCredit)
	}
}

// duplicate answers again (REM-21).
func (c *conversation) duplicate(p packet) {
	c.say("    duplicate")
	switch o := p.BTH.Opcode; {
	case o == ib.RCReadRequest:
		c.respond(p)
	case o.IsAtomic():
		if c.saved[p.BTH.PSN] {
			c.respond(p)
		}
	default:
		c.answer(c.responder.Expected.Add(1<<24-1), ib.ACKNoCredit)
	}
}

// respond sends the data of a READ or atomic.
func (c *conversation) respond(p packet) {
	if p.BTH.Opcode.IsAtomic() {
		c.answers = append(c.answers, packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: ib.RCAtomicAck, PSN: p.BTH.PSN}}})
		c.say("    <- %v psn %d", ib.RCAtomicAck, p.BTH.PSN)
		return
	}
	n := Packets(ib.RCReadRequest, p.RETH.Length, c.mtu)
	for i := range n {
		o := ib.RCReadRespMiddle
		switch {
		case n == 1:
			o = ib.RCReadRespOnly
		case i == 0:
			o = ib.RCReadRespFirst
		case i == n-1:
			o = ib.RCReadRespLast
		}
		c.answers = append(c.answers, packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: o, PSN: p.BTH.PSN.Add(i)}}})
		c.say("    <- %v psn %d", o, p.BTH.PSN.Add(i))
	}
}

// owed returns the oldest message whose answer has data that have not come.
func (c *conversation) owed() *message {
	for _, m := range c.messages {
		if m.data() && m.status == "" && m.got < m.count {
			return m
		}
	}
	return nil
}

// reply is one answer at the requester.
func (c *conversation) reply(p packet) {
	r, psn := &c.requester, p.BTH.PSN
	m := c.owed()
	if p.BTH.Opcode != ib.RCAck {
		switch {
		case m == nil || psn.Less(m.first.Add(m.got)):
			c.say("    stale")
		case psn != m.first.Add(m.got) || p.BTH.Opcode.IsReadResponse() != (m.kind == "read"):
			c.say("    %d is missing", m.first.Add(m.got))
			c.react(r.Missing())
		default:
			m.got++
			c.advance(psn.Add(1))
		}
		return
	}
	before, ok := r.Covers(psn, p.AETH.Syndrome)
	switch {
	case !ok:
		c.say("    stale")
	case m != nil && m.first.Add(m.got).Less(before):
		c.say("    the data of %d are missing", m.first.Add(m.got))
		c.advance(m.first.Add(m.got))
		c.react(r.Missing())
	default:
		a := r.Receive(psn, p.AETH.Syndrome)
		c.advance(before)
		c.react(a)
	}
}

// advance ends what lies before psn.
func (c *conversation) advance(psn ib.PSN) {
	if !c.requester.Acknowledged(psn) {
		return
	}
	for _, m := range c.messages {
		if m.status == "" && m.last().Less(psn) && (!m.data() || m.got == m.count) {
			m.status = "done"
			c.say("    %s of %d done", m.kind, m.first)
		}
	}
}

// react does what the transport says.
func (c *conversation) react(a Answer) {
	r := &c.requester
	switch a.Reaction {
	case Stale, Advance:
		if a.Reaction == Stale {
			c.say("    gone back already")
		}
	case Resend, Wait:
		c.say("    %s %d, retries left %d, rnr %d", map[Reaction]string{Resend: "send again from", Wait: "wait, then send again from"}[a.Reaction], a.PSN, r.Retries, r.RNRs)
		for _, m := range c.messages {
			if m.status == "" && !m.last().Less(a.PSN) && !(m.data() && m.got == m.count) {
				c.send(m, a.PSN)
			}
		}
	case Fail:
		for _, m := range c.messages {
			if m.status == "" && !m.last().Less(a.PSN) {
				m.status = a.Status.String()
				break
			}
		}
		c.say("    %d fails: %v", a.PSN, a.Status)
	}
}

// over reports whether every message has ended.
func (c *conversation) over() bool {
	for _, m := range c.messages {
		if m.status == "" {
			return false
		}
	}
	return true
}

// round delivers what is under way, but for the packets that are lost, by
// number from 1; those that are twice arrive a second time right away, those
// that are late after all others.
func (c *conversation) round(fate func(answer bool, n int) string) {
	c.deliver(false, &c.requests, c.request, fate)
	c.deliver(true, &c.answers, c.reply, fate)
}

func (c *conversation) deliver(answer bool, from *[]packet, to func(packet), fate func(bool, int) string) {
	all := *from
	*from = nil
	late := []packet(nil)
	for i, p := range all {
		arrow, what := "->", fate(answer, i+1)
		if answer {
			arrow = "<-"
		}
		c.say("  %s %d %s%s", arrow, i+1, p, map[string]string{"lost": " lost", "late": " late"}[what])
		switch what {
		case "lost":
			continue
		case "late":
			late = append(late, p)
			continue
		case "twice":
			to(p)
			c.say("  %s %d %s again", arrow, i+1, p)
		}
		to(p)
	}
	for _, p := range late {
		c.say("  now %s", p)
		to(p)
	}
}

func (p packet) String() string {
	s := fmt.Sprintf("%v psn %d", p.BTH.Opcode, p.BTH.PSN)
	if p.BTH.Opcode == ib.RCAck {
		s = fmt.Sprintf("%v psn %d", p.AETH.Syndrome, p.BTH.PSN)
	}
	if p.payload > 0 {
		s += fmt.Sprintf(", %d bytes", p.payload)
	}
	return s
}
