package beside

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/study/perf"
	"hcasim/study/perf/log"
)

func logs(t *testing.T, text string) []log.Log {
	t.Helper()
	list, problems := log.Read("x.log", []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return list
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "log", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOwn: what hcasim perf prints is a log as good as perftest's, and differs
// from what hcasim simulates by no more than the digits that are printed.
func TestOwn(t *testing.T) {
	for _, o := range []perf.Options{
		{Size: 64, Iterations: 200},
		{Size: 4096, Iterations: 300, QPs: 2, TxDepth: 16, CQMod: 4, MTU: 1024},
		{Size: 8192, Iterations: 100, Both: true, Gbits: true},
		{Connection: "UD", Size: 256, Iterations: 200, RxDepth: 128},
		{Iterations: 100, Atomic: "CMP_AND_SWAP", Outs: 8},
	} {
		switch {
		case o.Atomic != "":
			o.Test, _ = perf.Named("atomic_bw")
		case o.Connection == "UD":
			o.Test, _ = perf.Named("send_lat")
		case o.Size == 64:
			o.Test, _ = perf.Named("read_lat")
		default:
			o.Test, _ = perf.Named("write_bw")
		}
		o.Inline, o.Timeout, o.Sets = -1, -1, []string{"wire.length=7"}
		x, err := perf.Prepare(o)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := x.Run(perf.Do{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := x.Write(&b, "text", rows); err != nil {
			t.Fatal(err)
		}
		list, err := Beside(logs(t, b.String()), Question{Sets: o.Sets, Tolerance: 0.6}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if all, beyond, worst, _ := list[0].count(); all < 2 || beyond > 0 {
			t.Errorf("%s %d: %d of %d differ, most %+v\n%s", o.Test.Name, o.Size, beyond, all, worst, b.String())
		}
	}
}

// TestOrigins: what the log says is taken, what it does not is named as assumed,
// and nothing else of it is passed over.
func TestOrigins(t *testing.T) {
	list, err := Beside(logs(t, file(t, "write_bw.log")), Question{Profile: "connectx7-like", Iterations: 20, Tolerance: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := list[0]
	x := c.experiments[0]
	if x.QPs != 2 || x.TxDepth != 20 || x.CQMod != 1 || x.MTU != 1024 || x.Inline != 0 || x.Connection != "RC" || x.Iterations != 20 || x.Profile != "connectx7-like" {
		t.Errorf("the options are %+v", x.Options)
	}
	for _, want := range []struct {
		in   []string
		text string
	}{
		{c.taken, "queue pairs 2"}, {c.taken, "MTU 1024"}, {c.taken, "link Ethernet"},
		{c.assumed, "profile connectx7-like"}, {c.assumed, "iterations 20 (--iters)"}, {c.assumed, "RoCEv2 over IPv4 (or --set wire.protocol=roce_v6)"},
		{c.left, "GID index 3"}, {c.left, "Device mlx5_0"},
	} {
		if !slices.Contains(want.in, want.text) {
			t.Errorf("%q is not among %q", want.text, want.in)
		}
	}
	for _, s := range c.log.Settings {
		used := s.Name == "Dual-port" || s.Name == "Using SRQ" // which are off
		for _, name := range []string{"Number of qps", "Connection type", "TX depth", "CQ Moderation", "Mtu", "Link type", "Max inline data"} {
			used = used || s.Name == name
		}
		if !used && !slices.Contains(c.left, s.Name+" "+s.Value) {
			t.Errorf("%s %s is passed over", s.Name, s.Value)
		}
	}
}

// TestWorkers: the order in which sizes are done shows nowhere.
func TestWorkers(t *testing.T) {
	both := file(t, "write_lat.log") + file(t, "write_bw.log")
	var texts []string
	for _, workers := range []int{1, 4} {
		for _, format := range Formats {
			list, err := Beside(logs(t, both), Question{Iterations: 20, Workers: workers, Tolerance: 15}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := Write(&b, format, list); err != nil {
				t.Fatal(err)
			}
			if format == "json" && !json.Valid(b.Bytes()) {
				t.Errorf("no JSON:\n%s", b.String())
			}
			texts = append(texts, b.String())
		}
	}
	if n := len(Formats); !slices.Equal(texts[:n], texts[n:]) {
		t.Error("with four workers it is not the same as with one")
	}
}

// TestMistakes: what a log says and is not to be had is a mistake at its place.
func TestMistakes(t *testing.T) {
	bw := file(t, "write_bw.log")
	for _, c := range []struct {
		from, to, says string
		test           string
	}{
		{"Connection type : RC", "Connection type : XRC", "x.log:25:1: hcasim perf write_bw takes no such run: -c XRC is not modelled", ""},
		{"1024[B]", "big", "x.log:14:20: Mtu is \"big\", want a whole number", ""},
		{"1024[B]", "1000[B]", "-m 1000: a path MTU is", ""},
		{": Ethernet\n GID", ": Carrier\n GID", "x.log:15:20: a link type \"Carrier\" is not modelled", ""},
		{"RDMA_Write BW", "RDMA_Write Latency", "write_lat has no such figures", ""},
		{"", "", "--test send_bw, but the log is of write_bw", "send_bw"},
		{"65536", "16777216", "wants 1 to 8388608", ""},
	} {
		text := bw
		if c.from != "" {
			text = strings.Replace(bw, c.from, c.to, 1)
		}
		_, err := Beside(logs(t, text), Question{Iterations: 20, Test: c.test, Tolerance: -1}, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.to, err, c.says)
		}
	}
}
