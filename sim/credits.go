package sim

import "fmt"

// Credits are a fixed number of equal things: tags, buffers, slots. Whoever
// cannot have some waits, first come first served.
type Credits struct {
	engine  *Engine
	name    string
	total   uint32
	free    uint32
	waiters Ring[Waiter]
}

// A Waiter stands in the queue for N credits; Handler fires with Arg when it
// has them.
type Waiter struct {
	Handler HandlerID
	Arg     uint32
	N       uint32
}

// NewCredits returns total credits, all free.
func NewCredits(e *Engine, name string, total uint32) *Credits {
	c := &Credits{engine: e, name: name, total: total, free: total}
	e.keep(c)
	return c
}

// Take takes n credits at once or none. It never gets ahead of a waiter.
func (c *Credits) Take(n uint32) bool {
	if n > c.total {
		panic(fmt.Sprintf("sim: %s at %v: %d credits taken of %d", c.name, c.engine.now, n, c.total))
	}
	if c.waiters.Len() > 0 || n > c.free {
		return false
	}
	c.free -= n
	return true
}

// TakeOrWait takes n credits and returns true, or joins the queue and returns
// false: h then fires with arg, at the instant the credits are there, and they
// are already taken.
func (c *Credits) TakeOrWait(n uint32, h HandlerID, arg uint32) bool {
	if c.Take(n) {
		return true
	}
	c.waiters.Push(Waiter{h, arg, n})
	return false
}

// Give gives n credits back, and serves the waiters whose turn has come.
func (c *Credits) Give(n uint32) {
	if n > c.total-c.free {
		panic(fmt.Sprintf("sim: %s at %v: %d credits given back, %d were out",
			c.name, c.engine.now, n, c.total-c.free))
	}
	c.free += n
	for c.waiters.Len() > 0 && c.waiters.Peek().N <= c.free {
		w := c.waiters.Pop()
		c.free -= w.N
		c.engine.At(c.engine.now, w.Handler, w.Arg)
	}
}

// Free returns how many credits nobody has.
func (c *Credits) Free() uint32 { return c.free }

// Total returns how many credits there are.
func (c *Credits) Total() uint32 { return c.total }

// Waiting returns how many stand in the queue.
func (c *Credits) Waiting() int { return c.waiters.Len() }

// Waiter returns the i-th of those who wait, the next to be served first.
func (c *Credits) Waiter(i int) Waiter { return *c.waiters.At(i) }
