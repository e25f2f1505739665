package lang

import (
	"fmt"
	"slices"

	"hcasim/sim"
)

// mostTouched bounds the bytes that one store or load touches: they are in the
// memory of this program while it does.
const mostTouched = 1 << 30

// touched notes a store or load that would touch nothing, or too much. Beyond
// a region or at an address of its own it may: that is a way to be refused.
func (c *checker) touched(a *HostAct, d *decl, s *Step) {
	if d == nil || d.length == nil {
		return
	}
	whole := *d.length
	if a.Buf.Given() && a.Offset >= 0 && whole > 0 && sim.Bytes(a.Offset) >= whole {
		c.in(s.Pos, s.Verb, fmt.Sprintf("%s begins behind %s of %s", s.Verb, a.Buf.Name, whole), "offset: is from its first byte; addr: is any address")
		return
	}
	length := whole - min(whole, sim.Bytes(max(0, a.Offset)))
	if a.Length != nil {
		length = *a.Length
	} else if a.Data != nil && (a.Data.Kind == DataBytes || a.Data.Kind == DataU64) {
		return
	}
	if length > mostTouched && (s.Verb == "store" || s.Verb == "load") {
		c.in(s.Pos, s.Verb, fmt.Sprintf("%s of %s at once", s.Verb, length), fmt.Sprintf("length: at most %s", sim.Bytes(mostTouched)))
	}
}

// apartInMemory notes buffers that lie over each other, or pass the end of the
// address space: no operating system maps those.
func (c *checker) apartInMemory(h *Host) {
	for i := range h.Mem {
		m := &h.Mem[i].Value
		if m.At == nil || m.Length == 0 {
			continue
		}
		first := uint64(*m.At)
		last := first + uint64(m.Length) - 1
		if last < first {
			c.in(m.Pos, "at", fmt.Sprintf("buffer %s passes the end of the address space", h.Mem[i].Name), "at + length is at most 2^64")
			continue
		}
		for k := range h.Mem[:i] {
			o := &h.Mem[k].Value
			if o.At == nil || o.Length == 0 || o.Proc.Name != m.Proc.Name {
				continue
			}
			if from := uint64(*o.At); from <= last && first <= from+uint64(o.Length)-1 {
				c.in(m.Pos, "at", fmt.Sprintf("buffer %s lies over buffer %s", h.Mem[i].Name, h.Mem[k].Name),
					fmt.Sprintf("%s is at 0x%x to 0x%x; without at: each has a place of its own", h.Mem[k].Name, from, from+uint64(o.Length)-1))
			}
		}
	}
}

// bounds looks at what an expectation says of a latency.
func (c *checker) bounds(e *Expect) {
	var low, high *Bound
	for i := range e.Latency {
		b := &e.Latency[i]
		c.known(b.Of, b.Pos)
		switch {
		case b.Of != "":
		case b.Op == MoreEqual || b.Op == More:
			low = b
		case b.Op == LessEqual || b.Op == Less:
			high = b
		}
	}
	if low != nil && high != nil && low.Value > high.Value {
		c.at(low.Pos, 1, fmt.Sprintf("no latency is %s %s and %s %s", low.Op, low.Value, high.Op, high.Value), "the least comes first, then the most")
	}
}

// circles notes steps that come after each other in a circle, or after
// themselves: none of them would ever begin.
func (c *checker) circles(steps []Step) {
	next := map[int]*After{} // by number of the step that waits
	EachStep(steps, func(s *Step) {
		if s.After != nil && s.After.ID != "" {
			next[s.Number] = s.After
		}
	})
	walked := map[int]int{} // from which step a step was come to, each once
	EachStep(steps, func(s *Step) {
		way := []int{}
		for n := s.Number; next[n] != nil; n = c.stepOf(next[n].ID) {
			if from := walked[n]; from == s.Number {
				c.circle(next[n], len(way)-slices.Index(way, n))
				return
			} else if from != 0 {
				return
			}
			walked[n] = s.Number
			way = append(way, n)
		}
	})
}

// circle notes one of so many steps.
func (c *checker) circle(a *After, steps int) {
	if steps == 1 {
		c.at(a.Pos, len(a.ID), "a step cannot come after itself", "after: names another step")
		return
	}
	c.at(a.Pos, len(a.ID), fmt.Sprintf("%d steps come after each other in a circle", steps), "none would ever begin: take away one after:")
}
