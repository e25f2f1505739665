package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestFile: a file is there whole or not at all, and nothing is left beside it.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	f := File(filepath.Join(dir, "page.html"))
	say := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		}
	}
	for _, text := range []string{"one", "two"} {
		if err := f.Write(say(text, nil)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(string(f)); string(got) != text {
			t.Errorf("%q is in the file, want %q", got, text)
		}
	}
	if err := f.Write(say("half", errors.New("no more"))); err == nil || err.Error() != string(f)+" cannot be written: no more" {
		t.Errorf("a writer that fails: %v", err)
	}
	if got, _ := os.ReadFile(string(f)); string(got) != "two" {
		t.Errorf("after a failure %q is in the file", got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
	for _, bad := range []File{File(dir), File(filepath.Join(dir, "no", "page.html")), f + "/page.html"} {
		if bad.Check() == nil || bad.Write(say("", nil)) == nil {
			t.Errorf("%s can be written", bad)
		}
	}
	if err := f.Check(); err != nil {
		t.Error(err)
	}
}
