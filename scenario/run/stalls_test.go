package run_test

import (
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
)

// TestStallsEnd: with the last event nobody waits for anything any more,
// whatever has failed, was reset, destroyed or lost on the way.
func TestStallsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	for _, folder := range stallFolders {
		files, err := scenario.Files("../../scenarios/" + folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if scenario.OtherKind(name) != "" {
				continue
			}
			runs, err := scenario.Load(name, scenario.Options{Profiles: library})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				open, err := run.OpenStalls(planOf(r))
				if err != nil {
					t.Fatal(err)
				}
				if len(open) > 0 {
					t.Errorf("%s: still waiting: %v", r.Name, open)
				}
			}
		}
	}
}

var stallFolders = []string{"faults", "verbs", "caches", "conformance"}

func planOf(r *scenario.Run) run.Plan {
	p := run.Plan{Scenario: r.Scenario, Variant: r.Variant}
	for _, s := range r.Settings {
		p.Params = append(p.Params, &s.Params)
	}
	return p
}
