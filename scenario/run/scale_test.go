package run_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
)

// heapOf runs a scenario of scenarios/scale and returns what it holds at the
// end beside its result, and how many allocations it took.
func heapOf(t *testing.T, file string, sets ...string) (bytes, allocs float64) {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/scale/" + file)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := scenario.Read(file, text, scenario.Options{Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	s := runs[0]
	plan := run.Plan{Scenario: s.Scenario, Variant: s.Variant}
	for i := range s.Settings {
		plan.Params = append(plan.Params, &s.Settings[i].Params)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	res, err := run.RunHeld(plan, func() {
		runtime.GC()
		runtime.ReadMemStats(&after)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !res.OK() {
		t.Fatalf("it ended %v: %v, %v", res.End, res.Failures, res.Waits)
	}
	return float64(after.HeapAlloc) - float64(before.HeapAlloc), float64(after.Mallocs - before.Mallocs)
}

// TestBytesPerObject: what an object takes that was made, used and judged, from
// the difference of two runs: that of 100,000 more regions, say. Of each host
// the lives of 50,000 keys are kept one by one, in some 300 bytes, and no more.
// Budgets of the whole program are held by make scale.
func TestBytesPerObject(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine; the race detector has memory and time of its own")
	}
	heapOf(t, "operations.yaml", "vars.n=1") // what is made once in a process
	for _, c := range []struct {
		object, file, set string
		few, many         int
		most              float64 // bytes
	}{
		{"region", "regions.yaml", "vars.n", 51_000, 71_000, 110},
		{"window with a life of its own", "windows.yaml", "vars.n", 1_000, 6_000, 560},
		{"pair of queue pairs", "queue-pairs.yaml", "vars.n", 50, 250, 200 << 10},
		{"page in pieces", "region-in-pieces.yaml", "vars.pages", 1 << 16, 5 << 16, 10.5},
		{"operation", "operations.yaml", "vars.n", 10_000, 40_000, 4},
		{"round of a loop", "rounds.yaml", "vars.n", 500, 5_500, 24},
		{"registration with a life of its own", "registrations.yaml", "vars.n", 500, 5_500, 520},
	} {
		t.Run(strings.ReplaceAll(c.object, " ", "-"), func(t *testing.T) {
			few, _ := heapOf(t, c.file, fmt.Sprintf("%s=%d", c.set, c.few))
			many, _ := heapOf(t, c.file, fmt.Sprintf("%s=%d", c.set, c.many))
			got := (many - few) / float64(c.many-c.few)
			t.Logf("%.2f bytes for each %s", got, c.object)
			if got > c.most {
				t.Errorf("%.1f bytes for each %s, want at most %.1f", got, c.object, c.most)
			}
		})
	}
}

// TestBytesNotWritten: after 2,000 WRITEs to a region of 64 GiB less is held than
// a byte for each of its 16,777,216 translation entries.
func TestBytesNotWritten(t *testing.T) {
	got, _ := heapOf(t, "one-region.yaml")
	t.Logf("%.1f MiB", got/(1<<20))
	if got > 16<<20 {
		t.Errorf("%.1f MiB for a region of 64 GiB", got/(1<<20))
	}
}
