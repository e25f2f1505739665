package sim

import "math/bits"

// refill makes the front or the batch hold the next events when both have run
// out, and reports whether there are any. It stops short of a slot that begins
// after limit; even so the events it takes may be later.
func (q *ladder) refill(limit Time) bool {
	if q.batch.on && q.nextOfBatch() {
		return true
	}
	for q.level != 0 {
		l, s, start := q.lowest()
		if start > limit {
			return false
		}
		from := &q.slots[(l<<digitBits|s)%slotRoom]
		q.clear(l, s)
		small := from.tail.next == from.tail && from.n <= gatherMost
		if small && from.n < batchLeast {
			q.gather(l, start, from)
			return true
		}
		if at, one := from.oneTime(); one {
			q.startBatch(at, from)
			return true
		}
		if small {
			q.gather(l, start, from)
			return true
		}
		q.spread(start, from)
	}
	return false
}

// lowest returns the lowest slot and the first instant that it stands for.
func (q *ladder) lowest() (l, s uint, start Time) {
	l = uint(bits.TrailingZeros64(q.level)) % 16
	s = uint(bits.TrailingZeros64(q.occupied[l]))
	shift := l * digitBits
	start = q.reach&^(1<<(shift+digitBits)-1) | Time(s)<<shift
	return l, s, start
}

// slotsAfter reports whether everything in the slots is certainly after t.
func (q *ladder) slotsAfter(t Time) bool {
	if q.level == 0 {
		return true
	}
	_, _, start := q.lowest()
	return start > t
}

// gather sorts a small slot into the front, and joins further small ones while
// the front has few: they are not worth the way through the slots.
func (q *ladder) gather(l uint, start Time, from *slot) {
	for {
		for _, ev := range from.tail.events[:from.n] {
			q.front.add(ev.at, ev.to)
		}
		from.n = 0
		q.reach = start | (1<<(l*digitBits) - 1)
		if q.front.n >= joinUntil || q.level == 0 {
			return
		}
		var s uint
		l, s, start = q.lowest()
		from = &q.slots[(l<<digitBits|s)%slotRoom]
		if from.tail.next != from.tail || from.n+q.front.n > gatherMost {
			return
		}
		q.clear(l, s)
	}
}

// oneTime reports whether all events of a slot are for one time, and which.
func (s *slot) oneTime() (at Time, one bool) {
	at = s.first().events[0].at
	if s.tail.events[s.n-1].at != at {
		return 0, false
	}
	for c := s.first(); c != nil; c = s.after(c) {
		for _, ev := range s.held(c) {
			if ev.at != at {
				return 0, false
			}
		}
	}
	return at, true
}

// spread distributes a large slot over the lower levels, which are empty.
func (q *ladder) spread(start Time, from *slot) {
	q.reach = start
	for c := from.first(); c != nil; c = from.after(c) {
		list := from.held(c)
		for k := range list {
			// What place does, without the call.
			at, to := list[k].at, list[k].to
			l := level(uint64(at) ^ uint64(start))
			digit := uint64(at) >> (l * digitBits & 63) % radix
			q.level |= 1 << l
			q.occupied[l] |= 1 << digit
			s := &q.slots[(l<<digitBits|uint(digit))%slotRoom]
			if n := s.n; n < chunkEvents {
				slot := &s.tail.events[n]
				slot.at, slot.to = at, to
				s.n = n + 1
				continue
			}
			q.extend(s, event{at, to})
		}
	}
	q.recycle(from)
}
