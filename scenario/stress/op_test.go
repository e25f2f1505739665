package stress

import (
	"slices"
	"strings"
)

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
	if o.code == "SEND_WITH_INV" && (l.via != "window 2" && l.via != "fast" || !l.one(2) || l.asked && !l.tidy()) {
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
		l.asked = true
		l.reads = append(l.reads, span)
		return
	}
	if o.fence = slices.ContainsFunc(l.reads, func(s [2]int) bool { return s[0] < span[1] && span[0] < s[1] }); o.fence {
		l.reads = nil
	}
}
