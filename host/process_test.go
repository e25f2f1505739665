package host

import (
	"bytes"
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
)

// ram returns the memory of a host of that size.
func ram(size uint64) *Pager {
	p := DefaultMemoryParams()
	p.Size = sim.Bytes(size)
	return NewPager(p)
}

// at maps n bytes of pages of the given size and returns where.
func at(t *testing.T, p *Process, n uint64, page uint8, prot Prot, fill byte) uint64 {
	t.Helper()
	va := p.Place(n, page)
	must(t, p.Map(Mapping{VA: va, Length: n, Page: page, Prot: prot, Fill: fill}), ib.OK)
	return va
}

func must(t *testing.T, got, want ib.Errno) {
	t.Helper()
	if got != want {
		t.Fatalf("errno %d, want %d", got, want)
	}
}

// TestProcessesShareNothing: the same addresses in two processes are different
// memory (H2).
func TestProcessesShareNothing(t *testing.T) {
	g := ram(1 << 30)
	a, b := NewProcess("a", g), NewProcess("b", g)
	va := at(t, a, 64<<10, Page4K, Read|Write, 1)
	if vb := at(t, b, 64<<10, Page4K, Read|Write, 2); vb != va {
		t.Fatalf("placed at %#x and %#x", va, vb)
	}
	must(t, a.Store(va+4095, []byte("of a")), ib.OK)
	got := make([]byte, 4)
	must(t, b.Load(va+4095, got), ib.OK)
	if !bytes.Equal(got, []byte{2, 2, 2, 2}) {
		t.Errorf("b reads %v", got)
	}
	frames := map[uint64]bool{}
	for _, p := range []*Process{a, b} {
		for off := uint64(0); off < 64<<10; off += 4096 {
			pa, ok := p.Translate(va + off)
			if !ok || pa == 0 || frames[pa] {
				t.Fatalf("page %#x of %s is at %#x", off, p.Name, pa)
			}
			frames[pa] = true
		}
	}
}

// TestPagingStory tells why memory is pinned.
func TestPagingStory(t *testing.T) {
	g := ram(1 << 30)
	p := NewProcess("p", g)
	va := at(t, p, 16<<10, Page4K, Read|Write, 0xa5)
	must(t, p.Store(va+100, []byte("registered")), ib.OK)
	before, _ := p.Translate(va + 100)

	// Registered memory is not paged out (MR-2).
	k, errno := p.Pin(va+100, 10, true)
	must(t, errno, ib.OK)
	_, errno = p.PageOut(va, 16<<10)
	must(t, errno, ib.EBUSY)
	if pa, ok := p.Translate(va + 5000); !ok || pa != before-100+5000 {
		t.Error("a refused PageOut has moved a page")
	}

	// Once it is not, it is.
	p.Unpin(k)
	pages, errno := p.PageOut(va, 16<<10)
	must(t, errno, ib.OK)
	if _, ok := p.Translate(va + 100); ok || pages != 4 {
		t.Errorf("%d pages went, still there: %v", pages, ok)
	}
	if first, same := p.Compare(va+100, []byte("registered")); !same {
		t.Errorf("an onlooker sees a difference at %d", first)
	}
	if _, ok := p.Translate(va + 100); ok {
		t.Error("looking has paged in")
	}

	// It comes back with its bytes, elsewhere (H5).
	got := make([]byte, 10)
	must(t, p.Load(va+100, got), ib.OK)
	after, ok := p.Translate(va + 100)
	if !ok || after == before || string(got) != "registered" {
		t.Errorf("back at %#x (was %#x) with %q", after, before, got)
	}
	if first, same := p.compareFill(va+110, 16<<10-110, 0xa5); !same {
		t.Errorf("byte %d after it is not what it was", first)
	}
	if n := g.slots.left; n != swapBytes-4*frameBytes { // three pages are out
		t.Errorf("%d bytes of the swap store are free", n)
	}
	// An adapter that still held the old translation would now miss the page.
	g.Memory.Write(before, []byte("old frame!"))
	if _, same := p.Compare(va+100, []byte("registered")); !same {
		t.Error("the old frame is still the page")
	}
}

