package bench

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"syscall"
)

// resetPeak gives back what is free and begins the most anew. It reports
// whether the system lets it: otherwise the peak is of the process so far.
func resetPeak() bool {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}

// peak is the most memory that was resident since resetPeak, in bytes.
func peak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range bytes.Lines(status) {
			if value, ours := bytes.CutPrefix(line, []byte("VmHWM:")); ours {
				kib, err := strconv.ParseUint(string(bytes.TrimSuffix(bytes.TrimSpace(value), []byte(" kB"))), 10, 64)
				if err == nil {
					return kib << 10
				}
			}
		}
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("bench: the system does not say what this process used: " + err.Error())
	}
	return uint64(u.Maxrss) << 10
}
