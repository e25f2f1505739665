package pcie

import "hcasim/sim"

// An arbiter orders the classes of reads.
type arbiter struct {
	by      Arbitration
	weights [classes]uint32
	turn    Class
	left    uint32 // TLPs left in the turn, if weighted
}

func (a *arbiter) init(d DeviceParams) {
	a.by = d.Arbiter
	a.weights = [classes]uint32{Fetch: d.FetchWeight, Payload: d.PayloadWeight, Answer: d.AnswerWeight}
	a.left = a.weights[a.turn]
}

// prefers returns the class that stands at place i, 0 first.
func (a *arbiter) prefers(i Class) Class {
	if a.by == Priority {
		return classes - 1 - i
	}
	return (a.turn + i) % classes
}

// took books that a TLP of class c went.
func (a *arbiter) took(c Class) {
	if c != a.turn {
		a.turn, a.left = c, a.weights[c]
	}
	if a.by == Weighted && a.left > 1 {
		a.left--
		return
	}
	a.turn = (c + 1) % classes
	a.left = a.weights[a.turn]
}

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

// choose returns the request whose TLP goes next, if any can go.
func (b *Bus) choose(now sim.Time) (h uint32, ok bool) {
	t := &b.tx
	if t.readTurn {
		if h, ok = b.chooseRead(now); ok {
			return h, true
		}
	}
	if t.posted.Len() > 0 {
		h = *t.posted.Peek()
		w := b.writeWaits(now, h)
		if w == nothing {
			return h, true
		}
		b.await(now, w, &t.credits, t.next(b.requests.At(h)))
	}
	if !t.readTurn {
		return b.chooseRead(now)
	}
	return 0, false
}

// chooseRead returns the read whose TLP goes next. A read that waits for writes,
// or for a read that the engine has begun and perhaps not sent whole, lets other
// classes go; one that waits for anything else does not.
func (b *Bus) chooseRead(now sim.Time) (h uint32, ok bool) {
	t := &b.tx
	if t.pending == 0 {
		return 0, false
	}
	for i := range classes {
		queue := &t.reads[t.arbiter.prefers(i)]
		if queue.Len() == 0 {
			continue
		}
		h = *queue.Peek()
		switch w := b.readWaits(now, h); w {
		case nothing:
			return h, true
		case order, engine:
			continue
		default:
			b.await(now, w, &t.nonPosted, t.next(b.requests.At(h)))
			return 0, false
		}
	}
	return 0, false
}

// writeWaits says what the write h, first of its queue, waits for.
func (b *Bus) writeWaits(now sim.Time, h uint32) wait {
	t, r := &b.tx, b.requests.At(h)
	if now < t.next(r) {
		return gap
	}
	n := cutEnd(r.Addr+uint64(r.cut), r.Len-r.cut, t.postedBy, b.link.device.Cut)
	if !t.credits.has(now, 1, dataCredits(n)) {
		return credit
	}
	return nothing
}

// next is the instant before which the DMA engines have no TLP of r.
func (t *transmitter) next(r *request) sim.Time {
	at, op := t.nextRead, t.nextReadOp
	if r.write {
		at, op = t.nextWrite, t.nextWriteOp
	}
	switch {
	case r.Direct:
		return 0
	case r.cut == 0:
		return max(at, op)
	}
	return at
}

// readWaits says what the read h, first of its queue, waits for.
func (b *Bus) readWaits(now sim.Time, h uint32) wait {
	t, r := &b.tx, b.requests.At(h)
	switch {
	case t.left < r.fence:
		return order
	case now < t.next(r):
		return gap
	case b.link.device.ReadOps > 0 && t.reading >= b.link.device.ReadOps && r.cut == 0 && !r.Direct:
		return engine
	case t.tags.empty():
		return tag
	case !t.nonPosted.has(now, 1, 0):
		return credit
	}
	if t.completions.limited() {
		addr := r.Addr + uint64(r.cut)
		n := cutEnd(addr, r.Len-r.cut, t.readBy, b.link.device.Cut)
		headers, data := b.link.completionCredits(addr, n)
		if !t.completions.has(now, headers, data) {
			return room
		}
	}
	return nothing
}

// await sees to it that the transmitter looks again when what is awaited is
// there. Tags and room come back with completions, and the read engine with the end
// of a read, which look anyway.
func (b *Bus) await(now sim.Time, w wait, f *flow, next sim.Time) {
	switch w {
	case gap:
		b.wakeBy(next)
	case credit:
		f.awaited = true
		b.wakeAwaiting(now, f)
	case nothing, order, engine, tag, room:
	}
}

// wakeAwaiting has the transmitter look again when the next credits come back,
// if it found too few. The root complex calls it after sending some back.
func (b *Bus) wakeAwaiting(now sim.Time, f *flow) {
	if at, ok := f.due(); ok && f.awaited {
		b.wakeBy(max(now, at))
	}
}
