package mtp

import "hcasim/sim"

// A store is the copies of one kind and the places in which they stand.
type store[K ~uint32, V any] struct {
	places
	copies []V // by line of base
}

// newStore returns an empty store. A copy has up to eight parts.
func newStore[K ~uint32, V any](k fillKind, parts uint32, p CacheParams, shared *nearLevel, seed uint64) *store[K, V] {
	s := &store[K, V]{places: places{scale: 1, refill: p.Refill, work: p.Work, holds: [2]sim.Interval{p.FetchHold, p.Hold}}}
	own := FarParams{p.Entries, p.Ways, p.Replace, p.Hash}
	switch {
	case p.Far.Entries == 0:
		s.base = newCache(own, seed)
	case shared != nil:
		s.near, s.shared = shared, true
		s.name, s.scale, s.unit = uint32(k)<<kindShift, parts, 1
	default:
		s.near = newNear(own, seed)
	}
	if s.near != nil {
		s.base = newCache(p.Far, seed+farSeed)
		s.nears = make([]uint8, s.base.Lines())
		s.ordered = s.shared && s.base.Ordered()
	}
	s.copies = make([]V, s.base.Lines())
	return s
}

// Lookup returns the near copy, or nil.
func (s *store[K, V]) Lookup(k K) *V {
	if line := s.find(uint32(k), 0); line != none {
		return &s.copies[line]
	}
	return nil
}

// LookupPart returns the near copy, or nil, to one who needs a part of it.
func (s *store[K, V]) LookupPart(k K, part uint32) *V {
	if line := s.find(uint32(k), part); line != none {
		return &s.copies[line]
	}
	return nil
}

// Fill holds v for k and returns what is on chip no more.
func (s *store[K, V]) Fill(k K, v *V) (evicted K, was bool) {
	line, old, was := s.place(uint32(k))
	s.copies[line] = *v
	return K(old), was
}

// Near holds a part of k in the near level, if that is shared and the far level
// has k: one who needs it has come by it otherwise.
func (s *store[K, V]) Near(k K, part uint32) { s.bring(uint32(k), part) }

// Drop forgets the copies of k.
func (s *store[K, V]) Drop(k K) { s.drop(uint32(k)) }
