package stress

import (
	"path/filepath"
	"testing"

	"hcasim/scenario"
)

// Scenarios of seeds that found something stay, as they were: what a seed draws
// changes with the drawing.
func TestKept(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.yaml")
	if len(files) == 0 {
		t.Fatal("nothing is kept")
	}
	for _, name := range files {
		runs, err := scenario.Load(name, scenario.Options{Profiles: profiles})
		if err != nil {
			t.Fatal(err)
		}
		res, err := runs[0].Do()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range res.Failures {
			t.Errorf("%s:%d: %s: expected %s, got %s", name, f.Pos.Line, f.What, f.Expected, f.Got)
		}
		if !res.OK() {
			t.Errorf("%s ended %s: %v %v", name, res.End, res.Broken, res.Waits)
		}
	}
}
