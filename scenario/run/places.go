package run

import (
	"fmt"

	"hcasim/scenario/lang"
)

// outOfMemory stands for the place of a page that is not in memory.
const outOfMemory = ^uint64(0)

// places returns where the pages of all buffers and regions of this moment
// lie in physical memory, in the order of their addresses.
func (r *runner) places() map[*named][]uint64 {
	all := map[*named][]uint64{}
	for _, x := range r.world.sides {
		for _, n := range x.names {
			if b, ok := n.memory(); ok {
				all[n] = b.places()
			}
		}
	}
	return all
}

// places returns the frame behind each 4 KiB of a buffer.
func (b buffer) places() (list []uint64) {
	for at := b.va &^ 4095; at < b.va+b.length; at += 4096 {
		pa, ok := b.proc.Translate(at)
		if !ok {
			pa = outOfMemory
		}
		list = append(list, pa)
	}
	return list
}

// place asks whether the pages of a buffer have stayed or moved since a step
// began.
func (v *verdict) place(o *lang.ObjectExpect, n *named, what string) {
	for _, ask := range [...]struct {
		id    string
		moved bool
		want  string
	}{{o.StillSince, false, "where they were"}, {o.MovedSince, true, "elsewhere"}} {
		if ask.id == "" {
			continue
		}
		st := v.r.steps[ask.id]
		if st == nil || !st.started {
			v.hold(false, o.Pos, what+" pages", ask.want, "step "+ask.id+" has not begun")
			continue
		}
		b, _ := n.memory()
		before, now := st.before.places[n], b.places()
		got := ""
		for i, pa := range now {
			switch {
			case i >= len(before):
				got = "not there then"
			case pa == outOfMemory:
				got = fmt.Sprintf("page %d is not in memory", i)
			case (pa != before[i]) != ask.moved:
				got = fmt.Sprintf("page %d was at %#x and is at %#x", i, before[i], pa)
			}
		}
		v.hold(got == "", o.Pos, what+" pages", ask.want, got)
	}
}

// wantsPlaces reports whether any expectation looks at where pages lie.
func wantsPlaces(s *lang.Scenario) (yes bool) {
	visit(s, func(e *lang.Expect) {
		for i := range e.At {
			for _, o := range e.At[i].Value.Objects {
				yes = yes || o.StillSince != "" || o.MovedSince != ""
			}
		}
	})
	return yes
}
