package suite

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hcasim/scenario"
)

// TestBad holds what is said of wrong files to golden texts, all mistakes of a
// folder at once (U1).
func TestBad(t *testing.T) {
	for workers := 1; workers <= 4; workers += 3 {
		_, err := Load(Options{Folder: "testdata/bad", Workers: workers})
		if err == nil {
			t.Fatal("wrong files are read")
		}
		const golden = "testdata/bad/mistakes.txt"
		var m *scenario.Mistakes
		if !errors.As(err, &m) {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, p := range m.Problems {
			b.WriteString(p.Error() + "\n")
		}
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}
