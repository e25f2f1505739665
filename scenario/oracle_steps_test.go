package scenario_test

import (
	"fmt"
	"slices"
	"strings"
)

var dataOps = []string{"RDMA_WRITE", "RDMA_READ", "RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "SEND", "ATOMIC_CMP_AND_SWP", "RDMA_WRITE_WITH_IMM", "SEND_WITH_IMM"}

var ownOps = []string{"BIND_MW", "BIND_MW", "REG_MR", "LOCAL_INV", "SEND_WITH_INV"}

// request draws a request of q; ok is false where there is nothing to draw it
// of.
func (l *life) request(q *queue, quiet bool) (r request, ok bool) {
	op := ""
	if !quiet && l.one(3, "own") {
		op = pick(l, "op", ownOps...)
	} else {
		op = pick(l, "op", dataOps...)
	}
	r = request{op: op, unsigned: l.one(5, "unsignaled")}
	n := l.size(q)
	switch op {
	case "BIND_MW":
		return r, l.drawBind(q, &r.bind, "type 2")
	case "REG_MR":
		return r, l.drawReg(q, &r.bind)
	case "LOCAL_INV":
		return r, l.drawInvalidate(q, &r)
	case "SEND_WITH_INV":
		if !l.drawInvalidate(q.peer, &r) {
			return r, false
		}
		fallthrough
	case "SEND", "SEND_WITH_IMM":
		r.pieces = l.pieces(q, n, 0)
	case "RDMA_WRITE", "RDMA_WRITE_WITH_IMM":
		r.pieces, r.remote = l.pieces(q, n, 0), l.piece(q.peer, n, rw, true)
	case "RDMA_READ":
		r.pieces, r.remote = l.pieces(q, n, lw), l.piece(q.peer, n, rr, true)
	default:
		if n = 8; l.one(12, "odd sink") {
			n = l.upTo(16, "sink")
		}
		r.pieces, r.remote = l.pieces(q, n, lw), l.piece(q.peer, 8, ra, true)
		r.add, r.swap = l.upTo(1<<63, "add"), l.upTo(1<<63, "swap")
		if p := r.remote; l.one(2, "hit") && p.key.of.state == "valid" && l.judge(q.peer, p, 8, ra, true) == "" {
			b, at := p.key.of.place(p.addr)
			r.add = word(b.bytes[at : at+8])
		}
	}
	r.imm = uint32(l.upTo(1<<32-1, "imm"))
	return r, l.apart(q, r.pieces, lw)
}

func (l *life) drawInvalidate(q *queue, r *request) bool {
	fits := func(o *object) bool {
		return o.kind == "type 2" && o.state == "valid" && o.qp == q || o.kind == "fast" && o.pd == q.pd && l.windows(o) == 0
	}
	good := l.only(q.host, fits)
	switch {
	case l.one(8, "stray"):
		good = l.live(q.host, func(o *object) bool { return o.kind != "plain" })
	case good == nil:
		return false
	}
	r.remote.key = keyOf(good, l.byteBack())
	r.remote.key.alien = l.one(30, "alien")
	return true
}

// drawBind draws a window and what it is to be bound to.
func (l *life) drawBind(q *queue, b *bind, kind string) bool {
	b.window = l.only(q.host, func(o *object) bool {
		return o.kind == kind && o.pd == q.pd && (o.state == "free" || kind == "type 1")
	})
	if l.one(12, "stray window") {
		b.window = l.only(q.host, func(o *object) bool { return o.kind == kind })
	}
	b.region = l.only(q.host, func(o *object) bool {
		return o.isRegion() && o.state == "valid" && o.pd == q.pd && o.rights&mb != 0
	})
	if l.one(12, "stray region") {
		b.region = l.only(q.host, (*object).isRegion)
	}
	if b.window == nil || b.region == nil {
		return false
	}
	r := b.region
	b.rights = rr | rw | ra
	if r.rights&lw == 0 {
		b.rights = rr
	}
	if l.one(4, "other rights") {
		b.rights = pick(l, "window rights", rr|rw, rr, rw, ra, 0)
	}
	if kind == "type 2" && l.one(6, "zero based") {
		b.rights |= zb
	}
	b.step = pick(l, "key step", 1, 0, 2, 3)
	off := pick(l, "offset", 0, l.upTo(r.n, "any"), r.n/2)
	b.addr = r.start + off
	b.n = pick(l, "length", r.n-off, l.upTo(r.n-off, "any"))
	if l.one(15, "odd length") {
		b.n = pick(l, "odd", r.n-off+1, 0)
	}
	return true
}

func (l *life) drawReg(q *queue, b *bind) bool {
	b.region = l.only(q.host, func(o *object) bool { return o.kind == "fast" && o.state == "free" && o.pd == q.pd })
	if l.one(12, "stray region") {
		b.region = l.only(q.host, func(o *object) bool { return o.kind == "fast" })
	}
	if b.region == nil {
		return false
	}
	b.rights = l.rights()
	b.step = pick(l, "key step", 1, 2, 3)
	b.buf, b.off, b.n, b.addr = l.part(q.host)
	return true
}

// part draws a part of a buffer, and its first address.
func (l *life) part(host string) (b *buffer, off, n, addr uint64) {
	var all []*buffer
	for _, x := range l.buffers {
		if x.host == host {
			all = append(all, x)
		}
	}
	b = among(l, "buffer", all)
	size := uint64(len(b.bytes))
	off = pick(l, "offset", 0, 4096, 8, l.upTo(size-1, "any"))
	n = pick(l, "length", size-off, min(4096, size-off), 1+l.upTo(size-off-1, "any"))
	addr = b.at + off
	if l.one(4, "iova") {
		addr = uint64(pick(l, "high", 1, 2, 0x7FFFF))<<32 + off
	}
	return b, off, n, addr
}

func (l *life) rights() int {
	return pick(l, "rights", lw|rw|rr|ra|mb, lw|rw|rr|ra|mb, lw|mb, lw|rw, lw|rr|ra, mb|rr, rr, lw, 0, rw|rr)
}

func (r *request) text() string {
	b := &r.bind
	var parts []string
	switch r.op {
	case "BIND_MW":
		parts = append(parts, "bind_mw: {"+b.text()+fmt.Sprintf(", key_byte: +%d}", b.step))
	case "REG_MR":
		parts = append(parts, fmt.Sprintf("reg_mr: {mr: %s, buf: %s, offset: %d, length: %d, iova: %d, access: %s, key_byte: +%d}",
			b.region.name, b.buf.name, b.off, b.n, b.addr, accessText(b.rights), b.step))
	case "LOCAL_INV":
		parts = append(parts, "invalidate: "+r.remote.key.text())
	case "SEND_WITH_INV":
		parts = append(parts, piecesText(r.pieces), "invalidate: "+r.remote.key.text())
	case "SEND", "SEND_WITH_IMM":
		parts = append(parts, piecesText(r.pieces))
	default:
		parts = append(parts, piecesText(r.pieces), "remote: "+r.remote.text(false))
	}
	switch r.op {
	case "SEND_WITH_IMM", "RDMA_WRITE_WITH_IMM":
		parts = append(parts, fmt.Sprintf("imm: %d", r.imm))
	case "ATOMIC_FETCH_AND_ADD":
		parts = append(parts, fmt.Sprintf("add: %d", r.add))
	case "ATOMIC_CMP_AND_SWP":
		parts = append(parts, fmt.Sprintf("compare: %d, swap: %d", r.add, r.swap))
	}
	if r.unsigned {
		parts = append(parts, "signaled: false")
	}
	if r.fence {
		parts = append(parts, "send_flags: [FENCE]")
	}
	return "{opcode: " + r.op + ", " + strings.Join(parts, ", ") + "}"
}

func (b *bind) text() string {
	return fmt.Sprintf("mw: %s, mr: %s, addr: %d, length: %d, access: %s", b.window.name, b.region.name, b.addr, b.n, accessText(b.rights))
}

// list draws some requests for q and carries them out. What the text leaves
// open is not asked for; nor is anything behind what fails only when its
// answer comes, unless the peer must refuse it.
func (l *life) list(q *queue, most int, quiet bool) (list []request, o outcome, touched []*object) {
	pending, pendingReads := []span{}, []span{} // of READs and atomics before
	for range 1 + even.Draw(l.T, "requests")*most>>12 {
		r, ok := l.request(q, quiet)
		if !ok {
			continue
		}
		change := r.op == "BIND_MW" || r.op == "REG_MR" || r.op == "LOCAL_INV"
		if r.op == "LOCAL_INV" && l.v.mlx5 && len(list) > 0 {
			continue // local_inv_fence: relaxed
		}
		failed := len(list) > 0 && q.broken
		if failed && change && r.op != "LOCAL_INV" {
			continue // it does not wait for what is before it
		}
		if receiving := strings.HasPrefix(r.op, "SEND") || r.op == "RDMA_WRITE_WITH_IMM"; receiving && !q.broken && !q.peer.broken && len(q.peer.recvs) == 0 && !l.one(8, "not ready") {
			l.postRecv(q.peer, pick(l, "room", total(r.pieces), total(r.pieces), total(r.pieces)+100, total(r.pieces)/2))
		}
		restore, before := l.save(), o
		before.statuses, before.recvs, before.events = slices.Clone(o.statuses), slices.Clone(o.recvs), slices.Clone(o.events)
		reads, writes := len(l.reads), len(l.writes)
		wasBroken := q.broken
		good := l.run(q, &r, &o)
		silent := !good && !wasBroken && r.op == "SEND_WITH_INV" && len(list) > 0
		if o.vague || silent {
			restore()
			o = before
			continue
		}
		mine, read := l.writes[writes:], l.reads[reads:]
		waits := r.op == "RDMA_READ" || strings.HasPrefix(r.op, "ATOMIC")
		r.fence = overlap(mine, pendingReads) && !(r.op == "RDMA_READ") || overlap(read, pending) ||
			(r.op == "SEND_WITH_INV" && (len(pending) > 0 || len(pendingReads) > 0))
		if waits {
			pending, pendingReads = append(pending, mine...), append(pendingReads, append(slices.Clone(read), mine...)...)
		}
		if list = append(list, r); good {
			l.made[r.op]++
			if o := r.remote.key.of; o != nil && !o.isRegion() && o.state == "valid" {
				l.made["through a window of "+o.kind]++
			}
		}
		switch r.op {
		case "BIND_MW", "REG_MR":
			touched = append(touched, r.bind.window, r.bind.region)
		case "LOCAL_INV", "SEND_WITH_INV":
			touched = append(touched, r.remote.key.of)
		}
		if !good && !wasBroken && waits && !q.peer.broken {
			break // others may have gone out by the time its answer is refused
		}
	}
	return list, o, touched
}

func (l *life) postText(q *queue, list []request) string {
	var b []string
	for i := range list {
		b = append(b, list[i].text())
	}
	// The queue pair stands with the first.
	b[0] = "{qp: " + q.name + ", " + b[0][1:]
	return fmt.Sprintf("on: %s, post_send: [%s]", q.host, strings.Join(b, ", "))
}

func listed(what string, list []string) string {
	if len(list) == 0 {
		return what + ": none"
	}
	return what + ": [" + strings.Join(list, ", ") + "]"
}

func (l *life) count(o *outcome) {
	for _, s := range o.statuses {
		l.made[s]++
	}
	for _, s := range o.recvs {
		l.made["recv "+s]++
	}
	if o.cause != "" {
		l.made[o.cause]++
	}
}

// post is a step of requests.
func (l *life) post() {
	q := among(l, "queue pair", l.queues)
	if (q.broken || q.peer.broken) && !l.one(6, "broken") {
		l.mend(q)
	}
	list, o, touched := l.list(q, 4, false)
	if len(list) == 0 {
		return
	}
	fault := ""
	switch {
	case o.at != "" && o.cause != "?":
		fault = "fault: {at: " + o.at + ", cause: " + o.cause + "}"
	case o.at != "":
		fault = "fault: {at: " + o.at + "}"
	case !q.broken:
		fault = "fault: none"
		l.disturb(q, list)
	}
	l.count(&o)
	expect := []string{listed("wc", o.statuses), listed("recv", o.recvs), listed("event", o.events)}
	if fault != "" {
		expect = append(expect, fault)
	}
	at := map[string][]*object{}
	for _, t := range touched {
		if t != nil && t.state != "gone" && !slices.Contains(at[t.host], t) {
			at[t.host] = append(at[t.host], t)
		}
	}
	var hosts []string
	for _, h := range []string{"A", "B"} {
		if len(at[h]) > 0 {
			hosts = append(hosts, strings.TrimSuffix(strings.TrimPrefix(l.at(at[h]...), "at: {"), "}"))
		}
	}
	if len(hosts) > 0 {
		expect = append(expect, "at: {"+strings.Join(hosts, ", ")+"}")
	}
	l.step(l.postText(q, list), expect...)
}

// disturb loses, repeats or delays packets of a step that succeeds. It is one
// of which the first packet always comes, so that nothing is left for later.
func (l *life) disturb(q *queue, list []request) {
	wire := false
	for _, r := range list {
		wire = wire || r.op != "BIND_MW" && r.op != "REG_MR" && r.op != "LOCAL_INV"
	}
	if !wire || !l.one(4, "disturb") {
		return
	}
	from := pick(l, "from", q, q.peer)
	kind := pick(l, "fault", "drop", "drop", "duplicate", "delay", "corrupt")
	text := fmt.Sprintf("on: %s, fault: {wire: %s, from: %s, qp: %s", from.host, kind, from.host, from.name)
	switch kind {
	case "delay": // of one packet: a second one need not come
		text += ", count: 1, delay: " + pick(l, "delay", "1us", "10us", "2ms")
	case "duplicate":
		text += ", count: 1"
	default:
		text += fmt.Sprintf(", count: %d", pick(l, "times", 1, 2))
	}
	l.lines = append(l.lines, &line{text: text + "}"})
	l.made[kind]++
}

// named lists the objects that the requests of a list name, and those behind
// them; of these, what the list changes.
func named(list []request, recvs []*receive) (all, changed []*object) {
	pieces := []piece{}
	for _, r := range recvs {
		pieces = append(pieces, r.pieces...)
	}
	for i := range list {
		r := &list[i]
		pieces = append(append(pieces, r.pieces...), r.remote, piece{key: key{of: r.bind.window}}, piece{key: key{of: r.bind.region}})
		switch r.op {
		case "BIND_MW":
			changed = append(changed, r.bind.window)
		case "REG_MR":
			changed = append(changed, r.bind.region)
		case "LOCAL_INV", "SEND_WITH_INV":
			changed = append(changed, r.remote.key.of)
		}
	}
	for _, p := range pieces {
		if o := p.key.of; o != nil {
			all = append(all, o)
			if o.on != nil {
				all = append(all, o.on)
			}
		}
	}
	return all, changed
}

func share(a, b []*object) bool {
	return slices.ContainsFunc(a, func(o *object) bool { return slices.Contains(b, o) })
}

// together are lists on several pairs at once, and a verb beside them. None of
// them touches memory that another one writes, or names what another changes.
func (l *life) together() {
	var branches []string
	var all outcome
	used := map[*queue]bool{}
	var reads, writes []span
	var objects, changed []*object
	for range 3 {
		q := among(l, "queue pair", l.queues)
		if used[q] || q.broken {
			continue
		}
		l.reads, l.writes = nil, nil
		restore, lines := l.save(), len(l.lines)
		// What a bind or an invalidate has taken away is named all the same.
		waiting := slices.Clone(q.peer.recvs)
		posted := len(l.posted)
		behind := map[*object]*object{}
		for _, o := range l.objects {
			behind[o] = o.on
		}
		list, o, _ := l.list(q, 3, false)
		mine, change := named(list, append(waiting, l.posted[posted:]...))
		for _, x := range mine {
			if was := behind[x]; was != nil {
				mine = append(mine, was)
			}
		}
		if len(list) == 0 || share(change, objects) || share(changed, mine) ||
			overlap(l.writes, writes) || overlap(l.writes, reads) || overlap(l.reads, writes) {
			restore()
			l.lines = l.lines[:lines]
			continue
		}
		used[q], used[q.peer] = true, true
		reads, writes = append(reads, l.reads...), append(writes, l.writes...)
		objects, changed = append(objects, mine...), append(changed, change...)
		all.events = append(all.events, o.events...)
		l.count(&o)
		branches = append(branches, "{"+l.postText(q, list)+", expect: {"+listed("wc", o.statuses)+"}}")
	}
	if host := pick(l, "host", "A", "B"); l.one(2, "dereg") {
		o := l.only(host, func(o *object) bool { return o.isRegion() && l.windows(o) == 0 && !slices.Contains(objects, o) })
		if o != nil {
			o.state = "gone"
			branches = append(branches, fmt.Sprintf("{on: %s, dereg_mr: %s, expect: {errno: OK}}", host, o.name))
		}
	}
	if l.writes = writes; len(branches) > 0 {
		l.step("parallel: ["+strings.Join(branches, ", ")+"]", listed("event", all.events))
	}
}

// mend takes a pair down and up again (QP-7).
func (l *life) mend(q *queue) {
	for _, x := range []*queue{q, q.peer} {
		x.broken, x.recvs = false, nil
		l.lines = append(l.lines, &line{text: fmt.Sprintf("on: %s, modify_qp: {qp: %s, state: [RESET, INIT, RTR, RTS]}", x.host, x.name), expect: []string{"errno: OK"}})
	}
}
