package whole

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes a file, in the place of one that may be there, whose mode it
// keeps.
func File(name string, write func(io.Writer) error) error {
	name, err := resolve(name)
	if err != nil {
		return err
	}
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return put(name, write, nil, os.Rename)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return through(name, write)
	default:
		mode := info.Mode().Perm()
		return put(name, write, func(f *os.File) error { return errors.Join(f.Chmod(mode), f.Sync()) }, os.Rename)
	}
}

// New writes a file that must not be there: then the error is fs.ErrExist.
func New(name string, write func(io.Writer) error) error {
	if _, err := os.Lstat(name); err == nil {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	return put(name, write, nil, func(part, name string) error {
		err := os.Link(part, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return errors.Join(err, os.Remove(part))
		}
		return os.Rename(part, name) // there are no links here
	})
}

// put writes a part, makes it ready and moves it to its name.
func put(name string, write func(io.Writer) error, ready func(*os.File) error, move func(part, name string) error) error {
	var f *os.File
	part, err := begin(name, func(part string) (err error) {
		f, err = os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	if err != nil {
		return err
	}
	defer drop(part)
	if err := fill(f, write, ready); err != nil {
		return err
	}
	return finish(func() error { return move(part, name) })
}

// Into writes a new file into a folder that is a part itself, so that the file
// needs no part of its own.
func Into(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return fill(f, write, nil)
}

// through writes to what is no file.
func through(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return fill(f, write, nil)
}

// fill writes to an open file through a buffer, makes it ready and closes it.
func fill(f *os.File, write func(io.Writer) error, ready func(*os.File) error) error {
	b := bufio.NewWriterSize(f, 1<<16)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if err == nil && ready != nil {
		err = ready(f)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// mostLinks is how many links the systems follow.
const mostLinks = 40

// resolve follows the links that a name ends in, whether or not there is
// something at their end. One that goes round says so when it is opened.
func resolve(name string) (string, error) {
	name = filepath.Clean(name)
	for range mostLinks {
		to, err := os.Readlink(name)
		if err != nil {
			break // it is no link
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	if _, err := os.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return name, err
	}
	return name, nil
}

// Check returns why nothing can be written under a name, as far as that is seen
// without writing: so that nobody simulates for hours what cannot be kept.
func Check(name string) error {
	name, err := resolve(name)
	if err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // it is written through
	}
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			return writable(dir)
		case err == nil:
			return &fs.PathError{Op: "open", Path: dir, Err: errNoFolder}
		case !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return err
		}
	}
}
