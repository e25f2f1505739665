package mtp

import (
	"hcasim/sim"
	"hcasim/tpt"
)

// A store holds the copies of one kind on chip: in one level, or in a small
// near one that is filled again from a larger far one. What the near level
// holds the far one holds too. The near level may be shared with other kinds:
// then it says only what is in it, and the far level has the copies.
type store[K ~uint32, V any] struct {
	near   *tpt.Cache[K, V] // nil: shared
	far    *tpt.Cache[K, V] // nil: none
	shared *nearLevel
	kind   fillKind
	parts  uint32          // of a copy, each of which has a place of its own in a shared near level
	refill sim.Cycles      // from the far level to the near one
	work   sim.Cycles      // on a copy that came from host memory, before it is of use
	holds  [2]sim.Interval // how long a miss keeps the packet engine, by fill.near
}

// A nearLevel is shared by several kinds: it holds their names.
type nearLevel = tpt.Cache[uint32, struct{}]

// kindShift leaves the lower bits of a name to the index.
const kindShift = 30

func newStore[K ~uint32, V any](k fillKind, parts uint32, p CacheParams, shared *nearLevel, seed uint64) *store[K, V] {
	s := &store[K, V]{kind: k, parts: parts, refill: p.Refill, work: p.Work, holds: [2]sim.Interval{p.FetchHold, p.Hold}}
	if f := p.Far; f.Entries > 0 {
		s.far = newCache[K, V](f.Entries, f.Ways, f.Replace, f.Hash, seed+farSeed)
	}
	if shared != nil && s.far != nil {
		s.shared = shared
	} else {
		s.near = newCache[K, V](p.Entries, p.Ways, p.Replace, p.Hash, seed)
	}
	return s
}

// name is what a shared near level calls a part of k.
func (s *store[K, V]) name(k K, part uint32) uint32 {
	return uint32(s.kind)<<kindShift | (uint32(k)*s.parts + part)
}

// farSeed makes the far level's random choices others than the near one's.
const farSeed = 1 << 32

func newCache[K ~uint32, V any](entries, ways uint32, replace string, hash bool, seed uint64) *tpt.Cache[K, V] {
	if replace == "direct" {
		ways = 1
	}
	return tpt.NewCache[K, V](tpt.CacheConfig{Entries: entries, Ways: ways, Replace: replace, Hash: hash, Seed: seed})
}

// Lookup returns the near copy, or nil.
func (s *store[K, V]) Lookup(k K) *V { return s.LookupPart(k, 0) }

// LookupPart returns the near copy, or nil, to one who needs a part of it.
func (s *store[K, V]) LookupPart(k K, part uint32) *V {
	switch {
	case s.shared == nil:
		return s.near.Lookup(k)
	case s.shared.Lookup(s.name(k, part)) != nil:
		return s.far.Lookup(k)
	default:
		return nil
	}
}

// Near holds a part of k in the near level, if that is shared and the far level
// has k: one who needs it has come by it otherwise.
func (s *store[K, V]) Near(k K, part uint32) {
	if s.shared != nil && s.far.Peek(k) != nil {
		s.shared.Fill(s.name(k, part), struct{}{})
	}
}

// lines returns how many copies are on chip at most.
func (s *store[K, V]) lines() uint32 {
	if s.far != nil {
		return uint32(s.far.Lines())
	}
	return uint32(s.near.Lines())
}

// Far returns the far copy, or nil.
func (s *store[K, V]) Far(k K) *V {
	if s.far == nil {
		return nil
	}
	return s.far.Lookup(k)
}

// Fill holds v for k and returns what is on chip no more.
func (s *store[K, V]) Fill(k K, v V) (evicted K, was bool) {
	if s.far == nil {
		return s.near.Fill(k, v)
	}
	if evicted, was = s.far.Fill(k, v); was {
		s.dropNear(evicted)
	}
	switch {
	case s.shared == nil:
		s.near.Fill(k, v)
	case s.parts == 1:
		s.Near(k, 0)
	}
	return evicted, was
}

func (s *store[K, V]) dropNear(k K) {
	if s.shared == nil {
		s.near.Drop(k)
		return
	}
	for p := range s.parts {
		s.shared.Drop(s.name(k, p))
	}
}

// Drop forgets the copies of k.
func (s *store[K, V]) Drop(k K) {
	s.dropNear(k)
	if s.far != nil {
		s.far.Drop(k)
	}
}

// Clear forgets everything.
func (s *store[K, V]) Clear() {
	if s.shared != nil {
		s.shared.DropIf(func(name uint32, _ *struct{}) bool { return fillKind(name>>kindShift) == s.kind })
	} else {
		s.near.Clear()
	}
	if s.far != nil {
		s.far.Clear()
	}
}
