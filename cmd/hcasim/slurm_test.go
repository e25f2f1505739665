//go:build tools

package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A cluster is a Slurm of one machine that lives in one folder: key, sockets,
// state, logs and ports are its own, and it needs no system user and no
// service manager.
type cluster struct {
	t       *testing.T
	folder  string
	program string // hcasim, built
}

// newCluster brings a cluster up and takes it down with the test. Slurm keeps
// file names in few bytes, so the folder's is short.
func newCluster(t *testing.T) *cluster {
	folder, err := os.MkdirTemp("/tmp", "hs")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, folder: folder, program: filepath.Join(folder, "bin", "hcasim")}
	t.Cleanup(func() { _ = os.RemoveAll(folder) }) // after the daemons, which are cleaned up first
	for _, sub := range []string{"bin", "log", "spool", "state", "etc"} {
		if err := os.Mkdir(c.path(sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(folder, 0o755); err != nil { // munge wants its socket's folder open
		t.Fatal(err)
	}
	c.must(exec.Command("go", "build", "-o", c.program, "."))
	c.configure()
	t.Setenv("SLURM_CONF", c.path("etc/slurm.conf"))
	t.Setenv("PATH", c.path("bin")+":"+os.Getenv("PATH"))
	c.daemon("munged", "--foreground", "--force", "--key-file="+c.path("etc/munge.key"), "--socket="+c.path("munge"),
		"--pid-file="+c.path("state/munged.pid"), "--log-file="+c.path("log/munged.log"), "--seed-file="+c.path("state/munge.seed"))
	c.wait("munge's socket", func() bool { _, err := os.Stat(c.path("munge")); return err == nil })
	c.daemon("slurmctld", "-D", "-f", c.path("etc/slurm.conf"))
	c.daemon("slurmd", "-D", "-f", c.path("etc/slurm.conf"))
	c.wait("an idle node", func() bool {
		out, _ := exec.Command("sinfo", "--noheader", "--format=%T").Output() // it may not answer yet
		return strings.TrimSpace(string(out)) == "idle"
	})
	return c
}

func (c *cluster) path(name string) string { return filepath.Join(c.folder, name) }

// configure writes munge's key and slurm.conf.
func (c *cluster) configure() {
	key := make([]byte, 1024)
	if _, err := rand.Read(key); err != nil {
		c.t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		c.t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := fmt.Sprintf(`ClusterName=hcasim
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/state/slurmctld.pid
SlurmdPidFile=%[2]s/state/slurmd.pid
SlurmctldLogFile=%[2]s/log/slurmctld.log
SlurmdLogFile=%[2]s/log/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=%[2]s/log/jobs
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=%[1]s Default=YES MaxTime=INFINITE State=UP
`, host, c.folder, freePort(c.t), freePort(c.t))
	for name, text := range map[string][]byte{"etc/munge.key": key, "etc/slurm.conf": []byte(conf)} {
		if err := os.WriteFile(c.path(name), text, 0o400); err != nil {
			c.t.Fatal(err)
		}
	}
}

func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// daemon starts a program that the end of the test stops.
func (c *cluster) daemon(name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may be gone
		_ = cmd.Wait()
		if c.t.Failed() {
			c.t.Logf("%s said:\n%s", name, said.String())
		}
	})
}

// wait asks again and again, for a minute at most.
func (c *cluster) wait(what string, there func() bool) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); !there(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("no %s within a minute", what)
		}
	}
}

// must runs a command and returns what it printed.
func (c *cluster) must(cmd *exec.Cmd) string {
	c.t.Helper()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		c.t.Fatalf("%s: %v\n%s%s", cmd, err, out.String(), said.String())
	}
	return out.String()
}

// hcasim runs the program in the cluster's folder.
func (c *cluster) hcasim(args ...string) string {
	c.t.Helper()
	cmd := exec.Command(c.program, args...)
	cmd.Dir = c.folder
	return c.must(cmd)
}

// jobs waits until nothing is queued or runs.
func (c *cluster) jobs() {
	c.t.Helper()
	c.wait("end of the jobs", func() bool {
		out, err := exec.Command("squeue", "--noheader").Output()
		return err == nil && len(bytes.TrimSpace(out)) == 0
	})
}

// same holds the merged files of two folders to each other, byte for byte.
func (c *cluster) same(a, b string) {
	c.t.Helper()
	for _, name := range []string{"points.csv", "summary.json"} {
		x, err := os.ReadFile(filepath.Join(c.path(a), name))
		if err != nil {
			c.t.Fatal(err)
		}
		y, err := os.ReadFile(filepath.Join(c.path(b), name))
		if err != nil {
			c.t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			c.t.Errorf("%s of %s and %s differ:\n%s\n%s", name, a, b, x, y)
		}
	}
}

// TestSlurm runs a study as an array of a real Slurm, loses the results of one
// task, submits that index again as sweep status says, merges, and compares
// with the result of one process.
func TestSlurm(t *testing.T) {
	c := newCluster(t)
	study, err := filepath.Abs("../../scenarios/studies/demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const shards = 8
	c.hcasim("sweep", "run", study, "--out", "alone")

	script := c.path("job.sh")
	text := c.hcasim("sweep", "submit", study, "--engine", "slurm", "--out", "array", "--shards", fmt.Sprint(shards))
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	submit := func() {
		cmd := exec.Command("sh", script)
		cmd.Dir = c.folder
		c.must(cmd)
		c.jobs()
	}
	submit() // the array, and the merge that waits for it
	c.same("alone", "array")

	lost := c.loseTask("array", 3, shards)
	cmd := exec.Command(c.program, "sweep", "status", "array")
	cmd.Dir = c.folder
	said, _ := cmd.Output() // its status is that something is missing
	if !strings.Contains(string(said), "--array=3") || !strings.Contains(string(said), fmt.Sprintf("%d missing", lost)) && !strings.Contains(string(said), fmt.Sprintf("missing %d", lost)) {
		t.Errorf("%d points of task 3 are lost, and sweep status says\n%s", lost, said)
	}
	again := exec.Command("sbatch", "--array=3", "--output="+c.path("log/again.out"),
		"--wrap", fmt.Sprintf("cd %s && hcasim sweep run %s --out array --shard auto -j 1", c.folder, study))
	c.must(again)
	c.jobs()
	c.hcasim("sweep", "merge", "array")
	c.same("alone", "array")
}

// loseTask removes the results that one task of an array has made, and what
// was merged of them. It returns how many.
func (c *cluster) loseTask(dir string, task, shards int) (lost int) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.path(dir), "plan.json"))
	if err != nil {
		c.t.Fatal(err)
	}
	var plan struct {
		Points []struct {
			Index int    `json:"index"`
			Hash  string `json:"hash"`
		} `json:"points"`
	}
	if err := json.Unmarshal(text, &plan); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range plan.Points {
		if p.Index%shards != task {
			continue
		}
		if err := os.Remove(filepath.Join(c.path(dir), "points", p.Hash+".json")); err != nil {
			c.t.Fatal(err)
		}
		lost++
	}
	for _, name := range []string{"points.csv", "summary.json"} {
		if err := os.Remove(filepath.Join(c.path(dir), name)); err != nil {
			c.t.Fatal(err)
		}
	}
	if lost == 0 {
		c.t.Fatal("the task had no points")
	}
	return lost
}
