package stress

import (
	"fmt"
	"slices"
	"strings"
)

// A lane is the requests of one queue pair, with a place at the peer that
// nobody else writes, and a key of its own or a common one that opens it.
type lane struct {
	*world
	name     string
	from, to *machine
	q, peer  string // the queue pairs
	pair     *pair
	back     *lane // of the same pair, the other way
	here     int   // the protection domain of q
	there    int   // that of peer
	mtu      int
	sq, rq   int
	at, n    int    // the place
	via      string // whole, own, window 1, window 2, fast, round, again
	object   string // region or window
	part     [2]int // of the place, what the key opens for the list that is drawn
	lists    [][]*op
	recvs    []*slot
	posted   int   // of the receives
	waits    []int // ns before each that is posted late
	spoilt   *op   // the one with a mistake
	dead     bool  // a SEND_WITH_INV has taken the key away
	late     bool  // receives are posted when they are already asked for
	srq      bool
	reads    [][2]int // READs behind the last fence, in the place
	kill     string
}

// A pair is two queue pairs.
type pair struct {
	uc     bool
	doomed bool // something on it is to fail, by key or by force
	few    bool // there may be fewer receives than messages
}

// A slot is where a receive puts a message.
type slot struct{ at, n int }

// An op is one request.
type op struct {
	lane   *lane
	id     string
	code   string
	src    int // in the source
	n      int
	off    int // in the target of the other host
	base   int // where the offsets of its key begin
	sink   int // in the target of this host
	a, b   uint64
	imm    bool
	quiet  bool // not signaled
	fence  bool
	inline bool
	shared bool // in the shared zone, or a counter
	bit    int
	count  *counter
	bad    string // what is wrong with it
	recv   int    // its receive, of those of the lane; -1

	ended  int
	status string
	place  int // in the order of ends
}

// pair makes two queue pairs and the requests of one or both of them.
func (w *world) pair(i int) {
	p := &pair{uc: w.one(7)}
	mtu := pick(w.Rand, 256, 256, 512, 1024, 4096)
	ends := [2]*machine{w.machines[0], w.machines[1]}
	if w.one(2) {
		ends[0], ends[1] = ends[1], ends[0]
	}
	domains := [2]int{w.IntN(ends[0].domains), w.IntN(ends[1].domains)}
	mk := func(name string, from, to *machine) *lane {
		l := &lane{world: w, name: name, from: from, to: to, pair: p, mtu: mtu,
			q: fmt.Sprintf("q%s%d", from.low, i), peer: fmt.Sprintf("q%s%d", to.low, i),
			here: domains[0], there: domains[1], sq: pick(w.Rand, 1, 2, 8, 8, 64), rq: pick(w.Rand, 1, 4, 8, 64)}
		w.lanes = append(w.lanes, l)
		return l
	}
	l, other := mk(fmt.Sprintf("f%d", i), ends[0], ends[1]), (*lane)(nil)
	l.work()
	if w.one(3) {
		other = mk(fmt.Sprintf("b%d", i), ends[1], ends[0])
		other.here, other.there = l.there, l.here
		l.back, other.back = other, l
		other.work()
	}
	timeout := pick(w.Rand, 17, 17, 18)
	if w.hasty && w.one(2) {
		timeout = 1 + w.IntN(6)
	}
	rnr := 7
	if p.few {
		rnr = pick(w.Rand, 0, 1, 3)
	}
	reads := pick(w.Rand, 1, 1, 2, 4, 16)
	for k, m := range ends {
		depths := l
		back := other
		if k == 1 {
			depths, back = other, l
		}
		sq, rq := 8, 4 // of an end that only answers or only asks
		if depths != nil {
			sq = depths.sq
		}
		if back != nil {
			rq = back.rq
			sq += 2 // what kills its key, and what gives it another
		}
		text := fmt.Sprintf("q%s%d: {peer: %s.q%s%d, mtu: %d, sq: %d, rq: %d, access: [REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC], psn: %d", m.low, i, m.peer.name, m.peer.low, i, mtu, sq, rq,
			pick(w.Rand, 0, 100, 16777215, 16777210, 8388600, w.IntN(1<<24)))
		if p.uc {
			text += ", type: UC"
		} else {
			text += fmt.Sprintf(", timeout: %d, retry_cnt: 7, rnr_retry: %d, min_rnr_timer: %d, max_rd_atomic: %d, max_dest_rd_atomic: %d", timeout, rnr, pick(w.Rand, 1, 5, 12), reads, reads)
		}
		if k := domains[k]; k > 0 {
			text += ", pd: " + of("p", m, k)
		}
		text += m.queue(w)
		if back != nil && back.srq {
			text += ", srq: " + m.srq.name
		}
		m.queues = append(m.queues, text+"}")
	}
}

