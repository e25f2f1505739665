package whole

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange gives two folders each other's name in one step.
func exchange(part, dir string) error {
	err := unix.Renameat2(unix.AT_FDCWD, part, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) { // an old kernel, NFS
		return turn(part, dir)
	}
	return err
}
