package whole

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Folder is one that is being written beside its place.
type Folder struct {
	part string   // what is written
	to   string   // its place
	made []string // folders above it that were not there, from below
}

// Begin makes the part of a folder, and the folders above it.
func Begin(dir string) (*Folder, error) {
	to, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{to: to}
	f.part, err = begin(to, func(part string) error {
		f.above()
		for range 5 { // who drops another may remove the folder above, empty as it was
			if err = os.MkdirAll(filepath.Dir(part), 0o777); err == nil {
				err = os.Mkdir(part, 0o777)
			}
			if !errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		return err
	})
	if err != nil {
		f.unmake()
		return nil, err
	}
	return f, nil
}

// above notes which folders are missing.
func (f *Folder) above() {
	for dir := filepath.Dir(f.to); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return
		}
		f.made = append(f.made, dir)
	}
}

// unmake removes the folders that were made, as far as they are empty.
func (f *Folder) unmake() {
	for _, dir := range f.made {
		if os.Remove(dir) != nil {
			return
		}
	}
}

// Path is where the folder is written.
func (f *Folder) Path() string { return f.part }

// Drop removes what was written, unless it has its place.
func (f *Folder) Drop() {
	drop(f.part)
	f.unmake()
}

// Take moves a file of the folder to a place of its own.
func (f *Folder) Take(name, to string) error {
	to, err := resolve(to)
	if err != nil {
		return err
	}
	from := filepath.Join(f.part, name)
	if info, err := os.Stat(to); err == nil && !info.Mode().IsRegular() {
		return f.pour(from, to)
	}
	return finish(func() error { return os.Rename(from, to) })
}

// pour copies a file to what is none.
func (f *Folder) pour(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	return through(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// Place gives the folder its place. One that is there is found the same, and
// left, or replaced whole.
func (f *Folder) Place(same func(part, there string) bool) error {
	if same(f.part, f.to) {
		f.Drop()
		return nil
	}
	err := finish(func() error {
		err := os.Rename(f.part, f.to)
		for range 5 { // others may come and go
			if !errors.Is(err, fs.ErrExist) && !errors.Is(err, errNotEmpty) && !errors.Is(err, errNoFolder) {
				break
			}
			if info, e := os.Stat(f.to); e == nil && !info.IsDir() {
				return err // a file in the way stays there
			}
			if same(f.part, f.to) {
				return nil
			}
			if err = exchange(f.part, f.to); errors.Is(err, fs.ErrNotExist) {
				err = os.Rename(f.part, f.to)
			}
		}
		return err
	})
	drop(f.part) // what was there before
	return err
}

// turn is exchange where names cannot be exchanged: for a moment there is
// nothing.
func turn(part, dir string) error {
	old := part + ".old" + suffix
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		_ = os.Rename(old, dir) // the first error says more
		return err
	}
	return os.Rename(old, part)
}

// Remove removes a folder at once: who is killed meanwhile leaves a part, not a
// piece of it.
func Remove(dir string) error {
	part, err := begin(dir, func(part string) error { return os.Rename(dir, part) })
	if err != nil {
		return err
	}
	drop(part)
	return nil
}
