package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// Options are what a user may say of an import.
type Options struct {
	Name  string    // of the scenario
	File  string    // of the capture, for the head of the scenario
	Hosts [2]string // addresses of the two hosts that are meant; empty: the only two
	// Profile and Variant are named in the scenario, if given.
	Profile, Variant string
	Limits           Limits
}

// An Import is a capture that has been understood.
type Import struct {
	options Options
	frames  int // of the file
	used    int
	foreign tally
	plan    *plan
	remarks []string
	notes   *notes
}

// Read makes a scenario of a capture. The error says where in the file it is
// wrong, or what it has instead of packets of RoCEv2 or InfiniBand.
func Read(r io.Reader, o Options) (*Import, error) {
	m := &Import{options: o, foreign: tally{}, notes: &notes{}}
	packets, err := m.packets(r)
	if err != nil {
		return nil, err
	}
	if len(packets) == 0 {
		return nil, m.nothing()
	}
	slices.SortStableFunc(packets, func(a, b *packet) int { return cmp.Compare(a.at, b.at) })
	p, err := choose(pairs(packets), o.Hosts)
	if err != nil {
		return nil, err
	}
	if n := len(packets) - len(p.packets); n > 0 {
		m.foreign["of other hosts"] += n
	}
	m.used = len(p.packets)
	conns := connect(p)
	for _, c := range conns {
		c.sizeUp()
		for side := range c.asks {
			c.assemble(side, m.notes)
			c.answer(side, m.notes)
			c.lose(side)
		}
	}
	conns = slices.DeleteFunc(conns, func(c *conn) bool { return len(c.asks[0].ops)+len(c.asks[1].ops) == 0 })
	if len(conns) == 0 {
		return nil, fmt.Errorf("%d packets of RoCEv2 or InfiniBand, and not one whole request among them\n  %s", m.used, strings.Join(m.notes.lines(), "\n  "))
	}
	m.plan = newPlan(p, conns, m.notes, o.Limits.Data)
	m.plan.finish()
	return m, nil
}

