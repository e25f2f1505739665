package host

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// plain is memory as nobody would build it: a map of bytes, one by one.
type plain map[uint64]byte

func (p plain) write(pa uint64, src []byte) {
	for i, b := range src {
		p[pa+uint64(i)] = b
	}
}

// window is the size of the stretch that the oracle looks at.
const window = 8 << 10

// TestMemoryOracle holds Memory to a map of bytes (H1), at the bottom, in the
// middle and at the very top of the address space.
func TestMemoryOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, want := NewMemory(), plain{}
		base := rapid.SampledFrom([]uint64{0, 5<<30 - 4096, 1<<64 - window}).Draw(t, "base")
		aligned := rapid.Bool() // edges of fills fall between lines
		at := func(n int) uint64 {
			pa := rapid.IntRange(0, window-n).Draw(t, "at")
			if aligned.Draw(t, "aligned") {
				pa &^= LineBytes - 1
			}
			return base + uint64(pa)
		}
		size := rapid.OneOf(rapid.IntRange(1, 200), rapid.SampledFrom([]int{64, 128, 1023, 1024, 1088, 4096}))
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				n := size.Draw(t, "n")
				src := bytes.Repeat([]byte{byte(rapid.IntRange(0, 2).Draw(t, "v"))}, n)
				if rapid.Bool().Draw(t, "mixed") {
					src[rapid.IntRange(0, n-1).Draw(t, "odd")] ^= 0x80
				}
				pa := at(n)
				m.Write(pa, src)
				want.write(pa, src)
			},
			"fill": func(t *rapid.T) {
				n, v := size.Draw(t, "n"), byte(rapid.IntRange(0, 2).Draw(t, "v"))
				pa := at(n)
				m.Fill(pa, uint64(n), v)
				want.write(pa, bytes.Repeat([]byte{v}, n))
			},
			"compare": func(t *rapid.T) {
				n := size.Draw(t, "n")
				pa := at(n)
				expect := make([]byte, n)
				for i := range expect {
					expect[i] = want[pa+uint64(i)]
				}
				if first, same := m.Compare(pa, expect); !same {
					t.Fatalf("differs at %d from what it is", first)
				}
				odd := rapid.IntRange(0, n-1).Draw(t, "odd")
				expect[odd]++
				if first, same := m.Compare(pa, expect); same || first != uint64(odd) {
					t.Fatalf("Compare: %d %v, want %d", first, same, odd)
				}
			},
			"": func(t *rapid.T) {
				got := make([]byte, window)
				m.Read(base, got)
				for i, b := range got {
					if b != want[base+uint64(i)] {
						t.Fatalf("byte %d is %#x, want %#x", i, b, want[base+uint64(i)])
					}
				}
			},
		})
	})
}

// TestMemoryCompareRange: the first difference of two ranges is where bytes
// compared one by one say it is.
func TestMemoryCompareRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewMemory(), NewMemory()
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		pa, pb := rapid.Uint64Range(0, 300).Draw(t, "pa"), rapid.Uint64Range(0, 300).Draw(t, "pb")
		for range rapid.IntRange(0, 6).Draw(t, "writes") {
			off := rapid.IntRange(0, n-1).Draw(t, "off")
			src := bytes.Repeat([]byte{byte(rapid.IntRange(0, 1).Draw(t, "v"))}, rapid.IntRange(1, n-off).Draw(t, "len"))
			a.Write(pa+uint64(off), src)
			if rapid.IntRange(0, 4).Draw(t, "both") > 0 {
				b.Write(pb+uint64(off), src)
			}
		}
		x, y := make([]byte, n), make([]byte, n)
		a.Read(pa, x)
		b.Read(pb, y)
		want := 0
		for want < n && x[want] == y[want] {
			want++
		}
		first, same := a.CompareRange(pa, b, pb, uint64(n))
		if same != (want == n) || !same && first != uint64(want) {
			t.Fatalf("CompareRange: %d %v, want %d of %d", first, same, want, n)
		}
		if first, same := a.CompareFill(pa, uint64(n), x[0]); same {
			if want := bytes.Repeat(x[:1], n); !bytes.Equal(x, want) {
				t.Fatal("CompareFill sees no difference")
			}
		} else if x[first] == x[0] || !bytes.Equal(x[:first], bytes.Repeat(x[:1], int(first))) {
			t.Fatalf("CompareFill: %d", first)
		}
	})
}

// TestMemoryMove: content moves whole, and nothing stays behind.
func TestMemoryMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := NewMemory(), NewMemory()
		from.Fill(4096, 4096, byte(rapid.IntRange(0, 1).Draw(t, "fill")))
		to.Fill(8192, 8192, 7)
		for range rapid.IntRange(0, 5).Draw(t, "writes") {
			n := rapid.IntRange(1, 300).Draw(t, "n")
			pa := 4096 + uint64(rapid.IntRange(0, 4096-n).Draw(t, "at"))
			src := make([]byte, n)
			rand.NewChaCha8([32]byte{byte(n)}).Read(src)
			from.Write(pa, src)
		}
		want, got := make([]byte, 4096), make([]byte, 4096)
		from.Read(4096, want)
		from.move(4096, to, 12288, 4096)
		to.Read(12288, got)
		if !bytes.Equal(got, want) {
			t.Fatal("content changed on the way")
		}
		if first, same := from.CompareFill(4096, 4096, 0); !same {
			t.Fatalf("something stayed behind at %d", first)
		}
		if first, same := to.CompareFill(8192, 4096, 7); !same {
			t.Fatalf("the neighbour changed at %d", first)
		}
	})
}

