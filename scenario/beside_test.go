package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const drawn = `version: 1
kind: scenario
name: drawn
vars: {file: sizes/a.cdf}
hosts:
  A: {pd: [p], mr: {src: {length: 64KiB, access: [LOCAL_WRITE]}}, qp: {q: {peer: B.q}}}
  B: {pd: [p], mr: {dst: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {peer: A.q, access: [REMOTE_WRITE]}}}
cases:
  - {name: by-variable, ops: [{on: A, traffic: {opcode: RDMA_WRITE, count: 50, size: {cdf: $file}}}]}
  - {name: by-name, ops: [{loop: {times: 2, ops: [{on: A, traffic: {opcode: RDMA_WRITE, count: 50, size: {cdf: sizes/a.cdf, between: none}}}]}}]}
`

// TestBeside: a distribution is read from beside the scenario, wherever that
// stands; it is part of what the hash is over, its name is not; config.yaml has
// it in it and needs no file.
func TestBeside(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	hashes := func(path string, sets ...string) (all []string) {
		runs, err := Load(path, Options{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			all = append(all, r.Hash())
			againSame(t, r)
			text, _ := r.Effective()
			if !strings.Contains(string(text), "cdf: [[64, 0.5], [4096, 1]]") || strings.Contains(string(text), "cdf: $file") || strings.Contains(string(text), "cdf: sizes") {
				t.Errorf("%s: config.yaml does not have the distribution", r.Name)
			}
			if _, err := r.Do(); err != nil {
				t.Error(err)
			}
		}
		return all
	}
	file := write("s.yaml", drawn)
	write("sizes/a.cdf", "64 0.5\n4KiB 1\n")
	was := hashes(file)
	write("other/b.cdf", "# in percent\n64,50\n4096,100\n")
	if other := hashes(file, "vars.file="+filepath.Join(folder, "other/b.cdf")); other[1] != was[1] {
		t.Errorf("a variable that is not used changes %s to %s", was[1], other[1])
	}
	write("sizes/a.cdf", "64 0.5\n4096 1\n# a remark\n")
	if same := hashes(file); same[0] != was[0] || same[1] != was[1] {
		t.Errorf("a remark changes %v to %v", was, same)
	}
	write("sizes/a.cdf", "64 0.25\n4096 1\n")
	runs, err := Load(file, Options{})
	if err != nil || runs[0].Hash() == was[0] || runs[1].Hash() == was[1] {
		t.Errorf("another distribution has the same hash: %v", err)
	}
	write("sizes/a.cdf", "64 0.5\n4096 0.75\n")
	_, err = Load(file, Options{})
	if err == nil || !strings.Contains(err.Error(), "a.cdf:2:1: shares end at 0.75") || !strings.Contains(err.Error(), "   2 | 4096 0.75\n     | ^^^^^^^^^") {
		t.Errorf("got %v", err)
	}
	for cdf, want := range map[string]string{"sizes": "this is no file", "nowhere.cdf": "no such file"} {
		if _, err := Load(file, Options{Sets: []string{"vars.file=" + cdf}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", cdf, err)
		}
	}
}

// TestSizesWeShip reads the distributions that come with hcasim.
func TestSizesWeShip(t *testing.T) {
	files, err := filepath.Glob("../scenarios/sizes/*.cdf")
	if err != nil || len(files) != 2 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, f := range files {
		name, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read("s.yaml", []byte(strings.ReplaceAll(drawn, "sizes/a.cdf", name)), Options{}); err != nil {
			t.Error(err)
		}
	}
}
