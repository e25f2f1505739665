package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var elsewhere = flag.String("elsewhere", "", "other GOARCHs of TestElsewhere, with commas: 386, arm64 (under qemu-user)")

// work is done everywhere: a line with faults and all pictures, lives of keys,
// lost packets, traffic and random numbers, the histograms and fits of a study
// and of the validation, and what floating point is printed of.
var work = []string{
	"hcasim run scenarios/quickstart.yaml --profile connectx5-like --pcap all --trace chrome,vcd --report --out run",
	"hcasim explain run 4 > explain.txt",
	"hcasim test scenarios/seeds scenarios/faults --format json > test.json",
	"hcasim sweep run scenarios/studies/demo.yaml --short --out sweep --report --plot > sweep.txt",
	"hcasim validate V03 V20 --format json > validate.json || true",
	"hcasim perf write_bw -s 4K -n 200 > perf.txt",
}

// A place is a machine as a process sees it.
type place struct {
	name string
	env  []string
	path string // where its hcasim is, if not the test's own
}

// TestElsewhere holds the promise of equal bytes: neither the number of
// processors nor the folder, the locale or the time zone shows in anything that
// is written; with -elsewhere, nor the processor's kind.
func TestElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("the sessions have the goroutines")
	}
	places := []place{
		{name: "one processor", env: []string{"GOMAXPROCS=1"}},
		{name: "many processors, far away", env: []string{"GOMAXPROCS=7", "LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8", "TZ=Pacific/Chatham", "HOME=/nowhere", "GOGC=20"}},
	}
	for arch := range strings.SplitSeq(*elsewhere, ",") {
		if arch != "" {
			places = append(places, place{name: arch, path: cross(t, arch)})
		}
	}
	var first map[string]string
	for i, p := range places {
		dir := filepath.Join(t.TempDir(), strings.Repeat("d/", i)+"w")
		got := p.do(t, dir)
		if i == 0 {
			first = got
			continue
		}
		if len(got) != len(first) {
			t.Errorf("%s: %d files, not %d", p.name, len(got), len(first))
		}
		for name, sum := range first {
			if got[name] != sum {
				t.Errorf("%s: %s differs from that of %s", p.name, name, places[0].name)
			}
		}
	}
	if len(first) < 20 {
		t.Errorf("only %d files were compared", len(first))
	}
}

// do does the work in a new folder and returns the sums of all files.
func (p *place) do(t *testing.T, dir string) map[string]string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	scenarios, err := filepath.Abs(filepath.Join("..", "..", "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(scenarios, filepath.Join(dir, "scenarios")); err != nil {
		t.Fatal(err)
	}
	env := append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG") }), p.env...)
	if p.path != "" {
		env = append(env, "PATH="+p.path+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	for _, line := range work {
		c := exec.Command("sh", "-c", line)
		c.Dir, c.Env = dir, env
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %s: %v\n%s", p.name, line, err, out)
		}
	}
	return sums(t, dir)
}

// sums are the digests of all files but the manifests, which tell of the
// machine on purpose.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "manifest.json" {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// cross makes the program for another kind of processor, and returns a folder
// with a command hcasim that runs it here.
func cross(t *testing.T, arch string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "hcasim."+arch)
	c := exec.Command("go", "build", "-buildvcs=false", "-o", file, ".")
	c.Env = append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", arch, err, out)
	}
	runs := file
	if arch == "arm64" {
		qemu, err := exec.LookPath("qemu-aarch64")
		if err != nil {
			t.Fatal("no qemu-aarch64 (make nightly installs it)")
		}
		runs = qemu + " " + file
	}
	if err := os.WriteFile(filepath.Join(dir, "hcasim"), []byte("#!/bin/sh\nexec "+runs+` "$@"`+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if says, err := exec.Command(filepath.Join(dir, "hcasim"), "version").CombinedOutput(); err != nil || !strings.Contains(string(says), "linux/"+arch) {
		t.Fatalf("%s: %v: %s", arch, err, says)
	}
	return dir
}
