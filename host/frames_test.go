package host

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestFramesRest: a frame given back is not the next to be handed out, even
// when the walk comes by it at once.
func TestFramesRest(t *testing.T) {
	f := NewFrames(4 * 4096) // frames 1, 2, 3
	take := func() uint64 {
		r, ok := f.Take(4096, Page4K, 0)
		if !ok || len(r) != 1 {
			t.Fatal("no frame")
		}
		return r[0].PA / 4096
	}
	give := func(frame uint64) { f.Give(Run{frame * 4096, 4096}) }
	var got []uint64
	got = append(got, take(), take(), take()) // 1 2 3
	give(2)
	give(1)
	got = append(got, take()) // 2: 1 rests
	give(2)
	got = append(got, take()) // 1
	give(1)
	got = append(got, take()) // 2
	got = append(got, take()) // 1: there is no other
	if want := []uint64{1, 2, 3, 2, 1, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("frames %v, want %v", got, want)
	}
	if r, ok := f.Take(4096, Page4K, 0); ok {
		t.Errorf("a frame too many: %v", r)
	}
}

// TestFramesAllOrNothing: what cannot be had whole is not had at all.
func TestFramesAllOrNothing(t *testing.T) {
	f := NewFrames(8 << 20)
	free := f.left
	if r, ok := f.Take(8<<20, Page2M, 0); ok { // the first 2 MiB lack frame 0
		t.Errorf("got %v", r)
	}
	if f.left != free {
		t.Errorf("%d bytes lost", free-f.left)
	}
	r, ok := f.Take(6<<20, Page2M, 0)
	if !ok || !slices.Equal(r, []Run{{2 << 20, 6 << 20}}) {
		t.Errorf("got %v", r)
	}
}

// TestFramesWhole: one run is found wherever it lies, or nothing is taken.
func TestFramesWhole(t *testing.T) {
	const frame = 4096
	f := NewFrames(16 * frame)
	for _, n := range []uint64{4, 2, 4, 5} {
		if r, ok := f.Whole(n * frame); !ok || r.N != n*frame {
			t.Fatalf("of %d frames: %v, %v", n, r, ok)
		}
	}
	f.Give(Run{5 * frame, 2 * frame})
	f.Give(Run{11 * frame, 5 * frame})
	if r, ok := f.Whole(6 * frame); ok || f.left != 7*frame {
		t.Errorf("six frames in one run: %v, %d bytes left", r, f.left)
	}
	if r, ok := f.Whole(4 * frame); !ok || r.PA != 11*frame || f.left != 3*frame {
		t.Errorf("behind a stretch that is too short: %v, %v, %d bytes left", r, ok, f.left)
	}
}

// TestFramesContiguous: the bound on runs leaves a gap between them.
func TestFramesContiguous(t *testing.T) {
	f := NewFrames(1 << 30)
	r, ok := f.Take(40<<10, Page4K, 16<<10)
	want := []Run{{4 << 10, 16 << 10}, {24 << 10, 16 << 10}, {44 << 10, 8 << 10}}
	if !ok || !slices.Equal(r, want) {
		t.Errorf("runs %v, want %v", r, want)
	}
}

// TestFramesGivenTwice is our mistake.
func TestFramesGivenTwice(t *testing.T) {
	f := NewFrames(1 << 20)
	r, _ := f.Take(8192, Page4K, 0)
	f.Give(r[0])
	defer func() {
		if recover() == nil {
			t.Error("taken in silence")
		}
	}()
	f.Give(Run{r[0].PA + 4096, 4096})
}

// TestCounts holds counts to a map, over the edges of leaves.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const frames = 3 * leafFrames
		var c counts
		var want [frames]uint32
		draw := func() (first, n uint64) {
			first = rapid.Uint64Range(0, frames-1).Draw(t, "first")
			if rapid.Bool().Draw(t, "leaf") {
				first = first / leafFrames * leafFrames
			}
			return first, rapid.Uint64Range(1, frames-first).Draw(t, "n")
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			first, n := draw()
			d := uint32(1)
			if rapid.Bool().Draw(t, "minus") && !slices.Contains(want[first:first+n], 0) {
				d = ^uint32(0)
			}
			c.add(first*4096, n*4096, d)
			for i := first; i < first+n; i++ {
				want[i] += d
			}
		}
		first, n := draw()
		end := first
		for end < first+n && want[end] == want[first] {
			end++
		}
		if count, bytes := c.run(first*4096, n*4096); count != want[first] || bytes != (end-first)*4096 {
			t.Fatalf("run of %d: %d frames, want %d of %d", count, bytes/4096, end-first, want[first])
		}
		c.clear(first*4096, n*4096)
		clear(want[first : first+n])
		for i, w := range want {
			if got := c.at(uint64(i) * 4096); got != w {
				t.Fatalf("frame %d counts %d, want %d", i, got, w)
			}
		}
	})
}

// TestShift: the page size found describes every byte of the range, and the
// next larger one does not.
func TestShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var runs []Run
		bytes := []uint64{} // physical address of each frame of the range, in order
		pa := rapid.Uint64Range(1, 40).Draw(t, "pa")
		for range rapid.IntRange(1, 4).Draw(t, "runs") {
			n := rapid.Uint64Range(1, 20).Draw(t, "n")
			if rapid.Bool().Draw(t, "aligned") {
				pa, n = roundUp(pa, 8), roundUp(n, 8)
			}
			if k := len(runs) - 1; k >= 0 && runs[k].end() == pa*4096 {
				runs[k].N += n * 4096
			} else {
				runs = append(runs, Run{pa * 4096, n * 4096})
			}
			for i := range n {
				bytes = append(bytes, (pa+i)*4096)
			}
			pa += n + rapid.Uint64Range(0, 9).Draw(t, "gap")
		}
		right := func(shift uint8) bool {
			pages, first := pagesOf(slices.Values(runs), shift), runs[0].PA&(1<<shift-1)
			for i, want := range bytes {
				off := first + uint64(i)*4096
				if off>>shift >= uint64(len(pages)) || pages[off>>shift]+off&(1<<shift-1) != want {
					return false
				}
			}
			return uint64(len(pages)) == Count(slices.Values(runs), shift)
		}
		shift := Shift(slices.Values(runs), 16)
		if !right(shift) {
			t.Fatalf("pages of 2^%d do not describe %v", shift, runs)
		}
		if shift < 16 && right(shift+1) {
			t.Fatalf("pages of 2^%d would do for %v", shift+1, runs)
		}
	})
}

// pagesOf lists the pages that describe runs.
func pagesOf(runs iter.Seq[Run], shift uint8) (pages []uint64) {
	for r := range PageRuns(runs, shift) {
		for i := range r.Pages {
			pages = append(pages, r.Addr+i<<shift)
		}
	}
	return pages
}
