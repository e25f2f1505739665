package tpt

import "slices"

// chunkPages is how many neighbouring translation entries are kept together.
const chunkPages = 512

// A slab holds what stands in the translation entries. A region over
// physically contiguous memory has entries of which each follows from the one
// before it: as long as a chunk is nothing else, only the first is kept, so
// that the 122 million entries of 500 GB in small pages take megabytes. Where
// pages lie here and there an entry takes four bytes.
type slab struct{ chunks []chunk }

// A chunk is chunkPages entries: those of each, and NoPage behind them; or,
// with a step, first, first + step, first + 2 step … Those of each stand in
// narrow, packed, or in wide, once one did not fit.
type chunk struct {
	narrow      []uint32
	wide        []uint64
	first, step uint64
}

// len is how many entries are written out.
func (k *chunk) len() uint32 { return uint32(max(len(k.narrow), len(k.wide))) }

func (k *chunk) page(i uint32) uint64 {
	switch {
	case i < uint32(len(k.narrow)):
		return unpack(k.narrow[i])
	case k.step != 0:
		return k.first + uint64(i)*k.step
	case i < uint32(len(k.wide)):
		return k.wide[i]
	default:
		return NoPage
	}
}

// pack makes four bytes of an entry: 0 of NoPage, else one more than the number
// of the 4 KiB frame and ReadOnly. It goes to 8 TiB.
func pack(page uint64) (v uint32, ok bool) {
	if page == NoPage {
		return 0, true
	}
	return uint32(page>>12)<<1 + uint32(page&ReadOnly) + 1, page>>12 < 1<<31-1 && page&(basePage-1)&^ReadOnly == 0
}

func unpack(v uint32) uint64 {
	if v == 0 {
		return NoPage
	}
	return uint64(v-1)>>1<<12 | uint64(v-1)&ReadOnly
}

// set writes entry i, which is written out.
func (k *chunk) set(i uint32, page uint64) {
	if len(k.wide) == 0 {
		if v, ok := pack(page); ok {
			k.narrow[i] = v
			return
		}
		for _, v := range k.narrow {
			k.wide = append(k.wide, unpack(v))
		}
		k.narrow = k.narrow[:0]
	}
	k.wide[i] = page
}

// spell writes the first n entries out.
func (k *chunk) spell(n uint32) {
	was, from := *k, k.len()
	if k.step != 0 {
		n, from, k.first, k.step = chunkPages, 0, 0, 0
	}
	if from >= n {
		return
	}
	if len(k.wide) > 0 {
		k.wide = lengthen(k.wide, n, chunkPages)
	} else {
		k.narrow = lengthen(k.narrow, n, chunkPages)
	}
	for i := from; i < n; i++ {
		k.set(i, was.page(i))
	}
}

// lengthen makes a list n entries long. One that is no longer short gets the
// room that it can ever need, most: there will be many, and none moves again.
func lengthen[T any](list []T, n, most uint32) []T {
	if n > most/8 && uint32(cap(list)) < most {
		list = append(make([]T, 0, most), list...)
	}
	return append(list, make([]T, int(n)-len(list))...)
}

// empty makes all entries absent, and keeps the room for them.
func (k *chunk) empty() { *k = chunk{narrow: k.narrow[:0], wide: k.wide[:0]} }

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
		part := to[:min(uint32(len(to)), chunkPages-at)]
		if c := from / chunkPages; c < uint32(len(s.chunks)) {
			s.chunks[c].read(at, part)
		} else {
			absent(part)
		}
		if len(part) == len(to) {
			return
		}
		from, to = from+uint32(len(part)), to[len(part):]
	}
}

func (k *chunk) read(at uint32, to []uint64) {
	if k.step != 0 {
		for i := range to {
			to[i] = k.first + uint64(at+uint32(i))*k.step
		}
		return
	}
	for i := range to {
		to[i] = k.page(at + uint32(i))
	}
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
			k.empty()
		case k.step != 0 || at < k.len():
			k.spell(at)
			for i := at; i < min(at+n, k.len()); i++ {
				k.set(i, NoPage)
			}
		}
	})
}

// put writes pages from entry first on.
func (s *slab) put(first uint32, pages []uint64) {
	s.over(first, uint32(len(pages)), func(k *chunk, at, n, done uint32) {
		k.spell(at + n)
		for i, page := range pages[done : done+n] {
			k.set(at+uint32(i), page)
		}
	})
}

// putRun writes n pages of 1<<shift bytes that lie side by side from addr on.
func (s *slab) putRun(first, n uint32, addr uint64, shift uint8) {
	s.over(first, n, func(k *chunk, at, n, done uint32) {
		from := addr + uint64(done)<<shift
		if n == chunkPages {
			k.empty()
			k.first, k.step = from, 1<<shift
			return
		}
		k.spell(at + n)
		for i := range n {
			k.set(at+i, from+uint64(i)<<shift)
		}
	})
}

// write writes the pages of a command from entry first on.
func (s *slab) write(first uint32, c *Command) {
	s.put(first, c.Pages)
	if c.Runs == nil {
		return
	}
	for r := range c.Runs {
		s.putRun(first, uint32(r.Pages), r.Addr, c.PageShift)
		first += uint32(r.Pages)
	}
}

func (s *slab) copyFrom(n *slab) {
	s.chunks = slices.Grow(s.chunks[:0], len(n.chunks))[:len(n.chunks)]
	for i := range n.chunks {
		k, of := &s.chunks[i], &n.chunks[i]
		*k = chunk{append(k.narrow[:0], of.narrow...), append(k.wide[:0], of.wide...), of.first, of.step}
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
		written := max(a.len(), b.len())
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
