//go:build !linux

package bench

import "runtime"

// resetPeak reports whether the peak begins anew: here it does not.
func resetPeak() bool { return false }

// peak is what the program has had of the system so far, in bytes.
func peak() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}
