package study

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/tpt"
	"hcasim/tpt/explore"
)

// A writer turns a counterexample into a scenario. The server owns the small
// world, the client asks.
type writer struct {
	b       strings.Builder
	made    map[string]int    // how often an object's name was given
	name    map[string]string // of each object now
	buffers int               // buffers used, one of each address space
	under   map[string]int    // of each region: the buffer behind it now
	last    bool              // the step that is in question
	kind    explore.Kind
}

// scenario returns the counterexample as the text of a scenario file.
func (x *Exploration) scenario() string {
	c := x.Report.Broken
	if c == nil {
		return ""
	}
	w := &writer{made: map[string]int{}, name: map[string]string{}, under: map[string]int{}, kind: c.Kind}
	moves := 0
	for _, m := range c.Moves {
		if m.Command.Rereg&ib.ReregTranslation != 0 || m.Command.Op == tpt.RegMR || m.Command.Op == tpt.FastRegMR {
			moves++
		}
	}
	w.head(x, moves)
	for n := range c.Moves {
		w.last = n == len(c.Moves)-1 && c.Kind > explore.Loss
		w.move(&c.Moves[n])
	}
	if c.Kind <= explore.Loss {
		w.access(c)
	}
	return w.b.String()
}

// line writes one line.
func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

const flags = "access: [REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC], retry_cnt: 1, rnr_retry: 0"

// firstQPN is the number of the server's first queue pair. One that is made
// anew has the number of the old one, as in the search.
const firstQPN = 0x10

// head writes what is there before the first operation. Every registration
// has pages of its own, all at the address of its region: each buffer is in
// an address space of its own.
func (w *writer) head(x *Exploration, buffers int) {
	w.line("version: 1\nkind: scenario\nname: explore-%s", x.Report.Broken.Kind)
	w.line("about: >-\n  A shortest sequence that hcasim explore found; what is expected is what the rules demand.")
	w.line("variant: %s\nhosts:", x.Variant)
	w.line("  client:\n    pd: [pd]\n    mr: {here: {length: 16KiB, fill: 0xA5, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ]}}\n    qp:")
	for n := 1; n <= 3; n++ {
		w.line("      c%d: {peer: server.q%d, %s}", n, n, flags)
	}
	w.line("  server:\n    pd: [pd1, pd2]")
	if buffers > 0 {
		spaces, mem := make([]string, buffers), make([]string, 0, buffers)
		for n := range spaces {
			spaces[n] = fmt.Sprintf("space%d", n+1)
		}
		k := 0
		for _, m := range x.Report.Broken.Moves {
			if c := &m.Command; c.Op == tpt.RegMR || c.Op == tpt.FastRegMR || c.Rereg&ib.ReregTranslation != 0 {
				k++
				mem = append(mem, fmt.Sprintf("      pages%d: {length: 8KiB, at: 0x%x, fill: 0x%x, proc: space%d}", k, c.VA, 0x10+k, k))
			}
		}
		w.line("    proc: [%s]\n    mem:\n%s", strings.Join(spaces, ", "), strings.Join(mem, "\n"))
	}
	w.line("    qp:")
	for n := 1; n <= 3; n++ {
		w.line("      q%d: {pd: pd%d, peer: client.c%d, %s}", n, 1+n/3, n, flags)
		w.name[fmt.Sprintf("q%d", n)] = fmt.Sprintf("q%d", n)
	}
	w.line("ops:")
}

// give names an object anew.
func (w *writer) give(object string) string {
	w.made[object]++
	w.name[object] = object
	if n := w.made[object]; n > 1 || object[0] == 'q' {
		w.name[object] = fmt.Sprintf("%s_%d", object, n)
	}
	return w.name[object]
}

