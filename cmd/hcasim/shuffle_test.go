package main

import (
	"slices"
	"testing"
)

// TestShuffled: an order is a permutation that depends on its seed alone, and
// seeds give others.
func TestShuffled(t *testing.T) {
	plain, err := shuffled(20, "")
	if err != nil || !slices.IsSorted(plain) {
		t.Fatal(plain, err)
	}
	a, _ := shuffled(20, "7")
	again, _ := shuffled(20, "7")
	b, _ := shuffled(20, "8")
	if !slices.Equal(a, again) || slices.Equal(a, b) || slices.Equal(a, plain) {
		t.Errorf("seed 7 gives %v and %v, seed 8 %v", a, again, b)
	}
	slices.Sort(a)
	if !slices.Equal(a, plain) {
		t.Errorf("files are lost: %v", a)
	}
}
