package host

import (
	"slices"
	"testing"

	"hcasim/ib"
	"pgregory.net/rapid"
)

// A toyPage is a page of the dumb process: its right, whether it is out, and
// the first of its bytes, which stands for all.
type toyPage struct {
	prot Prot
	out  bool
	pins int
	v    byte
}

// A toyPin remembers what a pin found.
type toyPin struct {
	pinning Pinning
	frames  []uint64
	values  []byte
	gone    []bool // the page was unmapped since
	pages   []uint64
}

// The world of the oracle.
const (
	toyPages  = 600 // more than one table
	toyFrames = 1000
)

// toy is a process, and what it should be.
type toy struct {
	p     *Process
	pages map[uint64]*toyPage
	pins  []toyPin
}

func va(page uint64) uint64 { return 1<<30 + page*4096 }

// TestProcessOracle holds one of two processes to a map of pages.
func TestProcessOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := ram(toyFrames * 4096)
		g.params.Contiguous = 4096 << rapid.IntRange(0, 10).Draw(t, "contiguous")
		w := toy{NewProcess("p", g), map[uint64]*toyPage{}, nil}
		r := func() (first, n uint64) {
			first = rapid.Uint64Range(0, toyPages-1).Draw(t, "page")
			if rapid.Bool().Draw(t, "much") {
				return first, toyPages - first
			}
			return first, min(rapid.Uint64Range(1, 4).Draw(t, "pages"), toyPages-first)
		}
		t.Repeat(map[string]func(*rapid.T){
			"map": func(t *rapid.T) {
				first, n := r()
				w.mapPages(t, first, n, byte(rapid.IntRange(1, 255).Draw(t, "v")))
			},
			"unmap": func(t *rapid.T) {
				first, n := r()
				must2(t, w.p.Unmap(va(first), n*4096), ib.OK)
				for i := first; i < first+n; i++ {
					delete(w.pages, i)
					for _, pin := range w.pins {
						if k := slices.Index(pin.pages, i); k >= 0 {
							pin.gone[k] = true
						}
					}
				}
			},
			"protect": func(t *rapid.T) {
				first, n := r()
				prot := Prot(rapid.IntRange(0, 3).Draw(t, "prot"))
				if w.want(t, w.p.Protect(va(first), n*4096, prot), first, n, nil, ib.OK) {
					w.each(first, n, func(_ uint64, g *toyPage) { g.prot = prot })
				}
			},
			"store": func(t *rapid.T) {
				first, n := r()
				v := byte(rapid.IntRange(1, 255).Draw(t, "v"))
				if w.want(t, w.p.fill(va(first), n*4096, v), first, n, func(g *toyPage) bool { return g.prot&Write != 0 }, ib.EFAULT) {
					w.each(first, n, func(i uint64, g *toyPage) { g.v, g.out = v, false; w.written(i, v) })
				}
			},
			"out": func(t *rapid.T) {
				first, n := r()
				_, errno := w.p.PageOut(va(first), n*4096)
				if w.want(t, errno, first, n, func(g *toyPage) bool { return g.pins == 0 }, ib.EBUSY) {
					w.each(first, n, func(_ uint64, g *toyPage) { g.out = true })
				}
			},
			"in": func(t *rapid.T) {
				first, n := r()
				_, errno := w.p.PageIn(va(first), n*4096)
				if w.want(t, errno, first, n, nil, ib.OK) {
					w.each(first, n, func(_ uint64, g *toyPage) { g.out = false })
				}
			},
			"pin":   func(t *rapid.T) { first, n := r(); w.pin(t, first, n) },
			"unpin": func(t *rapid.T) { w.unpin(t) },
			"":      func(t *rapid.T) { w.check(t) },
		})
	})
}

func must2(t *rapid.T, got, want ib.Errno) {
	if got != want {
		t.Fatalf("errno %d, want %d", got, want)
	}
}

func (w *toy) each(first, n uint64, f func(i uint64, g *toyPage)) {
	for i := first; i < first+n; i++ {
		f(i, w.pages[i])
	}
}

