package compare

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/scenario"
)

// folder writes a result, or a sweep.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const summary = `{"format": "hcasim.run", "version": 1, "name": "x", "profile": "p", "variant": "spec", "seed": 1, "ok": true, "end": "finished",
"requests": [{"request": "IBV_WR_RDMA_WRITE", "count": 3, "latency": {"min_ps": 1, "p50_ps": %d, "p99_ps": 9, "p999_ps": 9, "max_ps": 9}}],
"traffic": [{"step": 2, "request": "IBV_WR_RDMA_READ", "count": 10, "bytes": 640, "elapsed_ps": %d, "latency": {}}],
"failures": [%s],
"stats": [{"name": "ops", "value": "10"}, {"name": "a.mpt.lookups", "value": "%d"}, {"name": "a.mpt.hits", "value": "%d"}, {"name": "a.mpt.hit_rate", "value": "%g"}, {"name": "a.pcie.writes", "value": "%d"}]}`

func result(t *testing.T, p50, elapsed int, failures string, lookups, hits, writes int) string {
	rate := float64(hits) / float64(lookups)
	return folder(t, map[string]string{"summary.json": fmt.Sprintf(summary, p50, elapsed, failures, lookups, hits, rate, writes)})
}

// compared returns the verdicts of what is not equal.
func compared(t *testing.T, a, b string, tolerances ...string) (*Difference, map[string]Verdict) {
	t.Helper()
	var tol Tolerances
	for _, s := range tolerances {
		if err := tol.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Compare(a, b, &tol)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Verdict{}
	for i := range d.Lines {
		if l := &d.Lines[i]; l.Verdict != Equal {
			got[strings.TrimSpace(l.Row+" "+l.Metric)] = l.Verdict
		}
	}
	return d, got
}

// TestDirections: more of a latency is worse, less of a rate, fewer hits of as
// many lookups; more writes are neither. Swapped it is the other way round.
func TestDirections(t *testing.T) {
	a, b := result(t, 100, 1000, "", 8, 8, 5), result(t, 110, 2000, "", 16, 12, 7)
	d, got := compared(t, a, b)
	want := map[string]Verdict{
		"write.p50": Worse, "read.rate": Worse, "read.bandwidth": Worse, "a.mpt.hit_rate": Worse,
		"a.mpt.lookups": Changed, "a.mpt.hits": Changed, "a.pcie.writes": Changed,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || !d.Regressed() {
		t.Errorf("the verdicts are\n%v, want\n%v", got, want)
	}
	d, got = compared(t, b, a)
	for name, v := range want {
		if v == Worse && got[name] != Better {
			t.Errorf("swapped %s is %s", name, got[name])
		}
	}
	if d.Regressed() {
		t.Error("swapped something is worse")
	}
	if d, got = compared(t, a, a); len(got) > 0 || d.Regressed() {
		t.Errorf("a result differs from itself: %v", got)
	}
}

// TestTolerances: what is within is not worse; a name counts before the rest,
// whatever the order.
func TestTolerances(t *testing.T) {
	a, b := result(t, 100, 1000, "", 8, 8, 5), result(t, 110, 1100, "", 8, 8, 5)
	for _, x := range []struct {
		tolerances string
		regressed  bool
	}{
		{"", true}, {"5%", true}, {"10%", false}, {"10% write.p50=9%", true}, {"write.p50=9% 10%", true},
		{"9% write.*=10%", true}, {"9.1% write.*=10%", false}, {"write.p50=10% read.*=10%", false},
	} {
		if d, got := compared(t, a, b, strings.Fields(x.tolerances)...); d.Regressed() != x.regressed {
			t.Errorf("with %q: %v", x.tolerances, got)
		}
	}
	d, _ := compared(t, a, b, "10%", "wrote.p50=1%")
	if len(d.Unused) != 1 || d.Unused[0] != "wrote.p50" {
		t.Errorf("a tolerance of no metric is not named: %v", d.Unused)
	}
	for _, bad := range []string{"", "5", "-1%", "x%", "=5%", "write.p50=", "[=5%"} {
		var tol Tolerances
		if err := tol.Add(bad); err == nil {
			t.Errorf("%q is a tolerance", bad)
		}
	}
}

// TestExpectations: one that does not hold any more is a regression, one that
// never did is none, wherever its line is now.
func TestExpectations(t *testing.T) {
	const one = `{"line": %d, "step": "3", "what": "wc", "expected": "SUCCESS", "got": "%s"}`
	good, bad, moved := result(t, 1, 1, "", 1, 1, 1), result(t, 1, 1, fmt.Sprintf(one, 4, "X"), 1, 1, 1), result(t, 1, 1, fmt.Sprintf(one, 9, "Y"), 1, 1, 1)
	for _, x := range []struct {
		a, b string
		n    int
	}{{good, bad, 1}, {bad, good, 0}, {bad, moved, 0}} {
		if d, _ := compared(t, x.a, x.b); len(d.Broken) != x.n || d.Regressed() != (x.n > 0) {
			t.Errorf("%v do not hold any more, want %d", d.Broken, x.n)
		}
	}
}

// TestConfiguration: by what holds in the end, wherever it is said.
func TestConfiguration(t *testing.T) {
	flat := func(text string) []scenario.Line {
		lines, err := scenario.Flat("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	a := flat("name: a\nhca: {x: 1, y: 2}\nhosts: {s: {hca: {y: 3}, qp: q}}\nops: [{w: {size: 4}}]\nold: 1")
	b := flat("name: b\nhca: {x: 1, y: 3} # here\nhosts: {s: {qp: q}, c: {hca: {x: 9}}}\nops: [{w: {size: 8}}]\nnew: 1")
	got := fmt.Sprint(configuration(a, b))
	if want := "[{hca.y 2 3} {ops[1].w.size 4 8} {old 1 } {hosts.c.hca.x 1 9} {new  1}]"; got != want {
		t.Errorf("the changes are\n%s, want\n%s", got, want)
	}
	more := flat("name: a\nhca: {x: 1, y: 2}\nhosts: {s: {hca: {y: 3}, qp: q}}\nops: [{w: {size: 5}}, {v: 1}]\nold: 1")
	if got := fmt.Sprint(configuration(a, more)); got != "[{steps 1 2}]" {
		t.Errorf("of another number of steps: %s", got)
	}
}

func sweep(t *testing.T, answer, rows string) string {
	return folder(t, map[string]string{
		"summary.json": fmt.Sprintf(`{"format": "hcasim.sweep", "version": 1, "name": "s", "question": "Q?", "answer": [{"ok": %s, "text": "knee at 8"}]}`, answer),
		"points.csv":   rows,
	})
}

// TestSweeps: rows are matched by their axes, in any order of rows and columns;
// what is missing is named.
func TestSweeps(t *testing.T) {
	a := sweep(t, "true", "index,entries,page,seed,p50_ns,hit_rate,status\n0,64,4KiB,1,10,0.5,ok\n1,64,2MiB,1,10,0.5,ok\n2,128,4KiB,1,10,0.5,ok\n3,1,4KiB,1,5,1,ok\n")
	b := sweep(t, "false", "index,page,entries,seed,p50_ns,hit_rate,status\n0,2MiB,64,1,10,0.5,ok\n1,4KiB,64,1,11,0.6,ok\n2,4KiB,256,1,10,0.5,ok\n3,4KiB,1,1,,,failed\n")
	d, got := compared(t, a, b)
	want := map[string]Verdict{
		"entries=64 page=4KiB p50_ns": Worse, "entries=64 page=4KiB hit_rate": Better,
		"entries=1 page=4KiB p50_ns": Gone, "entries=1 page=4KiB hit_rate": Gone,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the verdicts are\n%v, want\n%v", got, want)
	}
	if fmt.Sprint(d.Gone, d.Came) != "[entries=128 page=4KiB] [entries=256 page=4KiB]" {
		t.Errorf("missing %v, new %v", d.Gone, d.Came)
	}
	if len(d.Broken) != 2 {
		t.Errorf("an answer and a point: %v", d.Broken)
	}
	other := sweep(t, "true", "index,mrs,seed,p50_ns,status\n0,1,1,1,ok\n")
	if _, err := Compare(a, other, &Tolerances{}); err == nil || !strings.Contains(err.Error(), "their rows do not match") {
		t.Errorf("other axes: %v", err)
	}
	if _, err := Compare(a, result(t, 1, 1, "", 1, 1, 1), &Tolerances{}); err == nil || !strings.Contains(err.Error(), "a sweep and") {
		t.Errorf("a sweep and a run: %v", err)
	}
}

// TestSeeds: five seeds that overlap are no difference, five that do not are
// one, and so are three.
func TestSeeds(t *testing.T) {
	rows := func(values ...int) string {
		text := "index,n,seed,p50_ns,status\n"
		for i, v := range values {
			text += fmt.Sprintf("%d,1,%d,%d,ok\n", i, i+1, v)
		}
		return sweep(t, "true", text)
	}
	for _, x := range []struct {
		a, b string
		want Verdict
	}{
		{rows(10, 11, 12, 13, 14), rows(12, 11, 14, 13, 15), Within},
		{rows(10, 11, 12, 13, 14), rows(20, 21, 22, 23, 24), Worse},
		{rows(20, 21, 22, 23, 24), rows(10, 11, 12, 13, 14), Better},
		{rows(10, 11, 12), rows(20, 21, 22), Worse},
		{rows(10, 11, 12), rows(12, 13, 14), Within},
		{rows(10), rows(11), Worse},
	} {
		d, _ := compared(t, x.a, x.b)
		if l := d.Lines[0]; l.Verdict != x.want {
			t.Errorf("%.1f to %.1f with p=%.3f is %s, want %s", l.Base, l.New, l.P, l.Verdict, x.want)
		}
	}
}

// TestUnreadable: what is no result is said to be none.
func TestUnreadable(t *testing.T) {
	good := result(t, 1, 1, "", 1, 1, 1)
	many := t.TempDir()
	for _, name := range []string{"a1", "b2"} {
		if err := os.MkdirAll(filepath.Join(many, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(many, name, "summary.json"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for want, path := range map[string]string{
		"there is no such result":   filepath.Join(many, "nowhere"),
		"there is no result in":     t.TempDir(),
		"there are 2 results":       many,
		"this is no summary":        folder(t, map[string]string{"summary.json": "{"}),
		"none that can be compared": folder(t, map[string]string{"summary.json": `{"format": "hcasim.bench", "version": 1}`}),
		"of another hcasim":         folder(t, map[string]string{"summary.json": `{"format": "hcasim.run", "version": 2}`}),
		"has no summary.json yet":   folder(t, map[string]string{"plan.json": "{}"}),
		"points.csv":                folder(t, map[string]string{"summary.json": `{"format": "hcasim.sweep", "version": 1}`}),
		"columns are not":           folder(t, map[string]string{"summary.json": `{"format": "hcasim.sweep", "version": 1}`, "points.csv": "a,b\n"}),
		"is \"x\", no number":       sweep(t, "true", "index,n,seed,p50_ns,status\n0,1,1,x,ok\n"),
	} {
		if _, err := Compare(good, path, &Tolerances{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// TestForms: the three forms have the same verdict, and no form has nothing.
func TestForms(t *testing.T) {
	d, _ := compared(t, result(t, 100, 1000, "", 8, 8, 5), result(t, 110, 1000, "", 8, 8, 6))
	for form, want := range map[string]string{
		"text": "✗ 1 metric worse, 1 changed,", "md": "**✗ 1 metric worse, 1 changed,", "json": `"worse": 1,`,
	} {
		var b bytes.Buffer
		if err := d.Write(&b, form, false); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v, no %q in\n%s", err, want, b.String())
		}
	}
}

func TestDirectionsByName(t *testing.T) {
	for name, want := range map[string]Direction{
		"p50_ns": More, "write.p99": More, "b.mtt.misses": More, "misses_per_op": More, "miss_rate": More, "ns_per_op": More,
		"client.stalls.tags": More, "stall": More, "keys.stale_granted": More, "t_avg_us": More, "latency_ns": More,
		"rate": Less, "write.rate": Less, "hit_rate": Less, "bandwidth_bit_per_s": Less, "ops_per_s": Less, "write.bandwidth": Less,
		"time": Neither, "events": Neither, "b.pcie.reads": Neither, "wire.packets": Neither, "b.mtt.hits": Neither, "entries": Neither, "submission": Neither,
	} {
		if got := directionOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
