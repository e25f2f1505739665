package timeline

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// A chrome writes Chrome trace-event JSON, one event a line
// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
type chrome struct {
	to      io.Writer
	err     error
	options *Options
	view    *run.View
	held    held[*event]
	last    sim.Time // of what was written
	line    []byte
	lines   int
	tracks  map[place]*track
	rows    [2][numUnits]int // tracks of each unit so far
	threads int
	counts  map[place]*counted
	flows   []*journey // with one that is not at its end
	flowed  uint64
}

// A place is a unit of a host, or a row of it.
type place struct {
	host int
	unit unit
	row  string
}

// A counted is the values of one counter track.
type counted struct {
	names  []string
	values map[string]int
}

func newChrome(v *run.View, about string, o *Options, to io.Writer) *chrome {
	c := &chrome{to: to, options: o, view: v, tracks: map[place]*track{}, counts: map[place]*counted{}}
	c.held = held[*event]{order: earlier, write: c.write, pause: c.rest}
	scale := "as they are, cut to nanoseconds"
	if o.Picoseconds {
		scale = "1 ps is shown as 1 ns"
	}
	other := []arg{words("made by", "hcasim"), words("run", about), words("times", scale)}
	if o.Picky() {
		other = append(other, words("chosen", o.String()))
	}
	c.line = append(c.line, `{"displayTimeUnit":"ns","otherData":`...)
	c.object(other)
	c.line = append(c.line, `,"traceEvents":[`...)
	c.put()
	for i := range v.Hosts {
		c.meta(i, 0, "process_name", words("name", v.Hosts[i].Name))
		c.meta(i, 0, "process_sort_index", count("sort_index", uint64(i)))
	}
	return c
}

func (c *chrome) take(e *event) {
	if e.kind != state {
		c.held.add(e)
	}
}

func (c *chrome) close() error {
	c.held.close()
	for _, j := range c.flows {
		c.arrive(j)
	}
	c.line = append(c.line, "\n]}\n"...)
	c.put()
	return c.err
}

// put writes the line.
func (c *chrome) put() {
	if c.err == nil {
		_, c.err = c.to.Write(c.line)
	}
	c.line = c.line[:0]
}

func (c *chrome) write(e *event) {
	c.last = max(c.last, e.at)
	switch e.kind {
	case span:
		t := c.track(e)
		c.span(e, t.lane(c, e), e.args)
	case mark:
		t := c.track(e)
		c.begin("i", e.host, t.first(c, e).thread, e.at)
		c.line = append(c.line, `,"s":"t"`...)
		c.end(e.name, e.args)
	case change:
		c.count(e)
	case state: // is not taken
	}
}

// span writes a span and, inside it, its steps.
func (c *chrome) span(e *event, l *lane, args []arg) {
	c.slice(e, e.host, l.thread, args)
	for i := range e.steps {
		c.slice(&e.steps[i], e.host, l.thread, nil)
	}
	switch n := len(e.steps); {
	case e.of == nil, e.unit == unitUp, e.unit == unitDown: // the DMA is in the flow already
	case n == 0:
		c.through(e.of, e.host, l.thread, e)
	default:
		if first := &e.steps[0]; !e.of.flow.has {
			c.through(e.of, e.host, l.thread, first)
		}
		if last := &e.steps[n-1]; n > 1 && c.shown(last.end) > c.shown(last.at) {
			e.of.flow.home = point{e.host, l.thread, last.at}
		}
	}
}

func (c *chrome) slice(e *event, host, thread int, args []arg) {
	c.begin("X", host, thread, e.at)
	c.line = append(c.line, `,"dur":`...)
	// As much more than whole as a double may be less.
	c.number(c.shown(e.end)-c.shown(e.at), 1)
	if !c.options.Picoseconds {
		args = append(args[:len(args):len(args)], count("start_ps", uint64(e.at)), count("length_ps", uint64(e.end-e.at)))
	}
	c.end(e.name, args)
}

// shown is a time as Perfetto will keep it, in its nanoseconds.
func (c *chrome) shown(t sim.Time) uint64 {
	if c.options.Picoseconds {
		return uint64(t)
	}
	return uint64(t) / 1000
}

// number writes nanoseconds as the microseconds of the format. Readers multiply
// by a thousand and cut: some tenths of a nanosecond more keep a double from
// falling short.
func (c *chrome) number(ns uint64, tenths uint64) {
	c.line = strconv.AppendUint(c.line, ns/1000, 10)
	c.line = append(c.line, '.', byte('0'+ns/100%10), byte('0'+ns/10%10), byte('0'+ns%10), byte('0'+tenths))
}

// begin begins an event.
func (c *chrome) begin(phase string, host, thread int, at sim.Time) {
	c.head(phase, host, thread)
	c.line = append(c.line, `,"ts":`...)
	c.number(c.shown(at), 2)
}

func (c *chrome) head(phase string, host, thread int) {
	if c.lines > 0 {
		c.line = append(c.line, ',')
	}
	c.lines++
	c.line = append(c.line, "\n{\"ph\":\""...)
	c.line = append(c.line, phase...)
	c.line = append(c.line, `","pid":`...)
	c.line = strconv.AppendInt(c.line, int64(host)+1, 10)
	c.line = append(c.line, `,"tid":`...)
	c.line = strconv.AppendInt(c.line, int64(thread), 10)
}

// end ends it with its name and arguments.
func (c *chrome) end(name string, args []arg) {
	c.line = append(c.line, `,"name":`...)
	c.text(name)
	if len(args) > 0 {
		c.line = append(c.line, `,"args":`...)
		c.object(args)
	}
	c.line = append(c.line, '}')
	c.put()
}

func (c *chrome) meta(host, thread int, name string, a arg) {
	c.head("M", host, thread)
	c.end(name, []arg{a})
}

func (c *chrome) object(args []arg) {
	c.line = append(c.line, '{')
	for i, a := range args {
		if i > 0 {
			c.line = append(c.line, ',')
		}
		c.text(a.key)
		c.line = append(c.line, ':')
		if a.named {
			c.text(a.text)
		} else {
			c.line = strconv.AppendUint(c.line, a.number, 10)
		}
	}
	c.line = append(c.line, '}')
}

// text writes a string: nearly all of them are as they are.
func (c *chrome) text(s string) {
	if !strings.ContainsFunc(s, special) {
		c.line = append(append(append(c.line, '"'), s...), '"')
		return
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		panic("timeline: a string that JSON has no form for: " + err.Error())
	}
	c.line = append(c.line, quoted...)
}

func special(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }

// count writes what a counter has come to.
func (c *chrome) count(e *event) {
	at := place{e.host, e.unit, e.row}
	n := c.counts[at]
	if n == nil {
		n = &counted{values: map[string]int{}}
		c.counts[at] = n
	}
	if _, there := n.values[e.name]; !there {
		n.names = append(n.names, e.name)
	}
	n.values[e.name] += e.delta
	if !c.options.overlaps(e.at, e.at) {
		return
	}
	var args []arg
	for _, name := range n.names {
		args = append(args, count(name, uint64(max(0, n.values[name]))))
	}
	c.begin("C", e.host, 0, e.at)
	c.end(e.row, args)
}
