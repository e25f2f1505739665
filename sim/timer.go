package sim

import "fmt"

// Timers is a bank of timers that share one handler. Nothing is ever taken out
// of the queue: stopping a timer or moving it later is one store, an event that
// comes early schedules itself again, and only an earlier deadline schedules a
// new event and leaves the old one behind, dead.
type Timers struct {
	engine *Engine
	id     HandlerID
	name   string
	fire   func(now Time, index uint32)
	timers []timer
}

// A timer has at most one event that counts: one that comes when scheduled says.
// Should one that was left behind come at that very instant, it takes its place,
// and the other is the one left behind.
type timer struct {
	deadline  Time
	scheduled Time // of the event that counts
	queued    bool // there is one
	armed     bool
}

// NewTimers returns an empty bank; fire is called when a timer's deadline comes.
func NewTimers(e *Engine, name string, fire func(now Time, index uint32)) *Timers {
	t := &Timers{engine: e, name: name, fire: fire}
	t.id = e.Register(name, t)
	return t
}

// Add makes one more timer, not armed, and returns its index: 0, 1, 2 …
func (t *Timers) Add() (index uint32) {
	t.timers = append(t.timers, timer{})
	return uint32(len(t.timers) - 1)
}

// Arm sets the timer's deadline, whether it was armed before or not.
func (t *Timers) Arm(index uint32, at Time) {
	w := &t.timers[index]
	if at < t.engine.now {
		panic(fmt.Sprintf("sim: %s: timer %d armed for %v at %v", t.name, index, at, t.engine.now))
	}
	w.deadline = at
	if w.queued && w.scheduled <= at {
		if !w.armed {
			t.engine.dead--
		}
		w.armed = true
		return
	}
	if w.queued && w.armed {
		t.engine.dead++ // the later event is left behind
	}
	w.armed = true
	t.schedule(index, w)
}

// Stop disarms the timer. Its event, if one is left, no longer counts as live.
func (t *Timers) Stop(index uint32) {
	w := &t.timers[index]
	if w.armed && w.queued {
		t.engine.dead++
	}
	w.armed = false
}

// Armed reports whether the timer will fire.
func (t *Timers) Armed(index uint32) bool { return t.timers[index].armed }

// Len returns the number of timers.
func (t *Timers) Len() int { return len(t.timers) }

func (t *Timers) schedule(index uint32, w *timer) {
	w.queued, w.scheduled = true, w.deadline
	t.engine.At(w.deadline, t.id, index)
}

// Fire takes an event of the bank. It is the engine's to call.
func (t *Timers) Fire(now Time, index uint32) {
	w := &t.timers[index]
	if !w.queued || now != w.scheduled {
		t.engine.dead--
		return
	}
	w.queued = false
	switch {
	case !w.armed:
		t.engine.dead--
	case w.deadline > now:
		t.schedule(index, w)
	default:
		w.armed = false
		t.fire(now, index)
	}
}
