package held

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"testing"
)

// Document holds a file to what it must say; update writes it first. Renew is
// the command that does.
func Document(t *testing.T, file, want, renew string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what it is generated from (%s): %v", file, renew, err)
	}
}

// Stamp returns 16 digits that stand for all files of some trees: what a
// document was made of that takes too long to be made anew each day.
func Stamp(t *testing.T, trees ...fs.FS) string {
	t.Helper()
	h := sha256.New()
	for _, files := range trees {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(files, path)
			fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
