package sim_test

import (
	"testing"
	"time"

	"hcasim/sim/workload"
)

// reportCPU adds the processor time per operation since start to b's figures.
func reportCPU(b *testing.B, start time.Duration, ops int) {
	b.ReportMetric(float64(workload.CPUTime()-start)/float64(ops), "cpu-ns/op")
}
