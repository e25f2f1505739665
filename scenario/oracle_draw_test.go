package scenario_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// A line is one step of the scenario that is being written. wc is set later
// where the step posts a receive.
type line struct {
	text   string
	wc     string
	expect []string
}

// A life draws what happens, asks the model what must come of it, and writes
// both down.
type life struct {
	*rapid.T
	model
	lines  []*line
	posted []*receive
	named  int
	made   map[string]int // statuses, by name
}

// Twelve even bits: ranges and lists of package rapid are drawn from their front
// more often than from their end, and lives would seldom come far.
var even = rapid.Custom(func(t *rapid.T) (n int) {
	for range 12 {
		if n <<= 1; rapid.Bool().Draw(t, "bit") {
			n++
		}
	}
	return n
})

// among draws one of a list, all alike.
func among[V any](l *life, name string, list []V) V {
	return list[even.Draw(l.T, name)*len(list)>>12]
}

func pick[V any](l *life, name string, of ...V) V { return among(l, name, of) }

// one is true once in n times.
func (l *life) one(n int, name string) bool { return even.Draw(l.T, name)*n>>12 == n-1 }

func (l *life) upTo(n uint64, name string) uint64 { return rapid.Uint64Range(0, n).Draw(l.T, name) }

func (l *life) name(host, kind string) string {
	l.named++
	return fmt.Sprintf("%s%s%d", strings.ToLower(host), kind, l.named)
}

// save returns what puts everything back.
func (m *model) save() (restore func()) {
	objects, queues, bytes := make([]object, len(m.objects)), make([]queue, len(m.queues)), make([][]byte, len(m.buffers))
	for i, o := range m.objects {
		objects[i] = *o
	}
	wcs := map[*line]string{}
	for i, q := range m.queues {
		queues[i] = *q
		for _, r := range q.recvs {
			wcs[r.line] = r.line.wc
		}
	}
	for i, b := range m.buffers {
		bytes[i] = slices.Clone(b.bytes)
	}
	reads, writes := m.reads, m.writes
	return func() {
		for i := range objects {
			*m.objects[i] = objects[i]
		}
		for i := range queues {
			*m.queues[i] = queues[i]
		}
		for r, wc := range wcs {
			r.wc = wc
		}
		for i := range bytes {
			copy(m.buffers[i].bytes, bytes[i])
		}
		m.reads, m.writes = reads, writes
	}
}

func overlap(a, b []span) bool {
	for _, x := range a {
		for _, y := range b {
			if x.buf == y.buf && x.from < y.to && y.from < x.to {
				return true
			}
		}
	}
	return false
}

// step writes down a step with what is the same for all: the bytes of every
// buffer, and the states of the queue pairs.
func (l *life) step(text string, expect ...string) *line {
	s := &line{text: text, expect: expect}
	s.expect = append(s.expect, l.memory(), l.states())
	l.lines = append(l.lines, s)
	l.reads, l.writes = nil, nil
	return s
}

func (l *life) states() string {
	var b []string
	for _, q := range l.queues {
		state := "RTS"
		if q.broken {
			state = "ERR"
		}
		b = append(b, q.name+": "+state)
	}
	return "qp: {" + strings.Join(b, ", ") + "}"
}

// memory says of every byte what it is: written in this step, or unchanged.
func (l *life) memory() string {
	var all []string
	for _, b := range l.buffers {
		written := make([]bool, len(b.bytes)+1)
		any := false
		for _, s := range l.writes {
			for i := s.from; s.buf == b && i < s.to; i++ {
				written[i], any = true, true
			}
		}
		if !any {
			all = append(all, b.name+": unchanged")
			continue
		}
		var parts []string
		for from := 0; from < len(b.bytes); {
			to := from
			for to < len(b.bytes) && written[to] == written[from] {
				to++
			}
			part := fmt.Sprintf("{at: %d, length: %d, unchanged: true}", from, to-from)
			if written[from] {
				part = fmt.Sprintf("{at: %d, length: %d, equals: {hex: %q}}", from, to-from, fmt.Sprintf("%x", b.bytes[from:to]))
			}
			parts = append(parts, part)
			from = to
		}
		all = append(all, b.name+": ["+strings.Join(parts, ", ")+"]")
	}
	return "memory: {" + strings.Join(all, ", ") + "}"
}

func accessText(rights int) string {
	var b []string
	for i, name := range []string{"LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC", "MW_BIND", "ZERO_BASED"} {
		if rights>>i&1 != 0 {
			b = append(b, name)
		}
	}
	return "[" + strings.Join(b, ", ") + "]"
}

// state is the expectation of an object.
func (l *life) state(o *object) string {
	text := o.name + ": {state: " + map[string]string{"valid": "VALID", "free": "FREE", "gone": "ABSENT"}[o.state]
	if !o.isRegion() && o.state == "valid" {
		text = o.name + ": {state: BOUND, mr: " + o.on.name
		if o.kind == "type 2" {
			text += ", qp: " + o.qp.name
		}
	}
	if o.state != "gone" {
		if o.state == "valid" {
			text += fmt.Sprintf(", addr: %d, length: %d, access: %s", o.start, o.n, accessText(o.rights))
		}
		if o.isRegion() {
			text += fmt.Sprintf(", windows: %d", l.windows(o))
		}
		text += ", pd: " + o.pd
	}
	return text + "}"
}

