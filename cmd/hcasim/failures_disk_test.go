//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// printers print, and write nothing.
var printers = [][]string{
	{"run", "one.yaml", "--out", "out/r"}, {"test", "one.yaml"}, {"check", "one.yaml"}, {"sweep", "run", "many.yaml", "--out", "sw"},
	{"sweep", "status", "sw"}, {"sweep", "merge", "sw"}, {"sweep", "submit", "many.yaml", "--out", "sw", "--engine", "parallel", "--shards", "3"},
	{"sweep", "plan", "many.yaml", "--out", "sw"}, {"compare", "out/r", "out/r"}, {"trace", "out/r"}, {"explain", "out/r"}, {"explain", "out/r", "1.1"},
	{"explore", "--depth", "2"}, {"perf", "write_lat", "-n", "10"}, {"perf", "write_lat", "--scenario"}, {"validate", "--fitted"},
	{"params"}, {"params", "hca.clock"}, {"profile", "list"}, {"profile", "show", "connectx5-like"}, {"schema"}, {"version"}, {"version", "--json"},
	{"rule"}, {"init", "--list"}, {"completion", "bash"}, {"help", "faults"}, {"help", "language", "wr_send"}, {"run", "--help"}, {},
	{"run", "one.yaml", "--format", "json", "--out", "out/r"}, {"run", "one.yaml", "--sweep", "hca.cache.mpt.entries=16,64"},
}

// TestFullOutput: what is printed to a full disk is status 4, whatever prints;
// to a reader who has gone, the signal PIPE and no word. Results are kept.
func TestFullOutput(t *testing.T) {
	notShort(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		unable(t, "open /dev/full: %v", err)
	}
	defer full.Close()
	dir := in(t, t.TempDir())
	golden(t, dir)
	for i, args := range printers {
		c := command(dir, args...)
		if i%2 == 1 && times(0, 1) == 0 { // everyday each once
			nobody(t, c)
			continue
		}
		c.Stdout = full
		if got := ended(t, c, nil); got.status != 4 || !strings.Contains(got.err, "the standard output cannot be written: no space left on device") {
			t.Errorf("%q to a full disk: status %d, %s", args, got.status, got.err)
		}
		if i < 2 || times(0, 1) == 1 {
			nobody(t, command(dir, args...))
		}
	}
	noParts(t, dir)
	must(t, dir, "run", "one.yaml", "--out", "again")
	same(t, filepath.Join(dir, "again"), without(finished(t, filepath.Join(dir, "out/r")), "trace.json"))
}

// nobody has a command print to a reader who has gone.
func nobody(t *testing.T, c *exec.Cmd) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	c.Stdout = w
	got := ended(t, c, nil)
	if s := c.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGPIPE || strings.Contains(got.err, "pipe") {
		t.Errorf("%q to nobody: %v, %s", c.Args, c.ProcessState, got.err)
	}
}

func without(files map[string]string, name string) map[string]string {
	delete(files, name)
	return files
}

// fillers write more than a small disk holds. What is to be made is in out.
var fillers = [][]string{
	{"run", "one.yaml", "--out", "DISK/out/r", "--pcap", "all", "--trace", "chrome,vcd", "--report"},
	{"sweep", "run", "many.yaml", "--out", "DISK/out", "-j", "1", "--report"},
	{"test", "one.yaml", "--keep", "DISK/out/k", "--output", "junit=DISK/report.xml"},
	{"perf", "write_lat", "-n", "300", "--out", "DISK/out/p"},
	{"init", "DISK/out/my-test"},
	{"import", "pcap", "r/wire.pcapng", "--rounds", "0", "-o", "DISK/one.yaml"},
	{"validate", "V03", "--report", "DISK/page.html"},
	{"trace", "r", "--format", "chrome,vcd", "--out", "DISK/out/t"},
}

// on puts a folder in the place of DISK.
func on(disk string, args []string) (list []string) {
	for _, a := range args {
		list = append(list, strings.ReplaceAll(a, "DISK", disk))
	}
	return list
}

