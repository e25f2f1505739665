package stress

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/wire"
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

func word(b []byte) (n uint64) {
	for i, x := range b[:8] {
		n |= uint64(x) << (8 * i)
	}
	return n
}

func put(b []byte, n uint64) {
	for i := range b[:8] {
		b[i] = byte(n >> (8 * i))
	}
}

// back is what a request brings home, of a place of its lane.
func (o *op) back(image []byte) []byte { return slices.Clone(image[o.off : o.off+o.n]) }

// atomic does an atomic to memory.
func (o *op) atomic(image []byte) {
	was := word(image[o.off:])
	if o.code == "ATOMIC_FETCH_AND_ADD" {
		put(image[o.off:], was+o.a)
	} else if was == o.a {
		put(image[o.off:], o.b)
	}
}

// done carries out a request that succeeded.
func (c *check) done(o *op) {
	l := o.lane
	to, from := l.to.image, l.from.image
	switch {
	case o.shared && o.takes():
		c.settle(l.from, o.sink, o.n)
	case o.shared:
	case o.code == "RDMA_READ":
		copy(from[o.sink:], o.back(to))
	case o.takes():
		copy(from[o.sink:], o.back(to))
		o.atomic(to)
	case strings.HasPrefix(o.code, "RDMA_WRITE"):
		copy(to[o.off:], l.from.source(o.src, o.n))
	case !l.srq:
		copy(to[l.recvs[o.recv].at:], l.from.source(o.src, o.n))
	}
}

// beginning looks for a beginning of the packets of what did not succeed, such
// that memory is what it would have made.
func (c *check) beginning(l *lane, ops []*op) {
	to, got := l.to.image, c.memory(l.to)
	spans := [][2]int{{l.at, l.n}}
	if !l.srq {
		for _, s := range l.recvs {
			spans = append(spans, [2]int{s.at, s.n})
		}
	}
	bad, found := 0, false
	for _, s := range spans {
		for i := s[0]; i < s[0]+s[1]; i++ {
			if to[i] != got[i] {
				bad++
			}
		}
	}
	found = bad == 0
	set := func(at int, data []byte) {
		for i, b := range data {
			if to[at+i] != got[at+i] {
				bad--
			}
			if to[at+i] = b; b != got[at+i] {
				bad++
			}
		}
		found = found || bad == 0
	}
walk:
	for i, o := range ops {
		refused := o.bad != "" && o.bad != "local" || o.bad == "local" && !o.takes()
		switch {
		case refused:
			break walk
		case o.shared && o.takes():
			c.settle(l.from, o.sink, o.n)
		case o.shared:
		case o.takes():
			was := o.back(to)
			if o.code != "RDMA_READ" {
				next := slices.Clone(to[o.off : o.off+8])
				at := *o
				at.off = 0
				at.atomic(next)
				set(o.off, next)
			}
			for k := range was {
				if b := c.memory(l.from)[o.sink+k]; b != was[k] && b != l.from.fill {
					c.say("%s, which failed, brought back %#02x at %d", o.id, b, k)
					break
				}
			}
			c.settle(l.from, o.sink, o.n)
		default:
			at := o.off
			if strings.HasPrefix(o.code, "SEND") {
				if l.srq {
					break
				}
				at = l.recvs[o.recv].at
			}
			for from := 0; from < o.n; from += l.mtu {
				n := min(l.mtu, o.n-from)
				set(at+from, l.from.source(o.src+from, n))
			}
		}
		// Behind a READ others may be done before its bytes are fetched, and its
		// key is looked at with each packet of them.
		if i == 0 && strings.HasPrefix(o.status, "REM_") && o.code != "RDMA_READ" {
			break
		}
	}
	if !found {
		c.say("%s: no beginning of what follows %s makes of memory what it is", l.name, ops[0].id)
	}
	for _, s := range spans {
		c.settle(l.to, s[0], s[1])
	}
	for _, o := range ops { // those behind a refusal too
		if o.takes() && o.bad == "" {
			c.settle(l.from, o.sink, o.n)
		}
	}
}

// loose asks of the bytes of an unreliable lane that each has one of the values
// that were on their way to it.
func (c *check) loose(l *lane, ops []*op) {
	values := map[int][]byte{}
	for _, o := range ops {
		at := o.off
		if strings.HasPrefix(o.code, "SEND") { // lost ones leave their receive to the next
			for _, s := range l.recvs {
				c.settle(l.to, s.at, s.n)
			}
			continue
		}
		if o.shared {
			continue
		}
		for i, b := range l.from.source(o.src, o.n) {
			values[at+i] = append(values[at+i], b)
		}
	}
	for i := l.at; i < l.at+l.n; i++ {
		if b := c.memory(l.to)[i]; b != l.to.fill && !slices.Contains(values[i], b) {
			c.say("%s: byte %d is %#02x, which nobody wrote", l.name, i, b)
			break
		}
	}
	c.settle(l.to, l.at, l.n)
}

