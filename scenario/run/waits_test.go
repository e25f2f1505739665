package run

import (
	"slices"
	"testing"

	"hcasim/sim"
	"hcasim/wire"
)

// TestWaitsMissNothing: what is not home at the end of a run is named, even if
// no room lists it.
func TestWaitsMissNothing(t *testing.T) {
	e, pool := sim.NewEngine(), wire.NewPool()
	w := &world{engine: e, link: wire.NewLink(e, "wire", wire.DefaultParams(), pool, 1)}
	if got := w.waits(); len(got) != 0 {
		t.Errorf("a new world waits: %q", got)
	}
	sim.NewCredits(e, "new.room", 2).Take(1)
	if got := w.waits(); !slices.Equal(got, []string{"new.room: 1 of 2 out"}) {
		t.Errorf("got %q", got)
	}
}