// prepared has what the fillers read.
func prepared(t *testing.T) (dir string) {
	dir = in(t, t.TempDir())
	golden(t, dir)
	must(t, dir, "run", "one.yaml", "--out", "r", "--pcap", "wire")
	return dir
}

// TestFullDisk fills disks of several sizes: status 4 with the reason, no piece
// of anything, and with room the same as ever.
func TestFullDisk(t *testing.T) {
	notShort(t)
	disk, remount := mounted(t, "8m")
	dir := prepared(t)
	for _, args := range fillers {
		args = on(disk, args)
		clear := func() {
			entries, _ := os.ReadDir(disk)
			for _, e := range entries {
				_ = os.RemoveAll(filepath.Join(disk, e.Name()))
			}
		}
		must(t, dir, args...)
		whole := stamped(finished(t, disk))
		for i := range times(2, 16) {
			clear()
			remount(fmt.Sprintf("size=%dk", 4+i*times(20, 4)))
			c := hcasim(t, dir, args...)
			if c.status != 0 && (c.status != 4 || !strings.Contains(c.err, "no space left on device")) {
				t.Errorf("%q on %d KiB: status %d, %s", args, 4+i*times(20, 4), c.status, c.err)
			}
			for name, text := range stamped(finished(t, disk)) {
				if whole[name] != text {
					t.Errorf("%q: %s is none of an undisturbed run", args, name)
				}
			}
			noParts(t, disk)
			remount("size=8m")
			if c.status == 0 {
				continue
			}
			must(t, dir, args...)
			if got := stamped(finished(t, disk)); fmt.Sprint(got) != fmt.Sprint(whole) {
				t.Errorf("%q with room again: not what an undisturbed run makes", args)
			}
		}
		clear()
	}
}

// stamped leaves out of files how long things took.
func stamped(files map[string]string) map[string]string {
	for name := range files {
		if strings.HasSuffix(name, ".xml") {
			files[name] = "a report"
		}
	}
	return files
}

// TestFileLimit is TestFullDisk by the limit of a file's size, which anybody may
// set.
func TestFileLimit(t *testing.T) {
	notShort(t)
	dir := prepared(t)
	for i, args := range fillers {
		disk := filepath.Join(t.TempDir(), "d")
		if err := os.Mkdir(disk, 0o777); err != nil {
			t.Fatal(err)
		}
		args = on(disk, args)
		c := exec.Command("sh", append([]string{"-c", `ulimit -f 1; exec hcasim "$@"`, "sh"}, args...)...)
		c.Dir = dir
		got := ended(t, c, nil)
		if i == 5 && got.status == 0 { // a scenario of few lines fits
			continue
		}
		if got.status != 4 || !strings.Contains(got.err, "file too large") {
			t.Errorf("%q: status %d, %s", args, got.status, got.err)
		}
		noParts(t, disk)
		for name, text := range finished(t, disk) {
			if len(text) == 1024 {
				t.Errorf("%q: %s is cut off", args, name)
			}
		}
	}
}

// TestReadOnly: what cannot be written is said before anything is simulated.
func TestReadOnly(t *testing.T) {
	notShort(t)
	disk, remount := mounted(t, "1m")
	dir := prepared(t)
	remount("ro")
	for _, args := range append(fillers, []string{"run", "one.yaml", "--set", "vars.count=90000000", "--out", "DISK/x"}) {
		c := hcasim(t, dir, on(disk, args)...)
		if c.status != 4 || !strings.Contains(c.err, "read-only file system") {
			t.Errorf("%q: status %d, %s", args, c.status, c.err)
		}
	}
	c := command(disk, "run", filepath.Join(dir, "one.yaml"), "--pcap", "wire", "--out", filepath.Join(dir, "elsewhere"))
	if got := ended(t, c, nil); got.status != 0 {
		t.Errorf("a result that goes elsewhere from a read-only folder: status %d, %s", got.status, got.err)
	}
}

