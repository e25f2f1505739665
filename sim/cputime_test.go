//go:build unix

package sim_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the processor time this process has used: on a shared machine
// wall time says more about the neighbours.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reportCPU adds the processor time per operation since start to b's figures.
func reportCPU(b *testing.B, start time.Duration, ops int) {
	b.ReportMetric(float64(cpuTime()-start)/float64(ops), "cpu-ns/op")
}
