package host

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"hcasim/sim"
	"pgregory.net/rapid"
)

// cached returns the memory of a root complex with a last-level cache.
func cached(set func(m *MemoryParams)) *RootMemory {
	m := DefaultMemoryParams()
	m.LLC = On
	set(&m)
	return NewRootMemory(m, DefaultIOMMUParams())
}

// TestAccessFormula: what an access costs, by where its lines are.
func TestAccessFormula(t *testing.T) {
	const here, there = Off, On
	tests := []struct {
		llc    Switch
		ddio   uint32
		far    Switch
		write  bool
		before string // what happened to the line
		want   func(p MemoryParams) sim.Duration
	}{
		{Off, 2, here, false, "", func(p MemoryParams) sim.Duration { return p.DRAM }},
		{Off, 2, here, false, "write", func(p MemoryParams) sim.Duration { return p.DRAM }},
		{Off, 2, there, false, "", func(p MemoryParams) sim.Duration { return p.DRAM + p.Socket }},
		{Off, 2, here, true, "", func(p MemoryParams) sim.Duration { return p.Commit }},
		{Off, 2, there, true, "", func(p MemoryParams) sim.Duration { return p.Commit + p.Socket }},
		{On, 2, here, false, "", func(p MemoryParams) sim.Duration { return p.DRAM }},
		{On, 2, here, false, "read", func(p MemoryParams) sim.Duration { return p.DRAM }}, // a read allocates nothing
		{On, 2, here, false, "write", func(p MemoryParams) sim.Duration { return p.LLCHit }},
		{On, 2, here, false, "touch", func(p MemoryParams) sim.Duration { return p.LLCHit }},
		{On, 2, here, false, "touch, flush", func(p MemoryParams) sim.Duration { return p.DRAM }},
		{On, 2, there, false, "", func(p MemoryParams) sim.Duration { return p.DRAM + p.Socket }},
		{On, 2, there, false, "write", func(p MemoryParams) sim.Duration { return p.LLCHit }}, // where the line is matters, not the page
		{On, 2, there, true, "", func(p MemoryParams) sim.Duration { return p.Commit }},
		{On, 0, here, false, "write", func(p MemoryParams) sim.Duration { return p.DRAM }},
		{On, 0, there, true, "", func(p MemoryParams) sim.Duration { return p.Commit + p.Socket }},
		{On, 0, there, true, "touch", func(p MemoryParams) sim.Duration { return p.Commit }},
	}
	for _, tt := range tests {
		name := fmt.Sprintf("llc %s, ddio %d, far %s, write %v, after %q", tt.llc, tt.ddio, tt.far, tt.write, tt.before)
		r := cached(func(m *MemoryParams) { m.LLC, m.DDIOWays, m.Far = tt.llc, tt.ddio, tt.far })
		switch tt.before {
		case "read", "write":
			r.Access(0, 0x10000, 256, tt.before == "write")
		case "touch":
			r.LLC.Touch(0x10000, 256)
		case "touch, flush":
			r.LLC.Touch(0x10000, 256)
			r.LLC.Flush()
		}
		now := sim.Time(5000)
		if ready, ok := r.Access(now, 0x10000, 256, tt.write); !ok || ready != now.Add(tt.want(r.params)) {
			t.Errorf("%s: ready at %v, want %v", name, ready, now.Add(tt.want(r.params)))
		}
	}
}

// TestOneColdLine: an access is as slow as its slowest line.
func TestOneColdLine(t *testing.T) {
	r := cached(func(*MemoryParams) {})
	r.Access(0, 0x10000, 256, true)
	for _, tt := range []struct {
		addr uint64
		n    uint32
		want sim.Duration
	}{{0x10000, 256, r.params.LLCHit}, {0x10001, 255, r.params.LLCHit}, {0x10001, 256, r.params.DRAM}, {0xffff, 2, r.params.DRAM}} {
		if ready, _ := r.Access(0, tt.addr, tt.n, false); ready != sim.Time(tt.want) {
			t.Errorf("%#x+%d ready at %v, want %v", tt.addr, tt.n, ready, tt.want)
		}
	}
}

