package stress

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// text is the scenario.
func (w *world) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nkind: scenario\nname: stress-%d\nvariant: %s\n%s", w.seed, w.variant, w.head)
	b.WriteString("hosts:\n")
	for _, m := range w.machines {
		fmt.Fprintf(&b, "  %s:\n    pd: [%s]\n    cq: {c%s0: {depth: 8192}, c%s1: {depth: 8192}}\n    hca: %s\n    host: %s\n", m.name, strings.Join(m.each("%s", "p"), ", "), m.low, m.low, m.hca, m.host)
		fmt.Fprintf(&b, "    mem:\n      v%s: {length: %d, at: 0x10000000, fill: {hex: %q}}\n      u%s: {length: %d, at: 0x40000000, page: %dKiB, fill: %d}\n",
			m.low, sourceBytes, hex.EncodeToString(m.pattern), m.low, m.size, m.page/1024, m.fill)
		near := ""
		if m.near > 0 {
			near = fmt.Sprintf(", length: %d", m.near)
		}
		mapping(&b, "mr", append(m.each("%s: {pd: %s, buf: v"+m.low+", access: []}", "s", "p"),
			m.each("%s: {pd: %s, buf: u"+m.low+near+", access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, MW_BIND]}", "t", "p")...))
		mapping(&b, "", m.objects)
		mapping(&b, "fr", m.fast)
		mapping(&b, "mw", m.windows)
		if m.srq != nil {
			mapping(&b, "srq", []string{m.srq.name + ": {max_wr: 512}"})
		}
		mapping(&b, "qp", m.queues)
	}
	b.WriteString("ops:\n")
	for _, m := range w.machines {
		for _, c := range m.counters {
			fmt.Fprintf(&b, "  - {on: %s, store: {buf: u%s, offset: %d, data: {u64: 0}}}\n", m.name, m.low, c.at)
		}
	}
	for _, s := range w.streams {
		if s.add {
			fmt.Fprintf(&b, "  - {on: %s, store: {buf: u%s, offset: %d, data: {u64: 0}}}\n", s.to.name, s.to.low, s.at)
		}
	}
	early, late := w.setup, []string(nil)
	for _, l := range w.lanes {
		list := l.receives()
		if !l.late {
			early = append(early, list...)
			continue
		}
		for i := range list {
			list[i] = fmt.Sprintf("{wait: %dns}, %s", l.waits[i], list[i])
		}
		if len(list) > 0 {
			late = append(late, "["+strings.Join(list, ", ")+"]")
		}
	}
	for _, m := range w.machines {
		if m.srq != nil && m.srq.limit > 0 {
			early = append(early, fmt.Sprintf("{on: %s, modify_srq: {srq: %s, limit: %d}}", m.name, m.srq.name, m.srq.limit))
		}
	}
	for _, s := range append(early, w.faults...) {
		b.WriteString("  - " + s + "\n")
	}
	b.WriteString("  - parallel:\n")
	for _, l := range w.lanes {
		if len(l.lists) > 0 {
			b.WriteString("      - [" + strings.Join(l.steps(), ",\n         ") + "]\n")
		}
	}
	for _, m := range w.machines {
		for k := range min(m.pages, 6) {
			late = append(late, fmt.Sprintf("[{wait: %dus}, {on: %s, page_out: {buf: u%s, offset: %d, length: 4096}}]", k*k*k*10, m.name, m.low, far+4096*(k*5%m.pages)))
		}
	}
	for _, s := range w.streams {
		late = append(late, s.text())
	}
	for _, d := range w.grams {
		late = append(late, d.text())
	}
	for _, l := range w.lanes {
		if l.kill != "" {
			late = append(late, l.kill)
		}
	}
	for _, s := range late {
		b.WriteString("      - " + s + "\n")
	}
	return b.String()
}

// each writes a text once for each domain, of the names of some kinds there.
func (m *machine) each(format string, kinds ...string) (list []string) {
	for k := range m.domains {
		var names []any
		for _, kind := range kinds {
			names = append(names, of(kind, m, k))
		}
		list = append(list, fmt.Sprintf(format, names...))
	}
	return list
}

func mapping(b *strings.Builder, name string, list []string) {
	if len(list) == 0 {
		return
	}
	if name != "" {
		b.WriteString("    " + name + ":\n")
	}
	for _, s := range list {
		b.WriteString("      " + s + "\n")
	}
}

