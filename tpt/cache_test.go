package tpt

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The array does what lists do: lru, plru and direct, hashed or not. A key stays
// in its line.
func TestCacheAgainstLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := CacheConfig{
			Replace: rapid.SampledFrom([]string{"lru", "plru", "direct"}).Draw(t, "replace"),
			Ways:    rapid.SampledFrom([]uint32{4, 2, 8, 16, 1}).Draw(t, "ways"),
			Hash:    rapid.Bool().Draw(t, "hash"),
		}
		switch c.Replace {
		case "direct":
			c.Ways = 1
		case "lru":
			c.Ways += rapid.Uint32Range(0, 3).Draw(t, "more")
		}
		c.Entries = c.Ways * rapid.Uint32Range(1, 5).Draw(t, "sets")
		cache, dumb := NewCache(c), newDumbCache(c)
		lines := map[uint32]uint32{}
		for range rapid.SampledFrom([]int{200, 60}).Draw(t, "steps") {
			k := rapid.Uint32().Draw(t, "key") % (2*c.Entries + 1)
			set := cache.set(k)
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				line, evicted, was := cache.Fill(k)
				if e, w := dumb.fill(set, k); w != was || w && e != evicted {
					t.Fatalf("fill of %d: %d, %v goes; want %d, %v", k, evicted, was, e, w)
				}
				if was {
					delete(lines, evicted)
				}
				if old, held := lines[k]; held && old != line {
					t.Fatalf("%d was in line %d and is filled in line %d", k, old, line)
				}
				lines[k] = line
			case 2, 3:
				if hit := dumb.touch(set, k); hit != (cache.Lookup(k) != NoLine) {
					t.Fatalf("lookup of %d: want hit %v", k, hit)
				}
			case 4:
				if dumb.touch(set, k) {
					cache.Touch(lines[k])
				}
			default:
				if held := dumb.drop(set, k); held != (cache.Drop(k) != NoLine) {
					t.Fatalf("drop of %d: want %v", k, held)
				}
				delete(lines, k)
			}
			if len(lines) != cache.Len() {
				t.Fatalf("%d lines are held, Len says %d", len(lines), cache.Len())
			}
			for k, line := range lines {
				if got := cache.Peek(k); got != line || line/c.Ways != cache.set(k) {
					t.Fatalf("%d is in line %d, want %d", k, got, line)
				}
			}
		}
	})
}

// Random replacement depends on its seed only, and every line gets its turn.
func TestCacheRandom(t *testing.T) {
	run := func(seed uint64) string {
		c := NewCache(CacheConfig{Entries: 8, Ways: 8, Replace: "random", Seed: seed})
		gone, s := map[uint32]bool{}, ""
		for k := range uint32(200) {
			_, evicted, was := c.Fill(k)
			if was != (k >= 8) || gone[evicted] && was {
				t.Fatalf("fill %d: %d goes, %v", k, evicted, was)
			}
			gone[evicted] = was
			s += fmt.Sprint(evicted, " ")
		}
		return s
	}
	if first, again := run(1), run(1); first != again {
		t.Error("the same seed chose differently")
	}
	if run(1) == run(2) {
		t.Error("two seeds chose the same")
	}
	c := NewCache(CacheConfig{Entries: 6, Ways: 6, Replace: "random", Seed: 3})
	turns := map[uint32]int{}
	for range 6000 {
		turns[c.order.victim(0)]++
	}
	for way := range uint32(6) {
		if turns[way] < 800 || turns[way] > 1200 {
			t.Errorf("way %d was chosen %d times of 6000", way, turns[way])
		}
	}
}

func TestCacheDropIf(t *testing.T) {
	c := NewCache(CacheConfig{Entries: 16, Ways: 4, Replace: "lru"})
	for k := range uint32(16) {
		c.Fill(k)
	}
	if n := c.DropIf(func(k uint32) bool { return k%2 == 0 }); n != 8 || c.Len() != 8 {
		t.Errorf("%d of 16 went, %d are left", n, c.Len())
	}
	if c.Peek(2) != NoLine || c.Peek(3) == NoLine || c.Lines() != 16 {
		t.Error("the even ones were to go")
	}
	c.Clear()
	if c.Len() != 0 || c.Peek(3) != NoLine {
		t.Error("cleared, and not empty")
	}
}

