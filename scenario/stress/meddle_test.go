package stress

import (
	"strings"
	"testing"

	"hcasim/scenario/run"
)

// What never fails proves nothing: with copies that no change drops, seeds fail.
func TestSeesStaleCopies(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		if _, _, wrong := try(seed, nil, "hca.cache.invalidate=lazy"); strings.Contains(wrong, "a copy that is out of date") {
			return
		}
	}
	t.Error("cache.invalidate: lazy goes unnoticed")
}

// One byte that is not as it should be is seen wherever it stands, and so is one
// addition too many.
func TestSeesOneByte(t *testing.T) {
	poke := func(w *world, v *run.View, m *machine, at int, change func(b byte) byte) {
		for _, h := range v.Hosts {
			if h.Name == m.name {
				var b [1]byte
				p := h.Host.Processes[0]
				p.Peek(0x40000000+uint64(at), b[:])
				b[0] = change(b[0])
				p.Store(0x40000000+uint64(at), b[:])
			}
		}
	}
	type damage struct {
		what   string
		meddle func(w *world, v *run.View)
	}
	damages := []damage{
		{"a byte of nobody's", func(w *world, v *run.View) {
			poke(w, v, w.machines[0], w.machines[0].size-1, func(b byte) byte { return b ^ 0x55 })
		}},
		{"an addition too many", func(w *world, v *run.View) {
			c := w.machines[1].counters[0]
			poke(w, v, w.machines[1], c.at+len(c.adds)/8, func(b byte) byte { return b | 1<<(len(c.adds)%8) })
		}},
		{"a byte of a place", func(w *world, v *run.View) {
			l := w.lanes[w.IntN(len(w.lanes))]
			poke(w, v, l.to, l.at+w.IntN(l.n), func(b byte) byte { return b ^ 0x55 })
		}},
	}
	for seed := uint64(1); seed <= 5; seed++ {
		for _, d := range damages {
			if _, _, wrong := try(seed, d.meddle); wrong == "" {
				t.Errorf("seed %d: %s goes unnoticed", seed, d.what)
			}
		}
	}
}

// Nor with fills under way that a change does not spoil: an access goes where
// the key led before.
func TestSeesFillsThatAreKept(t *testing.T) {
	for seed := uint64(1); seed <= 600; seed++ {
		if !draw(seed).rush {
			continue
		}
		if _, _, wrong := try(seed, nil, "hca.cache.invalidate=keep_fills"); strings.Contains(wrong, "was sent to page") {
			return
		}
	}
	t.Error("cache.invalidate: keep_fills goes unnoticed")
}