// steps are the lists of a lane.
func (l *lane) steps() (list []string) {
	for i, ops := range l.lists {
		var wrs []string
		for _, o := range ops {
			wrs = append(wrs, o.text())
		}
		doorbell, expect := "", ""
		if l.sure() {
			n := len(slices.DeleteFunc(slices.Clone(ops), func(o *op) bool { return o.quiet }))
			expect = fmt.Sprintf(", expect: {wc: [SUCCESS*%d]}", n)
		}
		if l.seed%5 == 0 {
			doorbell = "doorbell: each, "
		}
		before, behind := l.round(ops[0].base)
		list = append(list, fmt.Sprintf(before+"{id: %s-%d, on: %s, post_send: {%swrs: [%s]}%s}", l.name, i, l.from.name, doorbell, strings.Join(wrs, ", "), expect)+behind)
	}
	return list
}

// round gives the key its range for one list, and takes it away.
func (l *lane) round(at int) (before, behind string) {
	switch l.via {
	case "again":
		return fmt.Sprintf("{on: %s, rereg_mr: {mr: %s, buf: u%s, offset: %d, length: %d}, expect: {errno: OK}},\n         ", l.to.name, l.object, l.to.low, at, l.part[1]), ""
	case "round":
	default:
		return "", ""
	}
	expect := "SUCCESS"
	if !l.sure() {
		expect = "{status: [SUCCESS, WR_FLUSH_ERR, MW_BIND_ERR, LOC_QP_OP_ERR]}"
	}
	before = fmt.Sprintf("{on: %s, wr_reg_mr: {qp: %s, mr: %s, buf: u%s, offset: %d, length: %d, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]}, expect: {wc: %s}},\n         ",
		l.to.name, l.peer, l.object, l.to.low, at, l.part[1], expect)
	return before, fmt.Sprintf(",\n         {on: %s, wr_local_inv: {qp: %s, invalidate: %s}, expect: {wc: %s}}", l.to.name, l.peer, l.object, expect)
}

func (o *op) text() string {
	l := o.lane
	parts := []string{"qp: " + l.q, "opcode: " + o.code, "sge: " + o.pieces()}
	if !strings.HasPrefix(o.code, "SEND") {
		parts = append(parts, "remote: "+o.remote())
	}
	if strings.HasSuffix(o.code, "IMM") {
		parts = append(parts, fmt.Sprintf("imm: %d", o.src))
	}
	switch o.code {
	case "SEND_WITH_INV":
		parts = append(parts, "invalidate: "+l.object)
	case "ATOMIC_FETCH_AND_ADD":
		parts = append(parts, fmt.Sprintf("add: %d", o.a))
	case "ATOMIC_CMP_AND_SWP":
		parts = append(parts, fmt.Sprintf("compare: %d, swap: %d", o.a, o.b))
	}
	var flags []string
	if o.fence {
		flags = append(flags, "FENCE")
	}
	if o.inline {
		flags = append(flags, "INLINE")
	}
	if len(flags) > 0 {
		parts = append(parts, "send_flags: ["+strings.Join(flags, ", ")+"]")
	}
	if o.quiet {
		parts = append(parts, "signaled: false")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (o *op) remote() string {
	l := o.lane
	object, off := l.object, o.off-o.base
	if o.shared {
		object, off = of("t", l.to, l.there), o.off
	}
	kind, key := "mr", ""
	if !o.shared && strings.HasPrefix(l.via, "window") {
		kind = "mw"
	}
	switch o.bad {
	case "byte":
		key = ", key: {byte: +1}"
	case "index":
		key = ", key: {index: +100000}"
	case "range":
		off = l.n
		if l.via == "whole" {
			off = l.to.size + 8
		}
	}
	return fmt.Sprintf("{%s: %s.%s, offset: %d%s}", kind, l.to.name, object, off, key)
}

// pieces is where the bytes come from or go to, in one to three.
func (o *op) pieces() string {
	l := o.lane
	region, at := of("s", l.from, l.here), o.src
	if o.takes() {
		region, at = of("t", l.from, l.here), o.sink
	}
	if o.n == 0 {
		return "[]"
	}
	cuts := []int{0, o.n}
	switch {
	case o.bad != "" || strings.HasPrefix(o.code, "ATOMIC"):
	case o.src%3 == 1 && o.n > 10:
		cuts = []int{0, 7, o.n}
	case o.src%3 == 2 && o.n > 300:
		cuts = []int{0, 1, 257, o.n}
	}
	key := ""
	if o.bad == "local" {
		key = fmt.Sprintf(", key: {of: %s, byte: +1}", region)
	}
	var list []string
	for i := range cuts[1:] {
		list = append(list, fmt.Sprintf("{mr: %s, offset: %d, length: %d%s}", region, at+cuts[i], cuts[i+1]-cuts[i], key))
	}
	return "[" + strings.Join(list, ", ") + "]"
}
