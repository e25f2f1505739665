//go:build unix

package bench

import (
	"syscall"
	"time"
)

// clock is what cpuTime reads.
const clock = "processor time of the process, user and system"

// cpuTime returns the processor time that this process has used.
func cpuTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func usage() (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("bench: the system does not say what this process used: " + err.Error())
	}
	return u
}