func TestCacheConfigCheck(t *testing.T) {
	for _, c := range []struct {
		CacheConfig
		ok bool
	}{
		{CacheConfig{Entries: 12, Ways: 3, Replace: "lru"}, true},
		{CacheConfig{Entries: 12, Ways: 5, Replace: "lru"}, false},
		{CacheConfig{Entries: 12, Ways: 3, Replace: "plru"}, false},
		{CacheConfig{Entries: 128, Ways: 128, Replace: "plru"}, false},
		{CacheConfig{Entries: 128, Ways: 64, Replace: "plru"}, true},
		{CacheConfig{Entries: 4, Ways: 2, Replace: "direct"}, false},
		{CacheConfig{Entries: 4, Ways: 2, Replace: "fifo"}, false},
		{CacheConfig{Entries: 0, Ways: 1, Replace: "lru"}, false},
		{CacheConfig{Entries: 4, Ways: 0, Replace: "lru"}, false},
		{CacheConfig{Entries: 1 << 17, Ways: 1 << 17, Replace: "lru"}, false},
		{CacheConfig{Entries: 1 << 16, Ways: 1 << 16, Replace: "lru"}, true},
	} {
		if err := c.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.CacheConfig, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an array of no shape was made")
		}
	}()
	NewCache(CacheConfig{})
}

func TestCacheKeys(t *testing.T) {
	c := NewCache(CacheConfig{Entries: 3, Ways: 1, Replace: "direct"})
	c.Fill(0) // key 0 is a key like any other
	if c.Lookup(0) != 0 {
		t.Error("key 0 is not held")
	}
	if c.Lookup(3) != NoLine {
		t.Error("key 3 is in the same set, and not held")
	}
	defer func() {
		if recover() == nil {
			t.Error("the one key that cannot be held was filled")
		}
	}()
	c.Fill(1<<32 - 1)
}

func TestCacheAllocatesNothing(t *testing.T) {
	for _, replace := range []string{"lru", "plru", "random"} {
		c := NewCache(CacheConfig{Entries: 64, Ways: 4, Replace: replace, Hash: true})
		k := uint32(0)
		if n := testing.AllocsPerRun(1000, func() {
			k = (k + 37) % 200
			if c.Lookup(k) == NoLine {
				c.Fill(k)
			}
			c.Drop(k + 1)
		}); n != 0 {
			t.Errorf("%s: %v allocations", replace, n)
		}
	}
}

func BenchmarkCache(b *testing.B) {
	for _, c := range []CacheConfig{
		{Entries: 4096, Ways: 4, Replace: "lru", Hash: true},
		{Entries: 4096, Ways: 8, Replace: "lru", Hash: true},
		{Entries: 4096, Ways: 16, Replace: "lru", Hash: true},
		{Entries: 4096, Ways: 16, Replace: "plru", Hash: true},
		{Entries: 4096, Ways: 1, Replace: "direct"},
	} {
		for _, span := range []uint32{2048, 65536} {
			b.Run(fmt.Sprintf("%s/ways=%d/keys=%d", c.Replace, c.Ways, span), func(b *testing.B) {
				cache := NewCache(c)
				x := uint32(1)
				b.ReportAllocs()
				for b.Loop() {
					x = x*1664525 + 1013904223
					k := x >> 8 & (span - 1)
					if cache.Lookup(k) == NoLine {
						cache.Fill(k)
					}
				}
			})
		}
	}
}

// Hashed, keys in sequence conflict as if each had its set by chance: of r keys a
// set the part that finds its own set taken by no later one is (1-e^-r)/r, whether
// the keys begin at 0 or go in steps.
func TestHashByChance(t *testing.T) {
	const sets = 4096
	for _, step := range []uint32{1, 2, 8, 4096} {
		for _, r := range []float64{0.25, 0.5, 1, 2, 4} {
			c := NewCache(CacheConfig{Entries: sets, Ways: 1, Replace: "direct", Hash: true})
			n, misses := uint32(r*sets), 0
			for range 2 { // all come in, and then all are asked for as they lie
				misses = 0
				for k := range n {
					if c.Peek(k*step) == NoLine {
						misses++
					}
				}
				if misses == int(n) {
					for k := range n {
						c.Fill(k * step)
					}
				}
			}
			got, want := float64(misses)/float64(n), 1-(1-math.Exp(-r))/r
			if got < want-0.02 || got > want+0.02 {
				t.Errorf("keys in steps of %d, %v a set: %.3f miss, by chance %.3f", step, r, got, want)
			}
		}
	}
}
