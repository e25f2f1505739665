package report

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestFileNames: a name becomes one folder, below results.
func TestFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"quickstart": "quickstart", "mw2/rebind": "mw2.rebind", "../../etc": "etc", "a b:c": "a-b-c", ".hidden": "hidden", "é": "é",
	} {
		if got := FolderName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// TestKeepLeavesNothing: when a result cannot be put in its place, what was
// written beside it goes away, and what was there stays.
func TestKeepLeavesNothing(t *testing.T) {
	rec := record(t, world)
	dir := t.TempDir()
	in := filepath.Join(dir, "result")
	if err := os.WriteFile(in, []byte("a file in the way"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := NewShelf("test")
	if err := s.Check(in); err == nil {
		t.Error("a file passes for a folder")
	}
	if err := s.Keep(rec, filepath.Join(in, "below")); err == nil {
		t.Error("it was written into a file")
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || left[0].Name() != "result" {
		t.Errorf("left are %v", left)
	}
}

// TestKeepTwice: the same result twice is one folder, left as it was.
func TestKeepTwice(t *testing.T) {
	rec := record(t, world)
	in := filepath.Join(t.TempDir(), "result")
	s := NewShelf("test")
	for range 2 {
		if err := s.Keep(rec, in); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(in))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	info, err := os.Stat(in)
	if err != nil || info.Mode().Perm()&0o055 != 0o055 {
		t.Errorf("others cannot read the folder: %v %v", info.Mode(), err)
	}
}

// TestZipped: what is zipped unzips to itself, and zips to the same bytes.
func TestZipped(t *testing.T) {
	rec := record(t, world)
	var plain, one, two bytes.Buffer
	for w, zipped := range map[*bytes.Buffer]bool{&plain: false, &one: true, &two: true} {
		if err := Zipped(w, zipped, rec.opsCSV); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the same rows zip differently")
	}
	z, err := gzip.NewReader(&one)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(text, plain.Bytes()) {
		t.Errorf("it unzips to something else: %v", err)
	}
}
