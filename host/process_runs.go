package host

import (
	"iter"
	"slices"

	"hcasim/tpt"
)

// fewRuns is how many runs of frames a pinning lists. Of one that has more,
// over memory that is in pieces, the page tables are the list.
const fewRuns = 1024

// A heldRange is pinned, and its frames stand in the page tables; they are
// listed before the process takes the memory away.
type heldRange struct {
	process *Process
	va, n   uint64
	listed  []Run
}

func (h *heldRange) runs(yield func(Run) bool) {
	if h.listed != nil {
		slices.Values(h.listed)(yield)
		return
	}
	h.process.frames(h.va, h.n)(yield)
}

// hold notes the frames of a pinning.
func (p *Process) hold(k *Pinning) {
	for r := range p.frames(k.VA, k.N) {
		if len(k.runs) == fewRuns {
			k.runs, k.held = nil, &heldRange{process: p, va: k.VA, n: k.N}
			p.held = append(p.held, k.held)
			return
		}
		k.runs = append(k.runs, r)
	}
}

// letGo forgets a pinning that is given back.
func (p *Process) letGo(h *heldRange) {
	if i := slices.Index(p.held, h); i >= 0 {
		p.held = slices.Delete(p.held, i, i+1)
	}
}

// list writes down the frames of the pinnings that memory at va belongs to.
func (p *Process) list(va, n uint64) {
	p.held = slices.DeleteFunc(p.held, func(h *heldRange) bool {
		if first, size := frames(h.va, h.n); first > va+n-1 || va > first+size-1 {
			return false
		}
		h.listed = slices.Collect(p.frames(h.va, h.n))
		return true
	})
}

// frames returns the frames that the n bytes at va touch, all of them present,
// neighbours joined.
func (p *Process) frames(va, n uint64) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		var run Run
		for at, left := frames(va, n); left > 0; {
			s := p.span(at, left)
			switch {
			case run.N == 0:
				run = Run{s.addr(), s.n}
			case run.end() == s.addr():
				run.N += s.n
			case !yield(run):
				return
			default:
				run = Run{s.addr(), s.n}
			}
			at, left = at+s.n, left-s.n
		}
		if run.N > 0 {
			yield(run)
		}
	}
}

// Shift returns the log2 of the largest page size, at most most and at least
// 4 KiB, with which an adapter can describe runs: every run but the first
// begins at a multiple of it, and every run but the last ends at one.
func Shift(runs iter.Seq[Run], most uint8) uint8 {
	edges, last, n := uint64(0), uint64(0), 0
	for r := range runs {
		if n > 0 {
			edges |= r.PA | last
		}
		last = r.end()
		n++
	}
	shift := most
	for shift > Page4K && edges&(1<<shift-1) != 0 {
		shift--
	}
	return shift
}

// Count returns the number of pages of the given size that describe runs.
// shift is at most Shift's.
func Count(runs iter.Seq[Run], shift uint8) uint64 {
	n := uint64(0)
	for r := range runs {
		n += pageRun(r, shift).Pages
	}
	return n
}

// PageRuns returns the pages that describe runs, in order. Where a run ends
// within a page and the next begins in the same one, shift is too large. The
// first byte lies First modulo the page size into the first page.
func PageRuns(runs iter.Seq[Run], shift uint8) iter.Seq[tpt.PageRun] {
	return func(yield func(tpt.PageRun) bool) {
		for r := range runs {
			if !yield(pageRun(r, shift)) {
				return
			}
		}
	}
}

func pageRun(r Run, shift uint8) tpt.PageRun {
	return tpt.PageRun{Addr: r.PA >> shift << shift, Pages: (r.end()-1)>>shift - r.PA>>shift + 1}
}
