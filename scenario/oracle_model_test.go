package scenario_test

import "fmt"

// The model is the protocol as one would tell it to a friend: buffers are
// slices, objects are structs in lists, and each question is asked where the
// rules ask it. It shares no code with the tables and knows no index, no
// cache and no time. Key bytes are counted from the first that an object had.

const (
	lw = 1 << iota
	rw
	rr
	ra
	mb
	zb
)

type buffer struct {
	name, host string
	at, page   uint64
	bytes      []byte
	fill       string // hex, repeated
}

// A span is a part of a buffer that was read or written.
type span struct {
	buf      *buffer
	from, to uint64
}

// An object is a region or a window.
type object struct {
	name, host string
	kind       string // plain, fast, type 1, type 2
	state      string // valid, free, gone
	pd         string
	keyByte    int
	rights     int
	start, n   uint64 // what its keys understand
	pages      uint64 // the most that a fast one takes
	buf        *buffer
	off        uint64  // of a region: where start is in buf
	on         *object // of a bound window
	readOnly   bool    // of a region: how its pages are pinned
	zero       bool    // of a window: its addresses begin with 0
	qp         *queue  // of a bound type 2 window
}

func (o *object) isRegion() bool { return o.kind == "plain" || o.kind == "fast" }

type queue struct {
	name, host, pd string
	access         int
	mtu            uint64
	broken         bool
	peer           *queue
	recvs          []*receive
}

type receive struct {
	pieces []piece
	line   *line // whose expectation it is
}

// A key is that of an object when the request was posted, or so many bytes
// before it, or of an index where nothing is.
type key struct {
	of    *object
	byte  int
	back  int
	alien bool
}

func keyOf(o *object, back int) key { return key{of: o, byte: o.keyByte - back, back: back} }

type piece struct {
	key  key
	addr uint64
	n    uint64
}

type request struct {
	op       string // without IBV_WR_
	pieces   []piece
	remote   piece
	add      uint64
	swap     uint64
	imm      uint32
	unsigned bool // without a completion
	fence    bool
	bind     bind
}

type bind struct {
	window, region *object
	addr, n        uint64
	rights         int
	step           int // of the key byte
	buf            *buffer
	off            uint64
}

// An outcome is what one step came to.
type outcome struct {
	statuses []string // completions of the step's requests
	recvs    []string // completions of receives at the peer
	events   []string
	cause    string // of the first refused access; "?" where the text leaves it open
	at       string // host that refused
	vague    bool   // the text leaves open what happens
}

// Switches are where implementations differ (section 6), as far as the model
// knows it.
type switches struct {
	mlx5           bool   // is the base
	flavor2A       bool   // mw2_flavor
	keepKeys       bool   // rereg_keys
	noEvents       bool   // async_events: off
	localInvStatus string // local_inv_fail_status
	recvStatus     string // recv_lkey_fail_status
	immStatus      string // write_imm_fault
	invAnswer      string // what the sender of a refused SEND_WITH_INV gets
}

type model struct {
	v       switches
	buffers []*buffer
	objects []*object
	queues  []*queue
	// What was read and written since somebody began to look.
	reads, writes []span
}

func (m *model) windows(o *object) (n int) {
	for _, w := range m.objects {
		if w.on == o {
			n++
		}
	}
	return n
}

// judge is 3.1 and 3.2 step 9: may queue pair q of the object's host touch n
// bytes at p, under a need of rights; n is not 0.
func (m *model) judge(q *queue, p piece, n uint64, need int, remote bool) string {
	o := p.key.of
	switch {
	case p.key.alien:
		return "bad-index"
	case o.state == "gone":
		return "?" // its index may be another's by now
	case !o.isRegion() && !remote:
		return "bad-index" // KEY-11
	case (o.keyByte-p.key.byte)%256 != 0:
		return "bad-key"
	case o.state != "valid":
		return "not-valid"
	case o.pd != q.pd && !(o.kind == "type 2" && m.v.flavor2A):
		return "pd-mismatch"
	case o.kind == "type 2" && o.qp != q:
		return "qp-mismatch"
	case need != 0 && o.rights&need == 0:
		return "no-right"
	case p.addr < o.start, p.addr-o.start > o.n, n > o.n-(p.addr-o.start):
		return "out-of-range"
	}
	return ""
}

// place is where a byte address of an object is.
func (o *object) place(addr uint64) (*buffer, uint64) {
	if o.on != nil {
		if o.zero {
			addr += o.off
		}
		return o.on.place(addr)
	}
	return o.buf, o.off + (addr - o.start)
}

