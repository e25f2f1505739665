package lang

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openings finds openings in the folder of the project and in testdata.
func openings(name string) (Source, bool) {
	for _, folder := range []string{"../../scenarios/openings", "testdata/openings"} {
		path := filepath.Join(folder, name+".yaml")
		if data, err := os.ReadFile(path); err == nil {
			return Source{Name: "openings/" + name + ".yaml", Data: data}, true
		}
	}
	return Source{}, false
}

var testLoader = Loader{Opening: openings, Openings: []string{"b0", "field"}}

func files(t *testing.T, pattern string) (src []Source) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files at %s", pattern)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		src = append(src, Source{Name: filepath.Base(path), Data: data})
	}
	return src
}

// TestGood reads every file that must be accepted.
func TestGood(t *testing.T) {
	for _, src := range append(files(t, "testdata/good/*.yaml"), files(t, "../../scenarios/openings/*.yaml")...) {
		t.Run(strings.TrimSuffix(src.Name, ".yaml"), func(t *testing.T) {
			_, problems := testLoader.Load(src)
			var b bytes.Buffer
			if Print(&b, problems, src); b.Len() > 0 {
				t.Error(b.String())
			}
		})
	}
}
