package lang

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNotThere: a file that is called nearly so is named, its ending and its
// folder with it; the ending itself makes no file alike.
func TestNotThere(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first.yaml", "second.yml", "third.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"frist.yaml": "did you mean \"" + filepath.Join(dir, "first.yaml") + "\"?",
		"secnd":      "did you mean \"" + filepath.Join(dir, "second.yml") + "\"?",
		"abc.yaml":   "hcasim init writes one to start from",
		"thrd.txt":   "hcasim init writes one to start from",
	} {
		if got := NotThere(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestNearestBegun: a word that only one candidate begins with is that one.
func TestNearestBegun(t *testing.T) {
	names := []string{"hangu-like", "connectx5-like", "connectx7-like", "spec-ideal"}
	for word, want := range map[string]string{"hangu": "hangu-like", "connectx": "", "sp": "", "spec": "spec-ideal", "zzz": ""} {
		if got := nearest(word, names); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// TestInstead: of every kind there is something to be said.
func TestInstead(t *testing.T) {
	for _, kind := range append([]string{"scenario", "opening"}, otherKinds...) {
		if Instead(kind, "x.yaml") == "" {
			t.Errorf("of %s there is nothing to do", kind)
		}
	}
}