func (m *model) read(p piece, n uint64) []byte {
	b, at := p.key.of.place(p.addr)
	m.reads = append(m.reads, span{b, at, at + n})
	return append([]byte(nil), b.bytes[at:at+n]...)
}

func (m *model) write(p piece, data []byte) {
	if len(data) == 0 {
		return
	}
	b, at := p.key.of.place(p.addr)
	copy(b.bytes[at:], data)
	m.writes = append(m.writes, span{b, at, at + uint64(len(data))})
}

func total(pieces []piece) (n uint64) {
	for _, p := range pieces {
		n += p.n
	}
	return n
}

// cut gives the part of the pieces that bytes [from, to) of a message are.
func cut(pieces []piece, from, to uint64) (part []piece) {
	at := uint64(0)
	for _, p := range pieces {
		lo, hi := max(from, at), min(to, at+p.n)
		if lo < hi {
			part = append(part, piece{p.key, p.addr + lo - at, hi - lo})
		}
		at += p.n
	}
	return part
}

// gather collects the packets of a message, up to the first that is refused.
func (m *model) gather(q *queue, pieces []piece) (packets [][]byte, cause string, vague bool) {
	n := total(pieces)
	for from := uint64(0); from == 0 || from < n; from += q.mtu {
		var data []byte
		for _, p := range cut(pieces, from, min(n, from+q.mtu)) {
			if c := m.judge(q, p, p.n, 0, false); c != "" {
				return packets, c, c == "out-of-range" && n > q.mtu
			}
			data = append(data, m.read(p, p.n)...)
		}
		packets = append(packets, data)
	}
	return packets, "", false
}

// scatter writes a message to pieces, unless they are refused. What then stands
// in the good ones among them is left open (LOC-2).
func (m *model) scatter(q *queue, pieces []piece, data []byte) (cause string, vague bool) {
	used := cut(pieces, 0, uint64(len(data)))
	for i, p := range used {
		if cause = m.judge(q, p, p.n, lw, false); cause != "" {
			return cause, i > 0 || uint64(len(data)) > q.mtu && (cause == "out-of-range" || len(used) > 1)
		}
	}
	for _, p := range used {
		m.write(p, data[:p.n])
		data = data[p.n:]
	}
	return "", false
}

// breakdown is the way into ERR: what is posted is flushed (QP-3).
func (m *model) breakdown(q *queue) {
	q.broken = true
	for _, r := range q.recvs {
		r.line.wc = "WR_FLUSH_ERR"
	}
	q.recvs = nil
}

// flushed is breakdown of the responder: its flushed receives are seen.
func (m *model) flushed(q *queue, o *outcome) {
	for range q.recvs {
		o.recvs = append(o.recvs, "WR_FLUSH_ERR")
	}
	m.breakdown(q)
}

// take completes the oldest receive.
func (q *queue) take(o *outcome, status, more string) *receive {
	r := q.recvs[0]
	q.recvs = q.recvs[1:]
	o.recvs = append(o.recvs, status)
	r.line.wc = "{status: " + status + more + "}"
	return r
}

// refuse notes who refused an access, and why.
func (o *outcome) refuse(host, cause string) {
	if o.at == "" {
		o.at, o.cause = host, cause
	}
}

// run carries out one request of q.
func (m *model) run(q *queue, r *request, o *outcome) (ok bool) {
	status := "WR_FLUSH_ERR"
	if !q.broken {
		switch r.op {
		case "BIND_MW":
			status = m.changed(m.bind(q, &r.bind), q, o, "MW_BIND_ERR")
		case "REG_MR":
			status = m.changed(m.fastReg(q, &r.bind), q, o, m.v.localInvStatus)
		case "LOCAL_INV":
			status = m.changed(m.invalidate(q, r.remote.key), q, o, m.v.localInvStatus)
		case "RDMA_READ":
			status = m.rdmaRead(q, r, o)
		case "ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP":
			status = m.atomic(q, r, o)
		case "RDMA_WRITE", "RDMA_WRITE_WITH_IMM":
			status = m.rdmaWrite(q, r, o)
		default:
			status = m.send(q, r, o)
		}
		if status != "SUCCESS" {
			m.breakdown(q)
		}
	}
	if status != "SUCCESS" || !r.unsigned {
		o.statuses = append(o.statuses, status)
	}
	return status == "SUCCESS"
}

func (m *model) changed(ok bool, q *queue, o *outcome, status string) string {
	if ok {
		return "SUCCESS"
	}
	o.refuse(q.host, "?")
	return status
}

