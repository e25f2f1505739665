package timeline

import (
	"strconv"

	"hcasim/sim"
)

// A flow leads through the spans of one request. Its points are written one
// behind: which is the last is known when there are no more.
type flow struct {
	id    uint64 // 0: not begun
	has   bool   // there is a point in next
	next  point
	home  point // the last step of the request; thread 0: none
	known bool  // among the writer's
}

// A point of a flow is the beginning of a span.
type point struct {
	host, thread int
	at           sim.Time
}

// through leads the flow of a request through a span, if it has a length.
func (c *chrome) through(j *journey, host, thread int, e *event) {
	f := &j.flow
	if c.shown(e.end) == c.shown(e.at) || f.has && e.at < f.next.at {
		return
	}
	if !f.known {
		f.known = true
		c.flows = append(c.flows, j)
	}
	if f.has {
		c.pass(f)
	}
	f.has, f.next = true, point{host, thread, e.at}
}

// pass writes the point that is next, which is not the last.
func (c *chrome) pass(f *flow) {
	phase := "t"
	if f.id == 0 {
		c.flowed++
		f.id, phase = c.flowed, "s"
	}
	c.point(phase, f.id, f.next)
}

func (c *chrome) point(phase string, id uint64, p point) {
	c.begin(phase, p.host, p.thread, p.at)
	c.line = append(c.line, `,"bp":"e","cat":"op"`...)
	c.line = append(c.line, `,"id":`...)
	c.line = strconv.AppendUint(c.line, id, 10)
	c.end("op", nil)
}

// arrive ends the flow of a request, with whichever is later: the last span or
// the last step of its own.
func (c *chrome) arrive(j *journey) {
	f := &j.flow
	first, last := f.next, f.home
	switch {
	case last.thread == 0:
		last = first
		if f.id == 0 {
			last.thread = 0 // one point leads nowhere
		}
	case last.at < first.at:
		first, last = last, first
		f.next = first
		c.pass(f)
	default:
		c.pass(f)
	}
	if last.thread != 0 {
		c.point("f", f.id, last)
	}
	j.flow = flow{}
}

// rest ends the flows of requests that lie behind what was written.
func (c *chrome) rest() {
	rest := c.flows[:0]
	for _, j := range c.flows {
		if j.ended && j.op.End < c.last {
			c.arrive(j)
		} else {
			rest = append(rest, j)
		}
	}
	clear(c.flows[len(rest):])
	c.flows = rest
}
