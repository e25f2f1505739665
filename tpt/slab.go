package tpt

import "slices"

// chunkPages is how many neighbouring translation entries are kept together.
const chunkPages = 512

// A slab holds what stands in the translation entries. A region over
// physically contiguous memory has entries of which each follows from the one
// before it: as long as a chunk is nothing else, only the first is kept, so
// that the 122 million entries of 500 GB in small pages take megabytes.
type slab struct{ chunks []chunk }

// A chunk is chunkPages entries: those of each, and NoPage behind them; or,
// with a step, first, first + step, first + 2 step …
type chunk struct {
	each        []uint64
	first, step uint64
}

func (k *chunk) page(i uint32) uint64 {
	switch {
	case k.step != 0:
		return k.first + uint64(i)*k.step
	case i < uint32(len(k.each)):
		return k.each[i]
	default:
		return NoPage
	}
}

// spell writes the first n entries out.
func (k *chunk) spell(n uint32) []uint64 {
	if k.step != 0 {
		n = chunkPages
	}
	for i := uint32(len(k.each)); i < n; i++ {
		k.each = append(k.each, k.page(i))
	}
	k.first, k.step = 0, 0
	return k.each
}

// page returns what stands in entry n.
func (s *slab) page(n uint32) uint64 {
	if c := n / chunkPages; c < uint32(len(s.chunks)) {
		return s.chunks[c].page(n % chunkPages)
	}
	return NoPage
}

// read copies the entries from one on.
func (s *slab) read(from uint32, to []uint64) {
	for len(to) > 0 {
		at := from % chunkPages
		n := min(uint32(len(to)), chunkPages-at)
		if c := from / chunkPages; c < uint32(len(s.chunks)) {
			s.chunks[c].read(at, to[:n])
		} else {
			absent(to[:n])
		}
		from, to = from+n, to[n:]
	}
}

func (k *chunk) read(at uint32, to []uint64) {
	if k.step != 0 {
		for i := range to {
			to[i] = k.first + uint64(at+uint32(i))*k.step
		}
		return
	}
	n := 0
	if at < uint32(len(k.each)) {
		n = copy(to, k.each[at:])
	}
	absent(to[n:])
}

func absent(pages []uint64) {
	for i := range pages {
		pages[i] = NoPage
	}
}

// over calls f for the parts of a run that lie in one chunk each: from entry at
// of the chunk on n of them, the first being the done-th of the run.
func (s *slab) over(first, n uint32, f func(k *chunk, at, n, done uint32)) {
	if n == 0 {
		return
	}
	if last := (first + n - 1) / chunkPages; last >= uint32(len(s.chunks)) {
		s.chunks = slices.Grow(s.chunks, int(last)+1-len(s.chunks))[:last+1]
	}
	for done := uint32(0); done < n; {
		at := (first + done) % chunkPages
		part := min(n-done, chunkPages-at)
		f(&s.chunks[(first+done)/chunkPages], at, part, done)
		done += part
	}
}

// reserve makes place for a run that is written one by one later.
func (s *slab) reserve(first, n uint32) {
	s.over(first, n, func(k *chunk, at, n, _ uint32) { k.spell(at + n) })
}

// clear makes the entries of a run absent.
func (s *slab) clear(first, n uint32) {
	s.over(first, n, func(k *chunk, at, n, _ uint32) {
		switch {
		case n == chunkPages:
			*k = chunk{each: k.each[:0]}
		case k.step != 0 || at < uint32(len(k.each)):
			fill := k.spell(at)[at:]
			fill = fill[:min(n, uint32(len(fill)))]
			absent(fill)
		}
	})
}

// put writes pages from entry first on.
func (s *slab) put(first uint32, pages []uint64) {
	s.over(first, uint32(len(pages)), func(k *chunk, at, n, done uint32) {
		copy(k.spell(at + n)[at:], pages[done:done+n])
	})
}

// putRun writes n pages of 1<<shift bytes that lie side by side from addr on.
func (s *slab) putRun(first, n uint32, addr uint64, shift uint8) {
	s.over(first, n, func(k *chunk, at, n, done uint32) {
		from := addr + uint64(done)<<shift
		if n == chunkPages {
			*k = chunk{each: k.each[:0], first: from, step: 1 << shift}
			return
		}
		each := k.spell(at + n)
		for i := range n {
			each[at+i] = from + uint64(i)<<shift
		}
	})
}

// write writes the pages of a command from entry first on.
func (s *slab) write(first uint32, c *Command) {
	s.put(first, c.Pages)
	for _, r := range c.Runs {
		s.putRun(first, uint32(r.Pages), r.Addr, c.PageShift)
		first += uint32(r.Pages)
	}
}

func (s *slab) copyFrom(n *slab) {
	s.chunks = slices.Grow(s.chunks[:0], len(n.chunks))[:len(n.chunks)]
	for i := range n.chunks {
		k, of := &s.chunks[i], &n.chunks[i]
		*k = chunk{append(k.each[:0], of.each...), of.first, of.step}
	}
}

// equal reports whether the same stands in all entries.
func (s *slab) equal(n *slab) bool {
	for c := range max(len(s.chunks), len(n.chunks)) {
		var a, b chunk
		if c < len(s.chunks) {
			a = s.chunks[c]
		}
		if c < len(n.chunks) {
			b = n.chunks[c]
		}
		if a.step != 0 && a.step == b.step && a.first == b.first {
			continue
		}
		written := uint32(max(len(a.each), len(b.each)))
		if a.step != 0 || b.step != 0 {
			written = chunkPages
		}
		for i := range written {
			if a.page(i) != b.page(i) {
				return false
			}
		}
	}
	return true
}
