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
	via      string // whole, own, window 1, window 2, fast, round, again, paged
	object   string // region or window
	part     [2]int // of the place, what the key opens for the list that is drawn
	lists    [][]*op
	recvs    []*slot
	posted   int   // of the receives
	waits    []int // ns before each that is posted late
	spoilt   *op   // the one with a mistake
	asked    bool  // there was a READ by it: a late copy of that would be refused once the key is dead
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
	paged  bool // of an end memory may be away, and who asks for it is told to come again
	few    bool // there may be fewer receives than messages
}

// A slot is where a receive puts a message.
type slot struct{ at, n int }

// pair makes two queue pairs and the requests of one or both of them.
func (w *world) pair(i int) {
	p := &pair{uc: w.one(7)}
	mtu := pick(w.Rand, 256, 256, 512, 1024, 4096)
	ends := [2]*machine{w.machines[0], w.machines[1]}
	if w.one(2) && !(w.rush && w.one(2)) {
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
	if l.rush { // another page each time
		slot = 4096
	}
	l.key(slot, &lists)
	l.srq = !l.pair.uc && l.one(6)
	if l.srq && l.to.srq == nil {
		l.to.srq = &shared{name: "srq" + l.to.low, size: 600, limit: pick(l.Rand, 0, 1, 3, 10)}
	}
	if !l.srq && l.one(12) && !l.pair.paged {
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
