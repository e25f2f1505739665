package sim

import "fmt"

// A Handler is a long-lived part of the model to which events are addressed.
type Handler interface {
	// Fire is called once per event, with the engine's clock standing at now.
	// What arg means is the handler's business.
	Fire(now Time, arg uint32)
}

// A HandlerID is a handler's address within one engine.
type HandlerID uint32

// An Engine fires events in the order (time, scheduled first), nothing else.
// It is a value without globals: runs do not see each other.
type Engine struct {
	now       Time
	limit     Time   // of the run under way
	scheduled uint64 // events ever scheduled
	fired     uint64
	dead      uint64 // pending events of timers that were stopped or moved
	stopped   bool
	running   bool
	handlers  []Handler
	names     []string
	keepers   []keeper
	queue     ladder
}

// NewEngine returns an engine at time 0 with nothing to do.
func NewEngine() *Engine {
	e := &Engine{}
	e.queue.init()
	return e
}

// Register gives h an address. The name is the one that messages use.
func (e *Engine) Register(name string, h Handler) HandlerID {
	e.handlers = append(e.handlers, h)
	e.names = append(e.names, name)
	return HandlerID(len(e.handlers) - 1)
}

// HandlerName returns the name h was registered with.
func (e *Engine) HandlerName(h HandlerID) string { return e.names[h] }

// Now returns the current instant.
func (e *Engine) Now() Time { return e.now }

// At schedules an event for handler h at t. Events of one instant fire in the
// order in which they were scheduled; one scheduled for now fires after those
// already scheduled for now. The past is closed.
func (e *Engine) At(t Time, h HandlerID, arg uint32) {
	if t < e.now {
		e.past(t, h)
	}
	e.scheduled++
	q := &e.queue
	if t <= q.reach {
		if q.front.n < frontRoom && !q.batch.on {
			q.front.add(t, uint64(h)<<32|uint64(arg))
			return
		}
		q.insert(newEvent(t, h, arg))
		return
	}
	// What place does, without the call.
	l := level(uint64(t) ^ uint64(q.reach))
	digit := uint64(t) >> (l * digitBits & 63) % radix
	q.level |= 1 << l
	q.occupied[l] |= 1 << digit
	s := &q.slots[(l<<digitBits|uint(digit))%slotRoom]
	if n := s.n; n < chunkEvents {
		to := &s.tail.events[n]
		to.at, to.to = t, uint64(h)<<32|uint64(arg)
		s.n = n + 1
		return
	}
	q.extend(s, newEvent(t, h, arg))
}

func (e *Engine) past(t Time, h HandlerID) {
	panic(fmt.Sprintf("sim: %s: event for %v scheduled at %v", e.names[h], t, e.now))
}

// Run fires events until no live one is left, and returns true; or until the
// next one is later than limit or Stop was called, and returns false. The clock
// stays at the last event fired. Run may be called again, but not by an event.
func (e *Engine) Run(limit Time) (done bool) {
	if e.running {
		panic(fmt.Sprintf("sim: Run called by an event at %v", e.now))
	}
	e.running, e.stopped, e.limit = true, false, limit
	for e.runFront() && e.runBatch() && !e.over() && e.queue.refill(limit) {
	}
	e.running = false
	return e.Live() == 0
}

// runFront fires the front, and reports whether to go on.
func (e *Engine) runFront() bool {
	f := &e.queue.front
	for f.n > 0 {
		ev := f.next()
		if ev.at > e.limit || e.over() {
			return false
		}
		f.drop()
		e.now = ev.at
		e.fired++
		e.handlers[ev.to>>32].Fire(ev.at, uint32(ev.to))
	}
	return true
}

// runBatch fires a chunk of the batch, and reports whether to go on.
func (e *Engine) runBatch() bool {
	b := &e.queue.batch
	run := b.run[b.head:]
	b.run, b.head = nil, 0
	for i := range run {
		at, to := run[i].at, run[i].to
		if at > e.limit || e.over() {
			b.run = run[i:]
			return false
		}
		e.now = at
		e.fired++
		e.handlers[to>>32].Fire(at, uint32(to))
	}
	return true
}

// over reports whether Stop was called or only dead events are left.
func (e *Engine) over() bool { return e.stopped || e.dead != 0 && e.Live() == 0 }

// quiet reports whether nothing stands between an event that fires now and one
// it would schedule for t: whoever is told so may go on at t without the queue.
func (e *Engine) quiet(t Time) bool {
	q := &e.queue
	return t <= e.limit && !e.stopped && !q.batch.on &&
		(q.front.n == 0 || q.front.next().at > t) && q.slotsAfter(t)
}

// advance takes the place of an event scheduled for t and fired at once.
func (e *Engine) advance(t Time) {
	e.now = t
	e.scheduled++
	e.fired++
}

// Stop makes Run return false after the current event, unless that was the last.
func (e *Engine) Stop() { e.stopped = true }

// Live returns how many events are pending, those of stopped timers not counted.
func (e *Engine) Live() uint64 { return e.scheduled - e.fired - e.dead }

// Fired returns how many events were fired so far, also those that found their
// timer stopped or moved.
func (e *Engine) Fired() uint64 { return e.fired }
