package mtp

// The shapes of caches: in one level, in two, and in two of which all kinds
// share the first.
var shapes = [...]string{"one", "two", "shared"}

// shape gives caches of one level the second, of as many entries, and maybe a
// shared first one of n.
func (c *Caches) shape(shape string, n uint32) {
	if shape == "one" {
		return
	}
	for _, p := range []*CacheParams{&c.QPC, &c.MPT, &c.MTT} {
		p.Far = FarParams{Entries: p.Entries, Ways: p.Ways, Replace: p.Replace, Hash: p.Hash}
		p.Refill = max(1, p.Refill)
	}
	if shape == "shared" {
		c.Near = FarParams{Entries: n, Ways: n, Replace: "lru"}
	}
}

// here returns the near copy of a part of k, or nil, and leaves no trace of it.
func (s *store[K, V]) here(k K, part uint32) *V {
	if s.levels() && s.first.Peek(s.nameOf(uint32(k), part)) == none {
		return nil
	}
	if line := s.base.Peek(uint32(k)); line != none {
		return &s.copies[line]
	}
	return nil
}

// Far returns the far copy, or nil.
func (s *store[K, V]) Far(k K) *V {
	if line := s.findFar(uint32(k)); line != none {
		return &s.copies[line]
	}
	return nil
}

// away forgets what the near level holds, if there is a far one.
func (p *places) away() {
	if p.levels() {
		p.first.Clear()
	}
}
