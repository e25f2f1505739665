package whole

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone wants the names in a folder to be these.
func alone(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

// TestFile: F1, a file that takes the place of another keeps its mode, and a
// writer that fails changes nothing.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := File(name, text("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := File(name, text("two")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := File(name, func(w io.Writer) error { _ = text("half")(w); return broken }); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: %v", err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 || read(t, name) != "two" {
		t.Errorf("it is %q, %v", read(t, name), info.Mode())
	}
	alone(t, dir, "a")
}

// TestNew: what is there is never written over, not even a link to nothing.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := New(name, text("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	for _, there := range []string{"a", "b"} {
		if err := New(filepath.Join(dir, there), text("two")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", there, err)
		}
	}
	late := filepath.Join(dir, "c")
	if err := New(late, func(w io.Writer) error { return os.WriteFile(late, []byte("another's"), 0o666) }); !errors.Is(err, fs.ErrExist) || read(t, late) != "another's" {
		t.Errorf("what came meanwhile: %v, %q", err, read(t, late))
	}
	alone(t, dir, "a", "b", "c")
}

// TestNames: a name as long as one may be has a part; one that is longer is an
// error that says so.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	if err := File(filepath.Join(dir, strings.Repeat("n", 255)), text("x")); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{strings.Repeat("n", 256), "file/x"} {
		_ = os.WriteFile(filepath.Join(dir, "file"), nil, 0o666)
		if Check(filepath.Join(dir, bad)) == nil || File(filepath.Join(dir, bad), text("x")) == nil {
			t.Errorf("%.20s can be written", bad)
		}
	}
	if err := Check(filepath.Join(dir, "no", "such", "folder")); err != nil {
		t.Errorf("folders that will be made: %v", err)
	}
}
