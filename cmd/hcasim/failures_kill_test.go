//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A writer is a command that writes into out, in two forms where the second
// takes the place of what the first has written.
type writer struct {
	name  string
	forms [][]string
	begin func(t *testing.T, dir string) // what is there before, beside out
	fresh bool                           // what is written once is not written again
}

var writers = []writer{
	{name: "run", forms: [][]string{
		{"run", "one.yaml", "--out", "out/r", "--pcap", "wire"},
		{"run", "one.yaml", "--out", "out/r", "--pcap", "wire", "--seed", "7"},
	}},
	{name: "sweep", forms: [][]string{{"sweep", "run", "many.yaml", "--out", "out", "-j", "2", "--report"}}},
	{name: "keep", forms: [][]string{{"test", "one.yaml", "--keep", "out"}}, begin: golden},
	{name: "update", forms: [][]string{{"test", "out", "--update"}}, fresh: true, begin: func(t *testing.T, dir string) {
		if err := os.MkdirAll(filepath.Join(dir, "out"), 0o777); err != nil {
			t.Fatal(err)
		}
		out := in(t, filepath.Join(dir, "out"))
		if err := os.WriteFile(filepath.Join(out, "one.golden.yaml"), []byte(stale), 0o666); err != nil {
			t.Fatal(err)
		}
	}},
}

// stale are figures that are recorded, and others now.
const stale = "version: 1\nkind: golden\nruns:\n  - run: one\n    model: 1\n    figures:\n      time: 1us\n      write.p50: 1us\n"

// golden records the figures of one.yaml.
func golden(t *testing.T, dir string) { must(t, dir, "test", "one.yaml", "--update") }

// undisturbed runs each form in a folder of its own.
func (w *writer) undisturbed(t *testing.T) (all []map[string]string, took time.Duration) {
	for _, form := range w.forms {
		dir := w.folder(t)
		began := time.Now()
		must(t, dir, form...)
		took = max(took, time.Since(began))
		all = append(all, finished(t, filepath.Join(dir, "out")))
	}
	return all, took
}

// before adds what is there from the beginning.
func (w *writer) before(all []map[string]string) []map[string]string {
	if w.name != "update" {
		return all
	}
	return append(slices.Clone(all), failing, map[string]string{"one.golden.yaml": stale})
}

func (w *writer) folder(t *testing.T) string {
	dir := in(t, t.TempDir())
	if w.begin != nil {
		w.begin(t, dir)
	}
	return dir
}

// TestKilled kills at any moment, over and over in one folder: what has its name
// is whole, and the next run completes it and leaves no part.
func TestKilled(t *testing.T) {
	notShort(t)
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			all, took := w.undisturbed(t)
			dir, r := w.folder(t), rand.New(rand.NewPCG(1, 2))
			out := filepath.Join(dir, "out")
			killed := 0
			for i := range times(5, 200) {
				if w.fresh || i%10 == 9 { // from the beginning again
					dir = w.folder(t)
					out = filepath.Join(dir, "out")
				}
				c := ended(t, command(dir, w.forms[i%len(w.forms)]...), after(r, took, syscall.SIGKILL))
				if c.status == -1 {
					killed++
				} else if c.status != 0 {
					t.Fatalf("ended with %d: %s", c.status, c.err)
				}
				heldTo(t, out, w.before(all)...)
			}
			must(t, dir, w.forms[0]...)
			same(t, out, all[0])
			noParts(t, dir)
			t.Logf("killed %d times", killed)
		})
	}
}

// TestInterrupted is TestKilled by signals that can be heard: status 75, and no
// part is left.
func TestInterrupted(t *testing.T) {
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			all, took := w.undisturbed(t)
			dir, r := w.folder(t), rand.New(rand.NewPCG(3, 4))
			out := filepath.Join(dir, "out")
			count := map[int]int{}
			for i := range times(6, 120) {
				if w.fresh || i%10 == 9 {
					dir = w.folder(t)
					out = filepath.Join(dir, "out")
				}
				c := ended(t, command(dir, w.forms[i%len(w.forms)]...), after(r, took, signals[i%len(signals)]))
				count[c.status]++
				if c.status > 0 && c.status != 75 { // -1: before it listened
					t.Fatalf("ended with %d: %s", c.status, c.err)
				}
				heldTo(t, out, w.before(all)...)
				noParts(t, dir)
			}
			must(t, dir, w.forms[0]...)
			same(t, out, all[0])
			t.Logf("times by status: %v", count)
		})
	}
}

