package host

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"hcasim/sim"
	"pgregory.net/rapid"
)

// behind returns the memory of a root complex with an IOMMU through which the
// adapter reaches everything below size.
func behind(size uint64, set func(m *MemoryParams, u *IOMMUParams)) *RootMemory {
	m, u := DefaultMemoryParams(), DefaultIOMMUParams()
	u.IOMMU = On
	set(&m, &u)
	r := NewRootMemory(m, u)
	r.IOMMU.Map(Run{0, size})
	return r
}

// TestIOTLBLaw: random reads of a window w wait, beyond what they wait without
// IOMMU, Walk * max(0, 1 - Entries*Page/w) on average. That is the law which
// fits the measured hosts (pcie-bench, SIGCOMM 2018) within 2 %.
func TestIOTLBLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("a million reads")
	}
	for _, host := range []struct {
		entries uint32
		walk    sim.Duration
	}{{116, 295 * sim.Nanosecond}, {120, 280 * sim.Nanosecond}, {64, 330 * sim.Nanosecond}} {
		for _, window := range []uint64{256 << 10, 512 << 10, 1 << 20, 3 << 19, 2 << 20, 4 << 20, 8 << 20, 64 << 20} {
			r := behind(window, func(_ *MemoryParams, u *IOMMUParams) { u.Entries, u.Walk = host.entries, host.walk })
			rng := rand.New(rand.NewPCG(1, window))
			now, sum := sim.Time(0), sim.Duration(0)
			const warm, reads = 40_000, 40_000
			for i := range warm + reads {
				ready, _ := r.Access(now, rng.Uint64()%window&^63, 64, false)
				if i >= warm {
					sum += ready.Sub(now)
				}
				now = ready
			}
			got := float64(sum)/reads - float64(r.params.DRAM)
			want := float64(host.walk) * max(0, 1-float64(host.entries)*4096/float64(window))
			if got < 0.97*want-1 || got > 1.03*want+1 {
				t.Errorf("%d entries, window %d KiB: %.1f ns more, want %.1f", host.entries, window>>10, got/1e3, want/1e3)
			}
		}
	}
}

// TestWalksInFlight: beyond the walkers, walks queue; what the IOTLB holds
// does not.
func TestWalksInFlight(t *testing.T) {
	r := behind(1<<30, func(m *MemoryParams, u *IOMMUParams) {
		m.DRAM = 0
		u.Walks, u.Walk, u.Hit, u.Entries = 3, 300*sim.Nanosecond, 5*sim.Nanosecond, 16
	})
	walk, hit := r.IOMMU.Params.Walk, r.IOMMU.Params.Hit
	now := sim.Time(1000)
	for i := range sim.Duration(8) {
		ready, _ := r.Access(now, uint64(i)*4096, 64, false)
		if want := now.Add((i/3 + 1) * walk); ready != want {
			t.Errorf("walk %d ends at %v, want %v", i, ready, want)
		}
	}
	// A page that is being walked for is waited for, not walked for again.
	if ready, _ := r.Access(now, 4096+64, 64, false); ready != now.Add(walk+hit) {
		t.Errorf("the waiter has it at %v", ready)
	}
	now = now.Add(10 * walk)
	if ready, _ := r.Access(now, 4096+128, 64, true); ready != now.Add(hit+r.params.Commit) {
		t.Errorf("a hit is committed at %v", ready)
	}
	// Two translations are walked for together.
	if ready, _ := r.Access(now, 20*4096-32, 64, false); ready != now.Add(walk) {
		t.Errorf("an access to two pages is ready at %v", ready)
	}
}

// TestInOrder: a hit behind a walk waits for it, and walks overlap all the
// same; a refusal waits for nobody. Without the switch the hit passes.
func TestInOrder(t *testing.T) {
	for _, order := range []Switch{Off, On} {
		r := behind(1<<30, func(m *MemoryParams, u *IOMMUParams) {
			m.DRAM, u.InOrder = 0, order
			u.Walks, u.Walk, u.Hit = 2, 300*sim.Nanosecond, 5*sim.Nanosecond
		})
		walk, hit := r.IOMMU.Params.Walk, r.IOMMU.Params.Hit
		r.Access(0, 0, 64, false)
		now := sim.Time(sim.Microsecond)
		var got []sim.Time
		for _, at := range []struct {
			later sim.Duration
			page  uint64
		}{{0, 1}, {10, 0}, {20, 2}, {30, 0}, {40, 3}, {50, 0}, {sim.Microsecond, 0}} {
			ready, _ := r.Access(now.Add(at.later), at.page*4096, 64, at.page == 0)
			got = append(got, ready)
		}
		want := []sim.Time{
			now.Add(walk), now.Add(10 + hit), now.Add(20 + walk), now.Add(30 + hit), now.Add(2 * walk), now.Add(50 + hit),
			now.Add(sim.Microsecond + hit),
		}
		if order == On {
			want[1], want[3], want[5] = want[0], want[2], want[4]
		}
		for _, hit := range []int{1, 3, 5, 6} { // writes are committed later
			want[hit] = want[hit].Add(r.params.Commit)
		}
		if !slices.Equal(got, want) {
			t.Errorf("in_order %s: ready at %v, want %v", order, got, want)
		}
		if known, ok := r.Access(now, 1<<31, 64, false); ok || known != now {
			t.Errorf("in_order %s: refused at %v", order, known)
		}
	}
}