// counters asks that old values are one chain, in which each addition that
// succeeded is done exactly once.
func (c *check) counters(m *machine, got []byte) {
	for _, n := range m.counters {
		type link struct{ was, is uint64 }
		final := word(got[n.at:])
		chain := []link{{final, final}}
		for _, o := range n.adds {
			if o.ended == 0 { // it was drawn and not asked for
				if final>>o.bit&1 != 0 {
					c.say("counter at %d: bit %d was never added", n.at, o.bit)
				}
				continue
			}
			if o.status == "SUCCESS" {
				was := word(c.memory(o.lane.from)[o.sink:])
				chain = append(chain, link{was, was + o.a})
			}
		}
		if final>>len(n.adds) != 0 {
			c.say("counter at %d is %#x of %d additions", n.at, final, len(n.adds))
		}
		slices.SortFunc(chain, func(a, b link) int { return cmp.Compare(bits.OnesCount64(a.was), bits.OnesCount64(b.was)) })
		for i := range chain[1:] {
			if a, b := chain[i], chain[i+1]; a.is&^b.was != 0 || bits.OnesCount64(a.is) != bits.OnesCount64(a.was)+1 {
				c.say("counter at %d: %#x became %#x, and later it was %#x", n.at, a.was, a.is, b.was)
			}
		}
		c.settle(m, n.at, 8)
	}
}

// zone asks of the bytes that all write, and of what was read of them, that
// each has a value that somebody wrote.
func (c *check) zone(m *machine) {
	values, written := make([][]byte, sharedBytes), make([]bool, sharedBytes)
	each := func(read bool, f func(o *op)) {
		for _, l := range c.lanes {
			for _, o := range l.ops() {
				if l.to == m && o.shared && o.count == nil && o.takes() == read {
					f(o)
				}
			}
		}
	}
	each(false, func(o *op) {
		for i, b := range o.lane.from.source(o.src, o.n) {
			at := o.off - m.zone + i
			values[at] = append(values[at], b)
			written[at] = written[at] || o.status == "SUCCESS" && (!o.lane.pair.uc || o.lane.sure())
		}
	})
	may := func(at int, b byte) bool {
		return b == m.fill && !written[at] || slices.Contains(values[at], b)
	}
	for at := range sharedBytes {
		if b := c.memory(m)[m.zone+at]; !may(at, b) {
			c.say("%s: byte %d of the zone is %#02x, which nobody wrote", m.name, at, b)
			break
		}
	}
	clear(written)
	each(true, func(o *op) {
		for i := range o.n {
			if b := c.memory(o.lane.from)[o.sink+i]; !may(o.off-m.zone+i, b) && (o.status == "SUCCESS" || b != o.lane.from.fill) {
				c.say("%s read %#02x at %d, which nobody wrote", o.id, b, i)
				break
			}
		}
	})
	c.settle(m, m.zone, sharedBytes)
}

// shared looks for each message in a slot of its own.
func (c *check) shared(m *machine) {
	if m.srq == nil {
		return
	}
	free, open := slices.Clone(m.srq.slots), false
	for _, l := range c.lanes {
		for _, o := range l.ops() {
			switch {
			case l.to != m || !l.srq || o.recv < 0:
			case o.status != "SUCCESS":
				open = true
			case strings.HasPrefix(o.code, "SEND"):
				want := append(l.from.source(o.src, o.n), slices.Repeat([]byte{m.fill}, m.srq.size-o.n)...)
				i := slices.IndexFunc(free, func(at int) bool { return string(c.memory(m)[at:at+m.srq.size]) == string(want) })
				if i < 0 {
					c.say("%s is in no slot", o.id)
					continue
				}
				free = slices.Delete(free, i, i+1)
			}
		}
	}
	for _, at := range m.srq.slots {
		if !slices.Contains(free, at) || open {
			c.settle(m, at, m.srq.size)
		}
	}
}

// outcome counts.
func (w *world) outcome(v *run.View, res *run.Result) {
	w.events = res.Events
	for i := range w.faults {
		w.hits = append(w.hits, v.Link.Hits(wire.FaultID(i)))
	}
}

func (f *figures) add(w *world) {
	if w == nil {
		return
	}
	f.runs++
	f.events += w.events
	f.beside(w)
	for _, l := range w.lanes {
		for _, o := range l.ops() {
			f.ops++
			if l.sure() {
				f.certain++
			}
			if o.status != "SUCCESS" {
				f.failed++
			}
		}
	}
	for i, n := range w.hits {
		switch s := w.faults[i]; {
		case strings.Contains(s, "drop"):
			f.dropped += n
		case strings.Contains(s, "corrupt"):
			f.corrupted += n
		case strings.Contains(s, "duplicate"):
			f.duplicated += n
		default:
			f.late += n
		}
	}
}