// queue draws which completion queues a queue pair has: its own, or common ones.
func (m *machine) queue(w *world) string {
	name := func() string { return fmt.Sprintf("c%s%d", m.low, w.IntN(2)) }
	switch w.IntN(4) {
	case 0:
		return ", cq: " + name()
	case 1:
		return ", send_cq: " + name() + ", recv_cq: " + name()
	default:
		return ""
	}
}

// work draws the requests of a lane, and what happens to its key meanwhile.
func (l *lane) work() {
	lists := 1 + l.IntN(4)
	slot := pick(l.Rand, 64, l.mtu, 3*l.mtu+8, 4096)
	if l.rush {
		slot = min(slot, 4096)
	}
	l.key(slot, &lists)
	l.srq = !l.pair.uc && l.one(6)
	if l.srq && l.to.srq == nil {
		l.to.srq = &shared{name: "srq" + l.to.low, size: 600, limit: pick(l.Rand, 0, 1, 3, 10)}
	}
	if !l.srq && l.one(12) {
		l.pair.few, l.pair.doomed = true, true
	}
	for range lists {
		if l.moves() {
			l.part, l.reads = [2]int{l.at + len(l.lists)*slot, slot}, nil
		}
		var list []*op
		most := min(l.sq, 6)
		if l.rush {
			most = min(l.sq, 2)
		}
		for range 1 + l.IntN(most) {
			if o := l.op(); o != nil {
				o.quiet = l.one(4)
				list = append(list, o)
			}
		}
		if len(list) == 0 {
			continue
		}
		list[len(list)-1].quiet = false // or the queue would never be freed
		for k, o := range list {
			o.id = fmt.Sprintf("%s-%d.%d", l.name, len(l.lists), k+1)
		}
		l.lists = append(l.lists, list)
	}
	l.receive()
	if l.kill = l.killer(); l.kill != "" {
		l.pair.doomed = true
		l.kill = fmt.Sprintf("[{wait: %dns}, %s]", l.IntN(pick(l.Rand, 2000, 20000, 200000)), l.kill)
	}
	if l.one(10) {
		l.wrong()
	}
}