// step writes an operation of the server and what must come of it: done says
// what an operation that is carried out shows.
func (w *writer) step(done, format string, args ...any) {
	expect := done
	if w.last && w.kind == explore.Done {
		expect = "not: {" + done + "}"
	}
	w.line("  - {on: server, %s, expect: {%s}}", fmt.Sprintf(format, args...), expect)
}

// rights are flags as a list.
func rights(f ib.AccessFlags) string {
	return "[" + strings.ReplaceAll(strings.ReplaceAll(f.String(), "IBV_ACCESS_", ""), "|", ", ") + "]"
}

// buffer puts the next buffer under a region.
func (w *writer) buffer(object string) string {
	w.buffers++
	w.under[object] = w.buffers
	return fmt.Sprintf("pages%d", w.buffers)
}

func (w *writer) move(m *explore.Move) {
	c := &m.Command
	w.line("  # %s", m.Name)
	q := w.name[fmt.Sprintf("q%d", c.QPN)]
	const errno, wc = "errno: OK", "wc: SUCCESS"
	switch c.Op {
	case tpt.RegMR:
		w.step(errno, "reg_mr: {as: %s, pd: pd%d, buf: %s, access: %s}", w.give(m.Object), c.PD, w.buffer(m.Object), rights(c.Access))
	case tpt.DeregMR:
		w.step(errno, "dereg_mr: %s", w.name[m.Object])
	case tpt.ReregMR:
		w.rereg(m)
	case tpt.AllocMR:
		w.step(errno, "alloc_mr: {as: %s, pd: pd%d, pages: %d}", w.give(m.Object), c.PD, c.MaxPages)
	case tpt.FastRegMR:
		w.step(wc, "wr_reg_mr: {qp: %s, mr: %s, buf: %s, access: %s}", q, w.name[m.Object], w.buffer(m.Object), rights(c.Access))
	case tpt.AllocMW:
		w.step(errno, "alloc_mw: {as: %s, pd: pd%d, type: %d}", w.give(m.Object), c.PD, c.MWType)
	case tpt.DeallocMW:
		w.step(errno, "dealloc_mw: %s", w.name[m.Object])
	case tpt.BindMW:
		w.bind(m, q)
	case tpt.LocalInv:
		w.step(wc, "wr_local_inv: {qp: %s, invalidate: 0x%08x}", q, uint32(c.Key))
	case tpt.RemoteInv:
		w.line("  - {on: server, post_recv: {qp: %s, sge: []}}", q)
		on := w.last
		w.last = on && w.kind == explore.Done
		done := "wc: SUCCESS"
		if w.last {
			done = "not: {wc: SUCCESS}"
		}
		w.line("  - {on: client, wr_send_inv: {qp: c%d, invalidate: 0x%08x, sge: []}, expect: {%s}}", c.QPN, uint32(c.Key), done)
	case tpt.DestroyQP:
		w.step(errno, "destroy_qp: %s", q)
	case tpt.CreateQP:
		name := w.give(fmt.Sprintf("q%d", c.QPN))
		w.step(errno, "create_qp: {as: %s, pd: pd%d, peer: client.c%d, qpn: 0x%x, %s}", name, c.PD, c.QPN, firstQPN+c.QPN-1, flags)
		w.line("  - {on: client, modify_qp: {qp: c%d, peer: server.%s, state: [RESET, INIT, RTR, RTS]}}", c.QPN, name)
		w.line("  - {on: server, modify_qp: {qp: %s, state: [INIT, RTR, RTS]}}", name)
	default:
		panic(fmt.Sprintf("study: no scenario can say %v", c.Op))
	}
}

func (w *writer) rereg(m *explore.Move) {
	c := &m.Command
	mr := w.name[m.Object]
	const done = "rereg: OK"
	switch {
	case c.Fail:
		w.line("  - {on: server, fault: {command: rereg_mr}}")
		w.step("rereg: CMD", "rereg_mr: {mr: %s, access: %s}", mr, rights(c.Access))
	case c.Rereg == ib.ReregAccess:
		w.step(done, "rereg_mr: {mr: %s, access: %s}", mr, rights(c.Access))
	case c.Rereg == ib.ReregPD:
		w.step(done, "rereg_mr: {mr: %s, pd: pd%d}", mr, c.PD)
	default:
		w.step(done, "rereg_mr: {mr: %s, buf: %s}", mr, w.buffer(m.Object))
	}
}

