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
	r      *runner
	st     *step
	t      *lang.Traffic
	id     sim.HandlerID
	rand   *sim.Rand
	qps    []*loadQP
	mix    []lang.Share
	total  uint64 // weights
	size   func() uint64
	target walker
	source walker

	signalEvery uint32
	warmup      uint64
	count       uint64 // to be posted in all, warm-up included
	until       sim.Time
	posted      uint64
	ended       uint64
	period      sim.Duration // of an offered load
	due         sim.Time
	turn        int

	result Traffic
	begun  sim.Time // of the measured part
}

// A loadQP is one queue pair of a load and its thread.
type loadQP struct {
	qp     *named
	free   sim.Time
	idle   []uint32 // op handles that are not in flight
	posted uint64
	wr     [1]host.SendWR
	sge    [1]ib.SGE
}

// traffic starts a load.
func (r *runner) traffic(now sim.Time, st *step, t *lang.Traffic) {
	l := &load{r: r, st: st, t: t, rand: sim.NewRand(r.plan.Scenario.Run.Seed, uint64(st.Number)+100)}
	if err := l.prepare(now); err != nil {
		r.failed = err
		return
	}
	r.loads = append(r.loads, l)
	st.verbs++ // until the last request has ended
	if l.period > 0 {
		l.due = now
		r.world.engine.At(now, l.id, 0)
		return
	}
	for _, q := range l.qps {
		for range or(t.Depth, 16) {
			l.post(now, q)
		}
	}
	l.over(now)
}

// prepare reads what the step says.
func (l *load) prepare(now sim.Time) error {
	t := l.t
	l.id = l.r.world.engine.Register("traffic", l)
	l.mix = t.Mix
	if len(l.mix) == 0 {
		l.mix = []lang.Share{{Opcode: or(t.Opcode, ib.WRRDMAWrite), Weight: 1}}
	}
	for _, s := range l.mix {
		l.total += s.Weight
	}
	l.signalEvery = or(t.SignalEvery, 1)
	l.warmup, l.count, l.until = 0, 1000, ^sim.Time(0)
	if t.Time != nil {
		l.count, l.until = ^uint64(0), now.Add(*t.Time)
	}
	if t.Count != nil {
		l.count = uint64(*t.Count)
	}
	if t.Warmup != nil && t.Warmup.Count != nil {
		l.warmup = uint64(*t.Warmup.Count)
		if l.count != ^uint64(0) {
			l.count += l.warmup
		}
	}
	if err := l.rate(t); err != nil {
		return err
	}
	if err := l.sizes(&t.Size); err != nil {
		return err
	}
	var err error
	if l.target, err = l.walk(&t.Target); err != nil {
		return err
	}
	if l.source, err = l.walk(&t.Source); err != nil {
		return err
	}
	l.begun = now
	l.result = Traffic{Step: l.st.Number, Opcode: l.mix[0].Opcode.String()}
	return l.queues(t)
}

// rate reads an offered load, in requests per second.
func (l *load) rate(t *lang.Traffic) error {
	if t.Rate == nil {
		return nil
	}
	switch t.Rate.Unit {
	case lang.UnitOps:
		l.period = sim.Duration(uint64(sim.Second) / max(1, t.Rate.Value))
	case lang.UnitRate:
		bits := uint64(8)
		if len(t.Size.Values) > 0 {
			bits = 8 * uint64(t.Size.Values[0])
		}
		l.period = sim.BitRate(t.Rate.Value).Time(sim.Bytes(bits / 8))
	default:
		return &Mistake{t.Pos, "rate: wants requests or bits per second"}
	}
	return nil
}

// queues makes the requests of every queue pair.
func (l *load) queues(t *lang.Traffic) error {
	for _, ref := range t.QP {
		for _, n := range l.r.elements(ref) {
			q := &loadQP{qp: n}
			w := &q.wr[0]
			w.SGE = q.sge[:]
			w.Flags = or(t.Flags, 0)
			w.Memory = l.st.side.first
			for range or(t.Depth, 16) {
				h := l.r.ops.Get()
				*l.r.ops.At(h) = op{step: l.st, load: l, slot: uint32(len(l.qps)), live: true}
				q.idle = append(q.idle, h)
			}
			l.qps = append(l.qps, q)
		}
	}
	if len(l.qps) == 0 {
		return &Mistake{t.Pos, "traffic needs a queue pair"}
	}
	return nil
}

