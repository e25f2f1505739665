package pcie

import "hcasim/sim"

// A wait is what a request at the head of its queue waits for.
type wait uint8

const (
	nothing wait = iota
	order        // a read: for the writes issued before it to leave
	gap          // for the engine: its shortest time between TLPs, or its turn at the last request
	engine       // for one of the reads that it works on to be over
	tag
	credit // flow control of the root complex
	room   // for completions, in the endpoint
)

var waitNames = [...]string{
	nothing: "the link", order: "writes issued before", gap: "the engine's gap",
	engine: "the read engine", tag: "a tag", credit: "flow-control credits", room: "room for completions",
}

func (w wait) String() string { return waitNames[w] }

// writeWaits says what the write r, first of its queue, waits for.
func (t *transmitter) writeWaits(now sim.Time, r *request) wait {
	switch {
	case t.pace.on && now < t.pace.next(r):
		return gap
	case !t.credits.has(now, creditsFor(r.next)):
		return credit
	}
	return nothing
}

// readWaits says what the read r, first of its queue, waits for.
func (b *Bus) readWaits(now sim.Time, r *request) wait {
	t := &b.tx
	switch {
	case int32(t.left-r.fence) < 0:
		return order
	case t.pace.on && now < t.pace.next(r):
		return gap
	case t.pace.on && t.pace.full(r):
		return engine
	case t.tags.empty():
		return tag
	case !t.nonPosted.has(now, header):
		return credit
	case t.completions.limited && !b.roomFor(now, r):
		return room
	}
	return nothing
}

// roomFor reports whether the endpoint has room for the completions of the next
// TLP of r.
func (b *Bus) roomFor(now sim.Time, r *request) bool {
	return b.tx.completions.has(now, b.link.completionCredits(r.Addr+uint64(r.cut), r.next))
}

// await sees to it that the transmitter looks again at r when what it awaits is
// there. Tags and room come back with completions, and the read engine with the end
// of a read, which look anyway.
func (b *Bus) await(now sim.Time, w wait, r *request, f *flow) {
	switch w {
	case gap:
		b.wakeBy(b.tx.pace.next(r))
	case credit:
		f.awaited = true
		b.wakeAwaiting(now, f)
	case nothing, order, engine, tag, room:
	}
}

// wakeAwaiting has the transmitter look again when the next credits come back,
// to somebody who found too few. The root complex calls it after sending some
// back.
func (b *Bus) wakeAwaiting(now sim.Time, f *flow) {
	if at, ok := f.due(); ok {
		b.wakeBy(max(now, at))
	}
}
