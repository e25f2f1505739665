package tpt

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
)

// plru it asks the tree by walking it from the root with a recursion.
type dumbCache struct {
	c    CacheConfig
	sets map[uint32][]uint32 // lru: keys by recency
	line map[uint32][]uint32 // plru: key + 1 by way
	away map[[3]uint32]bool  // plru: set, low, high of a fork: the way to go is right
}

func (d *dumbCache) fill(set, k uint32) (evicted uint32, was bool) {
	if d.c.Replace == "plru" {
		return d.fillTree(set, k)
	}
	if !d.touch(set, k) {
		if len(d.sets[set]) == int(d.c.Ways) {
			evicted, was = d.sets[set][d.c.Ways-1], true
			d.drop(set, evicted)
		}
		d.sets[set] = append([]uint32{k}, d.sets[set]...)
	}
	return evicted, was
}

func (d *dumbCache) turn(set, way, low, high uint32) {
	if high-low == 1 {
		return
	}
	middle := (low + high) / 2
	d.away[[3]uint32{set, low, high}] = way < middle
	if way < middle {
		d.turn(set, way, low, middle)
	} else {
		d.turn(set, way, middle, high)
	}
}

// The array does what lists do: lru, plru and direct, hashed or not.
func TestCacheAgainstLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := CacheConfig{
			Replace: rapid.SampledFrom([]string{"lru", "plru", "direct"}).Draw(t, "replace"),
			Ways:    rapid.SampledFrom([]uint32{4, 2, 8, 16, 1}).Draw(t, "ways"),
			Hash:    rapid.Bool().Draw(t, "hash"),
		}
		if c.Replace == "direct" {
			c.Ways = 1
		}
		c.Entries = c.Ways * rapid.Uint32Range(1, 5).Draw(t, "sets")
		cache, dumb := NewCache[ib.Index, uint64](c), newDumbCache(c)
		for n := range uint64(rapid.SampledFrom([]int{200, 60}).Draw(t, "steps")) {
			k := rapid.Uint32().Draw(t, "key") % (2*c.Entries + 1)
			set := cache.set(ib.Index(k))
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				evicted, was := cache.Fill(ib.Index(k), n)
				if e, w := dumb.fill(set, k); w != was || w && ib.Index(e) != evicted {
					t.Fatalf("fill of %d: %d, %v goes; want %d, %v", k, evicted, was, e, w)
				}
				if v := cache.Peek(ib.Index(k)); v == nil || *v != n {
					t.Fatalf("%d was filled with %d and is not there", k, n)
				}
			case 2, 3:
				if hit := dumb.touch(set, k); hit != (cache.Lookup(ib.Index(k)) != nil) {
					t.Fatalf("lookup of %d: want hit %v", k, hit)
				}
			default:
				if held := dumb.drop(set, k); held != cache.Drop(ib.Index(k)) {
					t.Fatalf("drop of %d: want %v", k, held)
				}
			}
			held := 0
			cache.Each(func(ib.Index, *uint64) { held++ })
			if held != cache.Len() {
				t.Fatalf("%d lines are held, Len says %d", held, cache.Len())
			}
		}
	})
}

// Random replacement depends on its seed only, and every line gets its turn.
func TestCacheRandom(t *testing.T) {
	run := func(seed uint64) string {
		c := NewCache[ib.Index, int](CacheConfig{Entries: 8, Ways: 8, Replace: "random", Seed: seed})
		gone, s := map[ib.Index]bool{}, ""
		for k := range ib.Index(200) {
			evicted, was := c.Fill(k, 0)
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
	c := NewCache[ib.Index, int](CacheConfig{Entries: 6, Ways: 6, Replace: "random", Seed: 3})
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
	c := NewCache[ib.QPN, int](CacheConfig{Entries: 16, Ways: 4, Replace: "lru"})
	for k := range ib.QPN(16) {
		c.Fill(k, int(k))
	}
	if n := c.DropIf(func(k ib.QPN, v *int) bool { return *v%2 == 0 }); n != 8 || c.Len() != 8 {
		t.Errorf("%d of 16 went, %d are left", n, c.Len())
	}
	if c.Peek(2) != nil || c.Peek(3) == nil || c.Lines() != 16 {
		t.Error("the even ones were to go")
	}
	c.Clear()
	if c.Len() != 0 || c.Peek(3) != nil {
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
	NewCache[ib.Index, int](CacheConfig{})
}

func TestCacheKeys(t *testing.T) {
	c := NewCache[ib.Index, int](CacheConfig{Entries: 3, Ways: 1, Replace: "direct"})
	c.Fill(0, 5) // key 0 is a key like any other
	if v := c.Lookup(0); v == nil || *v != 5 {
		t.Error("key 0 is not held")
	}
	if c.Lookup(3) != nil {
		t.Error("key 3 is in the same set, and not held")
	}
	defer func() {
		if recover() == nil {
			t.Error("the one key that cannot be held was filled")
		}
	}()
	c.Fill(1<<32-1, 0)
}

func TestCacheAllocatesNothing(t *testing.T) {
	for _, replace := range []string{"lru", "plru", "random"} {
		c := NewCache[ib.Index, Entry](CacheConfig{Entries: 64, Ways: 4, Replace: replace, Hash: true})
		k := ib.Index(0)
		if n := testing.AllocsPerRun(1000, func() {
			k = (k + 37) % 200
			if c.Lookup(k) == nil {
				c.Fill(k, Entry{})
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
		{Entries: 4096, Ways: 16, Replace: "lru", Hash: true},
		{Entries: 4096, Ways: 16, Replace: "plru", Hash: true},
		{Entries: 4096, Ways: 1, Replace: "direct"},
	} {
		for _, span := range []uint32{2048, 65536} {
			b.Run(fmt.Sprintf("%s/ways=%d/keys=%d", c.Replace, c.Ways, span), func(b *testing.B) {
				cache := NewCache[ib.Index, Entry](c)
				x := uint32(1)
				b.ReportAllocs()
				for b.Loop() {
					x = x*1664525 + 1013904223
					k := ib.Index(x >> 8 & (span - 1))
					if cache.Lookup(k) == nil {
						cache.Fill(k, Entry{})
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
			c := NewCache[ib.Index, int](CacheConfig{Entries: sets, Ways: 1, Replace: "direct", Hash: true})
			n, misses := uint32(r*sets), 0
			for range 2 { // all come in, and then all are asked for as they lie
				misses = 0
				for k := range n {
					if c.Peek(ib.Index(k*step)) == nil {
						misses++
					}
				}
				if misses == int(n) {
					for k := range n {
						c.Fill(ib.Index(k*step), 0)
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
