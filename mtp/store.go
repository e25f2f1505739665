package mtp

import (
	"hcasim/sim"
	"hcasim/tpt"
)

// A store holds the copies of one kind on chip: in one level, or in a small
// near one that is filled again from a larger far one. What the near level
// holds the far one holds too.
type store[K ~uint32, V any] struct {
	near   *tpt.Cache[K, V]
	far    *tpt.Cache[K, V] // nil: none
	refill sim.Cycles       // from the far level to the near one
	work   sim.Cycles       // on a copy that came from host memory, before it is of use
}

func newStore[K ~uint32, V any](p CacheParams, seed uint64) *store[K, V] {
	s := &store[K, V]{near: newCache[K, V](p.Entries, p.Ways, p.Replace, p.Hash, seed), refill: p.Refill, work: p.Work}
	if f := p.Far; f.Entries > 0 {
		s.far = newCache[K, V](f.Entries, f.Ways, f.Replace, f.Hash, seed+farSeed)
	}
	return s
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
func (s *store[K, V]) Lookup(k K) *V { return s.near.Lookup(k) }

// Peek returns the near copy, or nil, and leaves no trace of it.
func (s *store[K, V]) Peek(k K) *V { return s.near.Peek(k) }

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
		s.near.Drop(evicted)
	}
	s.near.Fill(k, v)
	return evicted, was
}

// Drop forgets the copies of k.
func (s *store[K, V]) Drop(k K) {
	s.near.Drop(k)
	if s.far != nil {
		s.far.Drop(k)
	}
}

// Clear forgets everything.
func (s *store[K, V]) Clear() {
	s.near.Clear()
	if s.far != nil {
		s.far.Clear()
	}
}
