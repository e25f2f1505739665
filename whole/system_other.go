//go:build !unix

package whole

import (
	"os"
	"syscall"
)

// What a system says of a place that is taken.
const (
	errNotEmpty = syscall.ENOTEMPTY
	errNoFolder = syscall.ENOTDIR
)

// alive reports whether there is such a process.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // it was only looked for
	return true
}

// writable is seen when it is written to.
func writable(string) error { return nil }
