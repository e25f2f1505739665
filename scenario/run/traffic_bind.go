package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// bind makes a request that binds the next window of the target to a place in
// the source. A window of type 1 is bound as often as its turn comes; one of
// type 2 once, since it is to be invalidated in between (BIN-3).
func (l *load) bind(w *host.SendWR, n uint64) {
	_, window := l.offer.target.next(0)
	addr, region := l.offer.source.next(n)
	key := ib.MakeKey(window.index(), window.key().Byte()+1)
	op, flags := w.Op, w.Flags
	*w = host.Bind(window.mw, region.mr, addr, n, ib.RemoteRead, ib.RKey(key))
	w.Op, w.Flags = op, flags
}

// seen is when the thread of a queue pair has a completion, and may go on: one
// that posts and polls by turns does not look before it has posted.
func (l *load) seen(now sim.Time, q *loadQP) sim.Time {
	now = max(now, q.free.Add(q.qp.side.host.Params.CPU.Poll))
	q.free = now.Add(*l.t.Turn)
	return now
}
