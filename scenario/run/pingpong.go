package run

import (
	"fmt"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// Ping-pong, as perftest measures latency: each side waits for the other's
// message and answers with one alike. A WRITE has come when the CPU sees its
// last byte, anything else with the completion of its receive. What is
// measured is half of a round.

// pingpong starts the first round on every queue pair.
func (l *load) pingpong(now sim.Time) {
	for _, q := range l.qps {
		if q.back == nil {
			n := l.r.world.peerOf(q.qp)
			if n == nil {
				l.fail("pingpong needs a queue pair at the other end: peer: connects it")
				return
			}
			q.back = &loadQP{qp: n, index: q.index}
		}
		q.back.wrs, q.back.sges = make([]host.SendWR, 1), make([]ib.SGE, 1)
		q.back.wrs[0].SGE = q.back.sges[:]
		if err := l.direct(q.back); err != nil {
			l.r.failed = err
			return
		}
		q.back.idle = []uint32{l.newOp(), l.newOp()}
	}
	for i, x := range l.r.world.sides {
		back := i == int(l.st.side.end)
		x.hca.Landed.Watch(func(d *hca.Landing) { l.landed(d, back) })
	}
	for _, q := range l.qps {
		l.serve(now, q)
	}
	l.rested(now)
}

func (l *load) fail(message string) {
	l.r.failed = &Mistake{l.t.Pos, "traffic: " + message}
	l.failed = true
	l.r.world.engine.Stop()
}

// serve begins a round.
func (l *load) serve(now sim.Time, q *loadQP) {
	if !l.more(now) {
		return
	}
	if len(q.idle) == 0 || q.qp.qp.Room() == 0 {
		l.fail("pingpong outruns its completions: depth: at least 2")
		return
	}
	l.rounds++
	start := max(now, q.free)
	l.next(now, start, q, 0)
	w := &q.wrs[0]
	w.Flags |= ib.Signaled
	q.began = start
	q.share, q.measured, q.bytes = l.r.ops.At(w.Op).share, l.r.ops.At(w.Op).measured, l.r.ops.At(w.Op).Bytes
	l.send(start, q)
}

// answer posts a message like the one that came, the other way.
func (l *load) answer(now sim.Time, q *loadQP) {
	b := q.back
	if len(b.idle) == 0 || b.qp.qp.Room() == 0 {
		l.fail("pingpong outruns its completions: depth: at least 2")
		return
	}
	h := b.idle[len(b.idle)-1]
	b.idle = b.idle[:len(b.idle)-1]
	w := &b.wrs[0]
	w.Opcode, w.Flags, w.Op = q.wrs[0].Opcode, q.wrs[0].Flags, h
	w.RemoteAddr, w.RKey = at(l.offer.source.next(q.bytes))
	addr, object := l.offer.target.next(q.bytes)
	l.piece(w, &b.sges[0], addr, object, q.bytes)
	o := l.r.ops.At(h)
	o.Bytes, o.slot, o.share, o.back, o.landed = q.bytes, uint32(q.index), q.share, true, 0
	l.send(max(now, b.free), b)
}

func (l *load) send(start sim.Time, q *loadQP) {
	done, errno, _ := q.qp.side.host.PostSend(start, q.qp.qp, q.wrs[:1])
	q.free = done
	l.flying++
	if errno != ib.OK {
		l.fail(fmt.Sprintf("ibv_post_send returns %v", errno))
	}
}

// landed counts the bytes of a WRITE. With the last one the CPU that polls
// its memory sees it.
func (l *load) landed(d *hca.Landing, back bool) {
	o := l.r.ops.At(d.Op)
	if !o.live || o.load != l || o.Recv || o.back != back || l.offer.mix[o.share].Opcode != ib.WRRDMAWrite {
		return
	}
	before := o.landed
	o.landed += uint64(d.N)
	if before < o.Bytes && o.landed >= o.Bytes {
		q := l.qps[o.slot]
		side := q.back.qp.side
		if back {
			side = q.qp.side
		}
		l.r.later.at(d.At.Add(side.host.Params.CPU.Poll), func(now sim.Time) { l.arrived(now, q, back) })
	}
}

// arrived answers a message, or ends the round with the answer.
func (l *load) arrived(now sim.Time, q *loadQP, back bool) {
	if l.failed {
		return
	}
	if !back {
		l.answer(now, q)
		return
	}
	l.rounds--
	if q.measured {
		half := now.Sub(q.began) / 2
		res := &l.results[q.share]
		res.Count++
		res.Bytes += q.bytes
		res.Latency.Add(half)
	}
	l.span.end(now, q.measured)
	l.serve(now, q)
	l.rested(now)
}

// acknowledged takes the completion of a message.
func (l *load) acknowledged(now sim.Time, o *op, c *ib.CQE) {
	q := l.qps[o.slot]
	if o.back {
		q = q.back
	} else {
		l.ended++
	}
	q.idle = append(q.idle, c.Op)
	l.flying--
	l.r.show(now, l, o, c.Status)
	if c.Status != ib.Success {
		l.status(o, c.Status)
	}
	l.rested(now)
}

// rested settles the step when the last round has ended.
func (l *load) rested(now sim.Time) {
	if l.flying > 0 || l.st.verbs == 0 || !l.failed && (l.rounds > 0 || l.more(now)) {
		return
	}
	for _, q := range l.qps {
		q.idle = append(q.idle, q.back.idle...)
		q.back.idle = nil
	}
	l.close(now)
}
