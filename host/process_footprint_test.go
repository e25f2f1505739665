package host

import (
	"testing"
	"time"

	"hcasim/ib"
)

// TestProcessFootprint: what a process costs does not follow what it maps.
func TestProcessFootprint(t *testing.T) {
	if testing.Short() {
		t.Skip("many pages")
	}
	const region = 64 << 30
	tests := []struct {
		name string
		most float64 // MiB
		do   func(p *Process, va uint64)
	}{
		{"mapped", 1.5, func(*Process, uint64) {}},
		{"pinned as a whole", 3, func(p *Process, va uint64) {
			k, errno := p.Pin(va, region, true)
			if errno != ib.OK || len(k.runs) != 1 || Count(k.Runs(), Page4K) != 16<<20 {
				t.Errorf("errno %d, runs %v", errno, k.runs)
			}
		}},
		{"a page in every 2 MiB pinned", 80, func(p *Process, va uint64) {
			for off := uint64(0); off < region; off += 2 << 20 {
				p.Pin(va+off, 1, true)
			}
		}},
		{"256 Ki pins of the same page", 1.5, func(p *Process, va uint64) {
			for range 1 << 18 {
				p.Pin(va+region/2, 4096, true)
			}
		}},
		{"other memory mapped, written and unmapped for long", 3, func(p *Process, _ uint64) {
			for range 100 {
				va := p.Place(1<<20, Page4K)
				p.Map(Mapping{VA: va, Length: 1 << 20, Page: Page4K, Prot: Read | Write, Fill: 2})
				for off := uint64(0); off < 1<<20; off += 64 {
					p.Store(va+off, []byte{1})
				}
				p.Unmap(va, 1<<20)
			}
		}},
		{"paged out and in", 3, func(p *Process, va uint64) {
			p.PageOut(va, region)
			p.PageIn(va, region)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begin := time.Now()
			got := held(func() any {
				p := NewProcess("p", NewPager(DefaultMemoryParams()))
				va := p.Place(region, Page4K)
				if errno := p.Map(Mapping{VA: va, Length: region, Page: Page4K, Prot: Read | Write, Fill: 1}); errno != ib.OK {
					t.Fatal(errno)
				}
				tt.do(p, va)
				return p
			})
			t.Logf("%.2f MiB, %v", got, time.Since(begin))
			if got > tt.most {
				t.Errorf("holds %.2f MiB, want at most %.1f", got, tt.most)
			}
		})
	}
}

func BenchmarkProcess(b *testing.B) {
	p := NewProcess("p", NewPager(DefaultMemoryParams()))
	va := p.Place(64<<30, Page4K)
	p.Map(Mapping{VA: va, Length: 64 << 30, Page: Page4K, Prot: Read | Write})
	b.Run("translate", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			p.Translate(va + uint64(i)*1234567891%(64<<30))
		}
	})
	b.Run("store", func(b *testing.B) {
		b.ReportAllocs()
		src := make([]byte, 8)
		for i := range b.N {
			src[0] = byte(i)
			p.Store(va+uint64(i)*64%(1<<20), src)
		}
	})
	b.Run("pin", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			k, _ := p.Pin(va+uint64(i)*1234567891%(63<<30), 64<<10, true)
			p.Unpin(k)
		}
	})
}
