package host

import (
	"fmt"
)

// The page sizes of a host, as their log2.
const (
	Page4K  uint8 = 12
	Page64K uint8 = 16
	Page2M  uint8 = 21
	Page1G  uint8 = 30
)

// frameBytes is the grain of the allocator and of pinning.
const (
	frameShift = Page4K
	frameBytes = 1 << frameShift
)

// A Run is a stretch of physical memory, whole frames.
type Run struct {
	PA uint64
	N  uint64 // bytes
}

func (r Run) end() uint64 { return r.PA + r.N }

// Frames are the physical frames of a host: which are free, and how often
// each of the others is pinned. Allocation walks upwards through memory and
// begins again at the bottom when it has reached the top, so that a frame
// given back rests as long as possible before it is used again. It never
// hands out frame 0, nor the frames given back last while there are others.
type Frames struct {
	size   uint64
	free   frameSet
	left   uint64 // bytes that are free
	cursor uint64 // where the search goes on
	rest   Run    // given back last
	pins   counts
	dying  []Run // given back by their process while pinned: free at the last unpin
	freed  func(Run)
}

// NewFrames returns size bytes of free frames; size is rounded down to 4 KiB.
func NewFrames(size uint64) *Frames {
	f := &Frames{size: size &^ (frameBytes - 1), freed: func(Run) {}}
	f.free.put(0, frameBytes, false)
	f.left = f.size - min(f.size, frameBytes)
	return f
}

// Take allocates n bytes, a multiple of the page size, from the next free
// stretches on: one run of pages if the first of them is long enough. ok is
// false, and nothing happens, when there are not enough frames. longest bounds
// the contiguous runs (a multiple of the page size; 0: no bound): between two
// of them lies a frame of someone else.
func (f *Frames) Take(n uint64, shift uint8, longest uint64) (runs []Run, ok bool) {
	ok = f.each(n, shift, longest, func(r Run) { runs = append(runs, r) })
	return runs, ok
}

// each is Take for runs that may be too many for a list: f is called with one
// after another, once it is certain that there are enough.
func (f *Frames) each(n uint64, shift uint8, longest uint64, use func(r Run)) (ok bool) {
	page := uint64(1) << shift
	if n > f.left {
		return false
	}
	var taken []Run // of large pages, of which there may not be enough all the same
	for n > 0 {
		want := n
		if longest != 0 {
			want = min(want, max(longest, page))
		}
		r, found := f.take(want, page)
		if !found {
			for _, r := range taken {
				f.insert(r)
			}
			return false
		}
		if longest != 0 {
			f.cursor += frameBytes
		}
		if n -= r.N; page == frameBytes {
			use(r)
		} else {
			taken = append(taken, r)
		}
	}
	for _, r := range taken {
		use(r)
	}
	return true
}

// Whole allocates n bytes, whole frames, as one run. ok is false when no free
// stretch is as long.
func (f *Frames) Whole(n uint64) (r Run, ok bool) {
	if n > f.left {
		return Run{}, false
	}
	cursor, rest := f.cursor, f.rest
	r, ok = f.take(n, frameBytes)
	if !ok || r.N == n {
		return r, ok
	}
	f.insert(r) // the next stretch is too short
	f.cursor, f.rest = cursor, rest
	for at := f.free.next(0, f.size, true); at < f.size; {
		end := f.free.next(at, min(f.size, at+n), false)
		if end-at == n {
			f.free.put(at, n, false)
			f.left, f.rest = f.left-n, Run{}
			return Run{at, n}, true
		}
		at = f.free.next(end, f.size, true)
	}
	return Run{}, false
}

// take finds the next free stretch of whole pages, at most want bytes. It
// looks from the cursor to the top, from the bottom to the cursor, and only
// then among the frames that rest.
func (f *Frames) take(want, page uint64) (Run, bool) {
	if r, found := f.search(f.cursor, f.size, want, page); found {
		return r, true
	}
	if r, found := f.search(0, f.cursor, want, page); found {
		return r, true
	}
	f.rest = Run{}
	return f.search(0, f.size, want, page)
}

// search takes the first stretch of whole pages within [from, to).
func (f *Frames) search(from, to, want, page uint64) (Run, bool) {
	for at := f.free.next(from, to, true); at < to; {
		// No more of a free stretch is looked at than is wanted: it may be long.
		end := f.free.next(at, min(to, roundUp(at, page)+want), false)
		r, found := fit(at, min(end, f.rest.PA), want, page)
		if !found {
			end = f.free.next(end, to, false)
			r, found = fit(at, min(end, f.rest.PA), want, page)
		}
		if !found {
			r, found = fit(max(at, f.rest.end()), end, want, page)
		}
		if found {
			f.free.put(r.PA, r.N, false)
			f.left -= r.N
			f.cursor = r.end()
			return r, true
		}
		at = f.free.next(end, to, true)
	}
	return Run{}, false
}

// fit places at most want bytes of whole pages in [at, end).
func fit(at, end, want, page uint64) (Run, bool) {
	at = (at + page - 1) &^ (page - 1)
	if at >= end || end-at < page {
		return Run{}, false
	}
	return Run{at, min(want, (end-at)&^(page-1))}, true
}

// Give gives r back. Its frames that are pinned become free when the last pin
// is gone: the adapter may still write there.
func (f *Frames) Give(r Run) {
	for r.N > 0 {
		pinned, n := f.pins.run(r.PA, r.N)
		part := Run{r.PA, n}
		if pinned == 0 {
			f.insert(part)
			f.rest = part
			f.freed(part)
		} else {
			f.dying = append(f.dying, part)
		}
		r.PA, r.N = r.PA+n, r.N-n
	}
}

// insert makes r free.
func (f *Frames) insert(r Run) {
	if !f.free.put(r.PA, r.N, true) {
		panic(fmt.Sprintf("host: frames at %#x given back twice", r.PA))
	}
	f.left += r.N
}

// Pins returns how often the frame of pa is pinned.
func (f *Frames) Pins(pa uint64) uint32 { return f.pins.at(pa) }

// pin counts one pin more for every frame of r.
func (f *Frames) pin(r Run) { f.pins.add(r.PA, r.N, 1) }

// unpin counts one pin less, and frees what its process has given back.
func (f *Frames) unpin(r Run) {
	f.pins.add(r.PA, r.N, ^uint32(0))
	if len(f.dying) == 0 {
		return
	}
	dying := f.dying
	f.dying = nil
	for _, d := range dying {
		f.Give(d)
	}
}
