package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario"
	"hcasim/scenarios"
)

// TestFiles: the rows and dimensions run the files of scenarios/bench, and leave
// none out.
func TestFiles(t *testing.T) {
	var run []string
	for _, s := range rows() {
		if s.start == nil || s.long < s.quick || s.quick == 0 {
			t.Errorf("%s: %d ops, quick %d", s.name, s.long, s.quick)
		}
		run = append(run, s.name)
	}
	for _, d := range dimensions() {
		run = append(run, d.file)
	}
	files, err := fs.Glob(scenarios.Benchmarks, "bench/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".golden.yaml") { // recorded figures
			continue
		}
		if name := strings.TrimSuffix(path.Base(f), ".yaml"); !slices.Contains(run, name) {
			t.Errorf("%s is in no row", f)
		}
	}
}

// TestCounts: what does not depend on a clock (Z1).
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		row, figure string
		n           uint64
		least, most float64
	}{
		{"write-64-d64", "", 500, 0, 0},
		{"write-64-d64-miss", "b.mpt.misses", 5000, 1, 1},
		{"write-64-d64-miss", "b.mtt.misses", 5000, 1, 1},
		{"write-64-mtt-cold", "b.mtt.misses", 2000, 0.95, 1},
		{"write-1m-d4", "wire.packets", 20, 256, 262},
		{"bind-invalidate", "a.changes", 800, 2, 2},
	} {
		all := rows()
		s := &all[slices.IndexFunc(all, func(s spec) bool { return s.name == c.row })]
		r, err := s.measured(c.n, 1)
		if err != nil {
			t.Fatal(err)
		}
		if r.EventsPerOp < 1 || r.NsPerOp <= 0 || math.IsInf(r.OpsPerSecond, 0) || r.PeakRSS < 1<<20 {
			t.Errorf("%s: %+v", c.row, r)
		}
		for _, f := range r.Figures {
			if f.Name == c.figure && (f.PerOp < c.least || f.PerOp > c.most) {
				t.Errorf("%s: %v %s an op, want %v to %v", c.row, f.PerOp, f.Name, c.least, c.most)
			}
		}
	}
}

// TestUnmet: Z2.
func TestUnmet(t *testing.T) {
	text, err := fs.ReadFile(scenarios.Benchmarks, "bench/write-64-d64.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("faults == 0"), []byte("faults == 3"), 1)
	runs, err := scenario.Read("t.yaml", text, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := held(runs[0].Do()); err == nil || !strings.Contains(err.Error(), "write-64-d64 ended finished: faults: expected == 3, got 0") {
		t.Errorf("%v", err)
	}
}

// TestWatching: counts of what is asked; the times are what they are.
func TestWatching(t *testing.T) {
	w, err := watching(100)
	if err != nil {
		t.Fatal(err)
	}
	if w.ChecksPerOp < 27 || w.ChecksPerOp > 150 || w.NsPerCheck < 0 || w.OffShare < 0 {
		t.Errorf("%+v", w)
	}
}

// TestGrowth: points from 10^3 or 10^4 up, each a power of ten.
func TestGrowth(t *testing.T) {
	for _, d := range dimensions() {
		d.most = 1000
		if d.name == "bytes" { // which moves as many in small messages as in large ones
			d.most = 100_000
		}
		g, err := d.growth(&Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Points) != 2 || g.Points[0].N != d.most/10 || g.Points[1].N != d.most || !(g.Points[0].NsPerUnit > 0) {
			t.Errorf("%s: %+v", d.name, g)
		}
	}
	if first := firstSize(10_000_000); first != 10_000 {
		t.Errorf("the first size is %d", first)
	}
}

// sampleReport is a report whose figures are made up.
func sampleReport() *Report {
	s := spec{name: "write-64-d64", about: "WRITEs", op: "WRITE"}
	one := cost{work: work{ops: 1000, events: 27_000, figures: []figure{{"b.mpt.misses", 500}}}, cpu: 7_000_000, bytes: 12}
	row := s.row([]cost{one, one})
	row.PeakRSS, row.HeapRatio, row.RingRatio = 24<<20, 0.5, 2
	return &Report{
		Machine: Machine{CPU: "Z80", CPUs: 1, OS: "cpm", Arch: "z80", Go: "go1"}, Count: 2, Rows: []*Row{row}, OwnPeaks: true,
		Watching: &Watching{Pairs: 20, Ops: 10, ChecksPerOp: 60, NsPerCheck: 0.5, OffShare: 0.004, OnShare: 0.1},
		Growths:  []*Growth{{Name: "bytes", About: "of a message", Points: []Point{{10_000, 1.5, 1 << 20}}, Exponent: 1.01}},
	}
}

// TestLines: what benchstat reads, and nothing else that it would take for a
// result or a setting.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := sampleReport().Write(&b, "text"); err != nil {
		t.Fatal(err)
	}
	setting := regexp.MustCompile(`^[a-z][^A-Z\s]*:`)
	var got []string
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "Benchmark") || setting.MatchString(line) {
			got = append(got, strings.TrimSpace(line))
		}
	}
	result := "BenchmarkWrite64D64\t1000\t7000 ns/op\t27 events/op\t0.012 B/op\t0 allocs/op\t25165824 peak-B"
	want := []string{"goos: cpm", "goarch: z80", "pkg: hcasim/study/bench", "cpu: Z80", result, result,
		"BenchmarkWatchers\t10\t0.5 ns/check\t60 checks/op\t0.4 off-%\t10 on-%",
		"BenchmarkScaleBytes/n=10000\t1\t1.5 ns/op\t1048576 peak-B"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestJSON: the names that others read by.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sampleReport().Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	var d struct{ Rows []map[string]any }
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"name": "write-64-d64", "ops_per_cpu_second": 1e9 / 7000, "events_per_op": 27.0, "ns_per_event": 7000.0 / 27,
		"allocs_per_op": 0.0, "bytes_per_op": 0.012, "peak_rss": float64(24 << 20),
	} {
		if got := d.Rows[0][name]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

var update = flag.Bool("update", false, "measure, and write the figures of README.md")

const readme = "../../README.md"

// TestReadme: README.md has figures of all rows; which, no test says. -update
// measures them anew.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- figures: make bench-readme -->\n", "<!-- end of figures -->"
	from, to := bytes.Index(text, []byte(begin)), bytes.Index(text, []byte(end))
	if from < 0 || to < from {
		t.Fatalf("%s has no place for figures: %s … %s", readme, begin, end)
	}
	from += len(begin)
	if *update {
		r, err := Measure(Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		b.Write(text[:from])
		b.WriteString("\n")
		if err := r.Write(&b, "md"); err != nil {
			t.Fatal(err)
		}
		b.Write(text[to:])
		if err := os.WriteFile(readme, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	var shown []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z0-9-]+) +\|`).FindAllSubmatch(text[from:to], -1) {
		shown = append(shown, string(m[1]))
	}
	want := Names()
	if want = want[:len(want)-1]; !slices.Equal(shown[min(1, len(shown)):], want) {
		t.Errorf("README.md has figures of %q, the rows are %q (make bench-readme)", shown, want)
	}
}
