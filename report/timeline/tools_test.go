//go:build tools

package timeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestVCDTools has Debian's vcd2fst read the waves, and fst2vcd write them
// again: all instants are there, and all signals are as they were in the end.
func TestVCDTools(t *testing.T) {
	for _, o := range []Options{{}, {Windowed: true, From: 40_000_000, To: 41_000_000}} {
		dir := t.TempDir()
		vcd, fst := filepath.Join(dir, "a.vcd"), filepath.Join(dir, "a.fst")
		text := makeOf(t, quickstart, "vcd", o)[0].text
		if err := os.WriteFile(vcd, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("vcd2fst", vcd, fst).CombinedOutput(); err != nil {
			t.Fatalf("vcd2fst: %v\n%s", err, out)
		}
		back, err := exec.Command("fst2vcd", fst).Output()
		if err != nil {
			t.Fatalf("fst2vcd: %v", err)
		}
		was, is := read(t, text, true), read(t, back, false)
		if !slices.Equal(was.times, is.times) {
			t.Errorf("%d instants came back of %d", len(is.times), len(was.times))
		}
		for name, want := range was.values {
			if got := is.values[name]; got != want {
				t.Errorf("%s ends as %s, want %s", name, got, want)
			}
		}
	}
}
