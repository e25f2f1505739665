package stress

import (
	"fmt"
	"slices"
	"strings"
)

// A stream is a traffic: beside the lanes, on queue pairs and with a place of its
// own, where no packet is lost for good. It writes the beginning of the source over and over, or adds one to a word.
type stream struct {
	*world
	name     string
	from, to *machine
	add      bool
	at       int // in the target of the other host
	size, n  int // of a piece, and how many
	sink     int // of what the word was
	count    int
	depth    int
	signal   int // one completion for so many
}

// stream makes one.
func (w *world) stream(i int) {
	s := &stream{world: w, name: fmt.Sprintf("x%d", i), from: w.machines[w.IntN(2)], add: w.one(3), count: 1 + w.IntN(60), depth: pick(w.Rand, 1, 4, 16)}
	s.signal = pick(w.Rand, 1, s.depth)
	mtu, reads := pick(w.Rand, 256, 1024, 4096), pick(w.Rand, 1, 4)
	s.to = s.from.peer
	s.size, s.n = pick(w.Rand, 8, 64, 300, 1024, 2500), 1+w.IntN(6)
	if s.add {
		s.size, s.n = 8, 1
	}
	s.at, s.sink = s.to.take(w, s.size*s.n), s.from.take(w, 8)
	s.to.objects = append(s.to.objects, fmt.Sprintf("k%s: {buf: u%s, offset: %d, length: %d, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_ATOMIC]}", s.name, s.to.low, s.at, s.size*s.n))
	s.from.objects = append(s.from.objects, fmt.Sprintf("j%s: {buf: u%s, offset: %d, length: 8, access: [LOCAL_WRITE]}", s.name, s.from.low, s.sink))
	for _, m := range w.machines {
		m.queues = append(m.queues, fmt.Sprintf("q%s: {peer: %s.q%s, mtu: %d, access: [REMOTE_WRITE, REMOTE_ATOMIC], timeout: 17, retry_cnt: 7, max_rd_atomic: %d}",
			s.name, m.peer.name, s.name, mtu, reads))
	}
	w.streams = append(w.streams, s)
}

func (s *stream) text() string {
	what := fmt.Sprintf("opcode: RDMA_WRITE, source: {of: s%s, walk: fixed}, signal_every: %d", s.from.low, s.signal)
	if s.add {
		what = fmt.Sprintf("opcode: ATOMIC_FETCH_AND_ADD, add: 1, source: {of: j%s, walk: fixed}", s.name)
	}
	return fmt.Sprintf("{id: %s, on: %s, traffic: {qp: q%s, %s, size: %dB, target: {of: %s.k%s, walk: sequential}, depth: %d, count: %d}}",
		s.name, s.from.name, s.name, what, s.size, s.to.name, s.name, s.depth, s.count)
}

// stream holds what a stream left to what it writes, all of it.
func (c *check) stream(s *stream) {
	if s.add {
		put(s.to.image[s.at:], uint64(s.count))
		c.settle(s.from, s.sink, 8)
		return
	}
	for i := range min(s.n, s.count) {
		copy(s.to.image[s.at+i*s.size:], s.from.source(0, s.size))
	}
}

// route is what stands before a datagram.
const route = 40

// Datagrams go from one host to the other, each into a slot.
type datagrams struct {
	*world
	name     string
	from, to *machine
	size     int // of a slot
	slots    []int
	sends    [][2]int // in the source
}

// datagrams makes some.
func (w *world) datagrams(i int) {
	d := &datagrams{world: w, name: fmt.Sprintf("d%d", i), from: w.machines[w.IntN(2)]}
	d.to = d.from.peer
	mtu := pick(w.Rand, 256, 1024)
	d.size = route + mtu
	for range 1 + w.IntN(8) {
		n := pick(w.Rand, 0, 1, 64, mtu, w.IntN(mtu))
		d.sends = append(d.sends, [2]int{w.IntN(sourceBytes - n), n})
		d.slots = append(d.slots, d.to.take(w, d.size))
	}
	for _, m := range w.machines {
		m.queues = append(m.queues, fmt.Sprintf("q%s: {type: UD, qkey: 0x%d, mtu: %d, sq: 8, rq: 8}", d.name, i+1, mtu))
	}
	w.setup = append(w.setup, fmt.Sprintf("{on: %s, create_ah: {as: h%s, peer: %s.q%s}, expect: {errno: OK}}", d.from.name, d.name, d.to.name, d.name))
	for _, at := range d.slots {
		w.setup = append(w.setup, fmt.Sprintf("{on: %s, post_recv: {qp: q%s, sge: [{mr: t%s, offset: %d, length: %d}]}}", d.to.name, d.name, d.to.low, at, d.size))
	}
	w.grams = append(w.grams, d)
}

func (d *datagrams) text() string {
	var list []string
	for _, s := range d.sends {
		sge := "[]"
		if s[1] > 0 {
			sge = fmt.Sprintf("[{mr: s%s, offset: %d, length: %d}]", d.from.low, s[0], s[1])
		}
		list = append(list, fmt.Sprintf("{on: %s, wr_send: {qp: q%s, ah: h%s, sge: %s}, expect: {wc: SUCCESS}}", d.from.name, d.name, d.name, sge))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// datagrams looks for each in the slot of its turn; where they may be lost or
// come twice, for nothing else in any.
func (c *check) datagrams(d *datagrams) {
	got := c.memory(d.to)
	rest := func(n int) []byte { return slices.Repeat([]byte{d.to.fill}, n) }
	for i, at := range d.slots {
		is := string(got[at+route : at+d.size])
		holds := func(s [2]int) bool {
			return is == string(d.from.source(s[0], s[1]))+string(rest(d.size-route-s[1]))
		}
		if sure := !d.untidy && !d.drops; sure && !holds(d.sends[i]) || !sure && !slices.ContainsFunc(d.sends, holds) && is != string(rest(d.size-route)) {
			c.say("%s: slot %d holds %x…", d.name, i, is[:16])
		}
		c.settle(d.to, at, d.size)
	}
}

// beside counts what streams and datagrams came to.
func (f *figures) beside(w *world) {
	for _, s := range w.streams {
		f.streamed += uint64(s.count)
	}
	for _, d := range w.grams {
		f.datagrams += uint64(len(d.sends))
	}
}