// TestDDIOShare: what the adapter wrote stays warm up to its share of the
// cache, and no further; what the CPU uses is not driven out.
func TestDDIOShare(t *testing.T) {
	warm := func(window uint64) (share float64, cpu int) {
		r := cached(func(m *MemoryParams) { m.LLCSize, m.LLCWays, m.DDIOWays = 20<<20, 20, 2 })
		const own = 1 << 40
		r.LLC.Touch(own, 18<<20)
		for range 3 {
			for pa := uint64(0); pa < window; pa += 64 {
				r.LLC.DeviceWrite(pa, 64)
			}
		}
		hits := 0
		for pa := uint64(0); pa < window; pa += 64 {
			if r.LLC.DeviceRead(pa, 64) {
				hits++
			}
		}
		for pa := uint64(own); pa < own+18<<20; pa += 64 {
			if r.LLC.DeviceRead(pa, 64) {
				cpu++
			}
		}
		return float64(hits) / float64(window/64), cpu
	}
	if share, cpu := warm(2 << 20); share != 1 || cpu != 18<<20/64 {
		t.Errorf("of 2 MiB %.2f are warm, %d lines of the CPU left", share, cpu)
	}
	if share, cpu := warm(8 << 20); share > 0.26 || cpu != 18<<20/64 {
		t.Errorf("of 8 MiB %.2f are warm, %d lines of the CPU left", share, cpu)
	}
}

// TestLLC holds one set to lists in the order of use.
func TestLLC(t *testing.T) {
	type toyLine struct {
		line   uint64
		device bool
	}
	rapid.Check(t, func(t *rapid.T) {
		p := DefaultMemoryParams()
		p.LLCWays, p.DDIOWays = 4, rapid.Uint32Range(0, 4).Draw(t, "ddio")
		p.LLCSize = 4 * 64 // one set
		c := NewLLC(p)
		var want []toyLine // newest first
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			line := rapid.Uint64Range(0, 7).Draw(t, "line")
			at := slices.IndexFunc(want, func(l toyLine) bool { return l.line == line })
			what := rapid.SampledFrom([]string{"read", "write", "touch"}).Draw(t, "what")
			switch what {
			case "read":
				if got := c.DeviceRead(line*64, 64); got != (at >= 0) {
					t.Fatalf("read of %d hits: %v, of %v", line, got, want)
				}
			case "write":
				if got := c.DeviceWrite(line*64, 64); got != (at >= 0 || p.DDIOWays > 0) {
					t.Fatalf("write of %d hits: %v, of %v", line, got, want)
				}
			case "touch":
				c.Touch(line*64, 64)
			}
			now := toyLine{line, what == "write"}
			switch {
			case at >= 0:
				now.device = want[at].device && what != "touch"
				want = slices.Delete(want, at, at+1)
			case what == "read", what == "write" && p.DDIOWays == 0:
				continue
			case what == "write":
				own := 0
				for _, l := range want {
					if l.device {
						own++
					}
				}
				if own == int(p.DDIOWays) { // the oldest of its own goes
					for i := len(want) - 1; i >= 0; i-- {
						if want[i].device {
							want = slices.Delete(want, i, i+1)
							break
						}
					}
				}
			}
			want = slices.Insert(want, 0, now)
			want = want[:min(len(want), 4)]
		}
	})
}

// TestStoreWarms: what the CPU has written is read from the last-level cache.
func TestStoreWarms(t *testing.T) {
	r := cached(func(*MemoryParams) {})
	g := ram(1 << 30)
	g.LLC = r.LLC
	p := NewProcess("p", g)
	va := at(t, p, 8192, Page4K, Read|Write, 0)
	must(t, p.Store(va+64, []byte{1}), 0)
	must(t, p.Load(va+4096, make([]byte, 1)), 0)
	for off, want := range map[uint64]sim.Duration{0: r.params.DRAM, 64: r.params.LLCHit, 128: r.params.DRAM, 4096: r.params.LLCHit} {
		pa, _ := p.Translate(va + off)
		if ready, _ := r.Access(0, pa, 64, false); ready != sim.Time(want) {
			t.Errorf("line %d is ready at %v, want %v", off, ready, want)
		}
	}
}

// TestRootMemoryAllocates nothing.
func TestRootMemoryAllocates(t *testing.T) {
	m, u := DefaultMemoryParams(), DefaultIOMMUParams()
	m.LLC, u.IOMMU = On, On
	r := NewRootMemory(m, u)
	r.IOMMU.Map(Run{0, 1 << 30})
	pa := uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		pa = (pa + 12345*64) % (1 << 30)
		r.Access(0, pa, 64, pa&64 == 0)
	}); n != 0 {
		t.Errorf("%v allocations an access", n)
	}
}

func BenchmarkRootMemory(b *testing.B) {
	for _, on := range []struct{ llc, iommu Switch }{{Off, Off}, {On, Off}, {Off, On}} {
		b.Run(fmt.Sprintf("llc %s, iommu %s", on.llc, on.iommu), func(b *testing.B) {
			m, u := DefaultMemoryParams(), DefaultIOMMUParams()
			m.LLC, u.IOMMU = on.llc, on.iommu
			r := NewRootMemory(m, u)
			if r.IOMMU != nil {
				r.IOMMU.Map(Run{0, 64 << 20})
			}
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for i := range b.N {
				r.Access(sim.Time(i), rng.Uint64()%(64<<20)&^63, 64, i&1 == 0)
			}
		})
	}
}
