//go:build linux

package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hcasim/report"
	"hcasim/whole"
)

// failures says how long things are made to fail: everyday, or long, which is
// for the night.
var failures = flag.String("failures", "", "long: kill and interrupt hundreds of times")

// times is n everyday, and more at night.
func times(everyday, long int) int {
	if *failures == "long" {
		return long
	}
	if testing.Short() { // under the race detector a process takes seconds
		return 1
	}
	return everyday
}

// notShort leaves out what the race detector, which is slow, learns nothing from.
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
}

// The files that the commands which write are tried on.
var failing = map[string]string{
	"one.yaml": `version: 1
kind: scenario
name: one
vars: {count: 200}
hosts:
  client: {pd: [pd0], mr: {src: {length: 1MiB, access: [LOCAL_WRITE]}}, qp: {q0: {peer: server.q0}}}
  server: {pd: [pd0], mr: {buf: {length: 1MiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q0: {peer: client.q0, access: [REMOTE_WRITE]}}}
ops:
  - {on: client, traffic: {qp: q0, opcode: RDMA_WRITE, size: 64B, count: "${count}"}}
record: ["time", "write.p50"]
`,
	"many.yaml": `version: 1
kind: study
name: many
question: How many?
base: one.yaml
axes:
  mpt: {set: hca.cache.mpt.entries, values: [16, 64, 256]}
  rate: {set: wire.rate, values: [25Gb/s, 100Gb/s]}
repeat: 2
collect: {p50: write.p50, p99: write.p99}
`,
}

// in writes the files into a folder of the test's.
func in(t *testing.T, dir string) string {
	t.Helper()
	for name, text := range failing {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A call is one hcasim as a process.
type call struct {
	status int // -1: a signal
	out    string
	err    string
}

// hcasim runs a process in a folder to its end.
func hcasim(t *testing.T, dir string, args ...string) call {
	t.Helper()
	return ended(t, command(dir, args...), nil)
}

func command(dir string, args ...string) *exec.Cmd {
	c := exec.Command("hcasim", args...)
	c.Dir = dir
	return c
}

// ended begins a process, does something meanwhile, and waits for its end.
func ended(t *testing.T, c *exec.Cmd, meanwhile func(*os.Process)) call {
	t.Helper()
	var out, said bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if meanwhile != nil {
		meanwhile(c.Process)
	}
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return call{c.ProcessState.ExitCode(), out.String(), said.String()}
}

// must wants status 0.
func must(t *testing.T, dir string, args ...string) {
	t.Helper()
	if c := hcasim(t, dir, args...); c.status != 0 {
		t.Fatalf("hcasim %q ended with %d: %s%s", args, c.status, c.out, c.err)
	}
}

// finished are the files below a folder that have their names, but for manifests,
// which have the wall clock.
func finished(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case whole.IsPart(path) && d.IsDir():
			return fs.SkipDir
		case d.IsDir(), whole.IsPart(path), d.Name() == "manifest.json":
			return nil
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// heldTo holds what has its name to what undisturbed runs make: to one of them.
func heldTo(t *testing.T, dir string, undisturbed ...map[string]string) {
	t.Helper()
	for name, text := range finished(t, dir) {
		fine := false
		for _, u := range undisturbed {
			want, known := u[name]
			fine = fine || known && want == text
		}
		if !fine {
			t.Fatalf("%s has its name, and %d bytes that no undisturbed run makes", filepath.Join(dir, name), len(text))
		}
	}
	manifests, _ := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	for _, m := range manifests {
		if one := filepath.Dir(m); !whole.IsPart(one) {
			if err := report.Intact(one); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// same wants all that an undisturbed run makes, and nothing else.
func same(t *testing.T, dir string, undisturbed map[string]string) {
	t.Helper()
	heldTo(t, dir, undisturbed)
	if got := len(finished(t, dir)); got != len(undisturbed) {
		t.Fatalf("%s has %d files, an undisturbed run makes %d", dir, got, len(undisturbed))
	}
}

// noParts wants none below a folder.
func noParts(t *testing.T, dir string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		if strings.HasSuffix(path, ".part") {
			t.Errorf("left behind: %s", path)
		}
		return nil
	})
}

// mounted gives a folder a file system of its own, of so many KiB.
func mounted(t *testing.T, size string) (dir string, remount func(options string)) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		unable(t, "mount a tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir, func(options string) {
		t.Helper()
		flags := uintptr(syscall.MS_REMOUNT)
		if options == "ro" {
			flags, options = flags|syscall.MS_RDONLY, ""
		}
		if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
			t.Fatal(err)
		}
	}
}