// want holds an errno to EFAULT where a page is missing, to refusal where one
// is not as it should be, and to success otherwise, or to want of memory.
func (w *toy) want(t *rapid.T, errno ib.Errno, first, n uint64, fits func(*toyPage) bool, refusal ib.Errno) (done bool) {
	want := ib.OK
	w.each(first, n, func(_ uint64, g *toyPage) {
		if g == nil {
			want = ib.EFAULT
		} else if fits != nil && !fits(g) && want == ib.OK {
			want = refusal
		}
	})
	if errno == ib.ENOMEM && want == ib.OK {
		t.Skip("no frames left: pages may have come in")
	}
	must2(t, errno, want)
	return errno == ib.OK
}

func (w *toy) mapPages(t *rapid.T, first, n uint64, v byte) {
	errno := w.p.Map(Mapping{VA: va(first), Length: n * 4096, Page: Page4K, Prot: Read | Write, Fill: v})
	taken := false
	w.each(first, n, func(_ uint64, g *toyPage) { taken = taken || g != nil })
	if taken {
		must2(t, errno, ib.EINVAL)
	}
	if errno == ib.OK {
		for i := first; i < first+n; i++ {
			w.pages[i] = &toyPage{prot: Read | Write, v: v}
		}
	}
}

func (w *toy) pin(t *rapid.T, first, n uint64) {
	k, errno := w.p.Pin(va(first)+7, n*4096-9, true)
	if !w.want(t, errno, first, n, func(g *toyPage) bool { return g.prot == Read|Write }, ib.EFAULT) {
		return
	}
	pin := toyPin{pinning: k, frames: pagesOf(k.Runs(), Page4K), gone: make([]bool, n)}
	w.each(first, n, func(i uint64, g *toyPage) {
		g.pins, g.out = g.pins+1, false
		pin.pages, pin.values = append(pin.pages, i), append(pin.values, g.v)
	})
	w.pins = append(w.pins, pin)
}

// written tells the pins that hold page i that its bytes are v now.
func (w *toy) written(i uint64, v byte) {
	for _, pin := range w.pins {
		if k := slices.Index(pin.pages, i); k >= 0 && !pin.gone[k] {
			pin.values[k] = v
		}
	}
}

func (w *toy) unpin(t *rapid.T) {
	if len(w.pins) == 0 {
		t.Skip("nothing pinned")
	}
	i := rapid.IntRange(0, len(w.pins)-1).Draw(t, "pin")
	pin := w.pins[i]
	w.p.Unpin(pin.pinning)
	w.pins = slices.Delete(w.pins, i, i+1)
	for k, page := range pin.pages {
		if !pin.gone[k] {
			w.pages[page].pins--
		}
	}
}

// check compares every page, and every frame that is pinned; a frame belongs
// to one page, to pins of a page that is gone, or to nobody.
func (w *toy) check(t *rapid.T) {
	var owner [toyFrames]int // page number plus one; negative: of a page that is gone
	used := 0
	for i := range uint64(toyPages) {
		got, want := w.p.Lookup(va(i)), w.pages[i]
		if want == nil {
			if got.Mapped {
				t.Fatalf("page %d is mapped", i)
			}
			continue
		}
		if !got.Mapped || got.Prot != want.prot || got.Present && int(got.Pins) != want.pins || !got.Present && !want.out {
			t.Fatalf("page %d is %+v, want %+v", i, got, *want)
		}
		if first, same := w.p.compareFill(va(i), 4096, want.v); !same {
			t.Fatalf("page %d differs at %d from %#x", i, first, want.v)
		}
		if got.Present { // a PageIn that ran out of frames has brought some in
			if owner[got.PA/4096] != 0 || got.PA == 0 {
				t.Fatalf("pages %d and %d are at %#x", i, owner[got.PA/4096]-1, got.PA)
			}
			owner[got.PA/4096] = int(i) + 1
			used++
		}
	}
	for _, pin := range w.pins {
		for k, pa := range pin.frames {
			if first, same := w.p.pager.Memory.CompareFill(pa, 4096, pin.values[k]); !same {
				t.Fatalf("pinned page %d differs at %d", pin.pages[k], first)
			}
			want := int(pin.pages[k]) + 1
			if pin.gone[k] {
				want = -want
			}
			if owner[pa/4096] == 0 && pin.gone[k] {
				owner[pa/4096] = want
				used++
			}
			if owner[pa/4096] != want {
				t.Fatalf("pinned frame %#x got page %d", pa, owner[pa/4096]-1)
			}
		}
	}
	if free := int(w.p.pager.Frames.left / 4096); free+used != toyFrames-1 {
		t.Fatalf("%d frames free and %d used, of %d", free, used, toyFrames-1)
	}
}
