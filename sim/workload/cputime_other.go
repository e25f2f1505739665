//go:build !unix

package workload

import "time"

// CPUClock says what CPUTime reads.
const CPUClock = "wall clock: this system has no getrusage"

var began = time.Now()

// CPUTime returns the time since the program began.
func CPUTime() time.Duration { return time.Since(began) }
