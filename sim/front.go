package sim

import "math/bits"

// frontRoom is the number of places of a front: as many as 4-bit numbers fit in
// the word that holds their order.
const frontRoom = 16

// A front holds the next few events. They stay in the places they were put in;
// their order is a word of 4-bit place numbers, the next event's lowest and the
// free places behind the last. Adding counts the later ones, which is a sum, and
// moves one number within that word: there is no loop whose end depends on the
// times, so nothing for the processor to mispredict.
type front struct {
	order uint64
	n     uint
	at    [frontRoom]Time // of a free place: 0, or when what was there fired
	to    [frontRoom]uint64
}

func (f *front) init() {
	*f = front{}
	f.reset()
}

// reset makes an empty front use its places from the first on.
func (f *front) reset() { f.order = 0xfedcba9876543210 }

// add puts an event behind those that are not later. There must be room. Only
// the first among places are looked at: all, or after a reset the n in use.
func (f *front) add(at Time, to uint64, among uint) {
	var later uint64 // a free place never is: what was there has fired
	for i := uint(0); i < among; i += 4 {
		p := (*[4]Time)(f.at[i&12:])
		_, a := bits.Sub64(uint64(at), uint64(p[0]), 0)
		_, b := bits.Sub64(uint64(at), uint64(p[1]), 0)
		_, c := bits.Sub64(uint64(at), uint64(p[2]), 0)
		_, d := bits.Sub64(uint64(at), uint64(p[3]), 0)
		later += a + b + c + d
	}
	end := 4 * f.n & 63
	gap := 4 * (f.n - uint(later)) & 63
	place := f.order >> end % frontRoom
	f.at[place], f.to[place] = at, to
	sooner := uint64(1)<<gap - 1
	moved := uint64(1)<<end - 1 - sooner
	f.order = f.order&sooner | place<<gap | f.order&moved<<4 | f.order&^(sooner|moved|15<<end)
	f.n++
}

// next returns the next event and leaves it where it is. There must be one.
func (f *front) next() event { return f.nth(0) }

// drop takes the next event out.
func (f *front) drop() {
	f.order = bits.RotateLeft64(f.order, -4)
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
		q.front.add(ev.at, ev.to, frontRoom)
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