func (w *writer) bind(m *explore.Move, q string) {
	c := &m.Command
	verb, done := "wr_bind_mw", "wc: SUCCESS"
	if c.MWType == ib.MWType1 {
		verb = "bind_mw"
	}
	switch {
	case c.NoRegion:
		w.step(done, "%s: {qp: %s, mw: %s, mr: none, length: 0B}", verb, q, w.name[m.Object])
	default:
		byte := ""
		if c.MWType == ib.MWType2 {
			byte = fmt.Sprintf(", key_byte: 0x%02x", c.NewByte)
		}
		w.step(done, "%s: {qp: %s, mw: %s, mr: %s, mr_key: 0x%08x, addr: 0x%x, length: %dB, access: %s%s}",
			verb, q, w.name[m.Object], w.name[m.Region], uint32(c.Region), c.VA, c.Length, rights(c.Access), byte)
	}
}

// bytes says which bytes a granted access moves.
func (w *writer) bytes(c *explore.Counterexample) string {
	a, k := &c.Access, w.under[c.Base]
	if a.Need&(ib.RemoteWrite|ib.LocalWrite) != 0 {
		return fmt.Sprintf(", memory: {server.pages%d: {at: %d, length: %dB, equals: 0xA5, rest: unchanged}}", k, c.Offset, a.Judge.Length)
	}
	return fmt.Sprintf(", memory: {client.here: {first: %dB, equals: 0x%x, rest: unchanged}}", a.Judge.Length, 0x10+k)
}

// access writes the access that was judged wrong.
func (w *writer) access(c *explore.Counterexample) {
	a := &c.Access
	w.line("  # %s: %s", c.Accessed(), c.Why)
	expect := "wc: SUCCESS"
	switch {
	case c.Kind == explore.Leak && c.Elsewhere: // the bytes are the matter
		expect += w.bytes(c)
	case c.Kind == explore.Leak && a.Remote:
		expect = "wc: REM_ACCESS_ERR"
	case c.Kind == explore.Leak:
		expect = "wc: LOC_PROT_ERR"
	}
	n, key := a.Judge.Length, fmt.Sprintf("0x%08x", uint32(a.Key))
	switch name := w.name[c.Bearer]; {
	case c.Bearer == "" || c.Dead:
	case a.Remote || c.Bearer[0] != 'w': // a key that the model may have drawn otherwise
		key = "{of: server." + name + "}"
	default:
		key = "{rkey: server." + name + "}"
	}
	if a.Remote {
		verb := map[ib.AccessFlags]string{ib.RemoteWrite: "wr_rdma_write", ib.RemoteRead: "wr_rdma_read", ib.RemoteAtomic: "wr_atomic_fetch_add"}[a.Need]
		add := ""
		if a.Need == ib.RemoteAtomic {
			add = "add: 1, "
		}
		w.line("  - {on: client, %s: {qp: c%d, %ssge: {mr: here, length: %dB}, remote: {addr: 0x%x, key: %s}}, expect: {%s}}",
			verb, a.QPN, add, n, a.Judge.VA, key, expect)
		return
	}
	verb := "wr_rdma_write"
	if a.Need&ib.LocalWrite != 0 {
		verb = "wr_rdma_read"
	}
	w.line("  - {on: server, %s: {qp: %s, sge: {addr: 0x%x, length: %dB, key: %s}, remote: {mr: client.here}}, expect: {%s}}",
		verb, w.name[fmt.Sprintf("q%d", a.QPN)], a.Judge.VA, n, key, expect)
}
