package run

import (
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
