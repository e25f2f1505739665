package hca_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// Atomics of many queue pairs on a few words, of one bucket and of several, at
// whatever pace their bucket begins them: FETCH_ADDs of 1 and CMP_SWAPs that
// take the word from one value to the next. In some order of all operations on a
// word each finds what the one in front left, and the word ends as the last one
// left it.
func TestAtomicsSerialize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.qps = draw("queue pairs", 1, 6)
		s.attr.MaxRdAtomic, s.attr.MaxDestRdAtomic = 16, 16
		quirks(t, &s)
		s.hca[1].AtomicCycles = sim.Cycles(rapid.SampledFrom([]int{1, 10, 400}).Draw(t, "work"))
		p := newPair(t, s)
		words := draw("words", 1, 3)
		m := newWords(p, words)
		for range draw("operations", 1, 60) {
			if draw("what", 0, 2) == 0 {
				m.swap(draw("qp", 0, s.qps-1), draw("word", 0, words-1), uint64(draw("compare", 0, 12)))
			} else {
				m.add(draw("qp", 0, s.qps-1), draw("word", 0, words-1))
			}
			if draw("pause", 0, 3) == 0 {
				p.Run(p.Now().Add(sim.Duration(draw("for", 0, 3000)) * sim.Nanosecond))
			}
		}
		p.finish()
		m.check()
	})
}

// words keeps what was asked of some words of the second side, all of them 0 at
// the beginning.
type words struct {
	*pair
	ops []atomicAsked
	n   int
}

type atomicAsked struct {
	word    int
	swap    bool
	compare uint64
	slot    uint64 // where what it found goes
}

// farWord is where the words stand: one behind the other.
const farWord = 1024

func newWords(p *pair, n int) *words { return &words{pair: p, n: n} }

func (m *words) slot() uint64 { return uint64(8 * len(m.ops)) }

func (m *words) add(qp, word int) {
	m.ops = append(m.ops, atomicAsked{word: word, slot: m.slot()})
	m.post(0, qp, ib.WRAtomicFetchAndAdd, m.ops[len(m.ops)-1].slot, 8, farWord+8*uint64(word))
}

// swap takes the word from a value to the next.
func (m *words) swap(qp, word int, compare uint64) {
	m.ops = append(m.ops, atomicAsked{word, true, compare, m.slot()})
	w := m.wr(0, ib.WRAtomicCmpAndSwp, m.ops[len(m.ops)-1].slot, 8, farWord+8*uint64(word))
	w.Compare, w.Swap = compare, compare+1
	m.postWR(0, qp, w)
}

// check: every operation that changes the word makes it one greater. So those
// that did have found 0, 1, 2 and so on, each once; a CMP_SWAP that did not has
// found something else than it compared with, at most what the word ends as.
func (m *words) check() {
	for word := range m.n {
		end := binary.LittleEndian.Uint64(m.sides[1].bytes(farWord+8*uint64(word), 8))
		var found []uint64
		for i, o := range m.ops {
			got := binary.LittleEndian.Uint64(m.sides[0].bytes(o.slot, 8))
			switch {
			case o.word != word:
			case !o.swap || got == o.compare:
				found = append(found, got)
			case got > end:
				m.t.Errorf("word %d: the CMP_SWAP of operation %d found %d, it ends as %d", word, i, got, end)
			}
		}
		slices.Sort(found)
		for i, v := range found {
			if v != uint64(i) {
				m.t.Errorf("word %d: those that changed it have found %v", word, found)
				break
			}
		}
		if end != uint64(len(found)) {
			m.t.Errorf("word %d: ends as %d after %d changes", word, end, len(found))
		}
	}
}

// Words of one bucket in turn, each operation begun while those in front are
// still reading: the one that an operation has to wait for is not the last begun.
func TestAtomicsOfOneBucketInTurn(t *testing.T) {
	for _, hold := range []sim.Cycles{0, 1, 7, 100, 10_000} {
		for words := 1; words <= 3; words++ {
			t.Run(fmt.Sprintf("hold %d, %d words", hold, words), func(t *testing.T) {
				s := defaults()
				s.qps, s.attr.MaxRdAtomic, s.attr.MaxDestRdAtomic = 4, 16, 16
				s.hca[1].AtomicBuckets, s.hca[1].AtomicHold = 1, hold
				p := newPair(t, s)
				m := newWords(p, words)
				for i := range 60 {
					m.add(i%s.qps, i%words)
				}
				p.finish()
				m.check()
			})
		}
	}
}

