package run

import (
	"math/big"

	"hcasim/scenario/lang"
	"hcasim/sim"
)

// An offered load has requests come at a rate, whether or not there is room for
// them. One that finds its queue full, or as many in flight as may be, waits in
// software for its turn. Its latency counts from its arrival: counted from the
// post, a queue that grows would leave no trace in it (coordinated omission).
//
// All that arrive are served: none loses its turn. Offered faster than that can
// be, they take as long as the slower of the two.

// An offering is what a load with a rate keeps.
type offering struct {
	period  sim.Duration // between two batches, in the mean
	due     sim.Time     // of the next
	turn    int          // queue pair of the next
	waiting uint64       // requests in software
	most    uint64       // of them at once
	opened  sim.Time     // the first measured one
	closed  sim.Time     // where one behind the last would be
}

// A request is one that has arrived and is not posted.
type request struct {
	at       sim.Time
	measured bool
	waits    bool // it was not posted at once
}

// rate reads an offered load, in requests or bits per second.
func (l *load) rate() {
	q := l.t.Rate
	if q == nil {
		return
	}
	period := big.NewRat(int64(sim.Second), 1) // of one request, times its rate
	if q.Unit == lang.UnitRate {
		bits := new(big.Rat)
		for _, s := range l.offer.mix {
			mean := meanSize(&l.t.Size, s.Opcode)
			bits.Add(bits, mean.Mul(mean, ratio(new(big.Int).SetUint64(8*s.Weight), l.offer.total)))
		}
		period.Mul(period, bits)
	}
	period.Mul(period, ratio(big.NewInt(1), q.Value))
	n, d := period.Num(), period.Denom()
	if q.Unit == lang.UnitRate { // as the time of bytes on a line
		n = new(big.Int).Add(n, new(big.Int).Sub(d, big.NewInt(1)))
	}
	l.period = max(1, sim.Duration(new(big.Int).Quo(n, d).Uint64())) * sim.Duration(l.batch)
}

// pick returns the next queue pair of a rate or a window, as the step says.
func (l *load) pick() int {
	random := l.t.Window != nil
	switch l.t.Pick {
	case "uniform":
		random = true
	case "sequential":
		random = false
	}
	if random {
		return int(l.rand.Uint64N(uint64(len(l.qps))))
	}
	at := l.turn
	if l.turn++; l.turn == len(l.qps) {
		l.turn = 0
	}
	return at
}

// Fire has the next batch of an offered load arrive.
func (l *load) Fire(now sim.Time, _ uint32) {
	if !l.more(now) {
		l.over(now)
		return
	}
	q := l.qps[l.pick()]
	n := int(min(uint64(l.batch), l.count-l.measuring))
	for range n {
		l.arrive(now, q)
	}
	l.attend(now, q)
	for i := max(0, q.backlog.Len()-n); i < q.backlog.Len(); i++ {
		q.backlog.At(i).waits = true
		l.waiting++
		l.r.rec.stall(q.qp.side.end, sendSlots, now, false)
	}
	l.most = max(l.most, l.waiting)
	gap := l.period
	if l.t.Arrival == "exponential" {
		gap = l.rand.Exponential(l.period)
	}
	l.due = l.due.Add(gap)
	if l.measuring > 0 {
		l.closed = l.due
	}
	l.r.world.engine.At(max(now, l.due), l.id, 0)
}

// arrive takes one request in.
func (l *load) arrive(now sim.Time, q *loadQP) {
	measured := l.posted >= l.warmup && now >= l.warm
	if measured {
		if l.measuring == 0 {
			l.span.first(now, l.posted)
			l.opened = now
		}
		l.measuring++
	}
	l.posted++
	q.backlog.Push(request{at: now, measured: measured})
}

// attend posts what has arrived for a queue pair, as far as there is room.
func (l *load) attend(now sim.Time, q *loadQP) {
	for q.backlog.Len() > 0 && !l.failed {
		n := min(l.batch, q.backlog.Len())
		if len(q.idle) < n || q.qp.qp.Room() < n {
			return
		}
		l.post(now, q, n)
	}
}

// shed forgets what has arrived, once requests have failed.
func (l *load) shed(now sim.Time) {
	for _, q := range l.qps {
		for q.backlog.Len() > 0 {
			l.posted--
			l.served(now, q, q.backlog.Pop())
		}
	}
}

// served takes a request out of software.
func (l *load) served(now sim.Time, q *loadQP, a request) {
	if a.waits {
		l.waiting--
		l.r.rec.stall(q.qp.side.end, sendSlots, now, true)
	}
}