// key draws the place and what opens it: all of it, or for each list a slot.
func (l *lane) key(slot int, lists *int) {
	l.via = pick(l.Rand, "whole", "whole", "own", "own", "window 1", "window 2", "window 2", "fast", "round", "again")
	if l.rush && !l.one(4) {
		l.via = pick(l.Rand, "round", "round", "round", "again", "whole")
	}
	if l.pair.uc && (l.via == "fast" || l.moves()) {
		l.via = "own"
	}
	if l.via == "again" && (l.failing || l.variant == "rxe") { // where it may fail, and where there is none
		l.via = "round"
	}
	if l.n = slot; l.moves() {
		*lists += l.IntN(4)
		if l.rush {
			*lists += 8
		}
		l.n *= *lists
	}
	l.at = l.to.take(l.world, l.n)
	l.part = [2]int{l.at, l.n}
	all := "[LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]"
	l.object = of("t", l.to, l.there)
	pd, whole := of("p", l.to, l.there), l.object
	if l.via != "whole" {
		l.object = "k" + l.name
	}
	part := fmt.Sprintf("offset: %d, length: %d", l.at, l.n)
	remote := "[REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]"
	switch l.via {
	case "own":
		l.to.objects = append(l.to.objects, fmt.Sprintf("%s: {pd: %s, buf: u%s, %s, access: %s}", l.object, pd, l.to.low, part, all))
	case "fast":
		l.to.fast = append(l.to.fast, fmt.Sprintf("%s: {pd: %s, pages: 8}", l.object, pd))
		l.setup = append(l.setup, fmt.Sprintf("{on: %s, wr_reg_mr: {qp: %s, mr: %s, buf: u%s, %s, access: %s}, expect: {wc: SUCCESS}}", l.to.name, l.peer, l.object, l.to.low, part, all))
	case "again":
		l.to.objects = append(l.to.objects, fmt.Sprintf("%s: {pd: %s, buf: u%s, offset: %d, length: %d, access: %s}", l.object, pd, l.to.low, l.at, slot, all))
	case "round":
		l.to.fast = append(l.to.fast, fmt.Sprintf("%s: {pd: %s, pages: %d}", l.object, pd, max((slot+4094)/4096+1, pick(l.Rand, 2, 2, 3, 5, 8))))
	case "window 1":
		l.to.windows = append(l.to.windows, fmt.Sprintf("%s: {pd: %s, type: 1}", l.object, pd))
		l.setup = append(l.setup, fmt.Sprintf("{on: %s, bind_mw: {qp: %s, mw: %s, mr: %s, %s, access: %s}, expect: {wc: SUCCESS}}", l.to.name, l.peer, l.object, whole, part, remote))
	case "window 2":
		l.to.windows = append(l.to.windows, fmt.Sprintf("%s: {pd: %s, type: 2}", l.object, pd))
		l.setup = append(l.setup, fmt.Sprintf("{on: %s, wr_bind_mw: {qp: %s, mw: %s, mr: %s, %s, access: %s}, expect: {wc: SUCCESS}}", l.to.name, l.peer, l.object, whole, part, remote))
	}
}

// moves reports whether the key gets another range for each list.
func (l *lane) moves() bool { return l.via == "round" || l.via == "again" }

// size draws how much a request moves, at most n.
func (l *lane) size(n int) int {
	m := l.mtu
	return min(n, pick(l.Rand, 0, 1, 8, 64, m-1, m, m+1, 2*m, 3*m+5, l.IntN(2*m)))
}

// op draws a request.
func (l *lane) op() *op {
	codes := []string{"RDMA_WRITE", "RDMA_WRITE", "RDMA_READ", "RDMA_READ", "SEND", "RDMA_WRITE_WITH_IMM", "SEND_WITH_IMM", "ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP", "counter", "zone", "zone read", "SEND_WITH_INV"}
	at, room := l.part[0], l.part[1]
	o := &op{lane: l, code: pick(l.Rand, codes...), recv: -1, bit: -1}
	if l.via != "whole" {
		o.base = at
	}
	if l.moves() && o.code == "RDMA_READ" && !l.tidy() { // a copy of it may come when the key is dead
		o.code = "RDMA_WRITE"
	}
	if l.pair.uc && (strings.Contains(o.code, "READ") || strings.Contains(o.code, "read") || strings.HasPrefix(o.code, "ATOMIC") || o.code == "counter" || o.code == "SEND_WITH_INV") {
		o.code = "RDMA_WRITE"
	}
	if l.dead {
		o.code = pick(l.Rand, "SEND", "zone", "counter")
	}
	if o.code == "SEND_WITH_INV" && (l.via != "window 2" && l.via != "fast" || !l.one(2)) {
		o.code = "SEND"
	}
	if strings.HasPrefix(o.code, "SEND") || strings.HasSuffix(o.code, "IMM") {
		most := l.rq
		if l.srq {
			most = 50
		}
		if len(l.recvs) >= most || l.srq && len(l.to.srq.slots) >= 300 {
			return nil
		}
	}
	switch o.code {
	case "SEND", "SEND_WITH_IMM", "SEND_WITH_INV":
		o.n = l.size(4 * l.mtu)
		o.recv = len(l.recvs)
		if o.fence = o.code == "SEND_WITH_INV"; o.fence { // what came before still needs the key
			l.dead, l.reads = true, nil
		}
		if l.srq {
			o.n = l.IntN(l.to.srq.size + 1)
			s := &slot{l.to.take(l.world, l.to.srq.size), l.to.srq.size}
			l.to.srq.slots = append(l.to.srq.slots, s.at)
			l.recvs = append(l.recvs, s)
			break
		}
		n := o.n + pick(l.Rand, 0, 0, 1, 100)
		l.recvs = append(l.recvs, &slot{l.to.take(l.world, n), n})
	case "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ":
		o.n = l.size(room)
		o.off = at + l.IntN(room-o.n+1)
		if o.code == "RDMA_WRITE_WITH_IMM" {
			o.recv = len(l.recvs)
			s := &slot{l.to.take(l.world, 8), 0}
			if l.srq {
				s = &slot{l.to.take(l.world, l.to.srq.size), l.to.srq.size}
				l.to.srq.slots = append(l.to.srq.slots, s.at)
			}
			l.recvs = append(l.recvs, s)
		}
	case "ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP":
		o.n, o.off = 8, at+8*l.IntN(room/8)
		o.a, o.b = l.Uint64(), l.Uint64()
		if l.one(2) { // what stands there if nobody has written
			o.a = 0
			for range 8 {
				o.a = o.a<<8 | uint64(l.to.fill)
			}
		}
	case "counter":
		o.code, o.n, o.shared = "ATOMIC_FETCH_AND_ADD", 8, true
		o.count = pick(l.Rand, l.to.counters...)
		if len(o.count.adds) == 60 {
			return nil
		}
		o.off, o.bit = o.count.at, len(o.count.adds)
		o.a = 1 << o.bit
		o.count.adds = append(o.count.adds, o)
	case "zone", "zone read":
		o.shared = true
		o.n = l.size(sharedBytes)
		o.off = l.to.zone + l.IntN(sharedBytes-o.n+1)
		if o.code = "RDMA_WRITE"; o.code == "zone read" {
			o.code = "RDMA_READ"
		}
	}
	l.order(o)
	o.src = l.IntN(sourceBytes - o.n + 1)
	o.inline = (o.code == "RDMA_WRITE" || strings.HasPrefix(o.code, "SEND")) && o.n > 0 && o.n <= 64 && l.one(2)
	if o.takes() {
		o.sink = l.from.take(l.world, o.n)
	}
	return o
}

