package replay

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// hostNames are those of the scenario: the lower address is A.
var hostNames = [2]string{"A", "B"}

// lead is the time that the scenario takes before the first packet: some to
// begin with, and some for each step of the set-up.
const (
	lead        = 20_000 // ns
	leadPerStep = 20_000
)

// text writes the scenario. Shifts, if there are any, are added to the times of
// the steps, in their order.
func (x *plan) text(o *Options, head []string, shifts []int64) []byte {
	var b strings.Builder
	for _, line := range head {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
	fmt.Fprintf(&b, "version: 1\nkind: scenario\nname: %s\nabout: What was captured between two hosts, to be run again.\n", o.Name)
	if o.Profile != "" {
		fmt.Fprintf(&b, "profile: %s\n", o.Profile)
	}
	if o.Variant != "" {
		fmt.Fprintf(&b, "variant: %s\n", o.Variant)
	}
	fmt.Fprintf(&b, "wire: {protocol: %s}\n", x.pair.packets[0].encap)
	if max(reach(x.sides[0].lives), reach(x.sides[1].lives)) > 1<<38 {
		b.WriteString("host: {memory: {size: 256TiB}} # its keys reach far\n")
	}
	if x.highest() >= 1<<20 {
		b.WriteString("hca: {limit: {mr: 16777215}} # its keys are of high indices\n")
	}
	if span := x.end - x.start; span > 20e9 {
		fmt.Fprintf(&b, "run: {until: %s}\n", sim.Duration(span*2)*sim.Nanosecond)
	}
	b.WriteString("\nhosts:\n")
	for h := range x.sides {
		x.host(&b, h)
	}
	b.WriteString("\nops:\n")
	for _, s := range x.setup {
		b.WriteString(s.line(nil))
	}
	for i, s := range x.steps {
		at := x.time(s)
		if shifts != nil {
			at += shifts[i]
		}
		b.WriteString(s.line(&at))
	}
	b.WriteString("  - {wait: all}\n")
	return []byte(b.String())
}

// time returns when a step begins, in ps of the scenario.
func (x *plan) time(s *step) int64 {
	return (lead + leadPerStep*int64(len(x.setup)) + s.at - x.start) * 1000
}

// highest returns the greatest index of a key.
func (x *plan) highest() (i ib.Index) {
	for _, s := range x.sides {
		for _, r := range s.regions {
			i = max(i, r.index)
		}
	}
	return i
}

// line writes a step; one without a time is waited for.
func (s *step) line(at *int64) string {
	do, when, why := s.do, "", ""
	if s.ops != nil {
		do = postText(s.ops)
	}
	if at != nil {
		when = fmt.Sprintf("at: %s, ", sim.Duration(max(0, *at)))
	}
	if s.why != "" {
		why = " # " + s.why
	}
	return fmt.Sprintf("  - {on: %s, %s%s}%s\n", hostNames[s.on], when, do, why)
}

func (x *plan) host(b *strings.Builder, h int) {
	s := x.sides[h]
	fmt.Fprintf(b, "  %s: # %s\n    pd: [%s]\n", hostNames[h], x.pair.hosts[h], strings.Join(s.pdNames(), ", "))
	section(b, "mem", x.memText(s))
	var mr, fr []string
	for _, r := range s.regions {
		l := r.lives[0]
		pd := pdName(s.pd[l.first.conn])
		if r.fast() {
			fr = append(fr, fmt.Sprintf("%s: {pd: %s, pages: %d, key: 0x%08x}", r.name, pd, r.pages(s), uint32(l.key)))
			continue
		}
		mr = append(mr, fmt.Sprintf("%s: {pd: %s, %s, access: %s, key: 0x%08x}", r.name, pd, s.behind(l), rights(l.access), uint32(l.key)))
	}
	section(b, "fr", fr)
	section(b, "mr", append(mr, s.localText()...))
	var qps []string
	for i, c := range x.conns {
		qps = append(qps, x.qpText(i, c, h))
	}
	section(b, "qp", qps)
}

func section(b *strings.Builder, name string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(b, "    %s:\n      %s\n", name, strings.Join(lines, "\n      "))
	}
}

