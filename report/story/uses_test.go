package story

import (
	"testing"

	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
)

// TestRefusals: of a key value that lived twice, each life names the uses that
// were refused to it; and none does if one of them was not kept.
func TestRefusals(t *testing.T) {
	const key = 0x105
	res := &run.Result{Keys: []run.KeyLife{
		{Host: "B", Key: key, Denied: 1, Refused: 4, Dead: true, Died: sim.Time(5 * sim.Nanosecond)},
		{Host: "B", Key: key, Denied: 1},
	}}
	for i, op := range []string{"1", "2", "", "4", "5", "6"} {
		f := run.Fault{At: sim.Time(i+1) * sim.Time(sim.Nanosecond), Host: "B", Op: op, Cause: tpt.NoRight}
		f.Access.Key, f.Access.Judge.Length = key, 8
		res.Faults = append(res.Faults, f)
	}
	res.Faults = append(res.Faults, run.Fault{Host: "A", Cause: tpt.BadKey}, run.Fault{Host: "B"})
	hold := func(l int, at sim.Time, want string) {
		t.Helper()
		x := &teller{s: &Survey{Result: res}}
		if when, text := used(&res.Keys[l], x.refusals("B", 1)); text != want || when != at*sim.Time(sim.Nanosecond) {
			t.Errorf("%s: %s, want %s", when, text, want)
		}
	}
	hold(0, 5, "0x00000105 used: 1 refused while it was alive: op 1 at 1.000 ns; 4 refused after its death: op 2 at 2.000 ns, at 3.000 ns, op 4 at 4.000 ns, …")
	hold(1, 6, "0x00000105 used: 1 refused while it was alive: op 6 at 6.000 ns")
	res.Keys[0].Refused = 3
	hold(1, 0, "0x00000105 used: 1 refused while it was alive")
}
