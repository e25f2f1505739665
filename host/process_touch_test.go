package host

import (
	"testing"

	"hcasim/ib"
)

// A page is touched for the first time once: by a store, or as it is pinned.
func TestFirstTouch(t *testing.T) {
	const va, size = 1 << 30, 8 << 21
	for _, c := range []struct {
		name        string
		page        uint8
		untouched   bool
		store       uint64 // bytes stored before, from va on
		small, huge uint64 // touched by the first pinning
	}{
		{"touched", Page4K, false, 0, 0, 0},
		{"small", Page4K, true, 0, size / 4096, 0},
		{"small, two stored", Page4K, true, 4097, size/4096 - 2, 0},
		{"huge", Page2M, true, 0, 0, 8},
		{"huge, one stored", Page2M, true, 1, 0, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewProcess("p", NewPager(DefaultMemoryParams()))
			if e := p.Map(Mapping{VA: va, Length: size, Page: c.page, Prot: Read | Write, Untouched: c.untouched}); e != ib.OK {
				t.Fatal(e)
			}
			if c.store > 0 {
				p.Store(va, make([]byte, c.store))
			}
			k, _ := p.Pin(va, size, true)
			if k.FirstSmall != c.small || k.FirstHuge != c.huge {
				t.Errorf("%d small and %d huge pages were touched first, want %d and %d", k.FirstSmall, k.FirstHuge, c.small, c.huge)
			}
			if k, _ = p.Pin(va, size, true); k.FirstSmall+k.FirstHuge != 0 {
				t.Errorf("the second pinning touched %d pages for the first time", k.FirstSmall+k.FirstHuge)
			}
		})
	}
}
