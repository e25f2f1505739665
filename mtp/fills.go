package mtp

import (
	"math/bits"

	"hcasim/sim"
)

// rows is the number of rows of the index of fills; a power of two.
const rows = 256

// fills are the fills that were asked for and not ended, found by what they
// bring. Those under way have places, a new one the lowest that is free; of two
// under way for the same thing the lower one is joined.
type fills struct {
	sim.Pool[fill]
	index [rows]uint32 // the newest of each row
	under []uint32     // by place; none: free
	free  []uint64     // a bit for each place
	busy  int          // fills under way
}

func (s *fills) init() {
	for i := range s.index {
		s.index[i] = none
	}
}

// row is where in the index a key's fills are.
func (s *fills) row(k fillKey) *uint32 {
	return &s.index[(k.of*4+uint32(k.kind))*0x9E3779B9>>24%rows]
}

// find returns the fill under way that brings what key says as it is now, and
// the one that waits for its turn, or nil.
func (s *fills) find(key fillKey) (coming, asked *fill) {
	for id := *s.row(key); id != none; {
		fl := s.At(id)
		switch id = fl.next; {
		case fl.key != key || fl.stale:
		case fl.place == none:
			asked = fl
		case coming == nil || fl.place < coming.place:
			coming = fl
		}
	}
	return coming, asked
}

// add makes a fill for those who wait.
func (s *fills) add(key fillKey, oldest waiter, newest uint32) (id uint32, fl *fill) {
	id = s.Get()
	fl = s.At(id)
	row := s.row(key)
	fl.key, fl.place, fl.oldest, fl.newest, fl.next = key, none, oldest, newest, *row
	fl.queue, fl.moved, fl.near, fl.stale = 0, false, false, false
	*row = id
	return id, fl
}

// unlink takes a fill out of the index.
func (s *fills) unlink(fl *fill) {
	at := s.row(fl.key)
	for s.At(*at) != fl {
		at = &s.At(*at).next
	}
	*at = fl.next
}

// begin gives a fill a place.
func (s *fills) begin(id uint32, fl *fill) {
	s.busy++
	w := 0
	for ; ; w++ {
		if w == len(s.free) {
			s.grow()
		}
		if s.free[w] != 0 {
			break
		}
	}
	fl.place = uint32(w*64 + bits.TrailingZeros64(s.free[w]))
	s.free[w] &= s.free[w] - 1
	s.under[fl.place] = id
}

// grow adds places.
func (s *fills) grow() {
	s.free = append(s.free, ^uint64(0))
	for range 64 {
		s.under = append(s.under, none)
	}
}

// end takes its place from a fill. Whoever holds it puts it back.
func (s *fills) end(fl *fill) {
	s.busy--
	s.under[fl.place] = none
	s.free[fl.place/64] |= 1 << (fl.place % 64)
	s.unlink(fl)
}
