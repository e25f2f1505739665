//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// at begins processes at the same time and returns how they ended.
func at(t *testing.T, dir string, calls ...[]string) []call {
	t.Helper()
	ends := make([]call, len(calls))
	var all sync.WaitGroup
	for i, args := range calls {
		all.Go(func() { ends[i] = ended(t, command(dir, args...), nil) })
	}
	all.Wait()
	return ends
}

// TestTwoAtOnce: whoever writes into one folder at the same time, in the end
// there is what each alone would make.
func TestTwoAtOnce(t *testing.T) {
	run := []string{"run", "one.yaml", "--out", "out/r"}
	other := append(run[:len(run):len(run)], "--seed", "7")
	whole := []string{"sweep", "run", "many.yaml", "--out", "out", "-j", "1"}
	shard := func(s string) []string { return append(whole[:len(whole):len(whole)], "--shard", s) }
	for _, x := range []struct {
		name  string
		calls [][]string
		last  []string // after which there must be what it makes alone
		some  string   // "" or what who does not end with 0 may say
	}{
		{"run", [][]string{run, run, run, run}, nil, ""},
		{"other runs", [][]string{run, other, run, other}, run, ""},
		{"sweep", [][]string{whole, whole, whole}, nil, ""},
		{"shards", [][]string{shard("0/2"), shard("1/2"), shard("0/2")}, append(whole, "--shards", "2"), ""},
		{"merge", [][]string{whole, {"sweep", "merge", "out"}, {"sweep", "status", "out"}}, whole, "points are missing|there is no plan.json here"},
		{"keep", [][]string{{"test", "one.yaml", "--keep", "out"}, {"test", "one.yaml", "--keep", "out"}}, nil, "another hcasim is writing here"},
		{"update", [][]string{{"test", "out", "--update"}, {"test", "out", "--update"}, {"test", "out", "--update"}}, nil, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.last == nil {
				x.last = x.calls[0]
			}
			folder := func() string {
				dir := in(t, t.TempDir())
				if x.name == "update" {
					if err := os.MkdirAll(filepath.Join(dir, "out"), 0o777); err != nil {
						t.Fatal(err)
					}
					in(t, filepath.Join(dir, "out"))
				} else if x.name == "keep" {
					golden(t, dir)
				}
				return dir
			}
			alone := folder()
			must(t, alone, x.last...)
			want := finished(t, filepath.Join(alone, "out"))
			for range times(2, 30) {
				dir := folder()
				for i, c := range at(t, dir, x.calls...) {
					if c.status != 0 && !tells(c.err, x.some) {
						t.Fatalf("%q ended with %d: %s%s", x.calls[i], c.status, c.out, c.err)
					}
				}
				if x.last[0] != x.calls[0][0] || x.name != "run" {
					must(t, dir, x.last...)
				}
				same(t, filepath.Join(dir, "out"), want)
				noParts(t, dir)
			}
		})
	}
}

func tells(text, some string) bool {
	for _, one := range strings.Split(some, "|") {
		if one != "" && strings.Contains(text, one) {
			return true
		}
	}
	return false
}
