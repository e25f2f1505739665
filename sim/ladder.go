package sim

import "math/bits"

// An event is what the queue holds: 16 bytes without a pointer.
type event struct {
	at      Time
	handler HandlerID
	arg     uint32
}

const (
	digitBits = 6
	radix     = 1 << digitBits
	levels    = 11 // 11 digits of 6 bits cover the 64 of a Time

	slotRoom = 1024 // levels*radix, rounded up so that a mask is the bounds check

	sortMost  = 24 // a slot of at most so many events is sorted into the run
	joinUntil = 8  // and further small slots are joined until the run has so many
	runMost   = 64 // a run of so many that must take one more gives some back
	runKeep   = 32
)

// A ladder is the queue of pending events: a radix ladder. An event lies in slot
// (l, s) where l is the highest digit of base 64 in which its time differs from
// reach, and s is that digit's value. All of a lower level is earlier than all of
// a higher one, and all of a lower slot than all of a higher one, so the next
// events are in the lowest slot of the lowest level. Events up to reach are in
// the run instead.
//
// Slots are append-only and spreading keeps their order, and the events of one
// time are always together: equal times are first in, first out without
// sequence numbers.
type ladder struct {
	run   []event // sorted; those from head on are still to come
	head  int
	reach Time // every event up to here is in the run, every later one in a slot
	late  slot // events for the one time of a batch that is running
	batch *chunk
	last  *chunk
	lastN int

	own      []event // where the run lies when it is not a batch
	level    uint32  // a bit per level that holds anything
	occupied [levels]uint64
	slots    [slotRoom]slot
	spare    *chunk
}

func (q *ladder) init() {
	for i := range q.slots {
		q.slots[i].n = chunkEvents
	}
	q.late.n = chunkEvents
	q.own = make([]event, 0, 4*runMost)
	q.run = q.own
}

// push adds an event that is not earlier than any taken out before.
func (q *ladder) push(ev event) {
	if ev.at <= q.reach {
		q.insert(ev)
		return
	}
	q.place(ev)
}

// place puts an event into its slot.
func (q *ladder) place(ev event) {
	l := level(uint64(ev.at) ^ uint64(q.reach))
	i := l<<digitBits | uint(ev.at)>>(l*digitBits)&(radix-1)
	s := &q.slots[i%slotRoom]
	if n := s.n; n < chunkEvents {
		s.tail.events[n] = ev
		s.n = n + 1
		return
	}
	q.extend(s, ev)
	q.occupied[l] |= 1 << (i & (radix - 1))
	q.level |= 1 << l
}

// level returns the highest digit of base 64 that is not 0, or 0 if none is.
func level(x uint64) uint {
	return uint(bits.Len64(x|1)-1) * 43 >> 8 // v*43/256 is v/6 for v up to 63
}