// sizes reads how large requests are.
func (l *load) sizes(s *lang.Sizes) error {
	values := s.Values
	if len(values) == 0 {
		values = []sim.Bytes{64}
	}
	next := 0
	switch s.Kind {
	case lang.SizeFixed:
		l.size = func() uint64 { return uint64(values[0]) }
	case lang.SizeList:
		l.size = func() uint64 {
			next++
			return uint64(values[(next-1)%len(values)])
		}
	case lang.SizeUniform:
		grain := uint64(max(s.Step, 1))
		l.size = func() uint64 {
			return uint64(values[0]) + grain*l.rand.Uint64N((uint64(values[1])-uint64(values[0]))/grain+1)
		}
	case lang.SizeChoice:
		l.size = func() uint64 { return uint64(values[l.choose(s.Weights)]) }
	default:
		return &Mistake{s.Pos, "sizes from a file are not modelled yet"}
	}
	return nil
}

// choose draws an index by weights.
func (l *load) choose(weights []uint64) int {
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	at := l.rand.Uint64N(max(1, total))
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return 0
}

// A walker returns the next place for n bytes.
type walker func(n uint64) (addr uint64, n2 *named)

// walk reads a pattern.
func (l *load) walk(p *lang.Pattern) (walker, error) {
	var objects []*named
	for _, ref := range p.Of {
		objects = append(objects, l.r.elements(ref)...)
	}
	if len(objects) == 0 {
		return nil, &Mistake{p.Pos, "traffic needs a region to walk over"}
	}
	lengths := make([]uint64, len(objects))
	next := make([]uint64, len(objects))
	for i, n := range objects {
		if n == nil {
			return nil, &Mistake{p.Pos, "traffic names an object that does not exist"}
		}
		if b, ok := n.memory(); ok {
			lengths[i] = b.length
		} else {
			lengths[i] = n.side.hca.Table.Entry(n.index()).Length
		}
	}
	turn, step := 0, int(or(p.PickStride, 1))
	pick := func() int {
		if p.Pick == "uniform" {
			return int(l.rand.Uint64N(uint64(len(objects))))
		}
		turn += step
		return (turn - step) % len(objects)
	}
	if p.Pick == "zipf" || p.Walk == "zipf" {
		return nil, &Mistake{p.Pos, "zipf is not modelled yet"}
	}
	return func(n uint64) (uint64, *named) {
		i := pick()
		grain := n
		if p.Stride != nil {
			grain = uint64(*p.Stride)
		}
		room := lengths[i] - min(lengths[i], n)
		offset := uint64(p.Offset)
		switch p.Walk {
		case "fixed":
		case "uniform":
			offset += grain * l.rand.Uint64N(room/max(grain, 1)+1)
		default:
			if next[i] > room {
				next[i] = 0
			}
			offset += next[i]
			next[i] += grain
		}
		return l.r.base(objects[i]) + offset, objects[i]
	}, nil
}

