package host

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
)

// TestFrameSet holds a set to a plain array, over the edges of leaves.
func TestFrameSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const frames = 3*leafFrames + 5
		var s frameSet
		var taken [frames]bool
		draw := func() (first, n uint64) {
			first = rapid.Uint64Range(0, frames-1).Draw(t, "first")
			if rapid.Bool().Draw(t, "leaf") {
				first = first / leafFrames * leafFrames
			}
			return first, rapid.Uint64Range(1, frames-first).Draw(t, "n")
		}
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			first, n := draw()
			free := rapid.Bool().Draw(t, "free")
			want := !slices.Contains(taken[first:first+n], !free)
			if free {
				want = !slices.Contains(taken[first:first+n], false)
			}
			if fresh := s.put(first*4096, n*4096, free); fresh != want {
				t.Fatalf("frames %d+%d: fresh %v", first, n, fresh)
			}
			for i := first; i < first+n; i++ {
				taken[i] = !free
			}
		}
		first, n := draw()
		for _, free := range []bool{true, false} {
			end := first
			for end < first+n && taken[end] == free {
				end++
			}
			if got := s.next(first*4096, (first+n)*4096, free); got != end*4096 {
				t.Fatalf("next from %d on that is free %v: %d, want %d", first, free, got/4096, end)
			}
		}
	})
}

// pieces maps n frames of which no two neighbours lie side by side.
func pieces(t *testing.T, n uint64) (p *Process, va uint64) {
	t.Helper()
	m := DefaultMemoryParams()
	m.Contiguous = 4096
	p = NewProcess("p", NewPager(m))
	va = p.Place(n*4096, Page4K)
	must(t, p.Map(Mapping{VA: va, Length: n * 4096, Page: Page4K, Prot: Read | Write, Fill: 3}), ib.OK)
	return p, va
}

// TestPinnedInPieces: frames too many for a list are known as long as they are
// pinned, though their process has taken the memory away and mapped other (H3).
func TestPinnedInPieces(t *testing.T) {
	const n = fewRuns + 700
	for _, unmap := range []uint64{n, 1, 600} {
		p, va := pieces(t, n)
		free := p.pager.Frames.left
		k, errno := p.Pin(va, n*4096, true)
		must(t, errno, ib.OK)
		before := slices.Collect(k.Runs())
		if len(before) != n || k.held == nil || k.Frames() != n {
			t.Fatalf("%d runs, %d frames", len(before), k.Frames())
		}
		must(t, p.Unmap(va, unmap*4096), ib.OK)
		must(t, p.Map(Mapping{VA: va, Length: unmap * 4096, Page: Page4K, Prot: Read}), ib.OK)
		if after := slices.Collect(k.Runs()); !slices.Equal(before, after) {
			t.Errorf("%d pages unmapped: the frames are others", unmap)
		}
		p.Unpin(k)
		if got := p.pager.Frames.left; got != free || p.Pinned() != 0 || len(p.held) != 0 {
			t.Errorf("%d pages unmapped: %d frames free, want %d; %d bytes pinned, %d pinnings held", unmap, got/4096, free/4096, p.Pinned(), len(p.held))
		}
	}
}

// TestJoined: mappings that become one region are still whole for themselves.
func TestJoined(t *testing.T) {
	const each, n = 3 * 4096, 600
	g := ram(1 << 30)
	one, many := NewProcess("p", g), NewProcess("p", ram(1<<30))
	for i := range uint64(n) {
		m := Mapping{VA: firstPlace + i*each, Length: each, Page: Page4K, Prot: Read | Write, Fill: byte(i)}
		must(t, many.Map(m), ib.OK)
		m.Join = true
		must(t, one.Map(m), ib.OK)
	}
	if len(one.regions) != 1 || len(many.regions) != n {
		t.Errorf("%d regions and %d", len(one.regions), len(many.regions))
	}
	for i := range uint64(3 * n) {
		va := firstPlace + i*4096
		if a, b := one.Lookup(va), many.Lookup(va); a != b {
			t.Fatalf("page %d is %+v, by itself %+v", i, a, b)
		}
	}
	must(t, one.Unmap(firstPlace+each, each), ib.OK)
	must(t, one.Load(firstPlace+each, make([]byte, 1)), ib.EFAULT)
	must(t, one.Load(firstPlace+2*each, make([]byte, each)), ib.OK)
	must(t, one.Map(Mapping{VA: firstPlace + n*each, Length: 1, Page: Page4K, Prot: Read}), ib.OK)
	if len(one.regions) != 2 {
		t.Errorf("%d regions: the last did not ask to be joined", len(one.regions))
	}
}

// TestLines: lines are what was put there, also where four bytes are too few.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lines{narrow: new([tablePages]uint32)}
		var want [tablePages]pte
		for range rapid.IntRange(1, 40).Draw(t, "writes") {
			j := rapid.Uint64Range(0, tablePages-1).Draw(t, "line")
			frame := rapid.SampledFrom([]uint64{0, 1, 77, 1<<26 - 1, 1 << 26, 1 << 40}).Draw(t, "frame")
			e := pte(frame<<frameShift | rapid.Uint64Range(0, 63).Draw(t, "flags"))
			l.set(j, e)
			want[j] = e
		}
		for j := range uint64(tablePages) {
			if got := l.at(j); got != want[j] {
				t.Fatalf("line %d is %#x, want %#x", j, got, want[j])
			}
		}
	})
}