func (l *life) at(list ...*object) string {
	var b []string
	for _, o := range list {
		if o != nil {
			b = append(b, l.state(o))
		}
	}
	return "at: {" + list[0].host + ": {" + strings.Join(b, ", ") + "}}"
}

// live draws an object, mostly one that fits, and then gladly a window.
func (l *life) live(host string, fits func(o *object) bool) *object {
	var windows, good, all []*object
	for _, o := range l.objects {
		if o.host != host {
			continue
		}
		if all = append(all, o); fits(o) {
			if good = append(good, o); !o.isRegion() {
				windows = append(windows, o)
			}
		}
	}
	switch {
	case len(good) == 0, l.one(25, "stray object"):
		return among(l, "object", all)
	case len(windows) > 0 && l.one(2, "window"):
		return among(l, "window", windows)
	}
	return among(l, "object", good)
}

// only draws one that fits, nil if there is none.
func (l *life) only(host string, fits func(o *object) bool) *object {
	var good []*object
	for _, o := range l.objects {
		if o.host == host && o.state != "gone" && fits(o) {
			good = append(good, o)
		}
	}
	if len(good) == 0 {
		return nil
	}
	return among(l, "object", good)
}

// piece draws n bytes of memory that queue pair q may touch, or nearly.
func (l *life) piece(q *queue, n uint64, need int, remote bool) piece {
	o := l.live(q.host, func(o *object) bool {
		p := piece{keyOf(o, 0), o.start, n}
		return o.n >= n && l.judge(q, p, max(n, 1), need, remote) == ""
	})
	p := piece{key: keyOf(o, l.byteBack()), addr: o.start, n: n}
	room := o.n - min(o.n, n)
	where := pick(l, "where", "first", "any", "any", "last")
	if l.one(25, "outside") {
		where = pick(l, "outside", "behind", "before", "past")
	}
	switch where {
	case "any":
		p.addr += l.upTo(room, "offset")
		if need == ra && remote {
			p.addr = max(p.addr&^7, o.start)
		}
	case "last":
		p.addr += room
	case "behind":
		p.addr += room + 1
	case "before":
		p.addr--
	case "past":
		p.addr += o.n
	}
	if need == ra && remote && !l.one(8, "misaligned") {
		p.addr = (p.addr + 7) &^ 7
	}
	p.key.alien = l.one(80, "alien")
	return p
}

func (l *life) byteBack() int {
	if !l.one(30, "another byte") {
		return 0
	}
	return pick(l, "byte back", 1, 2, 128) // not the next: an object gone may have left it to another
}

// size draws the length of a message.
func (l *life) size(q *queue) uint64 {
	return pick(l, "size", 64, 8, 1, 0, 256, q.mtu-1, q.mtu, q.mtu+1, 2*q.mtu+3, 3*q.mtu)
}

func (l *life) pieces(q *queue, n uint64, need int) (list []piece) {
	if n == 0 && l.one(2, "no piece") {
		return nil
	}
	for left := n; ; {
		part := left
		if len(list) < 2 && l.one(3, "cut") {
			part = l.upTo(left, "piece")
		}
		list = append(list, l.piece(q, part, need, false))
		if left -= part; left == 0 {
			return list
		}
	}
}

// apart reports whether no two pieces lie over each other; those that are
// refused do not count.
func (l *life) apart(q *queue, list []piece, need int) bool {
	var seen []span
	for _, p := range list {
		if p.n == 0 || l.judge(q, p, p.n, need, false) != "" {
			continue
		}
		b, at := p.key.of.place(p.addr)
		s := []span{{b, at, at + p.n}}
		if overlap(s, seen) {
			return false
		}
		seen = append(seen, s...)
	}
	return true
}

func (k key) text() string {
	of := "of: " + k.of.name
	if k.back != 0 {
		of += fmt.Sprintf(", byte: -%d", k.back)
	}
	if k.alien {
		of += ", index: +900000"
	}
	return "{" + of + "}"
}

func (p piece) text(local bool) string {
	object := "mr: "
	switch {
	case local && !p.key.of.isRegion():
		// Memory of any buffer, under the key of a window.
		return fmt.Sprintf("{buf: %s0, length: %d, key: %s}", strings.ToLower(p.key.of.host), p.n, p.key.text())
	case !p.key.of.isRegion():
		object = "mw: "
	}
	text := fmt.Sprintf("{%s%s, addr: %d", object, p.key.of.name, p.addr)
	if local {
		text += fmt.Sprintf(", length: %d", p.n)
	}
	if p.key.back != 0 || p.key.alien {
		text += ", key: " + p.key.text()
	}
	return text + "}"
}

func piecesText(list []piece) string {
	var b []string
	for _, p := range list {
		b = append(b, p.text(true))
	}
	return "sge: [" + strings.Join(b, ", ") + "]"
}

// postRecv posts a receive of n bytes or more.
func (l *life) postRecv(q *queue, n uint64) {
	r := &receive{pieces: l.pieces(q, n, lw)}
	if !l.apart(q, r.pieces, lw) {
		return
	}
	text := fmt.Sprintf("on: %s, post_recv: {qp: %s, %s}", q.host, q.name, piecesText(r.pieces))
	r.line = &line{text: text}
	l.lines = append(l.lines, r.line)
	if q.broken {
		r.line.wc = "WR_FLUSH_ERR"
		return
	}
	q.recvs, l.posted = append(q.recvs, r), append(l.posted, r)
}
