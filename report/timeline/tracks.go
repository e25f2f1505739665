package timeline

import (
	"fmt"

	"hcasim/sim"
)

// A track is where a unit, or one row of it, is shown. It has as many lanes as
// things were ever under way in it at once.
type track struct {
	name  string
	place uint64 // among all tracks of its host
	lanes []*lane
}

// A lane is a thread of the format: its spans follow each other (T1).
type lane struct {
	thread int
	free   sim.Time
}

func (c *chrome) track(e *event) *track {
	at := place{e.host, e.unit, e.row}
	t := c.tracks[at]
	if t == nil {
		row := &c.rows[e.host][e.unit]
		t = &track{name: unitNames[e.unit].track + e.row, place: uint64(e.unit)*1_000_000 + uint64(*row)*100}
		*row++
		c.tracks[at] = t
	}
	return t
}

// lane returns the first lane that is free for a span.
func (t *track) lane(c *chrome, e *event) *lane {
	for _, l := range t.lanes {
		if l.free <= e.at {
			l.free = e.end
			return l
		}
	}
	l := t.open(c, e)
	l.free = e.end
	return l
}

// first returns the lane that flags are on.
func (t *track) first(c *chrome, e *event) *lane {
	if len(t.lanes) == 0 {
		return t.open(c, e)
	}
	return t.lanes[0]
}

// open adds a lane and names it.
func (t *track) open(c *chrome, e *event) *lane {
	c.threads++
	l := &lane{thread: 100 + c.threads}
	name := t.name
	t.lanes = append(t.lanes, l)
	n := len(t.lanes)
	if n > 1 {
		name += fmt.Sprintf(" (%d)", n)
	}
	c.meta(e.host, l.thread, "thread_name", words("name", name))
	c.meta(e.host, l.thread, "thread_sort_index", count("sort_index", t.place+uint64(min(n, 99))))
	return l
}
