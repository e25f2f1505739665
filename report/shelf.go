package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hcasim/scenario"
	"hcasim/whole"
)

// A Shelf is where results are kept, one folder each. A folder is there whole
// or not at all.
type Shelf struct {
	tool string // version of the program
	root string
}

// NewShelf returns the shelf in ./results. tool is the version of the program.
func NewShelf(tool string) *Shelf { return &Shelf{tool: tool, root: "results"} }

// Place returns the folder of a run when it is not told: NAME[.CASE]/HASH.
func (s *Shelf) Place(r *scenario.Run) string {
	return filepath.Join(s.root, FolderName(r.Name), r.Hash())
}

// Clear makes dir a folder that is there and holds no results: those of earlier
// runs are removed. A folder that holds anything else is left alone and an
// error.
func (s *Shelf) Clear(dir string) error {
	whole.SweepUp(dir)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("--keep %s: this is a file, and results are folders of a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Unwritten{fmt.Errorf("--keep %s: %w", dir, reason(err))}
	}
	for _, e := range entries {
		if whole.IsPart(e.Name()) {
			return fmt.Errorf("--keep %s: another hcasim is writing here, %s: name another folder", dir, e.Name())
		}
		if _, err := os.Stat(filepath.Join(dir, e.Name(), manifestFile)); err != nil {
			return fmt.Errorf("--keep %s: %s is no result, and the results in this folder are replaced: name a new one", dir, e.Name())
		}
	}
	for _, e := range entries {
		if err := whole.Remove(filepath.Join(dir, e.Name())); err != nil {
			return &Unwritten{fmt.Errorf("--keep %s: %w", dir, reason(err))}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &Unwritten{fmt.Errorf("--keep %s: %w", dir, reason(err))}
	}
	if err := whole.Check(filepath.Join(dir, "result")); err != nil {
		return &Unwritten{fmt.Errorf("--keep %s: %w", dir, reason(err))}
	}
	return nil
}

// FolderName makes a name of a scenario safe as that of a file.
func FolderName(name string) string {
	safe := strings.Map(func(c rune) rune {
		switch {
		case c == '/':
			return '.'
		case c == '.' || c == '-' || c == '_' || c == '+' || c == '#', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c > 127:
			return c
		}
		return '-'
	}, name)
	return strings.TrimLeft(safe[:min(len(safe), 200)], ".-")
}

// Check returns what is wrong with a folder that results are to go to: what
// stands there and is no result is never replaced.
func (s *Shelf) Check(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		if err := whole.Check(dir); err != nil {
			return unkept(dir, err)
		}
		return nil
	case !info.IsDir():
		return fmt.Errorf("--out %s: this is a file, and a result is a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("--out %s: %w", dir, reason(err))
	}
	ours := true
	for _, e := range entries {
		if ours = e.Name() == manifestFile; ours {
			break
		}
	}
	if !ours {
		return fmt.Errorf("--out %s: there is something else in this folder, and a result replaces it whole: name a new one", dir)
	}
	if err := whole.Check(dir); err != nil {
		return unkept(dir, err)
	}
	return nil
}

// Keep writes the result of a run into dir, or into its place on the shelf.
// One that is there already is replaced whole, or found equal and left.
func (s *Shelf) Keep(rec *Record, dir string) error {
	if dir == "" {
		dir = s.Place(rec.Run)
	}
	dir = filepath.Clean(dir)
	if rec.part == nil {
		part, err := whole.Begin(dir)
		if err != nil {
			return unkept(dir, err)
		}
		rec.part = part
	}
	defer rec.drop() // it is gone when all went well
	if err := s.write(rec, rec.part.Path()); err != nil {
		return unkept(dir, err)
	}
	if err := rec.part.Place(Same); err != nil {
		return unkept(dir, err)
	}
	rec.Folder = dir
	return nil
}

// unkept says that a result cannot be kept.
func unkept(dir string, err error) error {
	return &Unwritten{fmt.Errorf("results cannot be written to %s: %w", dir, reason(err))}
}

// Same reports whether two result folders hold the same, but for what the wall clock
// says.
func Same(a, b string) bool {
	in, err := os.ReadDir(a)
	if err != nil {
		return false
	}
	there, err := os.ReadDir(b)
	if err != nil || len(in) != len(there) {
		return false
	}
	for i, e := range in {
		if there[i].Name() != e.Name() {
			return false
		}
		if e.Name() == manifestFile {
			m, err := readManifest(a)
			o, other := readManifest(b)
			if err != nil || other != nil || !m.like(o) {
				return false
			}
			continue
		}
		x, err := os.ReadFile(filepath.Join(a, e.Name()))
		if err != nil {
			return false
		}
		y, err := os.ReadFile(filepath.Join(b, e.Name()))
		if err != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// reason is a file error without its operation and its name.
func reason(err error) error { return whole.Reason(err) }
