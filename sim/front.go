package sim

import "math/bits"

// frontRoom is the number of places of a front: as many as 4-bit numbers fit in
// the word that holds their order.
const frontRoom = 16

// A front holds the next few events. They stay in the places they were put in;
// their order is a word of 4-bit place numbers, the next event's lowest. Adding
// counts the later ones, which is a sum, and puts one number into that word: there
// is no step whose direction depends on the times, so nothing for the processor to
// mispredict.
type front struct {
	order uint64
	n     uint
	used  uint            // a bit per place
	at    [frontRoom]Time // of a free place: 0, or when what was there fired
	to    [frontRoom]uint64
}

func (f *front) init() { *f = front{} }

// add puts an event behind those that are not later. There must be room.
func (f *front) add(at Time, to uint64) {
	place := uint(bits.TrailingZeros(^f.used)) % frontRoom
	f.used |= 1 << place
	// A free place never is later: what was there has fired. The lowest are used
	// first, so the upper ones are rarely worth a look.
	p := &f.at
	later := after(p[0], at) + after(p[1], at) + after(p[2], at) + after(p[3], at)
	if f.used >= 1<<4 {
		later += after(p[4], at) + after(p[5], at) + after(p[6], at) + after(p[7], at)
		if f.used >= 1<<8 {
			later += after(p[8], at) + after(p[9], at) + after(p[10], at) + after(p[11], at)
			if f.used >= 1<<12 {
				later += after(p[12], at) + after(p[13], at) + after(p[14], at) + after(p[15], at)
			}
		}
	}
	p[place], f.to[place] = at, to
	gap := 4 * (f.n - later) & 63
	sooner := f.order & (1<<gap - 1)
	f.order = (f.order^sooner)<<4 | uint64(place)<<gap | sooner
	f.n++
}

// after returns 1 if t is after u, else 0.
func after(t, u Time) (n uint) {
	if t > u {
		n = 1
	}
	return n
}

// next returns the next event and leaves it where it is. There must be one.
func (f *front) next() event { return f.nth(0) }

// drop takes the next event out.
func (f *front) drop() {
	f.used &^= 1 << (f.order % frontRoom)
	f.order >>= 4
	f.n--
}

// nth returns the i-th next event.
func (f *front) nth(i int) event {
	place := f.order >> (4 * i) % frontRoom
	return event{f.at[place], f.to[place]}
}

// shorten makes room in a full front. It gives the later half back to the slots,
// events of one time together; a front that is full of one instant becomes a
// batch.
func (q *ladder) shorten() {
	var all [frontRoom]event
	for i := range all {
		all[i] = q.front.nth(i)
	}
	q.front.init()
	keep := cut(&all)
	if keep == 0 {
		q.retreat(all[0].at)
		q.batch.on = true
		for _, ev := range all {
			q.append(&q.batch.late, ev)
		}
		return
	}
	q.retreat(all[keep-1].at)
	for _, ev := range all[:keep] {
		q.front.add(ev.at, ev.to)
	}
	for _, ev := range all[keep:] {
		q.place(ev)
	}
}

// cut returns how many of the events to keep: about half, such that the next is
// for a later time; or 0 when all are for one.
func cut(all *[frontRoom]event) int {
	for d := range frontRoom / 2 {
		for _, k := range [...]int{frontRoom/2 + d, frontRoom/2 - d} {
			if k > 0 && all[k-1].at != all[k].at {
				return k
			}
		}
	}
	return 0
}
