package run

import (
	"fmt"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A load is a traffic step at work: queue pairs that each keep requests in
// flight, or offer them at a rate. Nothing is allocated per request.
type load struct {
	r     *runner
	st    *step
	t     *lang.Traffic
	id    sim.HandlerID
	offer *offer
	rand  *sim.Rand // of arrivals
	qps   []*loadQP
	pool  []uint32 // window: op handles that are not in flight

	flags       ib.SendFlags
	add         uint64 // of atomics
	signalEvery uint64
	batch       int
	ponging     bool     // the mode is pingpong
	warmup      uint64   // requests that are not measured
	warm        sim.Time // nor those that begin before
	count       uint64   // to be measured
	until       sim.Time
	posted      uint64 // of an offered load: have arrived
	number      uint64 // of the last request that was made
	measuring   uint64 // of these, to be measured
	ended       uint64
	failed      bool
	reason      ib.WCStatus // of the first that failed

	rounds int // pingpong: under way
	flying int // pingpong: messages without a completion

	offering
	span    window
	peak    peakSearch
	results []Traffic // one for each share of the mix
}

// A loadQP is one queue pair of a load and its thread.
type loadQP struct {
	qp     *named
	index  int
	free   sim.Time
	idle   []uint32 // op handles that are not in flight
	posted uint64
	known  uint64 // of these, completed as far as the software knows
	cold   uint64 // posted as warm-up, and not known to have completed
	wrs    []host.SendWR
	sges   []ib.SGE
	supply *supply
	short  bool // it would post, and its send queue is full

	backlog sim.Ring[request] // of an offered load: not posted yet

	// Of pingpong: the other end, and the round under way.
	back     *loadQP
	began    sim.Time
	bytes    uint64
	share    uint8
	measured bool
}

// traffic starts a load.
func (r *runner) traffic(now sim.Time, st *step, t *lang.Traffic) {
	l := &load{r: r, st: st, t: t, rand: sim.NewRand(r.plan.Scenario.Run.Seed, uint64(st.Number)<<8)}
	if err := l.prepare(now); err != nil {
		r.failed = err
		return
	}
	st.verbs++ // until the last request has ended
	switch {
	case l.ponging:
		l.pingpong(now)
	case l.period > 0:
		l.due = now
		r.world.engine.At(now, l.id, 0)
	case t.Window != nil:
		l.draw(now)
		l.over(now)
	default:
		for _, q := range l.qps {
			l.fill(now, q)
		}
		l.over(now)
	}
}

// prepare reads what the step says.
func (l *load) prepare(now sim.Time) (err error) {
	t := l.t
	l.id = l.r.world.engine.Register("traffic", l)
	if l.offer, err = newOffer(l.r, t, sim.NewRand(l.r.plan.Scenario.Run.Seed, uint64(l.st.Number)<<8|1)); err != nil {
		return err
	}
	for i := range l.offer.mix {
		l.results = append(l.results, Traffic{Step: l.st.Number, Opcode: l.offer.mix[i].Opcode.String()})
	}
	l.flags, l.add, l.ponging = or(t.Flags, 0), or(t.Add, 1), t.Mode == "pingpong"
	l.signalEvery = uint64(or(t.SignalEvery, 1))
	l.batch = int(or(t.Batch, 1))
	l.count, l.until = ^uint64(0), ^sim.Time(0)
	if w := t.Warmup; w != nil {
		if w.Count != nil {
			l.warmup = uint64(*w.Count)
		}
		if w.Time != nil {
			l.warm = now.Add(*w.Time)
		}
	}
	if t.Time != nil {
		l.until = max(now, l.warm).Add(*t.Time)
	}
	if t.Count != nil {
		l.count = uint64(*t.Count)
	}
	warmups := l.warmup
	if l.warm > 0 {
		warmups = unknown
	}
	l.span.start(l.r, now, warmups, l.count)
	l.rate()
	return l.queues()
}

// queues makes the requests of every queue pair.
func (l *load) queues() error {
	for _, ref := range l.t.QP {
		for _, n := range l.r.elements(ref) {
			if n == nil || n.qp == nil {
				return &Mistake{l.t.Pos, "traffic names a queue pair that was never made"}
			}
			q := &loadQP{qp: n, index: len(l.qps), wrs: make([]host.SendWR, l.batch), sges: make([]ib.SGE, l.batch)}
			for i := range q.wrs {
				q.wrs[i].SGE = q.sges[i : i+1]
				q.wrs[i].Memory = l.st.side.first
			}
			if err := l.direct(q); err != nil {
				return err
			}
			if l.t.Window == nil {
				for range or(l.t.Depth, 16) {
					q.idle = append(q.idle, l.newOp())
				}
			}
			l.qps = append(l.qps, q)
		}
	}
	for range or(l.t.Window, 0) {
		l.pool = append(l.pool, l.newOp())
	}
	if len(l.qps) == 0 {
		return &Mistake{l.t.Pos, "traffic needs a queue pair"}
	}
	return l.supplies()
}

// newOp takes a record for one request in flight.
func (l *load) newOp() uint32 {
	h := l.r.ops.Get()
	*l.r.ops.At(h) = op{step: l.st, load: l, live: true}
	return h
}

// more reports whether another request is to be posted.
func (l *load) more(now sim.Time) bool {
	return l.measuring < l.count && now < l.until && !l.failed
}

// fill posts as many requests as are idle, in batches.
func (l *load) fill(now sim.Time, q *loadQP) {
	for l.more(now) {
		n := l.batch
		if left := l.count - l.measuring; left < uint64(n) {
			n = int(left)
		}
		if len(q.idle) < n {
			return
		}
		if full := q.qp.qp.Room() < n; full != q.short {
			q.short = full
			l.r.rec.stall(q.qp.side.end, sendSlots, now, !full)
		}
		if q.short {
			return
		}
		l.post(now, q, n)
	}
}

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

// retired takes the end of an unsignaled request. The software does not see
// it: the request's slot is posted again with the next completion.
func (l *load) retired(o *op, t *hca.Retirement) {
	l.book(t.At, o, t.Status)
	q := l.qps[o.slot]
	l.rest(q, t.Op)
	switch {
	case l.ended == l.posted:
		l.over(t.At)
	case l.waiting > 0 && l.ended+l.waiting == l.posted: // nothing is in flight that would have a completion
		l.attend(t.At, q)
	}
}

// completed takes a completion, and posts as many requests as are idle.
func (l *load) completed(now sim.Time, o *op, c *ib.CQE) {
	switch {
	case c.Recv:
		l.received(now, o, c)
		return
	case l.ponging:
		l.acknowledged(now, o, c)
		return
	}
	q := l.qps[o.slot]
	if l.t.Turn != nil {
		now = l.seen(now, q)
	}
	l.book(now, o, c.Status)
	l.rest(q, c.Op)
	l.peak.complete(now, q.confirm(l.signalEvery))
	switch {
	case l.t.Window != nil:
		l.draw(now)
	case l.period == 0:
		l.fill(now, q)
	case l.failed:
		l.shed(now)
	default:
		l.attend(now, q)
	}
	if l.ended == l.posted {
		l.over(now)
	}
}

// confirm returns how many measured requests the software knows to have
// completed, with a completion that each every-th asks for: those before it are
// done too.
func (q *loadQP) confirm(every uint64) uint64 {
	n := min(every, q.posted-q.known)
	q.known += n
	cold := min(n, q.cold)
	q.cold -= cold
	return n - cold
}

// book measures a request, unless it belongs to the warm-up.
func (l *load) book(now sim.Time, o *op, s ib.WCStatus) {
	l.ended++
	l.r.show(now, l, o, s)
	if s != ib.Success {
		l.status(o, s)
	}
	if o.measured {
		res := &l.results[o.share]
		res.Count++
		if s == ib.Success {
			res.Bytes += o.Bytes
		}
		res.Latency.Add(now.Sub(o.Start))
	}
	l.span.end(now, o.measured)
}

// status notes a request that failed; the first of them is the reason.
func (l *load) status(o *op, s ib.WCStatus) {
	if !l.failed {
		l.reason = s
	}
	l.failed = true
	l.results[o.share].Failed++
}

// over settles the step when nothing is in flight and nothing will be.
func (l *load) over(now sim.Time) {
	if l.more(now) || l.ended != l.posted || l.st.verbs == 0 {
		return
	}
	l.close(now)
}

// close ends the step.
func (l *load) close(now sim.Time) {
	l.st.verbs--
	elapsed := l.span.close()
	for i := range l.results {
		if res := &l.results[i]; res.Count > 0 || res.Failed > 0 {
			res.Elapsed, res.Peak = elapsed, l.peak.best
			if l.period > 0 {
				res.Arrivals, res.Backlog = l.closed.Sub(l.opened), l.most
			}
			l.r.result.Traffic = append(l.r.result.Traffic, *res)
		}
	}
	for _, h := range l.pool {
		l.r.ops.At(h).live = false
		l.r.ops.Put(h)
	}
	for _, q := range l.qps {
		if q.short {
			l.r.rec.stall(q.qp.side.end, sendSlots, now, true)
		}
		for _, h := range q.idle {
			l.r.ops.At(h).live = false
			l.r.ops.Put(h)
		}
		q.idle = nil
	}
	l.complain()
	l.r.check(now, l.st)
}

// complain makes requests that failed a failure of the run: figures of a load
// that broke off mean nothing. A step that expects faults is none of these.
func (l *load) complain() {
	if e := l.st.Expect; !l.failed || e != nil && (e.Fault != nil || e.WC != nil) {
		return
	}
	n := uint64(0)
	for i := range l.results {
		n += l.results[i].Failed
	}
	l.r.brokeOff(l.t.Pos, l.st, "traffic", "no request to fail", fmt.Sprintf("%d failed, the first with %v", n, l.reason))
}

// brokeOff makes a load that broke off a failure of the run.
func (r *runner) brokeOff(pos lang.Pos, st *step, what, expected, got string) {
	r.result.Asked++
	r.result.Failures = append(r.result.Failures, Failure{Pos: pos, Op: st.id, What: what, Expected: expected, Got: got})
}
