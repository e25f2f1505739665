package replay

import (
	"fmt"

	"hcasim/report/capture/talk"
)

// registrations plans how the keys of fast-register regions come and go.
func (x *plan) registrations(s *side) {
	for _, r := range s.regions {
		if !r.fast() {
			continue
		}
		for i, l := range r.lives {
			if i == 0 {
				x.setup = append(x.setup, &step{on: s.n, do: regText(s, l)})
			} else {
				x.again(s, r.lives[i-1], l)
			}
			if l.ends != nil {
				x.notes.Add(l.ends.Frame, "key 0x%08x of host %s is refused what it granted before; invalidated between the two", uint32(l.key), talk.Names[s.n])
				x.steps = append(x.steps, &step{at: between(l.atWork(), l.ends.At), on: s.n, do: invText(l), why: unseen})
			}
		}
	}
}

// unseen is why a step stands between two frames.
const unseen = "not on the wire: it happened between two frames"

// again plans how a key comes to life after the one that its region had before.
func (x *plan) again(s *side, was, l *life) {
	at := between(was.over(), l.first.At)
	if was.killer == nil && was.ends == nil {
		x.steps = append(x.steps, &step{at: at, on: s.n, do: invText(l), why: unseen})
	}
	x.notes.Add(l.first.Frame, "key 0x%08x of host %s opens memory again, or other memory; registered between this frame and the one before it", uint32(l.key), talk.Names[s.n])
	x.steps = append(x.steps, &step{at: at, on: s.n, do: regText(s, l), why: unseen})
}

// atWork returns when a life was last seen to grant something.
func (l *life) atWork() int64 {
	at := l.first.At
	for _, o := range l.uses {
		at = max(at, o.At, o.Done)
	}
	return at
}

// over returns when a life had ended at the latest.
func (l *life) over() int64 {
	end := l.atWork()
	if l.killer != nil {
		end = max(end, l.killer.At, l.killer.Done)
	}
	if l.ends != nil {
		end = max(end, l.ends.At)
	}
	return end
}

// regText writes how a fast-register region becomes valid.
func regText(s *side, l *life) string {
	return fmt.Sprintf("wr_reg_mr: {qp: %s, mr: %s, %s, access: %s, key: 0x%08x}, expect: {wc: SUCCESS}", l.first.conn.label, l.region.name, s.behind(l), rights(l.access), uint32(l.key))
}

// invText writes how it is taken back.
func invText(l *life) string {
	return fmt.Sprintf("wr_local_inv: {qp: %s, invalidate: %s}, expect: {wc: SUCCESS}", l.first.conn.label, l.region.name)
}
