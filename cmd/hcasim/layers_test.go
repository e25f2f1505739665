package main

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "hcasim/"

// layers says what each room may import of this module. An arrow that is not
// here is a change of design, and is made here first.
var layers = map[string][]string{
	"sim":       {},
	"ib":        {},
	"scenarios": {},
	"rules":     {},
	"docs/ci":   {},
	"docs/held": {}, // for tests
	"whole":     {},

	"sim/workload": {"sim"},

	"tpt":         {"ib"},
	"tpt/explore": {"ib", "tpt"},
	"pcie":        {"sim"},
	"wire":        {"sim", "ib"},

	"mtp": {"sim", "ib", "tpt", "pcie"},

	"host":   {"sim", "ib", "tpt", "pcie"},
	"hca/rc": {"ib", "tpt"},
	"hca":    {"sim", "ib", "tpt", "pcie", "mtp", "wire", "hca/rc"},

	"scenario/lang":   {"sim", "ib", "tpt", "rules"},
	"scenario/config": {"sim", "ib", "tpt", "pcie", "wire", "mtp", "hca", "host", "scenarios", "scenario/lang", "whole"},
	"scenario/run":    {"sim", "ib", "tpt", "pcie", "wire", "mtp", "hca", "host", "scenario/lang", "scenario/config", "scenario/run/keys"},
	"scenario":        {"sim", "ib", "tpt", "pcie", "wire", "mtp", "hca", "host", "scenarios", "scenario/lang", "scenario/config", "scenario/run", "scenario/golden", "whole"},

	"scenario/run/keys": {"sim", "ib", "tpt", "mtp"},

	"scenario/conform": {},

	"scenario/stress": {}, // tests only

	"scenario/lang/schematest": {},

	"scenario/starter": {"scenarios", "docs/ci", "whole"},

	"scenario/golden": {"sim", "scenario/lang", "scenario/run"},

	"report/page/browser":   {},
	"report/page":           {},
	"report/plot":           {"report/page"},
	"report/terminal":       {"report/page"},
	"report/capture":        {"sim", "ib", "tpt", "pcie", "wire", "hca", "scenario/run"},
	"report/timeline":       {"sim", "ib", "tpt", "pcie", "wire", "mtp", "hca", "scenario/run"},
	"report/causes":         {"tpt"},
	"report/reference":      {"scenarios", "scenario/lang"},
	"report/story":          {"sim", "ib", "tpt", "pcie", "wire", "mtp", "hca", "rules", "scenario", "scenario/lang", "scenario/run", "report/causes"},
	"report":                {"sim", "ib", "tpt", "rules", "scenario", "scenario/golden", "scenario/lang", "scenario/config", "scenario/run", "report/page", "report/terminal", "report/capture", "report/causes", "report/reference", "report/story", "report/timeline", "whole"},
	"report/capture/talk":   {"ib", "whole"},
	"report/capture/replay": {"sim", "ib", "report/capture/talk"},

	"scenario/figure": {"sim", "scenario/lang", "scenario/run"},
	"scenario/suite":  {"sim", "ib", "scenarios", "scenario", "scenario/lang", "scenario/config", "scenario/figure"},

	"scenario/sweep": {"sim", "scenario", "scenario/lang", "scenario/figure"},

	"study": {"sim", "ib", "tpt", "tpt/explore", "scenario", "scenario/lang", "scenario/run", "scenario/figure", "scenario/suite", "report", "report/page"},

	"study/sweep": {"scenario", "scenario/lang", "scenario/run", "scenario/figure", "scenario/sweep", "report", "report/page", "report/terminal", "whole"},

	"study/bench": {"sim", "sim/workload", "scenarios", "scenario", "scenario/run", "report"},

	"study/perf": {"sim", "scenario", "scenario/run", "report"},

	"study/perf/log":    {"scenario/lang"},
	"study/perf/beside": {"scenario", "scenario/lang", "report", "study/perf", "study/perf/log"},
	"study/fit":         {"sim", "ib", "wire", "scenario", "scenario/run", "report/capture/talk", "report/capture/replay"},

	"study/compare": {"scenario", "scenario/run", "report", "whole"},

	"cmd/ending":      {"whole"},
	"cmd/hcasim-plot": {"cmd/ending", "whole", "report", "report/page", "report/plot", "study/sweep"},

	"cmd/hcasim": {"cmd/ending", "whole", "scenario", "scenario/lang", "scenario/starter", "report", "report/capture/replay", "report/page", "report/terminal", "study", "study/sweep", "study/bench", "study/perf", "study/perf/beside", "study/perf/log", "study/compare", "study/fit", "rules", "scenarios"},
}

// TestLayers holds every room to the drawing, and every folder with code to
// a place in it.
func TestLayers(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if name := d.Name(); rel != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "results" || rel == "tools") {
			return filepath.SkipDir
		}
		pkg, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none || err != nil {
			return nil
		}
		seen[rel] = true
		allowed, drawn := layers[rel]
		if !drawn {
			t.Errorf("%s stands in no row of the drawing", rel)
		}
		for _, imp := range pkg.Imports {
			if dep, ours := strings.CutPrefix(imp, module); ours && !slices.Contains(allowed, dep) {
				t.Errorf("%s imports %s", rel, dep)
			}
		}
		if _, err := os.Stat(filepath.Join(path, "doc.go")); err != nil {
			t.Errorf("%s has no doc.go", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for room := range layers {
		if !seen[room] {
			t.Errorf("the drawing has a room %s that does not exist", room)
		}
	}
}

// TestLayoutTable: the table of README.md names every room, or the one that it
// lies in, and no folder that is not there.
func TestLayoutTable(t *testing.T) {
	_, table, _ := strings.Cut(read(t), "\n## Layout\n")
	named := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(table, -1) {
		for _, m := range regexp.MustCompile("`([a-z/-]+)`").FindAllStringSubmatch(row[1], -1) {
			named[m[1]] = true
			if _, err := os.Stat(filepath.Join("..", "..", m[1])); err != nil {
				t.Error(err)
			}
		}
	}
	for room := range layers {
		covered := false
		for at := room; at != "."; at = filepath.Dir(at) {
			covered = covered || named[at]
		}
		if !covered {
			t.Errorf("README.md does not place %s", room)
		}
	}
}
