package run

import (
	"fmt"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// draw posts as many requests as are idle, in batches, each batch on the queue
// pair that the step picks. One that has no room lets the next have it.
func (l *load) draw(now sim.Time) {
	for l.more(now) && len(l.pool) >= l.batch {
		n := l.batch
		if left := l.count - l.measuring; left < uint64(n) {
			n = int(left)
		}
		at, q := l.pick(), (*loadQP)(nil)
		for i := range l.qps {
			if q = l.qps[(at+i)%len(l.qps)]; q.qp.qp.Room() >= n {
				break
			}
		}
		if q.qp.qp.Room() < n {
			return
		}
		q.idle = append(q.idle, l.pool[len(l.pool)-n:]...)
		l.pool = l.pool[:len(l.pool)-n]
		l.post(now, q, n)
	}
}

// rest takes back the record of a request that has ended.
func (l *load) rest(q *loadQP, h uint32) {
	if l.t.Window != nil {
		l.pool = append(l.pool, h)
		return
	}
	q.idle = append(q.idle, h)
}

// post posts n requests with one doorbell.
func (l *load) post(now sim.Time, q *loadQP, n int) {
	start := max(now, q.free)
	if start > now {
		l.r.rec.stalled(q.qp.side.end, postingCPU, uint64(n), start.Sub(now))
	}
	for i := range n {
		l.next(now, start, q, i)
	}
	done, errno, _ := q.qp.side.host.PostSend(start, q.qp.qp, q.wrs[:n])
	q.free = done
	if errno != ib.OK {
		l.r.failed = &Mistake{l.t.Pos, fmt.Sprintf("traffic: ibv_post_send returns %v", errno)}
		l.failed = true
		l.r.world.engine.Stop()
	}
}

// next makes the next request of a queue pair.
func (l *load) next(now, start sim.Time, q *loadQP, i int) {
	last := len(q.idle) - 1
	h := q.idle[last]
	q.idle = q.idle[:last]
	share := l.offer.opcode()
	w := &q.wrs[i]
	w.Opcode, w.Flags, w.Op = l.offer.mix[share].Opcode, l.flags, h
	n := l.offer.size()
	if w.Opcode == ib.WRAtomicFetchAndAdd || w.Opcode == ib.WRAtomicCmpAndSwp {
		n, w.Swap = 8, l.add
	}
	if w.Opcode == ib.WRBindMW {
		l.bind(w, n)
	} else {
		w.RemoteAddr, w.RKey = at(l.offer.target.next(n))
		addr, object := l.offer.source.next(n)
		l.piece(w, &q.sges[i], addr, object, n)
	}
	posted, measured := start, false
	if l.period > 0 {
		a := q.backlog.Pop()
		l.served(now, q, a)
		if start, measured = a.at, a.measured; measured {
			res := &l.results[share]
			res.Offered++
			if a.waits {
				res.Queued++
			}
		}
	} else {
		measured = l.begins(start)
	}
	switch {
	case l.ponging:
	case measured:
		l.peak.post(posted)
	default:
		q.cold++
	}
	q.posted++
	l.number++
	if l.signalEvery == 1 || q.posted%l.signalEvery == 0 || l.measuring == l.count {
		w.Flags |= ib.Signaled
	}
	o := l.r.ops.At(h)
	o.Start, o.Bytes, o.slot, o.share, o.measured, o.landed, o.number = start, n, uint32(q.index), uint8(share), measured, 0, l.number
}

// begins counts a request that begins, and reports whether it is measured.
func (l *load) begins(start sim.Time) (measured bool) {
	measured = l.posted >= l.warmup && start >= l.warm
	if measured {
		if l.measuring == 0 {
			l.span.first(start, l.posted)
		}
		l.measuring++
	}
	l.posted++
	return measured
}

// at returns the address and key that a request at the peer carries.
func at(addr uint64, object *named) (uint64, ib.RKey) {
	if object.mr != nil {
		return addr, object.mr.RKey
	}
	return addr, ib.RKey(object.key())
}

// piece fills in the piece of local memory.
func (l *load) piece(w *host.SendWR, s *ib.SGE, addr uint64, object *named, n uint64) {
	*s = ib.SGE{Addr: addr, Length: uint32(n), LKey: ib.LKey(object.key())}
	if m := object.mr; m != nil && m.Process != nil {
		w.Memory = m.Process
		if w.Flags&ib.Inline != 0 {
			s.Addr += m.VA - m.IOVA
		}
	}
}
