package sim

import (
	"fmt"
	"math"
)

// A Hop is one value's passage through a Pipe or a Line. What a value means is
// the business of whoever sends it: mostly it is the handle of a Pool.
type Hop struct {
	Name     string
	Value    uint32
	Sent     Time // when Send took it
	Entered  Time // when it had the entrance
	Arrived  Time // when it was at the exit
	Accepted Time // when the sink took it; later than Arrived after a stall
}

// The arguments of a carrier's two events.
const (
	arrival uint32 = iota
	roomAgain
)

// A carrier is what Pipe and Line share: values on their way, in order, the
// stall at the exit and the refusal at the entrance. One arrival event is
// pending at most; the ring holds the rest.
type carrier struct {
	// Passed reports each value as the sink accepts it.
	Passed Probe[Hop]

	engine  *Engine
	sink    func(now Time, v uint32) bool
	inside  Ring[flight]
	exit    Time // no value leaves before
	depth   uint32
	id      HandlerID
	pending bool // an arrival event is in the queue, or firing
	stalled bool // the sink refused the head
	refused bool // a sender was refused and not woken since

	interval Cycles // between two exits, 0 when not paced
	clock    Clock  // of the exit, when paced
	name     string
	wake     []func(now Time)
}

type flight struct {
	value                  uint32
	sent, entered, arrived Time
}

func (c *carrier) init(e *Engine, name string, depth int, sink func(now Time, v uint32) bool) {
	if depth < 1 {
		panic(fmt.Sprintf("sim: %s: depth %d, want at least 1", name, depth))
	}
	c.engine, c.name, c.sink = e, name, sink
	c.depth = uint32(min(depth, math.MaxInt32))
	c.id = e.Register(name, c)
	e.keep(c)
}

// Name returns the name it was made with.
func (c *carrier) Name() string { return c.name }

// Len returns how many values are inside.
func (c *carrier) Len() int { return c.inside.Len() }

// Room reports whether Send would take a value now.
func (c *carrier) Room() bool { return c.inside.tail-c.inside.head < c.depth }

// Stalled reports whether the sink has refused the oldest value.
func (c *carrier) Stalled() bool { return c.stalled }

// OnRoom adds a function to be called when there is room again after Send
// refused: once per refused period, by an event of its own at that instant,
// never from within a sink.
func (c *carrier) OnRoom(wake func(now Time)) { c.wake = append(c.wake, wake) }

// Resume says that the sink, having refused, may be asked again: an event at now
// does so. It does nothing when there is no stall.
func (c *carrier) Resume(now Time) {
	if !c.stalled {
		return
	}
	c.stalled = false
	c.schedule(now)
}

// admit returns the place of a value that comes in, or nil when there is no room,
// and remembers that. The caller fills it, and then calls depart.
func (c *carrier) admit() *flight {
	r := &c.inside
	n := r.tail - r.head
	if n >= c.depth {
		c.refused = true
		return nil
	}
	if int(n) == len(r.slots) {
		r.grow()
	}
	r.tail++
	return &r.slots[(r.tail-1)&uint32(len(r.slots)-1)]
}

// depart takes the value just let in on its way.
func (c *carrier) depart(arrived Time) {
	if !c.pending && !c.stalled {
		c.schedule(arrived)
	}
}

func (c *carrier) schedule(at Time) {
	c.pending = true
	c.engine.At(max(at, c.exit), c.id, arrival)
}

// Fire takes an event of the carrier. It is the engine's to call.
func (c *carrier) Fire(now Time, arg uint32) {
	if arg == roomAgain {
		for _, wake := range c.wake {
			wake(now)
		}
		return
	}
	for c.inside.head != c.inside.tail {
		head := c.inside.Peek() // stays as it is while the sink sends, even if the ring grows
		if at := max(head.arrived, c.exit); at > now {
			c.schedule(at)
			return
		}
		if !c.sink(now, head.value) {
			c.stalled, c.pending = true, false
			return
		}
		c.inside.drop()
		if c.refused || c.interval != 0 || c.Passed.On() {
			c.accepted(now, head)
		}
	}
	c.pending = false
}

// accepted books a value that has left, where there is more to it.
func (c *carrier) accepted(now Time, f *flight) {
	if c.interval != 0 && now != f.arrived {
		c.exit = c.clock.After(now, c.interval) // after a stall, no faster than it entered
	}
	if c.refused {
		c.refused = false
		c.engine.At(now, c.id, roomAgain)
	}
	if c.Passed.On() {
		c.Passed.Emit(Hop{c.name, f.value, f.sent, f.entered, f.arrived, now})
	}
}
