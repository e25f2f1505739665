package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manual is where the man pages are, one for each command.
var manual = filepath.Join("..", "..", "docs", "man")

// TestManual holds the man pages to the commands. They are written by this test
// alone, so that no installed program carries what writes them.
func TestManual(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	root := rootForTest()
	root.DisableAutoGenTag = true // it has a date
	everyCommand(root, func(c *cobra.Command) {
		if f := c.Flags().Lookup("workers"); f != nil {
			f.DefValue = "processors" // those of the machine
		}
	})
	dir := t.TempDir()
	if *update {
		dir = manual
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	head := &doc.GenManHeader{Section: "1", Source: "hcasim", Manual: "hcasim", Date: &day}
	if err := doc.GenManTree(root, head, dir); err != nil {
		t.Fatal(err)
	}
	fresh, kept := pages(t, dir), pages(t, manual)
	if !slices.Equal(fresh, kept) || len(fresh) < 20 {
		t.Errorf("there are pages %q, docs/man has %q (go test ./cmd/hcasim -run TestManual -update)", fresh, kept)
	}
	for _, name := range fresh {
		a, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(manual, name))
		if err == nil && string(a) != string(b) {
			t.Errorf("docs/man/%s is not what the command says now (go test ./cmd/hcasim -run TestManual -update)", name)
		}
	}
}

func pages(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
