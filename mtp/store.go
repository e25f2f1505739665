package mtp

import (
	"hcasim/sim"
	"hcasim/tpt"
)

// A store is the copies of one kind and the places in which they stand.
type store[K ~uint32, V any] struct {
	places
	copies []V // by line of base
}

// init makes the store ready, empty. It may share its first level with others. A
// copy has up to eight parts.
func (s *store[K, V]) init(k fillKind, parts uint32, p CacheParams, shared *tpt.Cache, seed uint64) {
	s.places = places{scale: 1, refill: p.Refill, work: p.Work, holds: [2]sim.Interval{p.FetchHold, p.Hold}}
	own := FarParams{p.Entries, p.Ways, p.Replace, p.Hash}
	switch {
	case p.Far.Entries == 0:
		s.first = newCache(own, seed)
		s.base = s.first
	case shared != nil:
		s.first, s.shared = shared, true
		s.name, s.scale, s.unit = uint32(k)<<kindShift, parts, 1
	default:
		s.first = newCache(own, seed)
	}
	if s.base == nil {
		s.base = newCache(p.Far, seed+farSeed)
		s.nears = make([]uint8, s.base.Lines())
		s.ordered = s.shared && s.base.Ordered()
	}
	s.copies = make([]V, s.base.Lines())
}

// Lookup returns the near copy, or nil.
func (s *store[K, V]) Lookup(k K) *V { return s.LookupPart(k, 0) }

// LookupPart returns the near copy, or nil, to one who needs a part of it.
func (s *store[K, V]) LookupPart(k K, part uint32) *V {
	line := s.find(uint32(k), part)
	if line == none {
		return nil
	}
	s.hit(line)
	return &s.copies[line]
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
