//go:build !unix

package bench

import "time"

// clock is what cpuTime reads.
const clock = "wall clock: this system has no getrusage"

var began = time.Now()

// cpuTime returns the time since the program began.
func cpuTime() time.Duration { return time.Since(began) }
