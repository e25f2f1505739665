package tpt

import (
	"testing"

	"pgregory.net/rapid"
)

// dumbFit returns the lowest place at which n free entries lie in a row.
func dumbFit(taken []bool, n int) (int, bool) {
	for first := 0; first+n <= len(taken); first++ {
		fits := true
		for _, t := range taken[first : first+n] {
			fits = fits && !t
		}
		if fits {
			return first, true
		}
	}
	return 0, false
}

// The tree over the bitmap finds what looking at every entry finds: the lowest
// run that fits, and none only where none fits.
func TestMTTFirstFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 700).Draw(t, "limit")
		m := mtt{limit: uint32(limit)}
		taken := make([]bool, limit)
		type run struct{ first, n int }
		var held []run
		set := func(r run, to bool) {
			for i := range r.n {
				taken[r.first+i] = to
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(held) > 0 && rapid.Bool().Draw(t, "give") {
				k := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				m.give(uint32(held[k].first), uint32(held[k].n))
				set(held[k], false)
				held = append(held[:k], held[k+1:]...)
				continue
			}
			n := rapid.IntRange(1, 1+limit/rapid.IntRange(1, 9).Draw(t, "part")).Draw(t, "n")
			got, ok := m.take(uint32(n))
			want, fits := dumbFit(taken, n)
			if ok != fits || ok && int(got) != want {
				t.Fatalf("%d entries: at %d, %v; want at %d, %v", n, got, ok, want, fits)
			}
			if ok {
				held = append(held, run{want, n})
				set(held[len(held)-1], true)
			}
		}
		used := 0
		for _, r := range held {
			used += r.n
		}
		if int(m.used) != used {
			t.Fatalf("%d entries are in use, the table says %d", used, m.used)
		}
		for _, r := range held {
			m.give(uint32(r.first), uint32(r.n))
		}
		if first, ok := m.take(uint32(limit)); !ok || first != 0 {
			t.Fatalf("all given back, and yet the whole cannot be taken: %d, %v", first, ok)
		}
	})
}

// A run that is shared comes free when its last holder gives it back.
func TestMTTShare(t *testing.T) {
	m := mtt{limit: 64}
	first, _ := m.take(8)
	m.share(first)
	m.slab.put(first, []uint64{0x1000})
	m.give(first, 8)
	if m.used != 8 || m.page(first) != 0x1000 {
		t.Fatalf("given back by one of two holders: %d in use, page %#x", m.used, m.page(first))
	}
	m.give(first, 8)
	if m.used != 0 || m.page(first) != NoPage {
		t.Fatalf("given back by both: %d in use, page %#x", m.used, m.page(first))
	}
}

func BenchmarkMTTTakeGive(b *testing.B) {
	m := mtt{limit: 1 << 20}
	var held [4096]uint32
	for i := range held {
		held[i], _ = m.take(uint32(i%32) + 1)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		k := i % len(held)
		n := uint32(k%32) + 1
		m.give(held[k], n)
		held[k], _ = m.take(n)
		i += 1021
	}
}
