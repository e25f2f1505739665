package tpt

import (
	"testing"

	"pgregory.net/rapid"
)

// bytes is what the slab holds ready.
func (s *slab) bytes() uint64 {
	n := uint64(cap(s.chunks)) * 64
	for i := range s.chunks {
		n += uint64(cap(s.chunks[i].narrow))*4 + uint64(cap(s.chunks[i].wide))*8
	}
	return n
}

// list is what stands in all entries.
func (s *slab) list() (pages []uint64) {
	for n := range uint32(len(s.chunks)) * chunkPages {
		pages = append(pages, s.page(n))
	}
	return pages
}

// TestSlabIsAnArray holds a slab to a plain array under random writes.
func TestSlabIsAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 5*chunkPages + 7
		var s slab
		var want [size]uint64
		for i := range want {
			want[i] = NoPage
		}
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			first := rapid.Uint32Range(0, size-1).Draw(t, "first")
			if rapid.Bool().Draw(t, "aligned") {
				first -= first % chunkPages
			}
			n := rapid.Uint32Range(1, size-first).Draw(t, "n")
			addr := rapid.Uint64Range(0, 1<<rapid.SampledFrom([]int{30, 44}).Draw(t, "bits")).Draw(t, "addr") << 12
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				s.putRun(first, n, addr, 12)
				for i := range n {
					want[first+i] = addr + uint64(i)<<12
				}
			case 1:
				pages := make([]uint64, min(n, 700))
				for i := range pages {
					pages[i] = addr + uint64(i)<<13
				}
				s.put(first, pages)
				copy(want[first:], pages)
			case 2:
				s.clear(first, n)
				for i := range n {
					want[first+i] = NoPage
				}
			case 3:
				s.reserve(first, n)
			}
		}
		var plain, copied slab
		plain.put(0, want[:])
		copied.copyFrom(&s)
		if !s.equal(&plain) || !plain.equal(&s) || !copied.equal(&s) {
			t.Error("the same in all entries, and not equal")
		}
		for i, p := range want {
			if got := s.page(uint32(i)); got != p {
				t.Fatalf("entry %d holds %#x, want %#x", i, got, p)
			}
		}
		from, row := rapid.Uint32Range(0, 2*size).Draw(t, "from"), make([]uint64, rapid.IntRange(0, 700).Draw(t, "row"))
		s.read(from, row)
		for i, got := range row {
			if at := from + uint32(i); got != s.page(at) {
				t.Fatalf("entry %d is read as %#x, want %#x", at, got, s.page(at))
			}
		}
		if s.page(size) != NoPage || s.page(1<<31) != NoPage {
			t.Error("there is a page beyond the last")
		}
		plain.put(uint32(rapid.IntRange(0, size-1).Draw(t, "other")), []uint64{1})
		if plain.equal(&s) || s.equal(&plain) {
			t.Error("one entry differs, and they are equal")
		}
	})
}

// TestSlabOfContiguousMemory: 500 GiB in small pages take a few megabytes.
func TestSlabOfContiguousMemory(t *testing.T) {
	var s slab
	const n = 500 << 30 >> 12
	s.putRun(3, n, 0, 12)
	if got := s.page(3 + n - 1); got != (n-1)<<12 {
		t.Errorf("the last page is at %#x", got)
	}
	if got := s.bytes(); got > 16<<20 {
		t.Errorf("%d bytes for %d entries", got, n)
	}
	s.clear(3, n)
	if s.page(3+n-1) != NoPage || s.page(3) != NoPage {
		t.Error("a page is left")
	}
}