func pdName(i int) string { return fmt.Sprintf("p%d", i+1) }

func (s *side) pdNames() (list []string) {
	for i := range s.pds {
		list = append(list, pdName(i))
	}
	return list
}

// rights writes those of a region.
func rights(a ib.AccessFlags) string {
	if a&(ib.RemoteWrite|ib.RemoteAtomic) != 0 {
		a |= ib.LocalWrite
	}
	return flags(a)
}

func flags(a ib.AccessFlags) string {
	if a == 0 {
		return "[]"
	}
	return "[" + strings.ReplaceAll(a.Short(), "|", ", ") + "]"
}

// extent returns the memory that a life is of.
func (s *side) extent(l *life) *extent {
	for _, e := range s.memory {
		if l.lo >= e.lo && l.hi <= e.hi {
			return e
		}
	}
	panic("replay: a key of no memory")
}

// behind says which memory a life's key opens.
func (s *side) behind(l *life) string {
	if !l.used { // it is only known to have died
		return "buf: sink, length: 1"
	}
	e := s.extent(l)
	lo, hi := l.span()
	t := fmt.Sprintf("buf: %s, offset: %d, length: %s", e.name, lo-e.lo, sim.Bytes(hi-lo+1))
	if l.region.fast() && e.page != page {
		t += fmt.Sprintf(", page: %s", sim.Bytes(e.page))
	}
	return t
}

// pages returns the longest page list of a fast-register region.
func (r *region) pages(s *side) uint64 {
	most := uint64(1)
	for _, l := range r.lives {
		if l.used {
			lo, hi := l.span()
			size := s.extent(l).page
			most = max(most, hi/size-lo/size+1)
		}
	}
	return most
}

func (x *plan) memText(s *side) (list []string) {
	for _, e := range s.memory {
		m := fmt.Sprintf("%s: {length: %s, at: 0x%x", e.name, sim.Bytes(e.hi-e.lo+1), e.lo)
		if e.page != page {
			m += fmt.Sprintf(", page: %s", sim.Bytes(e.page))
		}
		if d := s.first[e]; len(d) > 0 {
			m += ", fill: " + dataText(d)
		}
		list = append(list, m+"}")
	}
	for i, key := range s.sends.order {
		list = append(list, fmt.Sprintf("fill%d: {length: %d, fill: %s}", i+1, s.sends.fills[key], dataText([]byte(key))))
	}
	if len(s.sends.data) > 0 {
		list = append(list, fmt.Sprintf("data: {length: %d, fill: %s}", len(s.sends.data), dataText(s.sends.data)))
	}
	if s.needsSink() {
		list = append(list, fmt.Sprintf("sink: {length: %d}", max(s.sink, page)))
	}
	return list
}

func (s *side) needsSink() bool {
	if slices.ContainsFunc(s.lives, func(l *life) bool { return !l.used }) {
		return true
	}
	for l := range s.local {
		if l[0] == placeSink {
			return true
		}
	}
	return false
}

// dataText writes bytes: the shortest that are repeated to them.
func dataText(d []byte) string {
	d = period(d)
	if len(d) == 1 {
		return fmt.Sprintf("0x%02X", d[0])
	}
	text := hex.EncodeToString(d)
	if len(text) <= hexLine {
		return "{hex: \"" + text + "\"}"
	}
	var b strings.Builder
	b.WriteString("{hex: \"")
	for len(text) > hexLine {
		b.WriteString(text[:hexLine] + "\n        ")
		text = text[hexLine:]
	}
	return b.String() + text + "\"}"
}

// hexLine is how many digits stand in one line; the breaks between count as
// spaces, which hex: passes over.
const hexLine = 128

