package host

import "hcasim/sim"

// A translation is one line of the IOTLB.
type translation struct {
	page         uint64
	ready        sim.Time // when its walk is done
	newer, older int32
}

// An iotlb holds translations, fully associative, replaced least recently
// used first. Entries are found through a small open-addressed index and
// chained in the order of their use, so that its size costs no time. Entry 0
// is the chain's head: its older is the newest entry, its newer the oldest.
type iotlb struct {
	entries []translation
	index   []int32 // numbers of entries, 0 none; a power of two, at most half full
	shift   uint8
	used    int32
}

func newIOTLB(n int) *iotlb {
	t := &iotlb{entries: make([]translation, n+1), shift: 64}
	size := 1
	for size < 2*n {
		size *= 2
	}
	for k := size; k > 1; k /= 2 {
		t.shift--
	}
	t.index = make([]int32, size)
	return t
}

// use returns the entry of page and makes it the newest. If there was none,
// hit is false and the entry is that of the page used longest ago, which is
// forgotten.
func (t *iotlb) use(page uint64) (e *translation, hit bool) {
	i, at := t.find(page)
	switch {
	case i != 0:
		hit = true
		t.unlink(i)
	case int(t.used) < len(t.entries)-1:
		t.used++
		i = t.used
		t.index[at] = i
	default:
		i = t.entries[0].newer
		t.unlink(i)
		t.unindex(t.entries[i].page)
		_, at = t.find(page)
		t.index[at] = i
	}
	t.entries[i].page = page
	t.link(i)
	return &t.entries[i], hit
}

// drop forgets the pages from first to last: it makes them none's, and the
// first to be replaced.
func (t *iotlb) drop(first, last uint64) {
	for i := int32(1); i <= t.used; i++ {
		if p := t.entries[i].page; p < first || p > last {
			continue
		}
		t.unindex(t.entries[i].page)
		t.unlink(i)
		if i != t.used { // the last entry takes its place, and is looked at next
			t.rename(t.used, i)
		}
		t.used--
		i--
	}
}

// rename moves entry from to the place to.
func (t *iotlb) rename(from, to int32) {
	_, at := t.find(t.entries[from].page)
	t.index[at] = to
	e := t.entries[from]
	t.entries[to] = e
	t.entries[e.newer].older = to
	t.entries[e.older].newer = to
}

func (t *iotlb) slot(page uint64) int {
	if t.shift == 64 {
		return 0
	}
	return int((page + 1) * 0x9E3779B97F4A7C15 >> t.shift)
}

// find returns the entry of page and its place in the index; 0 and the place
// where it would be when there is none.
func (t *iotlb) find(page uint64) (i int32, at int) {
	for at = t.slot(page); ; at = (at + 1) & (len(t.index) - 1) {
		i = t.index[at]
		if i == 0 || t.entries[i].page == page {
			return i, at
		}
	}
}

// unindex takes page out of the index and closes the gap.
func (t *iotlb) unindex(page uint64) {
	mask := len(t.index) - 1
	_, gap := t.find(page)
	for at := (gap + 1) & mask; t.index[at] != 0; at = (at + 1) & mask {
		home := t.slot(t.entries[t.index[at]].page)
		if (at-home)&mask >= (at-gap)&mask {
			t.index[gap] = t.index[at]
			gap = at
		}
	}
	t.index[gap] = 0
}

func (t *iotlb) unlink(i int32) {
	e := &t.entries[i]
	t.entries[e.newer].older = e.older
	t.entries[e.older].newer = e.newer
}

func (t *iotlb) link(i int32) {
	newest := t.entries[0].older
	t.entries[i].newer, t.entries[i].older = 0, newest
	t.entries[newest].newer = i
	t.entries[0].older = i
}
