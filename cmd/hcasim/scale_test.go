//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var wholeScale = flag.Bool("scale", false, "run scenarios/scale at its whole sizes and hold the program to its budgets of memory")

// scales are the whole sizes of scenarios/scale, and the memory that the
// program may take for each at most.
var scales = []struct {
	object string
	file   string
	sets   string // name=value, several
	count  int
	most   int64 // MiB
}{
	{"regions of one page", "regions.yaml", "n=1000000 written=1000000", 1_000_000, 300},
	{"windows, bound and used", "windows.yaml", "n=1000000", 1_000_000, 450},
	{"pages in pieces, one region", "region-in-pieces.yaml", "pages=16777216", 16_777_216, 200},
	{"pages side by side, one region", "one-region.yaml:small", "", 16_777_216, 60},
	{"pages of 2 MiB, one region", "one-region.yaml:large", "", 32_768, 40},
	{"queue pairs on each host", "queue-pairs.yaml", "n=16384", 16_384, 1000},
	{"operations of 64 B", "operations.yaml", "n=10000", 10_000, 40},
	{"operations of 64 B", "operations.yaml", "n=100000", 100_000, 40},
	{"operations of 64 B", "operations.yaml", "n=1000000", 1_000_000, 40},
	{"operations of 64 B", "operations.yaml", "n=10000000", 10_000_000, 40},
	{"rounds of a loop, judged", "rounds.yaml", "n=10000", 10_000, 300},
	{"rounds of a loop, judged", "rounds.yaml", "n=100000", 100_000, 300},
	{"rounds of a loop, judged", "rounds.yaml", "n=1000000", 1_000_000, 300},
	{"registrations, taken back", "registrations.yaml", "n=1000000", 1_000_000, 300},
	{"packets of one message", "message.yaml", "mib=1024", 1 << 20, 40},
}

// TestScale: the program as it is, from file to result, within its budgets.
// What it prints is the table of docs/scale.md.
func TestScale(t *testing.T) {
	if !*wholeScale {
		t.Skip("make scale")
	}
	program := filepath.Join(t.TempDir(), "hcasim")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, s := range scales {
		file, only, _ := strings.Cut(s.file, ":")
		args := []string{"run", "--out", filepath.Join(t.TempDir(), "result"), "--run", only, "../../scenarios/scale/" + file}
		for _, set := range strings.Fields(s.sets) {
			args = append(args, "--set", "vars."+set)
		}
		c := exec.Command(program, args...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s of %d: %v: %s", s.object, s.count, err, out)
			continue
		}
		u := c.ProcessState.SysUsage().(*syscall.Rusage)
		cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		mib := int64(u.Maxrss) >> 10
		fmt.Fprintf(os.Stdout, "| %s | %d | %d MiB | %.1f s | %.2f us |\n", s.object, s.count, mib, cpu.Seconds(), float64(cpu/time.Nanosecond)/1000/float64(s.count))
		if mib > s.most {
			t.Errorf("%s of %d: %d MiB, want at most %d", s.object, s.count, mib, s.most)
		}
	}
}