// takes reports whether bytes come back.
func (o *op) takes() bool {
	return o.code == "RDMA_READ" || strings.HasPrefix(o.code, "ATOMIC")
}

// order fences what would change what a READ before it is still reading: a READ
// is repeated when its answer is lost.
func (l *lane) order(o *op) {
	if o.shared || o.n == 0 || strings.HasPrefix(o.code, "SEND") {
		return
	}
	span := [2]int{o.off, o.off + o.n}
	if o.code == "RDMA_READ" {
		l.reads = append(l.reads, span)
		return
	}
	if o.fence = slices.ContainsFunc(l.reads, func(s [2]int) bool { return s[0] < span[1] && span[0] < s[1] }); o.fence {
		l.reads = nil
	}
}

// receive decides which receives there are and when: all but a few.
func (l *lane) receive() {
	l.late = l.one(4) && !l.pair.uc
	l.posted = len(l.recvs)
	if l.pair.few && l.posted > 0 && !l.srq {
		l.posted = l.IntN(l.posted)
	}
	if l.srq { // what breaks may take some with it
		for range 2 {
			s := &slot{l.to.take(l.world, l.to.srq.size), l.to.srq.size}
			l.to.srq.slots = append(l.to.srq.slots, s.at)
			l.recvs = append(l.recvs, s)
		}
		l.posted = len(l.recvs)
	}
	l.waits = make([]int, l.posted)
	for i := range l.waits {
		l.waits[i] = l.IntN(20000)
	}
}

// sure reports whether the text says of each of the lane's requests what comes
// of it.
func (l *lane) sure() bool {
	return !l.pair.doomed && (l.pair.uc && !l.untidy && !l.drops || !l.pair.uc && !l.drops && !l.harsh && !l.hasty)
}

// tidy reports whether no packet comes twice.
func (w *world) tidy() bool { return !w.untidy && !w.drops && !w.harsh && !w.hasty }

