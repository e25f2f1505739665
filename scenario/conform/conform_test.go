package conform_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario"
)

const folder = "../../scenarios/conformance"

// TestConformance: C3, every case holds under spec and under rxe. The cases of
// what is not to be copied are about spec only.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		for _, variant := range []string{"spec", "rxe"} {
			if name == "not-to-copy" && variant != "spec" {
				continue
			}
			t.Run(name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				all(t, file, variant)
			})
		}
	}
}

func all(t *testing.T, file, variant string) {
	runs, err := scenario.Load(file, scenario.Options{Sets: []string{"variant=" + variant}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		res, err := r.Do()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range res.Failures {
			t.Errorf("%s:%d: %s, step %s: %s: expected %s, got %s (%s)", f.Pos.File, f.Pos.Line, r.Case.Name, f.Op, f.What, f.Expected, f.Got, f.Note)
		}
		if !res.OK() || res.Asked == 0 {
			t.Errorf("%s ended %v and asked %d: %s", r.Case.Name, res.End, res.Asked, strings.Join(append(res.Waits, res.Broken...), "\n"))
		}
	}
}

// TestNotToCopy: each fault of the real stack that is not to be copied has its
// cases.
func TestNotToCopy(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(folder, "not-to-copy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := scenario.Read("not-to-copy.yaml", text, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const faults = 11
	seen := make([]bool, faults+1)
	for _, r := range runs {
		if !strings.HasPrefix(r.Case.Name, "hcasim-must-not-") {
			t.Errorf("%s does not say what must not be", r.Case.Name)
		}
		n := 0
		for _, c := range strings.TrimPrefix(r.Case.ID, "RXE-") {
			n = 10*n + int(c-'0')
		}
		seen[min(max(n, 0), faults)] = true
	}
	if i := slices.Index(seen[1:], false); i >= 0 {
		t.Errorf("fault %d has no case", i+1)
	}
}
