package lang

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// beside finds what scenarios name in testdata.
func beside(name string) (Source, error) {
	data, err := os.ReadFile(filepath.Join("testdata/beside", filepath.Base(name)))
	if err != nil {
		err = errors.New("no such file or directory")
	}
	return Source{Name: name, Data: data}, err
}

var testLoader = Loader{Opening: openings, Openings: []string{"b0", "field", "rxe"}, Beside: beside}

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

var update = flag.Bool("update", false, "write the golden texts of testdata/bad anew")

// flagsOf returns the --set flags that the remarks at the head of a bad file
// ask for.
func flagsOf(t *testing.T, src Source) (flags []Source) {
	t.Helper()
	for line := range strings.Lines(string(src.Data)) {
		text, found := strings.CutPrefix(strings.TrimSpace(line), "# --set ")
		if !found {
			break
		}
		f, ok := SetFlag(text)
		if !ok {
			t.Fatalf("bad flag %q", text)
		}
		flags = append(flags, f)
	}
	return flags
}

// TestBad holds what is printed for every file that must be refused to the
// text beside it.
func TestBad(t *testing.T) {
	for _, src := range files(t, "testdata/bad/*.yaml") {
		name := strings.TrimSuffix(src.Name, ".yaml")
		t.Run(name, func(t *testing.T) {
			f, problems := testLoader.Load(append([]Source{src}, flagsOf(t, src)...)...)
			if len(problems) == 0 || f != nil {
				t.Fatal("accepted")
			}
			sources := []Source{src}
			for _, o := range []string{"b0", "worse"} {
				s, _ := openings(o)
				sources = append(sources, s)
			}
			bad, _ := beside("bad.cdf")
			sources = append(sources, bad)
			var b bytes.Buffer
			Print(&b, problems, sources...)
			golden := filepath.Join("testdata/bad", name+".txt")
			if *update {
				if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}