// refused is a NAK: both ends break.
func (m *model) refused(q *queue, o *outcome, status, event, cause string) string {
	if event != "" && !m.v.noEvents {
		o.events = append(o.events, "{on: "+q.peer.host+", event: "+event+", qp: "+q.peer.host+"."+q.peer.name+"}")
	}
	o.refuse(q.peer.host, cause)
	m.flushed(q.peer, o)
	return status
}

func (m *model) rdmaRead(q *queue, r *request, o *outcome) string {
	n := total(r.pieces)
	switch {
	case q.peer.broken:
		return "RETRY_EXC_ERR"
	case q.peer.access&rr == 0:
		return m.refused(q, o, "REM_INV_REQ_ERR", "QP_REQ_ERR", "?")
	}
	var data []byte
	if n > 0 { // REM-4
		if c := m.judge(q.peer, r.remote, n, rr, true); c != "" {
			return m.refused(q, o, "REM_ACCESS_ERR", "QP_ACCESS_ERR", c)
		}
		data = m.read(r.remote, n)
	}
	return m.sink(q, r, data, o)
}

func (m *model) sink(q *queue, r *request, data []byte, o *outcome) string {
	c, vague := m.scatter(q, r.pieces, data)
	o.vague = o.vague || vague
	if c != "" {
		o.refuse(q.host, c)
		return "LOC_PROT_ERR"
	}
	return "SUCCESS"
}

