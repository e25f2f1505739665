package mtp

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The index of fills finds what a list of them all would: of those under way for
// a key and not stale the one with the lowest place, and the one that waits. A
// fill that begins gets the lowest place that is free.
func TestFills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s fills
		s.init()
		var asked, under []uint32
		key := func() fillKey {
			return fillKey{fillKind(rapid.IntRange(0, 2).Draw(t, "kind")), rapid.SampledFrom([]uint32{0, 1, 64, 1 << 24}).Draw(t, "of")}
		}
		some := func(list *[]uint32) (id uint32) {
			i := rapid.IntRange(0, len(*list)-1).Draw(t, "which")
			id = (*list)[i]
			*list = slices.Delete(*list, i, i+1)
			return id
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 7).Draw(t, "step"); {
			case step < 3:
				k := key()
				if _, waits := s.find(k); waits != nil {
					break // he would have joined that one
				}
				id, fl := s.add(k, waiter{next: none}, none)
				if asked = append(asked, id); fl != s.At(id) {
					t.Fatal("a fill is not where its handle says")
				}
			case step < 6 && len(asked) > 0:
				id := some(&asked)
				s.begin(id, s.At(id))
				for place := range s.At(id).place {
					if s.under[place] == none {
						t.Fatalf("place %d is free, and %d was given", place, s.At(id).place)
					}
				}
				s.At(id).stale = rapid.IntRange(0, 4).Draw(t, "stale") == 0
				under = append(under, id)
			case step == 6 && len(under) > 0:
				id := some(&under)
				s.end(s.At(id))
				s.Put(id)
			case step == 7 && len(asked) > 0:
				id := some(&asked)
				s.unlink(s.At(id))
				s.Put(id)
			}
			k := key()
			var wantComing, wantAsked *fill
			for _, id := range under {
				if fl := s.At(id); fl.key == k && !fl.stale && (wantComing == nil || fl.place < wantComing.place) {
					wantComing = fl
				}
			}
			for _, id := range asked {
				if s.At(id).key == k {
					wantAsked = s.At(id)
				}
			}
			if coming, waits := s.find(k); coming != wantComing || waits != wantAsked || s.busy != len(under) {
				t.Fatalf("%+v: under way %v, want %v; asked for %v, want %v; %d busy of %d", k, coming, wantComing, waits, wantAsked, s.busy, len(under))
			}
		}
	})
}