// One bucket begins an operation each hold cycles, no more and no less, whatever
// its words, if operations are many and their reads can overlap.
func TestAtomicRate(t *testing.T) {
	for _, hold := range []sim.Cycles{150, 231, 2000} {
		for words := 1; words <= 2; words++ {
			s := defaults()
			s.qps, s.attr.MaxRdAtomic, s.attr.MaxDestRdAtomic = 40, 16, 16
			s.hca[1].AtomicBuckets, s.hca[1].AtomicHold, s.hca[1].AtomicCycles = 1, hold, 1
			p := newPair(t, s)
			m := newWords(p, words)
			var ends []sim.Time
			p.sides[0].Retired.Watch(func(r *hca.Retirement) { ends = append(ends, r.At) })
			p.Run(sim.Time(0).Add(sim.Microsecond))
			for i := range 400 {
				m.add(i%s.qps, i%words)
			}
			p.finish()
			m.check()
			const from, to = 200, 380 // in the steady state
			got := float64(ends[to].Sub(ends[from])) / float64(sim.Nanosecond) / (to - from)
			if got < 0.99*float64(hold) || got > 1.01*float64(hold) {
				t.Errorf("hold %d, %d words: one in %.1f cycles", hold, words, got)
			}
		}
	}
}

// A word that the IOMMU does not let the adapter read, between operations that it
// does: what these find and leave is as if the refused ones had not been.
func TestRefusedBetweenAtomics(t *testing.T) {
	judged := 0
	for _, hold := range []sim.Cycles{0, 1, 20, 300} {
		for _, work := range []sim.Cycles{1, 3000} {
			for at := sim.Duration(0); at < 9*sim.Microsecond; at += 70 * sim.Nanosecond {
				s := defaults()
				s.qps, s.attr.MaxRdAtomic, s.attr.MaxDestRdAtomic = 8, 16, 16
				s.hca[1].AtomicBuckets, s.hca[1].AtomicHold, s.hca[1].AtomicCycles = 1, hold, work
				s.host[1].IOMMU.IOMMU = host.On
				p := newPair(t, s)
				m := newWords(p, 2)
				p.Run(sim.Time(0).Add(sim.Microsecond))
				for i := range 24 {
					m.add(i%s.qps, i%2)
				}
				p.Run(p.Now().Add(sim.Microsecond + at))
				lost, refused := false, 0 // a new value that was refused: nobody knows of it
				p.sides[1].host.Root.Refused = func(_ sim.Time, _ uint64, _ uint32, write bool) {
					lost = lost || write
					refused++
				}
				u, run := p.sides[1].host.Root.IOMMU, p.sides[1].frame()
				u.Revoke(run)
				p.Run(p.Now().Add(150 * sim.Nanosecond))
				u.Map(run)
				p.finish()
				if !lost {
					m.checkSome()
				}
				if refused > 0 && !lost {
					judged++
				}
				if t.Failed() {
					t.Fatalf("hold %d, work %d, %v", hold, work, at)
				}
			}
		}
	}
	if judged < 20 {
		t.Errorf("in %d worlds a read was refused and no write: too few", judged)
	}
}

// frame is where the second side's words stand in its memory.
func (x *side) frame() host.Run {
	pa, _ := x.proc.Translate(x.base() + farWord)
	return host.Run{PA: pa &^ 4095, N: 4096}
}

// checkSome: of those that were answered each found another value, and less than
// the word ends as; some that were not may have been executed too.
func (m *words) checkSome() {
	ended := map[uint32]bool{} // by queue pair and number
	for _, c := range m.sides[0].done {
		ended[uint32(c.QPN)<<16|c.Op] = c.Status == ib.Success
	}
	var found [2]map[uint64]bool
	var end [2]uint64
	for w := range end {
		found[w], end[w] = map[uint64]bool{}, binary.LittleEndian.Uint64(m.sides[1].bytes(farWord+8*uint64(w), 8))
	}
	for i, o := range m.ops {
		n := len(m.sides[0].qps)
		if !ended[uint32(m.sides[0].qps[i%n].N)<<16|uint32(i/n)] {
			continue
		}
		got := binary.LittleEndian.Uint64(m.sides[0].bytes(o.slot, 8))
		if found[o.word][got] || got >= end[o.word] {
			m.t.Errorf("word %d: operation %d found %d, which another did too %v; it ends as %d", o.word, i, got, found[o.word][got], end[o.word])
		}
		found[o.word][got] = true
	}
}
