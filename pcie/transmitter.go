package pcie

import "hcasim/sim"

// never is an instant that no run reaches.
const never = ^sim.Time(0)

// A transmitter is the endpoint's sending side: one queue of posted writes, one
// of reads per class, the tags and credits that TLPs need, and the arbiter.
//
// The declared order: writes and reads take turns, TLP by TLP. A write waits
// only for the writes before it and for posted credits. A read waits for the
// writes issued before it to have left, and then for a tag, a non-posted credit
// and room for its completions; between reads of several classes the arbiter
// chooses. A class whose turn it is keeps its turn while it waits for something
// finite, so small reads cannot starve large ones.
type transmitter struct {
	entering uint32   // writes in the endpoint's overhead
	enterAt  sim.Time // when the youngest of them leaves it
	posted   sim.Ring[uint32]
	reads    [classes]sim.Ring[uint32]

	issued uint32 // posted requests so far, modulo 2^32
	left   uint32 // of them given to the link whole

	tags        tags
	credits     flow // posted
	nonPosted   flow
	completions flow // room in the endpoint, reserved as a read leaves

	arbiter  arbiter
	pending  int      // reads in the queues
	readTurn bool     // reads go next, if both can
	wakeAt   sim.Time // when the transmitter looks again by itself
	pace     pace

	ahead   sim.Duration // how far the link may be booked
	halfway sim.Duration
}

func (t *transmitter) init(name string, l Link) {
	t.tags.init(name+".tags", l.device.Tags)
	t.credits.init(name+".posted", l.host.PostedHeaders, l.host.PostedData)
	t.nonPosted.init(name+".non-posted", l.host.NonPostedHeaders, 0)
	t.completions.init(name+".completion", l.device.CompletionHeaders, l.device.CompletionData)
	t.arbiter.init(l.device)
	t.pace.init(&l.device)
	t.wakeAt = never
	t.ahead = l.Time(l.device.Egress)
	t.halfway = t.ahead / 2
	// No TLP begins later than ahead after it was sent.
	bytes := l.carries(l.host.CreditReturn+t.ahead) + uint64(l.MPS+l.high)
	t.credits.hasten(bytes, uint64(l.low))
	t.nonPosted.hasten(bytes, uint64(l.low))
}

// idle reports whether no request has anything left to send.
func (t *transmitter) idle() bool { return t.posted.Len()|t.pending == 0 }

// wakeBy has the transmitter look again at at, or earlier.
func (b *Bus) wakeBy(at sim.Time) {
	if at < b.tx.wakeAt {
		b.tx.wakeAt = at
		b.engine.At(at, b.pumpID, 0)
	}
}

// wake looks again. An event overtaken by an earlier one does nothing.
func (b *Bus) wake(now sim.Time) {
	if now == b.tx.wakeAt {
		b.tx.wakeAt = never
		b.pump(now)
	}
}