// TestPinBringsIn: what is out comes in when it is pinned.
func TestPinBringsIn(t *testing.T) {
	p := NewProcess("p", ram(1<<30))
	va := at(t, p, 1<<20, Page4K, Read|Write, 3)
	_, errno := p.PageOut(va+4096, 2*4096)
	must(t, errno, ib.OK)
	k, errno := p.Pin(va, 1<<20, true)
	must(t, errno, ib.OK)
	if k.Fetched != 2 || k.Frames() != 256 || len(k.runs) != 3 {
		t.Errorf("%d pages fetched, %d frames in %d runs", k.Fetched, k.Frames(), len(k.runs))
	}
	for i, pa := range pagesOf(k.Runs(), Page4K) {
		if want, ok := p.Translate(va + uint64(i)*4096); !ok || pa != want {
			t.Fatalf("page %d is pinned at %#x, mapped at %#x", i, pa, want)
		}
	}
}

// TestPinRefused: each reason alone, in the order of the checks, and nothing
// stays pinned (H4).
func TestPinRefused(t *testing.T) {
	const n = 3 * 4096
	tests := []struct {
		name  string
		spoil func(p *Process, va uint64) ib.Errno
		write bool
		want  ib.Errno
	}{
		{"nothing wrong", nil, true, ib.OK},
		{"the last page not mapped (ACC-12)", func(p *Process, va uint64) ib.Errno { return p.Unmap(va+2*4096, 4096) }, false, ib.EFAULT},
		{"the last page read-only, for writing (ACC-12)", func(p *Process, va uint64) ib.Errno { return p.Protect(va+2*4096, 4096, Read) }, true, ib.EFAULT},
		{"the last page read-only, for reading (ACC-13)", func(p *Process, va uint64) ib.Errno { return p.Protect(va+2*4096, 4096, Read) }, false, ib.OK},
		{"the middle page not readable", func(p *Process, va uint64) ib.Errno { return p.Protect(va+4096, 4096, 0) }, false, ib.EFAULT},
		{"the middle page not pinnable", func(p *Process, va uint64) ib.Errno { return p.mayPin(va+4096, 4096, false) }, false, ib.EOPNOTSUPP},
		{"pinnable again", func(p *Process, va uint64) ib.Errno {
			p.mayPin(va, n, false)
			return p.mayPin(va, n, true)
		}, false, ib.OK},
		{"beyond the limit (ACC-14)", func(p *Process, va uint64) ib.Errno {
			p.pager.params.PinLimit = n
			_, errno := p.Pin(va, 1, false)
			return errno
		}, true, ib.ENOMEM},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := NewProcess("p", ram(1<<30))
			va := at(t, p, n, Page4K, Read|Write, 0)
			if tt.spoil != nil {
				must(t, tt.spoil(p, va), ib.OK)
			}
			pinned := p.Pinned()
			k, errno := p.Pin(va+1, n-2, tt.write)
			must(t, errno, tt.want)
			if errno == ib.OK {
				if p.Pinned() != pinned+n {
					t.Errorf("%d bytes pinned", p.Pinned())
				}
				p.Unpin(k)
			}
			if p.Pinned() != pinned {
				t.Errorf("%d bytes stay pinned", p.Pinned()-pinned)
			}
			for off := uint64(4096); off < n; off += 4096 {
				if pins := p.Lookup(va + off).Pins; pins != 0 {
					t.Errorf("page %#x stays pinned %d times", off, pins)
				}
			}
		})
	}
	p := NewProcess("p", ram(1<<30))
	for _, r := range [][2]uint64{{firstPlace, 0}, {1<<64 - 4096, 8192}} {
		_, errno := p.Pin(r[0], r[1], false)
		must(t, errno, ib.EINVAL) // ACC-11
	}
}

