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
	scheduled uint64 // events ever scheduled
	fired     uint64
	dead      uint64 // pending events of timers that were stopped or moved
	stopped   bool
	handlers  []Handler
	names     []string
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
	e.queue.push(event{t, h, arg})
}

func (e *Engine) past(t Time, h HandlerID) {
	panic(fmt.Sprintf("sim: %s: event for %v scheduled at %v", e.names[h], t, e.now))
}

// Run fires events until no live one is left, and returns true; or until the
// next one is later than limit or Stop was called, and returns false. The clock
// stays at the last event fired. Run may be called again.
func (e *Engine) Run(limit Time) (done bool) {
	e.stopped = false
	q := &e.queue
	for {
		for q.head < len(q.run) {
			ev := q.run[q.head]
			if ev.at > limit || e.stopped || e.dead != 0 && e.Live() == 0 {
				return e.Live() == 0
			}
			q.head++
			e.now = ev.at
			e.fired++
			e.handlers[ev.handler].Fire(ev.at, ev.arg)
		}
		if e.Live() == 0 || e.stopped || !q.refill(limit) {
			return e.Live() == 0
		}
	}
}

// Stop makes Run return false after the current event, unless that was the last.
func (e *Engine) Stop() { e.stopped = true }

// Live returns how many events are pending, those of stopped timers not counted.
func (e *Engine) Live() uint64 { return e.scheduled - e.fired - e.dead }

// Fired returns how many events were fired so far, also those that found their
// timer stopped or moved.
func (e *Engine) Fired() uint64 { return e.fired }
