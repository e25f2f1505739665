package run_test

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/sim/workload"
)

// TestLinear: eight times as many objects take eight times as long and as many
// allocations, and not the 64 of something that goes through all for each. The
// bound leaves room for a noisy machine; make scale has the whole sizes.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine; the race detector has memory and time of its own")
	}
	heapOf(t, "operations.yaml", "vars.n=1")
	for _, c := range []struct {
		object, file, set string
		few               int
	}{
		{"region", "regions.yaml", "vars.n", 1_000},
		{"window", "windows.yaml", "vars.n", 1_000},
		{"pair of queue pairs", "queue-pairs.yaml", "vars.n", 200},
		{"page in pieces", "region-in-pieces.yaml", "vars.pages", 1 << 15},
		{"operation", "operations.yaml", "vars.n", 2_000},
		{"round of a loop", "rounds.yaml", "vars.n", 500},
		{"registration", "registrations.yaml", "vars.n", 500},
		{"MiB of one message", "message.yaml", "vars.mib", 1},
	} {
		t.Run(strings.ReplaceAll(c.object, " ", "-"), func(t *testing.T) {
			cost := func(n int) (cpu, allocs float64) {
				begin := workload.CPUTime()
				_, allocs = heapOf(t, c.file, fmt.Sprintf("%s=%d", c.set, n))
				return float64(workload.CPUTime()-begin) / float64(n), allocs / float64(n)
			}
			cpu, allocs := cost(c.few)
			for range 2 {
				again, _ := cost(c.few)
				cpu = min(cpu, again)
			}
			cpus, more := cost(8 * c.few)
			if cpus > 3*cpu { // or a neighbour of this machine was busy
				again, _ := cost(8 * c.few)
				cpus = min(cpus, again)
			}
			t.Logf("each %s: %.0f and %.0f ns, %.2f and %.2f allocations", c.object, cpu, cpus, allocs, more)
			if cpus > 3*cpu || more > 1.5*allocs+0.1 {
				t.Errorf("each %s takes %.0f ns of %d and %.0f ns of %d, and %.2f and %.2f allocations", c.object, cpu, c.few, cpus, 8*c.few, allocs, more)
			}
		})
	}
}