// post posts the next request of a queue pair, if there is one to post.
func (l *load) post(now sim.Time, q *loadQP) {
	if l.posted >= l.count || now >= l.until || len(q.idle) == 0 {
		return
	}
	h := q.idle[len(q.idle)-1]
	q.idle = q.idle[:len(q.idle)-1]
	w := &q.wr[0]
	w.Opcode = l.opcode()
	n := l.size()
	if w.Opcode == ib.WRAtomicFetchAndAdd || w.Opcode == ib.WRAtomicCmpAndSwp {
		n, w.Swap = 8, or(l.t.Add, 1)
	}
	addr, object := l.target(n)
	w.RemoteAddr, w.RKey = addr, ib.RKey(object.key())
	if object.mr != nil {
		w.RKey = object.mr.RKey
	}
	addr, object = l.source(n)
	q.sge[0] = ib.SGE{Addr: addr, Length: uint32(n), LKey: ib.LKey(object.key())}
	if object.mr != nil && object.mr.Process != nil {
		w.Memory = object.mr.Process
	}
	w.Op = h
	l.posted++
	q.posted++
	w.Flags &^= ib.Signaled
	if q.posted%uint64(l.signalEvery) == 0 || l.posted == l.count {
		w.Flags |= ib.Signaled
	}
	start := max(now, q.free)
	if l.posted == l.warmup+1 {
		l.begun = start
	}
	o := l.r.ops.At(h)
	o.Start, o.Bytes = start, n
	o.slot = uint32(l.posted - 1) // to know the measured ones
	o.Step = l.indexOf(q)
	done, errno, _ := q.qp.side.host.PostSend(start, q.qp.qp, q.wr[:])
	q.free = done
	if errno != ib.OK {
		l.r.failed = &Mistake{l.t.Pos, fmt.Sprintf("traffic: ibv_post_send returns %v", errno)}
	}
}

func (l *load) indexOf(q *loadQP) int {
	for i := range l.qps {
		if l.qps[i] == q {
			return i
		}
	}
	return 0
}

func (l *load) opcode() ib.WROpcode {
	if len(l.mix) == 1 {
		return l.mix[0].Opcode
	}
	at := l.rand.Uint64N(l.total)
	for _, s := range l.mix {
		if at < s.Weight {
			return s.Opcode
		}
		at -= s.Weight
	}
	return l.mix[0].Opcode
}

// retired takes the end of an unsignaled request.
func (l *load) retired(t *hca.Retirement) {
	o := l.r.ops.At(t.Op)
	l.book(t.At, o, t.Status)
	q := l.qps[o.Step]
	q.idle = append(q.idle, t.Op)
	l.over(t.At)
}

// completed takes a completion, and posts as many requests as are idle.
func (l *load) completed(now sim.Time, c *ib.CQE) {
	o := l.r.ops.At(c.Op)
	l.book(now, o, c.Status)
	q := l.qps[o.Step]
	q.idle = append(q.idle, c.Op)
	if l.period == 0 && c.Status == ib.Success {
		for range len(q.idle) {
			l.post(now, q)
		}
	}
	l.over(now)
}

// book measures a request, unless it belongs to the warm-up.
func (l *load) book(now sim.Time, o *op, s ib.WCStatus) {
	l.ended++
	res := &l.result
	if uint64(o.slot) < l.warmup {
		return
	}
	res.Count++
	res.Bytes += o.Bytes
	if s != ib.Success {
		res.Failed++
	}
	res.Latency.Add(now.Sub(o.Start))
	res.Elapsed = now.Sub(l.begun)
}

// over settles the step when nothing is in flight and nothing will be.
func (l *load) over(now sim.Time) {
	stopped := l.posted >= l.count || now >= l.until || l.result.Failed > 0
	if !stopped || l.ended != l.posted || l.st.verbs == 0 {
		return
	}
	l.st.verbs--
	l.r.result.Traffic = append(l.r.result.Traffic, l.result)
	for _, q := range l.qps {
		for _, h := range q.idle {
			l.r.ops.At(h).live = false
			l.r.ops.Put(h)
		}
		q.idle = nil
	}
	l.r.rec.counts.ops += l.ended
	l.r.check(now, l.st)
}

// Fire offers the next request of a load with a rate, whichever queue pair's
// turn it is. One that has no room loses its turn.
func (l *load) Fire(now sim.Time, _ uint32) {
	if l.posted >= l.count || now >= l.until {
		l.over(now)
		return
	}
	q := l.qps[l.turn%len(l.qps)]
	l.turn++
	l.post(now, q)
	gap := l.period
	if l.t.Arrival == "exponential" {
		gap = l.rand.Exponential(l.period)
	}
	l.due = l.due.Add(gap)
	l.r.world.engine.At(max(now, l.due), l.id, 0)
}