// TestPlaces: what is in the way of a result stays what it is.
func TestPlaces(t *testing.T) {
	notShort(t)
	dir := prepared(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("file", "mine")
	for link, to := range map[string]string{"loop": "loop", "dangling": "beyond", "latest": "r", "paper": "page.xml", "away": "away.xml"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	write("page.xml", "old")
	device := "/dev/null"
	if err := syscall.Mknod(filepath.Join(dir, "null"), syscall.S_IFCHR|0o666, 1<<8|3); err == nil {
		device = "null"
	}
	long := strings.Repeat("n", 300)
	for _, x := range []struct {
		status int
		said   string
		args   []string
	}{
		{2, "--out file: this is a file, and a result is a folder", []string{"run", "one.yaml", "--out", "file"}},
		{4, "results cannot be written to file/r: not a directory", []string{"run", "one.yaml", "--out", "file/r"}},
		{4, "too many levels of symbolic links", []string{"run", "one.yaml", "--out", "loop"}},
		{4, "too many levels of symbolic links", []string{"run", "one.yaml", "--out", "loop/r"}},
		{4, "file name too long", []string{"run", "one.yaml", "--out", long}},
		{4, "file name too long", []string{"run", "one.yaml", "--out", long + "/r"}},
		{0, "", []string{"run", "one.yaml", "--out", "dangling"}},
		{0, "", []string{"run", "one.yaml", "--out", "latest", "--seed", "9"}},
		{0, "", []string{"run", "one.yaml", "--out", strings.Repeat("n", 250)}},
		{2, "--out file: this is a file", []string{"sweep", "run", "many.yaml", "--out", "file"}},
		{4, "not a directory", []string{"sweep", "run", "many.yaml", "--out", "file/r"}},
		{4, "too many levels of symbolic links", []string{"sweep", "run", "many.yaml", "--out", "loop"}},
		{4, "file name too long", []string{"sweep", "run", "many.yaml", "--out", long}},
		{4, "--output: r cannot be written: is a directory", []string{"test", "one.yaml", "--output", "junit=r"}},
		{4, "--output: file/x cannot be written: not a directory", []string{"test", "one.yaml", "--output", "junit=file/x"}},
		{4, "--output: no/x cannot be written: no such file or directory", []string{"test", "one.yaml", "--output", "junit=no/x"}},
		{0, "", []string{"test", "one.yaml", "--output", "junit=" + device}},
		{0, "", []string{"test", "one.yaml", "--output", "junit=paper", "--output", "tap=away"}},
		{2, "--keep file: this is a file", []string{"test", "one.yaml", "--keep", "file"}},
		{4, "is a directory", []string{"validate", "V01", "--report", "r"}},
		{4, "not a directory", []string{"validate", "V01", "--report", "file/x"}},
		{2, "file exists", []string{"import", "pcap", "r/wire.pcapng", "-o", "file"}},
		{4, "not a directory", []string{"import", "pcap", "r/wire.pcapng", "-o", "file/x"}},
		{4, "is a directory", []string{"import", "pcap", "r/wire.pcapng", "-o", "r", "--force"}},
		{4, "not a directory", []string{"init", "file/my-test"}},
		{4, "not a directory", []string{"trace", "r", "--out", "file/x"}},
		{4, "not a directory", []string{"perf", "write_lat", "-n", "10", "--out", "file/x"}},
	} {
		c := hcasim(t, dir, x.args...)
		if c.status != x.status || !strings.Contains(c.err, x.said) {
			t.Errorf("%.80q: status %d, %s", x.args, c.status, c.err)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "file")); string(text) != "mine" {
			t.Fatalf("%q wrote over a file that was in its way", x.args)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, device)); device == "null" && (err != nil || info.Mode().IsRegular()) {
		t.Errorf("the device is %v", info.Mode())
	}
	for name, is := range map[string]string{"latest": "r", "paper": "page.xml", "dangling": "beyond", "away": "away.xml"} {
		if to, err := os.Readlink(filepath.Join(dir, name)); to != is {
			t.Errorf("the link %s leads to %q, %v", name, to, err)
		}
	}
	for name, begins := range map[string]string{"page.xml": "<?xml", "away.xml": "TAP", "beyond/summary.json": "{"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s begins with %.10q, %v", name, text, err)
		}
	}
	noParts(t, dir)
}
