package whole

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func never(string, string) bool { return false }

// folder writes a folder with two files that say the same.
func folder(dir, says string, same func(a, b string) bool) error {
	f, err := Begin(dir)
	if err != nil {
		return err
	}
	defer f.Drop()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(f.Path(), name), []byte(says), 0o666); err != nil {
			return err
		}
	}
	return f.Place(same)
}

// TestFolder: F1 and F3, many who write one folder while others look: it is
// there from its first moment on, and its files always say the same.
func TestFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "above", "it")
	if err := folder(dir, "0", never); err != nil {
		t.Fatal(err)
	}
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, err := os.Stat(filepath.Join(dir, "a")); err != nil {
				t.Errorf("for a moment there is nothing: %v", err)
				return
			}
		}
	})
	for w := range 4 {
		writers.Go(func() {
			for i := range 50 {
				if err := folder(dir, fmt.Sprint(w, i), never); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if a, b := read(t, filepath.Join(dir, "a")), read(t, filepath.Join(dir, "b")); a != b {
		t.Errorf("it is of two: %s, %s", a, b)
	}
	alone(t, filepath.Dir(dir), "it")
}

// TestTurn is F1 where names cannot be exchanged.
func TestTurn(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"new", "old"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name, "says"), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := turn(filepath.Join(root, "new"), filepath.Join(root, "old")); err != nil {
		t.Fatal(err)
	}
	if read(t, filepath.Join(root, "old", "says")) != "new" || read(t, filepath.Join(root, "new", "says")) != "old" {
		t.Error("they are not turned")
	}
	if turn(filepath.Join(root, "none"), filepath.Join(root, "old")) == nil || read(t, filepath.Join(root, "old", "says")) != "new" {
		t.Error("without a part the old one is gone")
	}
}

// TestDropped: what is not given its place goes, with the folders that were made
// for it.
func TestDropped(t *testing.T) {
	root := t.TempDir()
	f, err := Begin(filepath.Join(root, "x", "y", "z"))
	if err != nil {
		t.Fatal(err)
	}
	f.Drop()
	alone(t, root)
	file := filepath.Join(root, "file")
	if err := File(file, text("mine")); err != nil {
		t.Fatal(err)
	}
	if folder(file, "x", never) == nil || read(t, file) != "mine" {
		t.Error("a folder has taken the place of a file")
	}
	alone(t, root, "file")
}

// TestSweepUp: F2, by who wrote a part and when.
func TestSweepUp(t *testing.T) {
	dir := t.TempDir()
	me, nobody, old := os.Getpid(), 1<<30, time.Now().Add(-2*foreign)
	for _, x := range []struct {
		name string
		old  bool
		goes bool
	}{
		{fmt.Sprintf("a.%s.%d.x1.part", machine(), me), true, false},
		{fmt.Sprintf("b.%s.%d.x1.part", machine(), os.Getppid()), true, false},
		{fmt.Sprintf("c.%s.%d.x1.part", machine(), nobody), false, true},
		{fmt.Sprintf("c.%s.%d.x1.part.old.part", machine(), nobody), false, true},
		{fmt.Sprintf("d.00000000.%d.x1.part", me), false, false},
		{fmt.Sprintf("e.00000000.%d.x1.part", me), true, true},
		{"mine.part", true, false},
		{"mine.1.part", true, false},
	} {
		name := filepath.Join(dir, x.name)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if x.old {
			if err := os.Chtimes(name, old, old); err != nil {
				t.Fatal(err)
			}
		}
		SweepUp(dir)
		if _, err := os.Stat(name); (err != nil) != x.goes {
			t.Errorf("%s: gone is %v, want %v", x.name, err != nil, x.goes)
		}
	}
}