// receives writes down the receives of a lane, and what must come of them.
func (l *lane) receives() (list []string) {
	for i, s := range l.recvs[:l.posted] {
		sge := "[]"
		if s.n > 0 {
			domain := l.there
			if l.srq {
				domain = 0
			}
			sge = fmt.Sprintf("[{mr: %s, offset: %d, length: %d}]", of("t", l.to, domain), s.at, s.n)
		}
		if l.srq {
			list = append(list, fmt.Sprintf("{on: %s, post_srq_recv: {srq: %s, sge: %s}}", l.to.name, l.to.srq.name, sge))
			continue
		}
		text := fmt.Sprintf("{on: %s, post_recv: {qp: %s, sge: %s}", l.to.name, l.peer, sge)
		if l.sure() {
			for _, o := range l.ops() {
				switch {
				case o.recv != i:
				case o.code == "SEND":
					text += fmt.Sprintf(", expect: {wc: {status: SUCCESS, byte_len: %d}}", o.n)
				case strings.HasSuffix(o.code, "IMM"):
					text += fmt.Sprintf(", expect: {wc: {status: SUCCESS, byte_len: %d, imm: %d}}", o.n, o.src)
				}
			}
		}
		list = append(list, text+"}")
	}
	return list
}

func (l *lane) ops() []*op { return slices.Concat(l.lists...) }

// killer draws what takes the key away while it is used, or the queue pair.
func (l *lane) killer() string {
	if !l.storm && !l.one(4) || l.storm && l.one(2) {
		return ""
	}
	inv := fmt.Sprintf("{on: %s, wr_local_inv: {qp: %s, invalidate: %s}, expect: {wc: {status: [SUCCESS, WR_FLUSH_ERR, MW_BIND_ERR, LOC_QP_OP_ERR]}}}", l.to.name, l.peer, l.object)
	free := fmt.Sprintf("{on: %s, dealloc_mw: %s, expect: {errno: OK}}", l.to.name, l.object)
	list := []string{fmt.Sprintf("{on: %s, modify_qp: {qp: %s, state: ERR}, expect: {errno: OK}}", l.to.name, l.peer),
		fmt.Sprintf("{on: %s, modify_qp: {qp: %s, state: ERR}, expect: {errno: OK}}", l.from.name, l.q)}
	switch l.via {
	case "own":
		dereg := fmt.Sprintf("{on: %s, dereg_mr: %s, expect: {errno: OK}}", l.to.name, l.object)
		rereg := fmt.Sprintf("{on: %s, rereg_mr: {mr: %s, access: [LOCAL_WRITE]}}", l.to.name, l.object)
		fails := fmt.Sprintf("{on: %s, fault: {command: rereg_mr}}, %s", l.to.name, rereg)
		list = append(list, dereg, dereg, dereg, rereg, rereg)
		if l.failing {
			list = append(list, fails, fails)
		}
	case "window 1":
		again := fmt.Sprintf("{on: %s, bind_mw: {qp: %s, mw: %s, mr: %s, offset: %d, length: %d, access: [REMOTE_READ]}, expect: {wc: {status: [SUCCESS, WR_FLUSH_ERR]}}}", l.to.name, l.peer, l.object, of("t", l.to, l.there), l.at, l.n)
		list = append(list, free, free, again, again)
	case "window 2":
		list = append(list, free, inv, inv)
	case "round":
		list = append(list, inv, inv)
	case "fast":
		list = append(list, inv, inv, fmt.Sprintf("{on: %s, dereg_mr: %s, expect: {errno: OK}}", l.to.name, l.object))
	default:
		if l.storm || !l.one(3) {
			return ""
		}
	}
	return pick(l.Rand, list...)
}

// wrong spoils one of the requests.
func (l *lane) wrong() {
	if len(l.lists) == 0 {
		return
	}
	o := pick(l.Rand, pick(l.Rand, l.lists...)...)
	if o.n == 0 || o.shared || strings.HasPrefix(o.code, "SEND") || o.code == "RDMA_WRITE_WITH_IMM" || o.inline {
		return
	}
	kinds := []string{"local"}
	if !l.pair.uc && l.via != "window 2" && l.via != "window 1" && l.via != "fast" && !l.moves() {
		kinds = append(kinds, "byte", "byte", "index", "range")
	}
	o.bad, l.spoilt = pick(l.Rand, kinds...), o
	l.pair.doomed = true
}
