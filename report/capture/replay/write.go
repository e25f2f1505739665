package replay

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/report/capture/talk"
	"hcasim/sim"
)

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
	fmt.Fprintf(&b, "wire: {protocol: %s}\n", x.talk.Packets[0].Encap)
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
	return fmt.Sprintf("  - {on: %s, %s%s}%s\n", talk.Names[s.on], when, do, why)
}

func (x *plan) host(b *strings.Builder, h int) {
	s := x.sides[h]
	fmt.Fprintf(b, "  %s: # %s\n    pd: [%s]\n", talk.Names[h], x.talk.Hosts[h], strings.Join(s.pdNames(), ", "))
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
	for _, c := range x.conns {
		qps = append(qps, x.qpText(c, h))
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

// qpText declares one end of a connection.
func (x *plan) qpText(c *conn, h int) string {
	d, ops := &c.Asks[h], c.ops[h]
	kind := ""
	if c.UC {
		kind = "type: UC, "
	}
	t := fmt.Sprintf("%s: {pd: %s, %speer: %s.%s, qpn: 0x%x, mtu: %d", c.label, pdName(x.sides[h].pd[c]), kind, talk.Names[1-h], c.label, uint32(c.QPN[h]), c.MTU)
	if len(ops) > 0 {
		t += fmt.Sprintf(", psn: %d", d.PSN)
	}
	if a := c.access(h); a != 0 {
		t += ", access: " + flags(a)
	}
	if n := len(ops); n > 100 {
		t += fmt.Sprintf(", sq: %d", min(2*n, 32768))
	}
	if n := c.received(h); n > 100 {
		t += fmt.Sprintf(", rq: %d", min(2*n, 32768))
	}
	for _, o := range ops {
		if o.unready() {
			t += fmt.Sprintf(", rnr_retry: %d", min(len(o.RNR)-1, 6))
			break
		}
	}
	if l := &d.Losses; l.Timeout > 0 {
		t += fmt.Sprintf(", timeout: %d", timeoutCode(l.Timeout))
		if l.Retries > 0 {
			t += fmt.Sprintf(", retry_cnt: %d", min(l.Retries, 7))
		}
	}
	for _, o := range c.ops[1-h] {
		if len(o.RNR) > 0 {
			t += fmt.Sprintf(", min_rnr_timer: %d", o.Timer)
			break
		}
	}
	t += "}"
	if !c.Known[h] {
		t += " # its number is not in the capture: a free one"
	}
	return t
}
