package report

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A File is a single file that a report is to be written to. It is there whole
// or not at all: it is written beside its place and renamed.
type File string

// Check returns what is wrong with the place, so that nobody waits for a
// report that nothing can hold.
func (f File) Check() error {
	if info, err := os.Stat(string(f)); err == nil && info.IsDir() {
		return f.unwritten(syscall.EISDIR)
	}
	switch info, err := os.Stat(filepath.Dir(string(f))); {
	case err != nil:
		return f.unwritten(err)
	case !info.IsDir():
		return f.unwritten(syscall.ENOTDIR)
	}
	return nil
}

// Write writes the file, in the place of one that may be there.
func (f File) Write(write func(io.Writer) error) error {
	part, err := os.CreateTemp(filepath.Dir(string(f)), filepath.Base(string(f))+".*.part")
	if err != nil {
		return f.unwritten(err)
	}
	defer func() { _ = os.Remove(part.Name()) }() // it is gone when all went well
	b := bufio.NewWriterSize(part, 1<<16)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if e := part.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(part.Name(), f.mode())
	}
	if err == nil {
		err = os.Rename(part.Name(), string(f))
	}
	if err != nil {
		return f.unwritten(err)
	}
	return nil
}

// mode is that of the file which is there, else what everybody may read.
func (f File) mode() fs.FileMode {
	if info, err := os.Stat(string(f)); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

func (f File) unwritten(err error) error {
	return fmt.Errorf("%s cannot be written: %w", string(f), reason(err))
}
