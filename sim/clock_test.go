package sim

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestClockEdges: Next is the inverse of Edge, edge by edge, and no edge is early
// or more than a picosecond off.
func TestClockEdges(t *testing.T) {
	for _, f := range []Hertz{1, 250e6, 1e9, 3e9, 644_531_250, 999_999_999_999, 1e12} {
		c := NewClock(f)
		if c.Edge(Cycles(f)) != Time(Second) {
			t.Errorf("%v: %d cycles are %v, want a second", f, f, c.Edge(Cycles(f)))
		}
		if f == 1 {
			continue
		}
		for n := range Cycles(20_000) {
			at := c.Edge(n)
			if c.Next(at) != n || c.Next(at+1) != n+1 {
				t.Fatalf("%v: edge %d at %v: next is %d, and after it %d", f, n, at, c.Next(at), c.Next(at+1))
			}
			if c.After(at, 5) != c.Edge(n+5) {
				t.Fatalf("%v: five edges after %d", f, n)
			}
		}
	}
}

// TestClockExact holds edges far away to big numbers.
func TestClockExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Uint64Range(1, 1e12).Draw(t, "hertz")
		if rapid.Bool().Draw(t, "whole period") {
			f = 1e12 >> rapid.IntRange(0, 12).Draw(t, "twos")
			for range rapid.IntRange(0, 12).Draw(t, "fives") {
				f /= 5
			}
		}
		at := rapid.Uint64().Draw(t, "time")
		c := NewClock(Hertz(f))
		n := new(big.Int).Mul(big.NewInt(int64(f)), new(big.Int).SetUint64(at))
		n.Add(n, big.NewInt(1e12-1)).Div(n, big.NewInt(1e12))
		if got := c.Next(Time(at)); uint64(got) != n.Uint64() {
			t.Fatalf("next edge of %d is %d, want %v", at, got, n)
		}
		edge := n.Mul(n, big.NewInt(1e12))
		edge.Div(edge, big.NewInt(int64(f)))
		if !edge.IsUint64() {
			return
		}
		if got := c.Edge(c.Next(Time(at))); uint64(got) != edge.Uint64() {
			t.Fatalf("edge at %d, want %v", got, edge)
		}
	})
}

func TestClockRefuses(t *testing.T) {
	mustPanic(t, func() { NewClock(0) })
	mustPanic(t, func() { NewClock(1e12 + 1) })
	for _, f := range []Hertz{1, 3} {
		c := NewClock(f)
		mustPanic(t, func() { c.Edge(1 << 60) })
	}
}
