package wire

import "hcasim/sim"

// A Stall tells a watcher that a class of packets at one end begins or ends to
// wait: what is first in its send queue for credits, or for the end of a pause;
// or whoever sends for room in that queue.
type Stall struct {
	At    sim.Time
	From  End
	Class Class
	Queue bool // for room in the queue
	Ends  bool
}

func (d *direction) stall(now sim.Time, c Class, queue, ends bool) {
	if l := d.link; l.Stalls.On() {
		l.Stalls.Emit(Stall{now, d.from, c, queue, ends})
	}
}