// TestUnmapPinned: the frames of memory that is unmapped while it is pinned
// are nobody else's until the last pin is gone (H3).
func TestUnmapPinned(t *testing.T) {
	g := ram(64 << 10) // 15 frames to hand out
	p := NewProcess("p", g)
	va := at(t, p, 4*4096, Page4K, Read|Write, 1)
	first, errno := p.Pin(va, 2*4096, true)
	must(t, errno, ib.OK)
	again, errno := p.Pin(va+4096, 4096, true)
	must(t, errno, ib.OK)
	must(t, p.Unmap(va, 4*4096), ib.OK)
	if g.Frames.left != 13*4096 {
		t.Errorf("%d frames free", g.Frames.left/4096)
	}
	must(t, p.Load(va, make([]byte, 1)), ib.EFAULT)

	// The same address again is other memory; the pins hold the old one.
	must(t, p.Map(Mapping{VA: va, Length: 13 * 4096, Page: Page4K, Prot: Read | Write, Fill: 2}), ib.OK)
	if g.Frames.left != 0 {
		t.Errorf("%d frames free", g.Frames.left/4096)
	}
	if _, same := g.Memory.CompareFill(first.First(), 2*4096, 1); !same {
		t.Error("pinned frames got a new owner")
	}
	p.Unpin(first)
	if g.Frames.left != 4096 {
		t.Errorf("%d frames free after the first unpin", g.Frames.left/4096)
	}
	p.Unpin(again)
	if g.Frames.left != 2*4096 || p.Pinned() != 0 {
		t.Errorf("%d frames free after the last unpin, %d bytes pinned", g.Frames.left/4096, p.Pinned())
	}
}

// TestAccessRights: the CPU gets what the page allows, all or nothing.
func TestAccessRights(t *testing.T) {
	p := NewProcess("p", ram(1<<30))
	va := at(t, p, 4*4096, Page4K, Read|Write, 1)
	must(t, p.Protect(va+4096, 4096, Read), ib.OK)
	must(t, p.Protect(va+2*4096, 4096, 0), ib.OK)
	b := make([]byte, 2*4096)
	must(t, p.Load(va, b), ib.OK)
	must(t, p.Store(va, b), ib.EFAULT)
	if _, same := p.compareFill(va, 4*4096, 1); !same {
		t.Error("a refused store has written")
	}
	must(t, p.Load(va+4096, b), ib.EFAULT)
	must(t, p.Load(va+4*4096-1, b[:2]), ib.EFAULT)
	must(t, p.Load(1<<64-1, b[:2]), ib.EFAULT)
	must(t, p.Store(va+3*4096, b[:4096]), ib.OK)
	must(t, p.fill(va+3*4096, 4097, 1), ib.EFAULT)
	must(t, p.Protect(va, 5*4096, Read), ib.EFAULT)
	must(t, p.Protect(va+1, 4096, Read), ib.EINVAL)
}

// TestMapRefused: what mmap would refuse, and holes that can be filled again.
func TestMapRefused(t *testing.T) {
	p := NewProcess("p", ram(16<<20))
	m := Mapping{VA: 2 << 20, Length: 4 << 20, Page: Page2M, Prot: Read}
	must(t, p.Map(m), ib.OK)
	for _, bad := range []Mapping{
		{VA: 2<<20 + 4096, Length: 1, Page: Page2M},
		{VA: 2 << 20, Length: 0, Page: Page4K},
		{VA: 1<<64 - 4096, Length: 4097, Page: Page4K},
		{VA: 1 << 20, Length: 1<<20 + 1, Page: Page4K},
		{VA: 6<<20 - 4096, Length: 8192, Page: Page4K},
		{VA: 8 << 20, Length: 4096, Page: 13},
	} {
		if errno := p.Map(bad); errno != ib.EINVAL {
			t.Errorf("%+v: errno %d", bad, errno)
		}
	}
	must(t, p.Unmap(2<<20, 4096), ib.EINVAL) // part of a large page
	must(t, p.Unmap(4<<20, 2<<20), ib.OK)
	must(t, p.Load(4<<20, make([]byte, 1)), ib.EFAULT)
	must(t, p.Map(Mapping{VA: 4 << 20, Length: 2 << 20, Page: Page2M, Prot: Read, Fill: 9}), ib.OK)
	if _, same := p.compareFill(4<<20, 2<<20, 9); !same {
		t.Error("the hole was not filled again")
	}
	must(t, p.Map(Mapping{VA: 1 << 30, Length: 64 << 20, Page: Page4K}), ib.ENOMEM)
	must(t, p.Unmap(0, 1<<40), ib.OK)
	if len(p.regions) != 0 || p.pager.Frames.left != 16<<20-4096 {
		t.Errorf("%d regions and %d bytes left", len(p.regions), p.pager.Frames.left)
	}
}

