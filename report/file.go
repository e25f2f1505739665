package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"hcasim/whole"
)

// A File is a single file that a report is to be written to. It is there whole
// or not at all.
type File string

// Check returns what is wrong with the place, so that nobody waits for a
// report that nothing can hold.
func (f File) Check() error {
	if info, err := os.Stat(string(f)); err == nil && info.IsDir() {
		return f.unwritten(syscall.EISDIR)
	}
	if _, err := os.Stat(filepath.Dir(string(f))); err != nil {
		return f.unwritten(err)
	}
	if err := whole.Check(string(f)); err != nil {
		return f.unwritten(err)
	}
	return nil
}

// Write writes the file, in the place of one that may be there.
func (f File) Write(write func(io.Writer) error) error {
	if err := whole.File(string(f), write); err != nil {
		return f.unwritten(err)
	}
	return nil
}

func (f File) unwritten(err error) error {
	return fmt.Errorf("%s cannot be written: %w", string(f), reason(err))
}
