package stress

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// watch notes how each request ends.
func (w *world) watch(v *run.View, steps []lang.Step) {
	numbers := map[int]string{}
	lang.EachStep(steps, func(s *lang.Step) { numbers[s.Number] = s.ID })
	began := map[string]*op{}
	for _, l := range w.lanes {
		for _, o := range l.ops() {
			began[o.id] = o
		}
	}
	ended := map[string]int{}
	v.Ended.Watch(func(e *run.Op) {
		if ended[e.ID]++; ended[e.ID] == 2 {
			w.odd = append(w.odd, fmt.Sprintf("op %s ended twice", e.ID))
		}
		_, wr, listed := strings.Cut(e.ID, ".")
		if !listed {
			wr = "1"
		}
		if o := began[numbers[e.Step]+"."+wr]; o != nil {
			w.ends++
			o.ended++
			o.place, o.status = w.ends, strings.TrimPrefix(e.Status.String(), "IBV_WC_")
		}
	})
}

// A check holds what came of a world to the text.
type check struct {
	*world
	got   [2][]byte
	wrong []string
}

func (c *check) say(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// verify returns all that is wrong.
func (w *world) verify(v *run.View) []string {
	c := &check{world: w}
	for i, m := range w.machines {
		c.got[i] = make([]byte, m.size)
		source := make([]byte, sourceBytes)
		for _, h := range v.Hosts {
			if h.Name == m.name && (!h.Host.Processes[0].Peek(0x40000000, c.got[i]) || !h.Host.Processes[0].Peek(0x10000000, source)) {
				panic("stress: memory is gone")
			}
		}
		if string(source) != string(m.source(0, sourceBytes)) {
			c.say("%s: the source has changed", m.name)
		}
	}
	for _, l := range w.lanes {
		c.lane(l)
	}
	for _, s := range w.streams {
		c.stream(s)
	}
	for _, d := range w.grams {
		c.datagrams(d)
	}
	for i, m := range w.machines {
		c.counters(m, c.got[i])
		c.zone(m)
		c.shared(m)
	}
	for i, m := range w.machines {
		for k, b := range c.got[i] {
			if b != m.image[k] {
				c.say("%s: byte %d of u%s is %#02x, not %#02x: %s", m.name, k, m.low, b, m.image[k], w.whose(m, k))
				break
			}
		}
	}
	return append(w.odd, c.wrong...)
}

// whose tells what a byte of a target is for.
func (w *world) whose(m *machine, at int) string {
	for _, l := range w.lanes {
		if l.to == m && at >= l.at && at < l.at+l.n {
			return "place of " + l.name
		}
		for _, o := range l.ops() {
			if l.from == m && o.takes() && at >= o.sink && at < o.sink+o.n {
				return "what comes back of " + o.id
			}
			if l.to == m && o.recv >= 0 && at >= l.recvs[o.recv].at && at < l.recvs[o.recv].at+l.recvs[o.recv].n {
				return "receive of " + o.id
			}
		}
	}
	return "nobody's"
}

func (c *check) memory(m *machine) []byte {
	if m == c.machines[0] {
		return c.got[0]
	}
	return c.got[1]
}

// settle takes bytes as they are: what they may be is looked at elsewhere.
func (c *check) settle(m *machine, at, n int) {
	copy(m.image[at:at+n], c.memory(m)[at:])
	for i := range n {
		m.open[at+i] = true
	}
}

// leave takes all bytes of a lane as they are.
func (c *check) leave(l *lane) {
	c.settle(l.to, l.at, l.n)
	for _, s := range l.recvs {
		c.settle(l.to, s.at, s.n)
	}
	for _, o := range l.ops() {
		if o.takes() {
			c.settle(l.from, o.sink, o.n)
		}
	}
}

// lane holds the requests of a lane to S3, and its memory to what they did.
func (c *check) lane(l *lane) {
	ops, k := l.ops(), -1
	last := 0
	for i, o := range ops {
		if o.ended != 1 {
			c.say("%s ended %d times", o.id, o.ended)
			c.leave(l)
			return
		}
		if polled := !o.quiet || o.status != "SUCCESS"; polled && o.place < last {
			c.say("%s ended before one that was before it", o.id)
		} else if polled {
			last = o.place
		}
		switch {
		case k >= 0 && o.status != "WR_FLUSH_ERR":
			c.say("%s: %s behind a failure", o.id, o.status)
		case k < 0 && o.status != "SUCCESS":
			k = i
		}
		if k == i && !slices.Contains(l.mayFail(o), o.status) || k < 0 && o.bad != "" {
			c.say("%s: %s, of %v", o.id, o.status, l.mayFail(o))
		}
	}
	if k < 0 {
		k = len(ops)
	}
	if l.pair.uc && !l.sure() {
		c.loose(l, ops)
		return
	}
	for _, o := range ops[:k] {
		c.done(o)
	}
	if k < len(ops) {
		c.beginning(l, ops[k:])
	}
}

// mayFail lists what a request may fail with if all before it succeeded.
func (l *lane) mayFail(o *op) (list []string) {
	if l.sure() {
		return nil
	}
	lost := l.drops || l.harsh || l.hasty
	if lost && !l.pair.uc {
		list = append(list, "RETRY_EXC_ERR")
	}
	if l.pair.uc && (l.untidy || l.drops) { // a message that comes twice takes the receive of another
		list = append(list, "WR_FLUSH_ERR")
	}
	switch o.bad {
	case "local":
		list = append(list, "LOC_PROT_ERR", "LOC_QP_OP_ERR")
	case "byte", "index", "range":
		list = append(list, "REM_ACCESS_ERR")
		if l.lossy || l.untidy { // of the NAK nothing may be heard
			list = append(list, "RETRY_EXC_ERR")
		}
	}
	if l.kill != "" {
		list = append(list, "REM_ACCESS_ERR", "RETRY_EXC_ERR", "WR_FLUSH_ERR")
	}
	if b := l.back; b != nil && (b.kill != "" || b.spoilt != nil || b.pair.few || lost) {
		list = append(list, "RETRY_EXC_ERR", "WR_FLUSH_ERR")
	}
	if l.dead { // a SEND_WITH_INV that lost its key, or a local fault there
		list = append(list, "REM_ACCESS_ERR")
	}
	if l.pair.few && o.recv >= 0 {
		list = append(list, "RNR_RETRY_EXC_ERR", "RETRY_EXC_ERR")
	}
	if l.dead && l.kill != "" {
		list = append(list, "REM_INV_REQ_ERR", "REM_OP_ERR")
	}
	return list
}
