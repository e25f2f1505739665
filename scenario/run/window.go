package run

import "hcasim/sim"

// unknown is the number of requests of a warm-up that is over at a time.
const unknown = ^uint64(0)

// A window is the measured part of a load. It begins when as many requests
// have ended as the warm-up has, with the step where there is no warm-up, and
// ends with the last measured request. So as many requests end within it as
// are measured, and their number over its length is the rate of the steady
// state: filling the pipes is no part of it.
//
// The warm-up of a time has as many requests as begin in it. If all of them
// have ended before the first measured one begins, the window begins with
// that.
type window struct {
	r       *runner
	warmups uint64
	ended   uint64
	left    uint64 // measured requests that are to end
	last    sim.Time
	from    tally
	to      tally
}

// start begins a load of n measured requests, or unknown many.
func (w *window) start(r *runner, now sim.Time, warmups, n uint64) {
	*w = window{r: r, warmups: warmups, left: n, last: now, from: r.tally(now)}
}

// first is told that the first measured request begins, behind n others.
func (w *window) first(now sim.Time, n uint64) {
	if w.warmups != unknown {
		return
	}
	if w.warmups = n; w.ended == n && n > 0 {
		w.open(now)
	}
}

// end is told of every request that has ended.
func (w *window) end(now sim.Time, measured bool) {
	w.r.rec.counts.ops++
	if w.ended++; w.ended == w.warmups {
		w.open(now)
	}
	if !measured {
		return
	}
	w.last = max(w.last, now)
	if w.left--; w.left == 0 {
		w.to = w.r.tally(w.last)
	}
}

func (w *window) open(now sim.Time) {
	w.from, w.last = w.r.tally(now), max(w.last, now)
}

// close returns how long the window was. Its figures are those of the result.
func (w *window) close() sim.Duration {
	switch {
	case w.left != 0: // it had no number, or the load broke off
		w.to = w.r.tally(w.last)
	case w.to.at < w.from.at: // fewer requests than are in flight, out of order
		w.to = w.from
	}
	w.r.measured = w
	return w.to.at.Sub(w.from.at)
}