// localText are the regions of the memory that only the side itself reaches.
func (s *side) localText() (list []string) {
	for pd := range s.pds {
		for p := range s.sends.order {
			if s.local[[2]int{p, pd}] {
				list = append(list, s.localMR(p, pd, "[]"))
			}
		}
		if s.local[[2]int{placeData, pd}] {
			list = append(list, s.localMR(placeData, pd, "[]"))
		}
		if s.local[[2]int{placeSink, pd}] {
			list = append(list, s.localMR(placeSink, pd, "[LOCAL_WRITE]"))
		}
	}
	return list
}

func (s *side) localMR(p, pd int, access string) string {
	return fmt.Sprintf("%s: {pd: %s, buf: %s, access: %s}", localName(p, pd), pdName(pd), bufName(p), access)
}

func bufName(p int) string {
	switch p {
	case placeData:
		return "data"
	case placeSink:
		return "sink"
	default:
		return fmt.Sprintf("fill%d", p+1)
	}
}

func localName(p, pd int) string { return bufName(p) + "_" + pdName(pd) }

// qpText declares one end of a connection.
func (x *plan) qpText(i int, c *conn, h int) string {
	d := &c.asks[h]
	kind := ""
	if c.uc {
		kind = "type: UC, "
	}
	t := fmt.Sprintf("q%d: {pd: %s, %speer: %s.q%d, qpn: 0x%x, mtu: %d", i+1, pdName(x.sides[h].pd[c]), kind, hostNames[1-h], i+1, uint32(c.qpn[h]), c.mtu)
	if len(d.ops) > 0 {
		t += fmt.Sprintf(", psn: %d", d.psn)
	}
	if a := c.access(h); a != 0 {
		t += ", access: " + flags(a)
	}
	if n := len(d.ops); n > 100 {
		t += fmt.Sprintf(", sq: %d", min(2*n, 32768))
	}
	if n := c.received(h); n > 100 {
		t += fmt.Sprintf(", rq: %d", min(2*n, 32768))
	}
	for _, o := range d.ops {
		if o.unready() {
			t += fmt.Sprintf(", rnr_retry: %d", min(len(o.rnr)-1, 6))
			break
		}
	}
	if l := &d.losses; l.timeout > 0 {
		t += fmt.Sprintf(", timeout: %d", l.code())
		if l.retries > 0 {
			t += fmt.Sprintf(", retry_cnt: %d", min(l.retries, 7))
		}
	}
	for _, o := range c.asks[1-h].ops {
		if len(o.rnr) > 0 {
			t += fmt.Sprintf(", min_rnr_timer: %d", o.timer)
			break
		}
	}
	t += "}"
	if !c.known[h] {
		t += " # its number is not in the capture: a free one"
	}
	return t
}

// access returns the rights that one end gave the other: those of what was
// granted, and of what only a key stopped.
func (c *conn) access(h int) (a ib.AccessFlags) {
	for _, o := range c.asks[1-h].ops {
		need, remote := o.remote()
		if o.length == 0 && o.granted() {
			need, remote = zeroNeed[o.opcode], true
		}
		if remote && (o.granted() || o.nak == ib.NAKRemoteAccess || len(o.rnr) > 0) {
			a |= need
		}
	}
	return a
}

// zeroNeed are the rights that the queue pair must give to requests of no
// bytes, whose keys nobody looks at.
var zeroNeed = map[ib.WROpcode]ib.AccessFlags{
	ib.WRRDMAWrite: ib.RemoteWrite, ib.WRRDMAWriteWithImm: ib.RemoteWrite, ib.WRRDMARead: ib.RemoteRead,
}

func (c *conn) received(h int) (n int) {
	for _, o := range c.asks[1-h].ops {
		if o.receives() {
			n++
		}
	}
	return n
}

// name is how a side of a connection is called in notes.
func (c *conn) name(side int) string {
	return fmt.Sprintf("%s, to queue pair 0x%x", hostNames[side], uint32(c.qpn[1-side]))
}