// TestMemoryWatched: every write and fill is shown, once, after it was done.
func TestMemoryWatched(t *testing.T) {
	m := NewMemory()
	var seen []string
	m.Changed.Watch(func(c Change) {
		var first [1]byte
		m.Read(c.PA, first[:])
		seen = append(seen, fmt.Sprintf("%#x+%d=%d", c.PA, c.N, first[0]))
	})
	m.Write(0x1003, []byte{1, 2, 3})
	m.Fill(0x2000, 1<<30, 9)
	m.Write(0x3000, nil)
	if got := fmt.Sprint(seen); got != "[0x1003+3=1 0x2000+1073741824=9]" {
		t.Error(got)
	}
}

// held returns the bytes that the heap holds more after f than before.
func held(f func() any) (mib float64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	keep := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(keep)
	return (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / (1 << 20)
}

// TestMemoryFootprint: what memory costs follows what was written in it.
func TestMemoryFootprint(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of writes")
	}
	const region = 64 << 30
	tests := []struct {
		name string
		most float64 // MiB
		do   func(m *Memory)
	}{
		{"never written", 0.1, func(*Memory) {}},
		{"filled", 0.1, func(m *Memory) { m.Fill(1<<30, region, 0xa5) }},
		{"its own fill written", 0.1, func(m *Memory) {
			m.Fill(0, region, 0xa5)
			src := bytes.Repeat([]byte{0xa5}, 4096)
			for pa := uint64(0); pa < 64<<20; pa += 4096 {
				m.Write(pa, src)
			}
		}},
		{"1 M random writes of 64 B", 200, func(m *Memory) {
			r := rand.New(rand.NewPCG(1, 2))
			var src [64]byte
			for range 1_000_000 {
				r := r.Uint64()
				src[r%64] = byte(r>>8) | 1
				m.Write(r>>16%region&^63, src[:])
			}
		}},
		{"1 M lines of equal bytes", 80, func(m *Memory) {
			r := rand.New(rand.NewPCG(1, 2))
			src := bytes.Repeat([]byte{0x5a}, 64)
			for range 1_000_000 {
				m.Write(r.Uint64()%region&^63, src)
			}
		}},
		{"written, then filled over, again and again", 12, func(m *Memory) {
			src := []byte("not all the same")
			for i := range uint64(50) {
				for pa := uint64(0); pa < 4<<20; pa += 64 {
					m.Write(i<<30+pa, src)
				}
				m.Fill(i<<30, 1<<30, byte(i))
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := held(func() any { m := NewMemory(); tt.do(m); return m })
			t.Logf("%.1f MiB", got)
			if got > tt.most {
				t.Errorf("holds %.1f MiB, want at most %.1f", got, tt.most)
			}
		})
	}
}

// TestMemoryLargeCompare: a comparison costs what is kept, not what is
// compared.
func TestMemoryLargeCompare(t *testing.T) {
	const region = 1 << 40
	a, b := NewMemory(), NewMemory()
	a.Fill(0, region, 3)
	b.Fill(region, region, 3)
	a.Write(700<<30, []byte{3, 3, 4})
	b.Write(region+700<<30, []byte{3, 3, 4})
	if first, same := a.CompareRange(0, b, region, region); !same {
		t.Errorf("equal, but differs at %#x", first)
	}
	if first, same := a.CompareFill(0, region, 3); same || first != 700<<30+2 {
		t.Errorf("CompareFill: %#x %v", first, same)
	}
	b.Write(region+900<<30, []byte{1})
	if first, same := a.CompareRange(0, b, region, region); same || first != 700<<30+200<<30 {
		t.Errorf("CompareRange: %#x %v", first, same)
	}
}

// TestMemoryAllocates nothing once its lines are there.
func TestMemoryAllocates(t *testing.T) {
	m := NewMemory()
	src, dst := []byte("sixty-four bytes, or a few less, of something that varies......"), make([]byte, 4096)
	pa := uint64(0)
	step := func() {
		m.Write(pa, src)
		m.Read(pa&^4095, dst)
		m.Fill(pa+128, 64, byte(pa>>12))
		pa = (pa + 64) % (1 << 20)
	}
	for range 1 << 15 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("%v allocations a write, a read and a fill", n)
	}
}

func BenchmarkMemory(b *testing.B) {
	src := []byte("sixty-four bytes of something that varies from its first to last")
	for _, span := range []uint64{64 << 10, 16 << 20, 64 << 30} {
		var at [1 << 20]uint64 // random lines; of the largest span about 1 M different ones
		r := rand.New(rand.NewPCG(1, 2))
		for i := range at {
			at[i] = r.Uint64() % span &^ 63
		}
		m := NewMemory()
		for _, pa := range at {
			m.Write(pa, src)
		}
		name := fmt.Sprintf("/%dKiB", span>>10)
		b.Run("write"+name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				m.Write(at[i%len(at)], src)
			}
		})
		b.Run("read"+name, func(b *testing.B) {
			b.ReportAllocs()
			dst := make([]byte, 64)
			for i := range b.N {
				m.Read(at[i%len(at)], dst)
			}
		})
	}
	for _, fill := range []byte{0, 0xa5} {
		b.Run(fmt.Sprintf("page/%#x", fill), func(b *testing.B) {
			b.ReportAllocs()
			m := NewMemory()
			page := bytes.Repeat([]byte{fill}, 4096)
			if fill != 0 {
				for i := range page {
					page[i] = byte(i)
				}
			}
			for i := range b.N {
				m.Read(uint64(i+1)*4096%(1<<20), page)
				m.Write(uint64(i)*4096%(1<<20), page)
				page[0], page[100] = 1, 2
			}
		})
	}
	b.Run("sequential", func(b *testing.B) {
		b.ReportAllocs()
		m := NewMemory()
		for i := range b.N {
			m.Write(uint64(i)*64%(1<<20), src)
		}
	})
}
