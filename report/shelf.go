package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hcasim/scenario"
)

// A Shelf is where results are kept, one folder each. A folder is there whole
// or not at all: it is written beside its place and renamed.
type Shelf struct {
	tool string // version of the program
	root string
	mu   sync.Mutex // held while a folder is written
}

// NewShelf returns the shelf in ./results. tool is the version of the program.
func NewShelf(tool string) *Shelf { return &Shelf{tool: tool, root: "results"} }

// Close waits for a folder that is being written, and keeps everybody from
// beginning another.
func (s *Shelf) Close() { s.mu.Lock() }

// Place returns the folder of a run when it is not told: NAME[.CASE]/HASH.
func (s *Shelf) Place(r *scenario.Run) string {
	return filepath.Join(s.root, FolderName(r.Name), r.Hash())
}

// Clear makes dir a folder that is there and holds no results: those of earlier
// runs are removed. A folder that holds anything else is left alone and an
// error.
func (s *Shelf) Clear(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--keep %s: %w", dir, reason(err))
	}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), manifestFile)); err != nil {
			return fmt.Errorf("--keep %s: %s is no result, and the results in this folder are replaced: name a new one", dir, e.Name())
		}
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("--keep %s: %w", dir, reason(err))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--keep %s: %w", dir, reason(err))
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
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil // there is nothing yet, or Keep will say what is in the way
	case !info.IsDir():
		return fmt.Errorf("--out %s: this is a file, and a result is a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("--out %s: %w", dir, reason(err))
	}
	ours := len(entries) == 0
	for _, e := range entries {
		ours = ours || e.Name() == manifestFile
	}
	if !ours {
		return fmt.Errorf("--out %s: there is something else in this folder, and a result replaces it whole: name a new one", dir)
	}
	return nil
}

// Keep writes the result of a run into dir, or into its place on the shelf.
// One that is there already is replaced whole, or found equal and left.
func (s *Shelf) Keep(rec *Record, dir string) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir == "" {
		dir = s.Place(rec.Run)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("results cannot be written to %s: %w", dir, reason(err))
		}
	}()
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".*.part")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(part) }() // it is gone when all went well
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	if err := s.write(rec, part); err != nil {
		return err
	}
	rec.Folder = dir
	if Same(part, dir) {
		return nil
	}
	return replace(part, dir)
}

// replace puts the folder part in the place of dir.
func replace(part, dir string) error {
	old := part + ".old"
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		_ = os.Rename(old, dir) // the first error says more
		return err
	}
	return os.RemoveAll(old)
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
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