// after sends a signal at a random moment of a run that takes about so long.
func after(r *rand.Rand, took time.Duration, s syscall.Signal) func(*os.Process) {
	wait := time.Duration(r.Float64() * 1.1 * float64(took))
	return func(p *os.Process) {
		time.Sleep(wait)
		_ = p.Signal(s) // it may be over
	}
}

// TestTwoInterrupts: the second ends the program where it stands, and nohup turns
// HUP off.
func TestTwoInterrupts(t *testing.T) {
	dir := in(t, t.TempDir())
	endless := []string{"run", "one.yaml", "--set", "vars.count=90000000", "--out", "o", "--pcap", "wire"}
	c := ended(t, command(dir, endless...), func(p *os.Process) {
		started(t, dir)
		for range 2 {
			_ = p.Signal(syscall.SIGINT)
		}
	})
	if c.status != 75 && c.status != -1 {
		t.Errorf("ended with %d: %s", c.status, c.err)
	}
	dir = in(t, t.TempDir())
	hung := exec.Command("nohup", append([]string{"hcasim"}, endless...)...)
	hung.Dir = dir
	c = ended(t, hung, func(p *os.Process) {
		started(t, dir)
		_ = p.Signal(syscall.SIGHUP)
		time.Sleep(100 * time.Millisecond)
		_ = p.Signal(syscall.SIGTERM)
	})
	if c.status != 75 {
		t.Errorf("nohup: ended with %d: %s", c.status, c.err)
	}
	noParts(t, dir)
}

// started waits until a run has begun its captures.
func started(t *testing.T, dir string) {
	for range 1000 {
		if found, _ := filepath.Glob(filepath.Join(dir, "*.part", "wire.pcapng")); len(found) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it does not begin")
}

// TestLeftovers: what the killed have left goes with the next run, what the
// living write stays, and so does what is somebody's own.
func TestLeftovers(t *testing.T) {
	notShort(t)
	dir := in(t, t.TempDir())
	endless := []string{"run", "one.yaml", "--set", "vars.count=90000000", "--out", "o", "--pcap", "wire"}
	ended(t, command(dir, endless...), func(p *os.Process) {
		started(t, dir)
		_ = p.Kill()
	})
	left, _ := filepath.Glob(filepath.Join(dir, "*.part"))
	if len(left) != 1 {
		t.Fatalf("killed, it leaves %q", left)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.part"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c := ended(t, command(dir, endless...), func(p *os.Process) {
		for range 1000 { // until the first is gone and the second has begun
			if found, _ := filepath.Glob(filepath.Join(dir, "o.*.part")); len(found) == 1 && found[0] != left[0] {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		must(t, dir, "run", "one.yaml", "--out", "other")
		if found, _ := filepath.Glob(filepath.Join(dir, "o.*.part")); len(found) != 1 || found[0] == left[0] {
			t.Errorf("while one runs there are %q; %q is of a killed one", found, left)
		}
		_ = p.Signal(syscall.SIGTERM)
	})
	if c.status != 75 {
		t.Errorf("ended with %d: %s", c.status, c.err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*.part")); fmt.Sprint(found) != fmt.Sprint([]string{filepath.Join(dir, "mine.part")}) {
		t.Errorf("in the end there are %q", found)
	}
}

// TestKilledShard: status lists what is missing, and what is submitted again
// finishes it.
func TestKilledShard(t *testing.T) {
	notShort(t)
	dir := in(t, t.TempDir())
	must(t, dir, "sweep", "run", "many.yaml", "--out", "whole", "--shards", "3")
	must(t, dir, "sweep", "plan", "many.yaml", "--out", "out", "--shards", "3")
	must(t, dir, "sweep", "run", "many.yaml", "--out", "out", "--shard", "0/3")
	ended(t, command(dir, "sweep", "run", "many.yaml", "--out", "out", "--shard", "1/3", "-j", "1"), func(p *os.Process) {
		for range 5000 {
			if found, _ := filepath.Glob(filepath.Join(dir, "out", "points", "*.json")); len(found) > 4 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_ = p.Kill()
	})
	must(t, dir, "sweep", "run", "many.yaml", "--out", "out", "--shard", "2/3")
	st := hcasim(t, dir, "sweep", "status", "out")
	if st.status != 0 || !strings.Contains(st.out, "--array=1 ") && !strings.Contains(st.out, "missing 0") {
		t.Errorf("status says %s%s", st.out, st.err)
	}
	must(t, dir, "sweep", "run", "many.yaml", "--out", "out", "--shard", "1/3")
	must(t, dir, "sweep", "merge", "out")
	must(t, dir, "sweep", "merge", "whole") // which makes a page too
	same(t, filepath.Join(dir, "out"), finished(t, filepath.Join(dir, "whole")))
	noParts(t, dir)
}
