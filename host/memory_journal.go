package host

import (
	"cmp"
	"slices"
)

// A Mark is a moment in the life of a memory: later marks are greater.
type Mark uint32

// An edit is a run of bytes, of which at least the first and the last changed
// their value after mark and before the next one.
type edit struct {
	mark  Mark
	first uint64
	last  uint64
}

// A journal remembers which bytes changed. Between two marks it keeps the
// union of the changes only, so that its length is bounded by what changes and
// not by how often.
type journal struct {
	on    bool
	mark  Mark
	edits []edit
	tidy  int // length at which it is merged next
}

// journalEdits is the length that a journal may have before it is merged.
const journalEdits = 1 << 12

// Record turns the journal of changes on or off; off forgets it.
func (m *Memory) Record(on bool) {
	m.log = journal{on: on, mark: m.log.mark, tidy: journalEdits}
}

// Mark begins a new stretch of the journal and names it.
func (m *Memory) Mark() Mark {
	m.log.mark++
	return m.log.mark
}

// Dirty calls f for each run of changed bytes within the n bytes at pa since
// from, in order of address, each byte once. A byte that was written with its
// own value did not change; one that changed and changed back is told.
func (m *Memory) Dirty(from Mark, pa, n uint64, f func(Change)) {
	if n == 0 {
		return
	}
	last := pa + n - 1
	var hits []edit
	for _, e := range m.log.edits {
		if e.mark >= from && e.first <= last && e.last >= pa {
			hits = append(hits, edit{0, max(e.first, pa), min(e.last, last)})
		}
	}
	for _, e := range merge(hits) {
		f(Change{e.first, e.last - e.first + 1})
	}
}

// recordWrite notes which of the bytes at pa src will change.
func (m *Memory) recordWrite(pa uint64, src []byte) {
	first, same := m.Compare(pa, src)
	if same {
		return
	}
	var b [1]byte
	last := uint64(len(src) - 1)
	for ; last > first; last-- {
		if m.Read(pa+last, b[:]); b[0] != src[last] {
			break
		}
	}
	m.log.note(pa+first, pa+last)
}

// recordFill notes which of the n bytes at pa become another v.
func (m *Memory) recordFill(pa, n uint64, v byte) {
	if first, same := m.CompareFill(pa, n, v); !same {
		m.log.note(pa+first, pa+n-1)
	}
}

func (j *journal) note(first, last uint64) {
	if k := len(j.edits) - 1; k >= 0 && j.edits[k].mark == j.mark && j.edits[k].last+1 == first {
		j.edits[k].last = last
		return
	}
	if len(j.edits) == j.tidy {
		j.edits = merge(j.edits)
		j.tidy = max(journalEdits, 2*len(j.edits))
	}
	j.edits = append(j.edits, edit{j.mark, first, last})
}

// merge sorts edits by mark and address and melts those that touch.
func merge(edits []edit) []edit {
	slices.SortFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.mark, b.mark), cmp.Compare(a.first, b.first))
	})
	kept := edits[:0]
	for _, e := range edits {
		if k := len(kept) - 1; k >= 0 && kept[k].mark == e.mark && (e.first <= kept[k].last || e.first-1 == kept[k].last) {
			kept[k].last = max(kept[k].last, e.last)
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// forget drops what the journal says of the n bytes at pa: the frame gets
// another owner.
func (j *journal) forget(pa, n uint64) {
	j.carry(pa, n, nil, 0)
}

// carry moves what the journal says of the n bytes at pa to to's dst, or
// nowhere: the content of a page moves, and its history with it.
func (j *journal) carry(pa, n uint64, to *journal, dst uint64) {
	last := pa + n - 1
	kept := j.edits[:0]
	var cut []edit
	for _, e := range j.edits {
		if e.last < pa || e.first > last {
			kept = append(kept, e)
			continue
		}
		if e.first < pa {
			cut = append(cut, edit{e.mark, e.first, pa - 1})
		}
		if e.last > last {
			cut = append(cut, edit{e.mark, last + 1, e.last})
		}
		if to != nil {
			to.edits = append(to.edits, edit{e.mark, max(e.first, pa) - pa + dst, min(e.last, last) - pa + dst})
		}
	}
	j.edits = append(kept, cut...)
}
