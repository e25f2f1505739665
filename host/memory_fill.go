package host

import (
	"slices"
	"sort"
)

// A fill is a run of whole lines that hold v where no line is kept. It ends
// at its last byte, so that it can reach the top of memory.
type fill struct {
	first, last uint64
	v           byte
}

// fills are sorted, apart from each other, and different from the 0 that is
// everywhere else.
type fills struct {
	runs []fill
	seen int // run found last
}

// at returns what fills the line of pa.
func (f *fills) at(pa uint64) byte {
	if len(f.runs) == 0 {
		return 0
	}
	if r := &f.runs[f.seen]; r.first <= pa && pa <= r.last {
		return r.v
	}
	i := f.after(pa)
	if i < len(f.runs) && f.runs[i].first <= pa {
		f.seen = i
		return f.runs[i].v
	}
	return 0
}

// until returns what fills pa and the last byte up to which it does.
func (f *fills) until(pa uint64) (v byte, last uint64) {
	i := f.after(pa)
	switch {
	case i == len(f.runs):
		return 0, ^uint64(0)
	case f.runs[i].first <= pa:
		return f.runs[i].v, f.runs[i].last
	}
	return 0, f.runs[i].first - 1
}

// after is the first run that does not end before pa.
func (f *fills) after(pa uint64) int {
	return sort.Search(len(f.runs), func(i int) bool { return f.runs[i].last >= pa })
}

// put makes v the fill of the lines from first to last.
func (f *fills) put(first, last uint64, v byte) {
	i := f.after(first)
	j := i
	var around [3]fill
	keep := around[:0]
	if i < len(f.runs) && f.runs[i].first < first {
		keep = append(keep, fill{f.runs[i].first, first - 1, f.runs[i].v})
	}
	if v != 0 {
		keep = append(keep, fill{first, last, v})
	}
	for ; j < len(f.runs) && f.runs[j].first <= last; j++ {
		if f.runs[j].last > last {
			keep = append(keep, fill{last + 1, f.runs[j].last, f.runs[j].v})
		}
	}
	f.runs = slices.Replace(f.runs, i, j, keep...)
	f.join(i, i+len(keep))
	f.seen = 0
}

// join melts equal neighbours among the runs around from and to.
func (f *fills) join(from, to int) {
	for i := min(to, len(f.runs)-1); i > 0 && i >= from; i-- {
		a, b := &f.runs[i-1], f.runs[i]
		if a.last+1 == b.first && a.v == b.v {
			a.last = b.last
			f.runs = slices.Delete(f.runs, i, i+1)
		}
	}
}

// fewBytes is the size up to which a fill is kept line by line: a list of
// fills with very many members would be slow to change.
const fewBytes = 1024

// Fill makes the n bytes at pa v. Beyond some small size it costs nothing per
// byte, save for the lines that it does away with.
func (m *Memory) Fill(pa, n uint64, v byte) {
	if n == 0 {
		return
	}
	if m.log.on {
		m.recordFill(pa, n, v)
	}
	m.fill(pa, n, v)
	if m.Changed.On() {
		m.Changed.Emit(Change{pa, n})
	}
}

func (m *Memory) fill(pa, n uint64, v byte) {
	last := pa + n - 1
	if last < pa {
		panic("host: memory filled past its last byte")
	}
	if n < fewBytes {
		m.fillLines(pa, n, v)
		return
	}
	head := -pa % LineBytes
	m.fillLines(pa, head, v)
	tail := (last + 1) % LineBytes
	m.fillLines(last+1-tail, tail, v)
	m.drop(pa+head, n-head-tail)
	m.fills.put(pa+head, last-tail, v)
}

// fillLines writes v to the n bytes at pa, which are few.
func (m *Memory) fillLines(pa, n uint64, v byte) {
	if n == 0 {
		return
	}
	var src [fewBytes]byte
	set(src[:n], v)
	m.write(pa, src[:n])
}

// drop forgets the lines kept for the n bytes at pa, whole lines.
func (m *Memory) drop(pa, n uint64) {
	m.visit(pa, n, func(at uint64, l *line) {
		m.pool.free(*l)
		*l = 0
	})
}

// visit calls f for each line kept within the n bytes at pa, by the shorter
// way: through the range, or through the index. The order is no one's
// business; f must not add blocks.
func (m *Memory) visit(pa, n uint64, f func(at uint64, l *line)) {
	if n == 0 {
		return
	}
	last := pa + n - 1
	within := func(b *block) {
		base := (b.key - 1) << blockShift
		for i := range b.lines {
			at := base + uint64(i)*LineBytes
			if b.lines[i] != 0 && at >= pa && at <= last {
				f(at, &b.lines[i])
			}
		}
	}
	first, end := pa>>blockShift, last>>blockShift
	if end-first < uint64(len(m.blocks)) {
		for k := first; k <= end; k++ {
			if b := m.find(k << blockShift); b != nil {
				within(b)
			}
		}
		return
	}
	for i := range m.blocks {
		if b := &m.blocks[i]; b.key != 0 && b.key-1 >= first && b.key-1 <= end {
			within(b)
		}
	}
}
