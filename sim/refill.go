package sim

import "math/bits"

// refill makes the run hold the next events when it has run out, and reports
// whether there are any that may fire by limit. It never moves reach past what
// it has taken out of the slots, so that anything may be scheduled afterwards.
func (q *ladder) refill(limit Time) bool {
	if q.batch != nil && q.nextOfBatch() {
		return true
	}
	q.run, q.head = q.own[:0], 0
	for q.level != 0 {
		l, s, start := q.lowest()
		if start > limit {
			return false
		}
		from := &q.slots[l<<digitBits|s]
		if from.tail.next == from.tail && from.n <= sortMost {
			q.gather(l, s, start)
			return true
		}
		if at, one := from.oneTime(); one {
			if at > limit {
				return false
			}
			q.clear(l, s)
			q.startBatch(at, from)
			return true
		}
		q.clear(l, s)
		q.spread(start, from)
	}
	return false
}

// lowest returns the lowest slot and the first instant that it stands for.
func (q *ladder) lowest() (l, s uint, start Time) {
	l = uint(bits.TrailingZeros32(q.level))
	s = uint(bits.TrailingZeros64(q.occupied[l]))
	shift := l * digitBits
	start = q.reach&^(1<<(shift+digitBits)-1) | Time(s)<<shift
	return l, s, start
}

// clear takes the marks of a slot away that is about to be emptied.
func (q *ladder) clear(l, s uint) {
	q.occupied[l] &^= 1 << s
	if q.occupied[l] == 0 {
		q.level &^= 1 << l
	}
}

// gather sorts a small slot into the run, and joins further small ones while the
// run is shorter than joinUntil: a few events are not worth the way through the
// slots.
func (q *ladder) gather(l, s uint, start Time) {
	for {
		from := &q.slots[l<<digitBits|s]
		q.clear(l, s)
		c, _, n := from.empty()
		for _, ev := range c.events[:n] {
			q.run = append(q.run, ev)
			q.sink(len(q.run) - 1)
		}
		q.release(c)
		q.reach = start | (1<<(l*digitBits) - 1)
		if len(q.run) >= joinUntil || q.level == 0 {
			return
		}
		l, s, start = q.lowest()
		from = &q.slots[l<<digitBits|s]
		if from.tail.next != from.tail || from.n > sortMost {
			return
		}
	}
}

// sink moves event i of the run to its place among those before it.
func (q *ladder) sink(i int) {
	r := q.run
	ev := r[i]
	for i > q.head && r[i-1].at > ev.at {
		r[i] = r[i-1]
		i--
	}
	r[i] = ev
}

// oneTime reports whether all events of a slot are for one time, and which.
func (s *slot) oneTime() (at Time, one bool) {
	c := s.tail.next
	at = c.events[0].at
	for {
		var differ Time
		list := held(c, s.tail, s.n)
		for i := range list {
			differ |= list[i].at ^ at
		}
		if differ != 0 {
			return 0, false
		}
		if c == s.tail {
			return at, true
		}
		c = c.next
	}
}

// startBatch runs a slot of one time where it lies.
func (q *ladder) startBatch(at Time, s *slot) {
	q.reach = at
	q.takeBatch(s)
}

func (q *ladder) takeBatch(s *slot) {
	c, last, n := s.empty()
	q.batch, q.last, q.lastN = c, last, int(n)
	q.run, q.head = held(c, last, n), 0
}

// nextOfBatch goes on to the batch's next chunk, or to what was scheduled for its
// time meanwhile.
func (q *ladder) nextOfBatch() bool {
	c := q.batch
	next := c.next
	q.release(c)
	if c != q.last {
		q.batch = next
		q.run, q.head = held(next, q.last, uint(q.lastN)), 0
		return true
	}
	if q.late.tail != nil {
		q.takeBatch(&q.late)
		return true
	}
	q.batch = nil
	return false
}

// spread distributes a large slot over the lower levels, which are empty.
func (q *ladder) spread(start Time, s *slot) {
	q.reach = start
	c, last, n := s.empty()
	for {
		for _, ev := range held(c, last, n) {
			q.place(ev)
		}
		next := c.next
		q.release(c)
		if c == last {
			return
		}
		c = next
	}
}