func word(b []byte) (n uint64) {
	for i := range b {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

func bytesOf(n uint64) (b []byte) {
	for range 8 {
		b = append(b, byte(n))
		n >>= 8
	}
	return b
}

func (m *model) atomic(q *queue, r *request, o *outcome) string {
	switch {
	case total(r.pieces) != 8: // LOC-6
		o.refuse(q.host, "?")
		return "LOC_LEN_ERR"
	case q.peer.broken:
		return "RETRY_EXC_ERR"
	case q.peer.access&ra == 0, r.remote.addr%8 != 0:
		return m.refused(q, o, "REM_INV_REQ_ERR", "QP_REQ_ERR", "?")
	}
	if c := m.judge(q.peer, r.remote, 8, ra, true); c != "" {
		return m.refused(q, o, "REM_ACCESS_ERR", "QP_ACCESS_ERR", c)
	}
	// A zero-based window may begin anywhere; a word of memory does not.
	if _, at := r.remote.key.of.place(r.remote.addr); at%8 != 0 {
		return m.refused(q, o, "REM_INV_REQ_ERR", "QP_REQ_ERR", "?")
	}
	was := m.read(r.remote, 8)
	switch {
	case r.op == "ATOMIC_FETCH_AND_ADD":
		m.write(r.remote, bytesOf(word(was)+r.add))
	case word(was) == r.add:
		m.write(r.remote, bytesOf(r.swap))
	}
	return m.sink(q, r, was, o)
}

func (m *model) rdmaWrite(q *queue, r *request, o *outcome) string {
	n, p := total(r.pieces), q.peer
	packets, local, vague := m.gather(q, r.pieces)
	if local != "" && len(packets) == 0 { // LOC-1, LOC-4
		o.vague = o.vague || vague
		o.refuse(q.host, local)
		return "LOC_PROT_ERR"
	}
	imm := r.op == "RDMA_WRITE_WITH_IMM"
	single := len(packets) == 1 && local == ""
	bad := ""
	if n > 0 {
		bad = m.judge(p, r.remote, n, rw, true)
	}
	o.vague = o.vague || bad == "out-of-range" && m.v.mlx5 && n > q.mtu // range_check: per_packet
	switch {
	case local != "" && (p.broken || p.access&rw == 0 || bad != "" || vague):
		o.vague = true // which of two faults is told is left open
		return "LOC_PROT_ERR"
	case p.broken:
		return "RETRY_EXC_ERR"
	case p.access&rw == 0:
		return m.refused(q, o, "REM_INV_REQ_ERR", "QP_REQ_ERR", "?")
	case imm && single && len(p.recvs) == 0: // REM-17
		return "RNR_RETRY_EXC_ERR"
	case bad != "" && imm && single: // REM-5
		p.take(o, m.v.immStatus, "")
		return m.refused(q, o, "REM_ACCESS_ERR", "", bad)
	case bad != "": // REM-1, REM-6
		return m.refused(q, o, "REM_ACCESS_ERR", "QP_ACCESS_ERR", bad)
	}
	to := r.remote
	for i, data := range packets {
		if imm && local == "" && i == len(packets)-1 && len(p.recvs) == 0 {
			return "RNR_RETRY_EXC_ERR"
		}
		m.write(to, data)
		to.addr += uint64(len(data))
	}
	if local != "" { // LOC-7
		o.refuse(q.host, local)
		return "LOC_PROT_ERR"
	}
	if imm {
		p.take(o, "SUCCESS", fmt.Sprintf(", opcode: RECV_RDMA_WITH_IMM, imm: %d", r.imm))
	}
	return "SUCCESS"
}

func (m *model) send(q *queue, r *request, o *outcome) string {
	n, p := total(r.pieces), q.peer
	packets, local, vague := m.gather(q, r.pieces)
	switch {
	case local != "" && len(packets) == 0:
		o.vague = o.vague || vague
		o.refuse(q.host, local)
		return "LOC_PROT_ERR"
	case local != "": // the responder is left with half a message
		o.vague = true
		return "LOC_PROT_ERR"
	case p.broken:
		return "RETRY_EXC_ERR"
	case len(p.recvs) == 0: // REM-18
		return "RNR_RETRY_EXC_ERR"
	case total(p.recvs[0].pieces) < n: // LOC-12
		o.vague = o.vague || n > q.mtu
		p.take(o, "LOC_LEN_ERR", "")
		return m.refused(q, o, "REM_INV_REQ_ERR", "", "?")
	}
	var data []byte
	for _, d := range packets {
		data = append(data, d...)
	}
	c, vague := m.scatter(p, p.recvs[0].pieces, data)
	o.vague = o.vague || vague
	if c != "" { // LOC-11
		p.take(o, m.v.recvStatus, "")
		return m.refused(q, o, "REM_OP_ERR", "", c)
	}
	flags := ""
	switch {
	case r.op == "SEND_WITH_IMM":
		flags = fmt.Sprintf(", wc_flags: [WITH_IMM], imm: %d", r.imm)
	case r.op == "SEND_WITH_INV" && !m.invalidate(p, r.remote.key): // INV-10
		o.vague = o.vague || n > 0 || len(o.statuses) > 0
		p.take(o, "MW_BIND_ERR", "")
		return m.refused(q, o, m.v.invAnswer, "", "?")
	case r.op == "SEND_WITH_INV":
		flags = ", wc_flags: [WITH_INV]"
	}
	p.take(o, "SUCCESS", fmt.Sprintf(", opcode: RECV, byte_len: %d", uint32(n))+flags)
	return "SUCCESS"
}

// bind is 4.2, after what the verb has looked at.
func (m *model) bind(q *queue, b *bind) bool {
	w, r := b.window, b.region
	unbind := w.kind == "type 1" && b.n == 0
	switch {
	case w.state == "gone", w.kind == "type 2" && w.state != "free":
		return false
	case !unbind && (r == nil || r.state != "valid"):
		return false
	case w.pd != q.pd, r != nil && r.pd != q.pd:
		return false
	}
	if !unbind {
		switch {
		case b.n == 0, r.rights&mb == 0, b.rights&(rw|ra) != 0 && r.rights&lw == 0:
			return false
		case !m.v.mlx5 && (b.addr < r.start || b.addr-r.start > r.n || b.n > r.n-(b.addr-r.start)): // bind_range_check
			return false
		}
	}
	if w.kind == "type 1" {
		w.keyByte++
	} else {
		w.keyByte += b.step
		w.qp = q
	}
	if unbind {
		w.state, w.on = "free", nil
		return true
	}
	w.state, w.on, w.rights, w.start, w.n = "valid", r, b.rights, b.addr, min(b.n, r.n-(b.addr-r.start))
	if w.zero = b.rights&zb != 0; w.zero {
		w.start, w.off = 0, b.addr
	}
	return true
}

// fastReg is MR-5.
func (m *model) fastReg(q *queue, b *bind) bool {
	r := b.region
	pages := (b.off+b.n-1)/b.buf.page - b.off/b.buf.page + 1
	switch {
	case r.kind != "fast", r.state != "free", r.pd != q.pd, pages > r.pages:
		return false
	case b.rights&(rw|ra) != 0 && b.rights&lw == 0: // ACC-19
		return false
	}
	r.state, r.rights, r.buf, r.off, r.start, r.n = "valid", b.rights, b.buf, b.off, b.addr, b.n
	r.keyByte += b.step
	return true
}

// invalidate is 4.3, by the owner or by the peer of q.
func (m *model) invalidate(q *queue, k key) bool {
	o := k.of
	switch {
	case k.alien, o.state == "gone", (o.keyByte-k.byte)%256 != 0:
		return false
	case o.kind == "type 2":
		if o.state != "valid" || o.qp != q || o.pd != q.pd {
			return false
		}
	case o.kind == "fast":
		if o.pd != q.pd || m.windows(o) > 0 {
			return false
		}
	default:
		return false
	}
	o.state, o.on, o.qp = "free", nil, nil
	return true
}
