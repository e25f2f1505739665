package stress

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

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
