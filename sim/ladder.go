package sim

import "math/bits"

// An event is what the queue holds: 16 bytes without a pointer.
//
// It is stored and loaded as two words: a wide load of what two narrow stores
// just wrote would wait for both to reach the cache.
type event struct {
	at Time
	to uint64 // handler in the upper half, argument in the lower
}

func newEvent(at Time, h HandlerID, arg uint32) event {
	return event{at, uint64(h)<<32 | uint64(arg)}
}

const (
	digitBits = 6
	radix     = 1 << digitBits
	levels    = 11   // 11 digits of 6 bits cover the 64 of a Time
	slotRoom  = 1024 // levels*radix, rounded up so that a mask is the bounds check

	gatherMost = 14 // a slot of at most so many events is sorted into the front
	joinUntil  = 8  // and further small slots are joined until the front has so many
	batchLeast = 5  // a slot of as many events runs where it lies if they are of one time
)

// A ladder is the queue of pending events: a radix ladder. An event lies in slot
// (l, s) where l is the highest digit of base 64 in which its time differs from
// reach, and s is that digit's value. All of a lower level is earlier than all of
// a higher one, and all of a lower slot than all of a higher one, so the next
// events are in the lowest slot of the lowest level.
//
// Events up to reach are not in the slots but in the front; or, when reach is one
// instant with many events, in the batch, and then the front is empty.
//
// Slots are append-only, spreading keeps their order, and the slotted events of
// one time are always in one slot: equal times are first in, first out without
// sequence numbers.
type ladder struct {
	front    front
	reach    Time
	batch    batch
	level    uint64 // a bit per level that holds anything
	occupied [16]uint64
	slots    [slotRoom]slot
	spare    *chunk
}

func (q *ladder) init() {
	q.front.init()
	for i := range q.slots {
		q.slots[i].n = chunkEvents
	}
	q.batch.slot.n, q.batch.late.n = chunkEvents, chunkEvents
}

// level returns the highest digit of base 64 that is not 0, or 0 if none is.
func level(x uint64) uint {
	return uint(bits.Len64(x|1)-1) * 43 >> 8 % 16 // v*43/256 is v/6 for v up to 63
}

// push adds an event, which must not be earlier than any that was taken out.
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
	digit := uint64(ev.at) >> (l * digitBits & 63) % radix
	q.level |= 1 << l
	q.occupied[l] |= 1 << digit
	q.append(&q.slots[(l<<digitBits|uint(digit))%slotRoom], ev)
}

// insert adds an event that is not later than reach.
func (q *ladder) insert(ev event) {
	switch {
	case q.batch.on && ev.at == q.reach:
		q.append(&q.batch.late, ev)
	case q.batch.on:
		q.disband(ev.at)
		q.push(ev)
	case q.front.n == frontRoom:
		q.shorten()
		q.push(ev)
	default:
		q.front.add(ev.at, ev.to)
	}
}

// retreat moves reach back. What lay in levels below the one in which the old
// and the new reach differ belongs into a slot of that level now.
func (q *ladder) retreat(to Time) {
	l := level(uint64(q.reach) ^ uint64(to))
	q.reach = to
	for q.level&(1<<l-1) != 0 {
		lower := uint(bits.TrailingZeros64(q.level))
		s := uint(bits.TrailingZeros64(q.occupied[lower]))
		q.clear(lower, s)
		from := &q.slots[lower<<digitBits|s]
		for c := from.first(); c != nil; c = from.after(c) {
			for _, ev := range from.held(c) {
				q.place(ev)
			}
		}
		q.recycle(from)
	}
}

// clear takes the marks of a slot away that is about to be emptied.
func (q *ladder) clear(l, s uint) {
	q.occupied[l] &^= 1 << s
	if q.occupied[l] == 0 {
		q.level &^= 1 << l
	}
}
