//go:build unix

package workload

import (
	"syscall"
	"time"
)

// CPUClock says what CPUTime reads.
const CPUClock = "processor time of the process, user and system"

// CPUTime returns the processor time that this process has used: on a shared
// machine wall time says more about the neighbours.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("workload: the system does not say what this process used: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
