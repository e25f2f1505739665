package keys

import (
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
	"hcasim/tpt"
)

// TestRows: whatever entries were valid, each is read as it was, and those that
// follow each other are one row.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r rows
		all := map[ib.Index]tpt.Entry{}
		i := ib.Index(1)
		for range rapid.IntRange(0, 6).Draw(t, "arrays") {
			i += ib.Index(rapid.IntRange(0, 2).Draw(t, "gap"))
			e := tpt.Entry{
				Kind: tpt.Region, State: tpt.Valid, Rights: ib.RemoteRead, KeyByte: uint8(rapid.IntRange(0, 1).Draw(t, "byte")),
				Start: rapid.Uint64Range(0, 1<<40).Draw(t, "start"), Length: 64, MTT: rapid.Uint32Range(0, 9).Draw(t, "mtt"),
			}
			step := rapid.Uint64Range(0, 1<<20).Draw(t, "step")
			for range rapid.IntRange(1, 5).Draw(t, "elements") {
				all[i] = e
				r.add(i, e)
				e.Start, e.MTT, i = e.Start+step, e.MTT+1, i+1
			}
		}
		rank := 0
		for k := ib.Index(0); k <= i; k++ {
			e, valid := all[k]
			if !valid {
				if got := r.rank(k); got != -1 {
					t.Fatalf("entry %d, which was not valid, has rank %d", k, got)
				}
				continue
			}
			key, g := r.read(k)
			if r.rank(k) != rank || key != ib.MakeKey(k, e.KeyByte) || g != grantOf(&e, 0) {
				t.Fatalf("entry %d: rank %d, key %#x, %+v", k, r.rank(k), uint32(key), g)
			}
			rank++
		}
		if r.n != rank {
			t.Fatalf("%d entries, want %d", r.n, rank)
		}
	})
	var r rows
	for i := range uint64(1000) {
		r.add(ib.Index(1+i), tpt.Entry{State: tpt.Valid, Start: i * 4096, Length: 4096, MTT: uint32(i)})
	}
	if len(r.list) != 1 {
		t.Errorf("an array takes %d rows", len(r.list))
	}
}
