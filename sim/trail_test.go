package sim_test

import (
	"testing"

	"hcasim/sim"
)

// TestLegs: the legs of a trail join without a gap and add up to what is
// spent; a copy goes its own way from where it parted.
func TestLegs(t *testing.T) {
	var a sim.Trail
	a.Begin(10)
	a.Step(1, 12)
	if a.Legs() != nil {
		t.Error("a trail that nobody follows has legs")
	}
	a.Begin(10)
	a.Follow()
	a.Step(1, 15)
	a.Step(2, 15)
	b := a
	a.Step(2, 20)
	b.Step(3, 17)
	for _, c := range []struct {
		trail *sim.Trail
		parts []sim.Part // newest first
	}{{&a, []sim.Part{2, 1}}, {&b, []sim.Part{3, 1}}} {
		at, spent := c.trail.Mark, [24]sim.Duration{}
		l := c.trail.Legs()
		for _, p := range c.parts {
			if l.Part != p || l.To != at {
				t.Fatalf("leg %+v, want part %d up to %v", l, p, at)
			}
			spent[p] += l.To.Sub(l.From)
			at, l = l.From, l.Before
		}
		if at != c.trail.Start || spent != c.trail.Spent || l.Before != nil {
			t.Errorf("from %v, %v", at, spent)
		}
	}
}