// packets reads all frames of a file.
func (m *Import) packets(r io.Reader) (list []*packet, err error) {
	f, err := open(r)
	if err != nil {
		return nil, err
	}
	kept := 0
	for {
		fr, err := f.next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if errors.Is(err, errCut) && len(list) > 0 {
			m.notes.add(f.n+1, "%v; what stands before it is used", errCut)
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if m.frames++; m.frames > m.options.Limits.Frames {
			return nil, fmt.Errorf("more than %d frames: --max-frames takes more, or capture less", m.options.Limits.Frames)
		}
		p, skip, detail := decode(fr)
		if skip != "" {
			m.foreign[skip]++
			switch skip {
			case skipICRC:
				m.notes.add(fr.number, "its ICRC is wrong; not used (t = %s)", clock(fr.at))
			case skipMalformed:
				m.notes.add(fr.number, "malformed: %s", detail)
			}
			continue
		}
		if kept += len(p.payload); kept > m.options.Limits.Payload {
			return nil, fmt.Errorf("frame %d: more than %d MiB of payload: --max-payload takes more, or capture less", fr.number, m.options.Limits.Payload>>20)
		}
		list = append(list, p)
	}
}

// clock writes an instant of a capture, in seconds.
func clock(ns int64) string { return fmt.Sprintf("%d.%09d s", ns/1e9, (ns%1e9+1e9)%1e9) }

// nothing says what a capture has instead.
func (m *Import) nothing() error {
	if m.frames == 0 {
		return errors.New("the capture has no frame")
	}
	s := fmt.Sprintf("no packet of RoCEv2 or InfiniBand to use among its %d frames: %s", m.frames, m.foreign)
	for _, line := range m.notes.lines() {
		s += "\n  " + line
	}
	return errors.New(s)
}

// finish writes the requests out and notes what is not known of them.
func (x *plan) finish() {
	for _, s := range x.sides {
		if s.sends.lost > 0 {
			x.notes.add(0, "the payloads of %d requests of host %s pass the limit of data (--max-data); zeros stand for them", s.sends.lost, hostNames[s.n])
		}
	}
	for i, c := range x.conns {
		x.unknown(i, c)
	}
	for _, o := range x.ops {
		o.text = x.request(o)
		o.told = o.answered
		switch {
		case o.gaveUp(x.end):
			o.told, o.status = true, ib.RNRRetryExcErr
		case o.unready():
			x.notes.add(o.frame, "%s: the capture ends with an RNR NAK; no receive is posted, no completion is expected", o.conn.name(o.side))
		case !o.answered && !o.conn.mute(o.side):
			x.notes.add(o.frame, "%s: no answer is seen; no completion is expected", o.conn.name(o.side))
		}
		x.reason(o)
	}
	for _, s := range x.sides {
		for _, l := range s.lives {
			if !l.used {
				x.notes.add(l.first.frame, "key 0x%08x of host %s is only seen to die; one byte stands for what it opened", uint32(l.key), hostNames[s.n])
			}
		}
	}
}

// reason notes a refusal whose cause the packets do not show.
func (x *plan) reason(o *op) {
	need, remote := o.remote()
	switch {
	case remote && o.granted() && o.life == nil && ib.Key(o.key).Index() != 0:
		x.notes.add(o.frame, "%s: key 0x%08x reaches farther than %d GiB, or past the end of memory: this request will be refused", o.conn.name(o.side), uint32(o.key), mostSpan>>30)
	case remote && o.granted() && o.life == nil:
		x.notes.add(o.frame, "%s: key 0x%08x is granted, and its index 0 is one that the model never gives out: it will be refused", o.conn.name(o.side), uint32(o.key))
	case o.nak == ib.NAKInvalidRequest && o.receives() && o.opcode != ib.WRRDMAWriteWithImm && o.length > 0:
		x.notes.add(o.frame, "%s: refused as invalid; a receive that is too short stands for the cause", o.conn.name(o.side))
	case o.nak == ib.NAKInvalidRequest && remote && o.conn.access(1-o.side)&need != 0 && !(o.atomic() && o.va%8 != 0):
		x.notes.add(o.frame, "%s: refused as invalid, and the packets do not show why; the scenario has no cause for it", o.conn.name(o.side))
	case o.nak == ib.NAKRemoteAccess && o.refused > 0:
		x.notes.add(o.frame, "%s: refused at packet %d of the message; the scenario's key is refused at the first", o.conn.name(o.side), o.refused+1)
	case o.nak == ib.NAKRemoteOperational && o.receives() && o.length > 0:
		x.notes.add(o.frame, "%s: refused by an error of the responder; a receive with a wrong key stands for it", o.conn.name(o.side))
	case o.nak == ib.NAKRemoteOperational:
		x.notes.add(o.frame, "%s: refused by an error of the responder; the scenario has no cause for it", o.conn.name(o.side))
	}
}

// unknown notes what the capture does not say of a connection.
func (x *plan) unknown(i int, c *conn) {
	for h := range c.qpn {
		if !c.known[h] {
			x.notes.add(0, "q%d: the number of the queue pair of %s is not in the capture; 0x%x is a free one", i+1, hostNames[h], uint32(c.qpn[h]))
		}
		if len(c.asks[h].ops) > 0 && c.mute(h) && !c.uc {
			x.notes.add(0, "q%d: no answer to %s is in the capture; all is taken as granted, no completion is expected", i+1, hostNames[h])
		}
	}
	for h := range c.asks {
		if l := &c.asks[h].losses; l.any() {
			x.notes.add(0, "q%d: of what %s asked, packets were sent again: requests lost or unanswered %d, answers lost %d, doubled %d; faults stand for them", i+1, hostNames[h], len(l.requests), len(l.answers), len(l.doubled))
		}
	}
	if !c.sure {
		x.notes.add(0, "q%d: the answers fit other queue pairs as well; these two were taken by the order in which they appear", i+1)
	}
	if !c.exact {
		x.notes.add(0, "q%d: the path MTU is not seen; %d holds every packet", i+1, c.mtu)
	}
	if c.uc {
		x.notes.add(0, "q%d: an unreliable connection has no answers; all is taken as granted, no completion is expected", i+1)
	}
}

// Report is what was found, used and not known, in lines.
func (m *Import) Report() []string {
	x := m.plan
	list := []string{
		fmt.Sprintf("%d frames: %d used, %d not", m.frames, m.used, m.frames-m.used),
	}
	if len(m.foreign) > 0 {
		list = append(list, "not used: "+m.foreign.String())
	}
	list = append(list, fmt.Sprintf("hosts: A is %s, B is %s", x.pair.hosts[0], x.pair.hosts[1]))
	for i, c := range x.conns {
		if i == mostNotes {
			list = append(list, fmt.Sprintf("and %d connections more", len(x.conns)-i))
			break
		}
		list = append(list, fmt.Sprintf("q%d: A 0x%x, B 0x%x; %d requests of A, %d of B", i+1, uint32(c.qpn[0]), uint32(c.qpn[1]), len(c.asks[0].ops), len(c.asks[1].ops)))
	}
	list = append(list, x.tallyOps())
	return append(list, m.notes.lines()...)
}

// tallyOps counts requests by opcode.
func (x *plan) tallyOps() string {
	t := tally{}
	for _, o := range x.ops {
		t[o.opcode.Short()]++
	}
	keys := 0
	for _, s := range x.sides {
		keys += len(s.lives)
	}
	return fmt.Sprintf("%d requests: %s; %d keys at work", len(x.ops), t, keys)
}

// Text is the scenario, its steps moved by so many picoseconds; nil moves none.
func (m *Import) Text(shifts []int64) []byte {
	head := []string{"Imported from " + m.options.File + " by hcasim import pcap.", ""}
	head = append(head, m.Report()...)
	head = append(head, m.remarks...)
	head = append(head, "")
	return m.plan.text(&m.options, append(head, m.timing(shifts != nil)...), shifts)
}

// Remark adds lines to the head of the scenario.
func (m *Import) Remark(lines ...string) { m.remarks = append(m.remarks, lines...) }

// timing says how the times of the steps come about.
func (m *Import) timing(moved bool) []string {
	t := sim.Duration(m.plan.time(&step{at: m.plan.start}))
	list := []string{fmt.Sprintf("Times: the first request is posted at %s, and every other as much later as its first packet was", t),
		"captured later. Packets leave when the adapter is done with their requests."}
	if moved {
		list = []string{fmt.Sprintf("Times: the first request is posted at %s. The others are posted so that their first packets leave as", t),
			"much later than its own as they were captured later, by what the adapter of the model takes."}
	}
	return append(list, "What is not on a wire was chosen: domains, the memory behind a key in whole pages, the requester's",
		"own memory and keys, receives, queue depths. Every request has a completion.")
}

// A Packet is one that was captured, as far as it can come again.
type Packet struct {
	Frame   int // of the file
	End     int // host that sent it: 0 A, 1 B
	Headers ib.Headers
	Payload []byte
}

// Packets are those that were used, in the order of their times.
func (m *Import) Packets() []Packet {
	p := m.plan.pair
	list := make([]Packet, len(p.packets))
	for i, k := range p.packets {
		list[i] = Packet{k.frame, p.end(k), k.h, k.payload}
	}
	return list
}

// Steps returns how many steps have a time.
func (m *Import) Steps() int { return len(m.plan.steps) }

// Number returns the number that step i has in a run.
func (m *Import) Number(i int) int { return len(m.plan.setup) + i + 1 }

// Wanted returns when the first packet of step i was captured, in picoseconds
// of the scenario; sends is false for a step that does not send.
func (m *Import) Wanted(i int) (at int64, sends bool) {
	s := m.plan.steps[i]
	return m.plan.time(s), s.ops != nil
}