// TestLargePages: a page of any size is mapped, pinned in parts, and moves as
// a whole.
func TestLargePages(t *testing.T) {
	for _, page := range []uint8{Page64K, Page2M, Page1G} {
		p := NewProcess("p", ram(8<<30))
		va := at(t, p, 2<<page, page, Read|Write, 6)
		pa, _ := p.Translate(va)
		if pa%(1<<page) != 0 || va%(1<<page) != 0 {
			t.Errorf("page of 2^%d at %#x, address %#x", page, pa, va)
		}
		k, errno := p.Pin(va+1<<page-4096, 8192, true)
		must(t, errno, ib.OK)
		if k.Frames() != 2 {
			t.Errorf("%d frames pinned of pages of 2^%d", k.Frames(), page)
		}
		_, errno = p.PageOut(va, 1)
		must(t, errno, ib.EBUSY)
		p.Unpin(k)
		pages, errno := p.PageOut(va+5, 1)
		must(t, errno, ib.OK)
		if pages != 1 || p.Lookup(va+1<<page-1).Present || !p.Lookup(va+1<<page).Present {
			t.Errorf("%d pages of 2^%d out", pages, page)
		}
		must(t, p.Store(va+4096, []byte{7}), ib.OK)
		if back, _ := p.Translate(va); back == pa || back%(1<<page) != 0 {
			t.Errorf("back at %#x, was at %#x", back, pa)
		}
		if first, same := p.compareFill(va, 2<<page, 6); same || first != 4096 {
			t.Errorf("differs at %d", first)
		}
	}
}

// TestDirtyFollowsPages: what changed in a page is known wherever it goes, and
// nothing is said of a page because of who had its frame before.
func TestDirtyFollowsPages(t *testing.T) {
	g := ram(1 << 30)
	p := NewProcess("p", g)
	va := at(t, p, 4*4096, Page4K, Read|Write, 0)
	g.Memory.Record(true)
	must(t, p.Store(va, []byte{1}), ib.OK)
	mark := g.Memory.Mark()
	must(t, p.Store(va+4095, []byte{2, 2}), ib.OK)
	must(t, p.Store(va, []byte{1}), ib.OK) // as it was: no change
	dirty := func() (runs []Change) {
		p.Dirty(mark, va, 4*4096, func(c Change) { runs = append(runs, Change{c.PA - va, c.N}) })
		return runs
	}
	want := []Change{{4095, 2}}
	for range 2 {
		if got := dirty(); !slices.Equal(got, want) {
			t.Errorf("dirty %v, want %v", got, want)
		}
		_, errno := p.PageOut(va, 8192)
		must(t, errno, ib.OK)
		if got := dirty(); !slices.Equal(got, want) {
			t.Errorf("dirty in the swap store %v, want %v", got, want)
		}
		_, errno = p.PageIn(va, 8192)
		must(t, errno, ib.OK)
	}
	must(t, p.Unmap(va, 4096), ib.OK)
	must(t, p.Map(Mapping{VA: va, Length: 4096, Page: Page4K, Prot: Read | Write, Fill: 1}), ib.OK)
	want = []Change{{4096, 1}} // the other went with its page
	if got := dirty(); !slices.Equal(got, want) {
		t.Errorf("dirty %v, want %v", got, want)
	}
}
