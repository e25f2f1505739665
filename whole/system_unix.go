//go:build unix

package whole

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// What a system says of a place that is taken.
const (
	errNotEmpty = syscall.ENOTEMPTY
	errNoFolder = syscall.ENOTDIR
)

// alive reports whether there is such a process.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// writable returns why a folder cannot be written to.
func writable(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}
