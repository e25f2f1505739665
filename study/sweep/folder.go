package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"hcasim/whole"
)

// The files of a sweep beside plan.json.
const (
	pointsFolder = "points"
	csvFile      = "points.csv"
	summaryFile  = "summary.json"
	manifestFile = "manifest.json"
	sheetFile    = "report.html"
	plotsFolder  = "plots" // which hcasim-plot writes
)

// Unwritten says that results could not be written.
type Unwritten struct{ Err error }

// Error returns why.
func (u *Unwritten) Error() string { return u.Err.Error() }

// Unwrap returns why.
func (u *Unwritten) Unwrap() error { return u.Err }

func unwritten(dir string, err error) error {
	return &Unwritten{fmt.Errorf("%s cannot be written: %w", dir, plainly(err))}
}

// vacant returns what is wrong with a folder that a sweep is to begin in.
func vacant(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unwritten(dir, err)
	case !info.IsDir():
		return fmt.Errorf("--out %s: this is a file, and a sweep is a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return unwritten(dir, err)
	}
	_, lost := os.Stat(filepath.Join(dir, planFile))
	for _, e := range entries {
		switch name := e.Name(); {
		case name == pointsFolder, name == "logs", name == planFile, whole.IsPart(name):
		case lost == nil && slices.Contains([]string{csvFile, csvFile + ".gz", summaryFile, manifestFile, sheetFile, plotsFolder}, name):
			// it is of the sweep whose plan is cut off, and is made anew
		default:
			return fmt.Errorf("--out %s: there is something else in this folder, %s: name a new one", dir, name)
		}
	}
	return nil
}

// plainly is a file error without its operation and its name.
func plainly(err error) error { return whole.Reason(err) }