// TestInOrderQueue: an access that finds the queue full begins when the one
// that was the first in it has left, be it a hit. Out of order there is none.
func TestInOrderQueue(t *testing.T) {
	for _, order := range []Switch{Off, On} {
		r := behind(1<<30, func(m *MemoryParams, u *IOMMUParams) {
			m.DRAM, u.InOrder, u.Queue = 0, order, 3
			u.Walks, u.Walk, u.Hit = 8, 300*sim.Nanosecond, 0
		})
		walk := r.IOMMU.Params.Walk
		r.Access(0, 0, 64, false)
		now := sim.Time(sim.Microsecond)
		var got []sim.Time
		for i, page := range []uint64{1, 0, 2, 3, 4, 5, 0} {
			ready, _ := r.Access(now.Add(sim.Duration(i)), page*4096, 64, false)
			got = append(got, sim.Time(0).Add(ready.Sub(now)))
		}
		at := func(d sim.Duration) sim.Time { return sim.Time(0).Add(d) }
		want := []sim.Time{at(walk), at(1), at(2 + walk), at(3 + walk), at(4 + walk), at(5 + walk), at(6)}
		if order == On { // places: 1, 0 and 2; then 3 and 4 behind those of 1 and 0, 5 behind that of 2
			want = []sim.Time{at(walk), at(walk), at(2 + walk), at(2 * walk), at(2 * walk), at(2 + 2*walk), at(2 + 2*walk)}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in_order %s: ready at %v, want %v", order, got, want)
		}
	}
}

// TestIOMMUPages: with larger pages the IOTLB reaches further.
func TestIOMMUPages(t *testing.T) {
	r := behind(1<<30, func(_ *MemoryParams, u *IOMMUParams) { u.Page = 2 << 20 })
	first, _ := r.Access(0, 0, 64, false)
	again, _ := r.Access(0, 2<<20-64, 64, false)
	other, _ := r.Access(first, 2<<20, 64, false)
	if walk := r.IOMMU.Params.Walk; again != first || other != first.Add(walk+r.params.DRAM) {
		t.Errorf("ready at %v, %v, %v", first, again, other)
	}
}

// TestIOMMURefuses: what is not mapped, any more or at all, is not reached.
func TestIOMMURefuses(t *testing.T) {
	r := behind(0, func(*MemoryParams, *IOMMUParams) {})
	reach := func(addr uint64) bool { _, ok := r.Access(0, addr, 64, true); return ok }
	page := func(i, n uint64) Run { return Run{i * 4096, n * 4096} }
	var got []string
	step := func(name string) {
		got = append(got, fmt.Sprint(name, " ", reach(4096), reach(8192-32), reach(8192), reach(1<<63)))
	}
	step("new")
	r.IOMMU.Map(page(1, 2))
	step("map")
	r.IOMMU.Map(page(2, 1))
	r.IOMMU.Unmap(page(1, 2))
	step("other")
	r.IOMMU.Unmap(page(2, 1))
	step("unmap")
	r.IOMMU.Map(page(1, 2))
	r.IOMMU.Revoke(page(1, 1))
	step("revoke")
	r.IOMMU.Map(page(1, 1))
	step("anew")
	r.IOMMU.Unmap(page(1, 2))
	r.IOMMU.Unmap(page(1, 1))
	step("end")
	want := []string{
		"new false false false false",
		"map true true true false",
		"other false false true false",
		"unmap false false false false",
		"revoke false false true false",
		"anew true true true false",
		"end false false false false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%q, want\n%q", got, want)
	}
}

// TestUnmapDropsTranslation: after an unmap the next use walks.
func TestUnmapDropsTranslation(t *testing.T) {
	r := behind(1<<20, func(*MemoryParams, *IOMMUParams) {})
	r.Access(0, 4096, 64, false)
	r.IOMMU.Unmap(Run{4096, 4096})
	r.IOMMU.Map(Run{4096, 4096})
	now := sim.Time(sim.Millisecond)
	if ready, _ := r.Access(now, 4096, 64, false); ready != now.Add(r.IOMMU.Params.Walk+r.params.DRAM) {
		t.Errorf("ready at %v", ready)
	}
}

// TestIOTLB holds it to a list of pages in the order of their use.
func TestIOTLB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "entries")
		tlb := newIOTLB(n)
		var order []uint64 // newest first
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			page := rapid.Uint64Range(0, 14).Draw(t, "page")
			if rapid.IntRange(0, 5).Draw(t, "drop") == 0 {
				last := page + rapid.Uint64Range(0, 3).Draw(t, "more")
				tlb.drop(page, last)
				order = slices.DeleteFunc(order, func(p uint64) bool { return page <= p && p <= last })
				continue
			}
			at := slices.Index(order, page)
			e, hit := tlb.use(page)
			if hit != (at >= 0) || e.page != page {
				t.Fatalf("page %d: hit %v of %v", page, hit, order)
			}
			if at >= 0 {
				order = slices.Delete(order, at, at+1)
			}
			order = slices.Insert(order, 0, page)
			order = order[:min(len(order), n)]
		}
	})
}
