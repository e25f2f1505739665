package host

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// TestJournal holds Dirty to two copies of memory: what differs was told, and
// what was told lies within something written.
func TestJournal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 512
		m := NewMemory()
		m.Record(true)
		var written, differs [size]bool
		var before [size]byte
		mark := Mark(0)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			n := rapid.IntRange(1, 90).Draw(t, "n")
			pa := rapid.IntRange(0, size-n).Draw(t, "pa")
			src := rapid.SliceOfN(rapid.ByteRange(0, 1), n, n).Draw(t, "src")
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				mark = m.Mark()
				m.Read(0, before[:])
				written = [size]bool{}
				continue
			case 1:
				m.Fill(uint64(pa), uint64(n), src[0])
			default:
				m.Write(uint64(pa), src)
			}
			for i := pa; i < pa+n; i++ {
				written[i] = true
			}
			m.log.tidy = len(m.log.edits) // merge at every step
		}
		var told [size]bool
		last := -1
		m.Dirty(mark, 0, size, func(c Change) {
			if int(c.PA) <= last {
				t.Fatalf("%d told after %d", c.PA, last)
			}
			last = int(c.PA + c.N) // a gap lies between two runs
			for i := c.PA; i < c.PA+c.N; i++ {
				told[i] = true
			}
		})
		var now [size]byte
		m.Read(0, now[:])
		for i := range differs {
			if now[i] != before[i] && !told[i] {
				t.Fatalf("byte %d changed, and was not told", i)
			}
			if told[i] && !written[i] {
				t.Fatalf("byte %d was told, and was not written", i)
			}
		}
	})
}

// TestJournalBounded: it grows with what changes, not with how often.
func TestJournalBounded(t *testing.T) {
	m := NewMemory()
	m.Record(true)
	for i := range uint64(200_000) {
		m.Write(i*7919%1000*64, binary.LittleEndian.AppendUint64(nil, i+1))
	}
	if n := cap(m.log.edits); n > 3*journalEdits {
		t.Errorf("room for %d edits", n)
	}
	dirty := func(pa, n uint64) (yes bool) {
		m.Dirty(0, pa, n, func(Change) { yes = true })
		return yes
	}
	if !dirty(64, 1) || dirty(72, 56) {
		t.Error("wrong bytes")
	}
}
