//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/report"
)

// breaks are what becomes of a file: cut off, empty, zeros as after a power cut,
// of another version of its form or of the model.
func breaks(text []byte) map[string][]byte {
	all := map[string][]byte{
		"half":  text[:len(text)/2],
		"empty": {},
		"zeros": make([]byte, len(text)),
	}
	if end := bytes.LastIndexByte(text[:len(text)-1], '\n'); end >= 0 {
		all["without its last line"] = text[:end+1]
	}
	for name, pair := range map[string][2]string{"older form": {`"version": 1,`, `"version": 0,`}, "older model": {`"model_version": `, `"model_version": 1`}} {
		if other := bytes.Replace(text, []byte(pair[0]), []byte(pair[1]), 1); !bytes.Equal(other, text) {
			all[name] = other
		}
	}
	return all
}

// calledIn is hcasim in this process.
func calledIn(t *testing.T, args ...string) call {
	t.Helper()
	var out, said bytes.Buffer
	p := &program{out: &out, err: &said, shelf: report.NewShelf("test"), broken: func() error { return nil }}
	return call{p.execute(args), out.String(), said.String()}
}

// TestBrokenFiles: whatever has become of a file that was finished, it is not
// taken for true: whoever reads it says so, and whoever writes it makes it anew.
func TestBrokenFiles(t *testing.T) {
	notShort(t)
	t.Chdir(in(t, t.TempDir()))
	result := []string{"run", "one.yaml", "--out", "r"}
	study := []string{"sweep", "run", "many.yaml", "--out", "sw"}
	merge := []string{"sweep", "merge", "sw"}
	for _, args := range [][]string{result, study, {"test", "one.yaml", "--update"}, {"run", "one.yaml", "--out", "good"}, {"sweep", "run", "many.yaml", "--out", "fine"}} {
		if c := calledIn(t, args...); c.status != 0 {
			t.Fatalf("%q: %d, %s", args, c.status, c.err)
		}
	}
	points, _ := filepath.Glob("sw/points/*.json")
	trace, explain := []string{"trace", "r", "--out", "traces"}, []string{"explain", "r"}
	compare, sweeps := []string{"compare", "good", "r"}, []string{"compare", "fine", "sw"}
	for _, x := range []struct {
		file  string
		reads [][]string // that must say it
		again []string   // which mends it
	}{
		{"r/manifest.json", [][]string{trace, explain, compare}, result},
		{"r/summary.json", [][]string{trace, explain, compare}, result},
		{"r/config.yaml", [][]string{trace, compare}, result},
		{"r/ops.csv", [][]string{trace, explain}, result},
		{"r/stats.csv", nil, result},
		{"r/keys.csv", nil, result},
		{points[0], [][]string{merge}, study},
		{"sw/plan.json", [][]string{merge, {"sweep", "status", "sw"}, sweeps}, study},
		{"sw/points.csv", [][]string{sweeps}, merge},
		{"sw/summary.json", [][]string{sweeps}, merge},
		{"sw/manifest.json", [][]string{sweeps}, merge},
		{"one.golden.yaml", [][]string{{"test", "one.yaml"}}, []string{"test", "one.yaml", "--update"}},
	} {
		text, err := os.ReadFile(x.file)
		if err != nil {
			t.Fatal(err)
		}
		for how, other := range breaks(text) {
			if err := os.WriteFile(x.file, other, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, args := range x.reads {
				c := calledIn(t, args...)
				if how == "older model" && args[0] == "compare" && c.status == 0 { // whose very question it may be
					if !strings.Contains(c.out, "model") {
						t.Errorf("%s, %s: %q ended with %d, %s", x.file, how, args, c.status, c.out)
					}
					continue
				}
				name := strings.TrimSuffix(filepath.Base(x.file), ".json")
				if c.status == 0 || c.status > 2 || !strings.Contains(c.out+c.err, name) && !strings.Contains(c.err, "of 12 points are missing") && !strings.Contains(c.err, "model") {
					t.Errorf("%s, %s: %q ended with %d, %s", x.file, how, args, c.status, c.err)
				}
			}
			if strings.HasPrefix(how, "older") && x.file == "sw/plan.json" {
				if c := calledIn(t, study...); c.status != 2 || !strings.Contains(c.err, "version") && !strings.Contains(c.err, "model") {
					t.Errorf("%s, %s: begun again it ended with %d, %s", x.file, how, c.status, c.err)
				}
				_ = os.WriteFile(x.file, text, 0o666)
				continue
			}
			if x.again[0] == "test" && how != "without its last line" { // it may be a mistake of its owner's
				if c := calledIn(t, x.again...); c.status == 0 {
					t.Errorf("%s, %s: written over", x.file, how)
				}
				_ = os.Remove(x.file)
			}
			if c := calledIn(t, x.again...); c.status != 0 {
				t.Errorf("%s, %s: made anew it ended with %d, %s", x.file, how, c.status, c.err)
			}
			made, err := os.ReadFile(x.file)
			if err != nil || !bytes.Equal(made, text) && !strings.HasSuffix(x.file, "manifest.json") {
				t.Errorf("%s, %s: made anew it is %d bytes, it was %d", x.file, how, len(made), len(text))
			}
			if err := report.Intact("r"); err != nil {
				t.Errorf("%s, %s: %v", x.file, how, err)
			}
		}
	}
}

// TestBrokenKept: what a study keeps of a point is part of it.
func TestBrokenKept(t *testing.T) {
	notShort(t)
	for keep, file := range map[string]string{"ops": ".ops.csv.gz", "everything": "/stats.csv"} {
		t.Run(keep, func(t *testing.T) {
			t.Chdir(in(t, t.TempDir()))
			many := failing["many.yaml"] + "keep: " + keep + "\n"
			if err := os.WriteFile("many.yaml", []byte(many), 0o666); err != nil {
				t.Fatal(err)
			}
			run := []string{"sweep", "run", "many.yaml", "--out", "sw"}
			if c := calledIn(t, run...); c.status != 0 {
				t.Fatal(c.err)
			}
			want := finished(t, "sw")
			points, _ := filepath.Glob("sw/points/*.json")
			for i, other := range []func(name string) error{
				os.Remove,
				func(name string) error { return os.Truncate(name, 20) },
				func(name string) error { return os.WriteFile(name, make([]byte, 100), 0o666) },
			} {
				if err := other(strings.TrimSuffix(points[i], ".json") + file); err != nil {
					t.Fatal(err)
				}
			}
			c := calledIn(t, run...)
			if c.status != 0 || !strings.Contains(c.err, "12 done") {
				t.Errorf("run again: %d, %s", c.status, c.err)
			}
			if got := finished(t, "sw"); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Error("run again it is not what it was")
			}
		})
	}
}
