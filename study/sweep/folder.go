package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// The files of a sweep beside plan.json.
const (
	pointsFolder = "points"
	csvFile      = "points.csv"
	summaryFile  = "summary.json"
	manifestFile = "manifest.json"
	sheetFile    = "report.html"
)

// Unwritten says that results could not be written.
type Unwritten struct{ Err error }

// Error returns why.
func (u *Unwritten) Error() string { return u.Err.Error() }

// Unwrap returns why.
func (u *Unwritten) Unwrap() error { return u.Err }

// A Desk is where files are written from: once it is closed, none is begun.
type Desk struct{ mu sync.RWMutex }

// Close waits for the files that are being written and keeps everybody from
// beginning another.
func (d *Desk) Close() { d.mu.Lock() }

// write writes something, unless the desk is closed: then it waits for the end
// of the program.
func (d *Desk) write(f func() error) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return f()
}

// vacant returns what is wrong with a folder that a sweep is to begin in.
func vacant(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--out %s: %w", dir, plainly(err))
	case !info.IsDir():
		return fmt.Errorf("--out %s: this is a file, and a sweep is a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("--out %s: %w", dir, plainly(err))
	}
	for _, e := range entries {
		if name := e.Name(); name != pointsFolder && name != "logs" && !strings.HasPrefix(name, planFile) {
			return fmt.Errorf("--out %s: there is something else in this folder, %s: name a new one", dir, name)
		}
	}
	return nil
}

// stale is how old a part must be for nobody to be writing it.
const stale = 15 * time.Minute

// sweepUp removes what a process left that was killed while it wrote.
func sweepUp(dir string) {
	for _, pattern := range []string{"*.part", filepath.Join(pointsFolder, "*.part")} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is good
		for _, name := range names {
			if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > stale {
				_ = os.RemoveAll(name) // another may be as tidy
			}
		}
	}
}

// plainly is a file error without its operation and its name.
func plainly(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
