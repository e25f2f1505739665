package sweep

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"hcasim/report"
)

const demo = "../../scenarios/studies/demo.yaml"

// begun returns a sweep that is planned.
func begun(t *testing.T, q Question) *Sweep {
	t.Helper()
	if q.File == "" {
		q.File = demo
	}
	if q.Shard == (Shard{}) {
		q.Shard = All
	}
	q.Workers = max(1, q.Workers)
	w, err := Open(q)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Settle(); err != nil {
		t.Fatal(err)
	}
	return w
}

func bench() Bench { return Bench{Shelf: report.NewShelf("test")} }

// ran runs a sweep.
func ran(t *testing.T, q Question) (*Sweep, Tally) {
	t.Helper()
	w := begun(t, q)
	tally, err := w.Run(bench())
	if err != nil {
		t.Fatal(err)
	}
	return w, tally
}

// merged merges a folder and returns the bytes that came of it.
func merged(t *testing.T, dir string) (csv, summary string) {
	t.Helper()
	table, err := Merge(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Keep(dir, Manifest{}); err != nil {
		t.Fatal(err)
	}
	return read(t, filepath.Join(dir, csvFile)), read(t, filepath.Join(dir, summaryFile))
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Any sharding and any number of workers merges to the same bytes (W1).
func TestSharding(t *testing.T) {
	var csv, summary string
	for _, c := range []struct{ shards, workers int }{{1, 1}, {3, 8}, {16, 1}, {1, 8}} {
		dir := filepath.Join(t.TempDir(), "out")
		simulated := 0
		for i := c.shards - 1; i >= 0; i-- {
			q := Question{Out: dir, Short: true, Workers: c.workers, Shard: Shard{i, c.shards}}
			if c.shards == 1 {
				q.Shard = All
			}
			_, tally := ran(t, q)
			simulated += tally.Simulated
		}
		rows, sum := merged(t, dir)
		if csv == "" {
			csv, summary = rows, sum
		}
		if rows != csv || sum != summary {
			t.Errorf("%+v merges to other bytes:\n%s", c, rows)
		}
		if simulated != 7 {
			t.Errorf("%+v: %d simulations for 7 points", c, simulated)
		}
	}
}

// What is there is kept; what is cut off, of another model or forced is made
// again, and all else is left alone (W2).
func TestResume(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	w, first := ran(t, Question{Out: dir, Short: true, Workers: 2})
	if first.Simulated != 7 || first.Done != 7 || first.Failed != 0 {
		t.Fatalf("%+v", first)
	}
	csv, summary := merged(t, dir)
	again := func(q Question, want int) {
		t.Helper()
		q.Out, q.Short = dir, true
		if _, tally := ran(t, q); tally.Simulated != want || tally.Done != tally.All {
			t.Errorf("%+v, want %d simulated", tally, want)
		}
		if rows, sum := merged(t, dir); rows != csv || sum != summary {
			t.Error("other bytes")
		}
	}
	again(Question{}, 0)
	file := func(i int) string { return pointFile(dir, w.Plan.Points[i].Hash) }
	text := read(t, file(3))
	for name, broken := range map[string]string{
		"cut off": text[:len(text)/2], "empty": "", "other model": strings.Replace(text, `"model_version": `, `"model_version": 9`, 1),
		"no histogram": strings.Replace(text, `"count": `, `"count": 1`, 1), "other plan": strings.Replace(text, `"plan": "`, `"plan": "x`, 1),
	} {
		if err := os.WriteFile(file(3), []byte(broken), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Log(name)
		again(Question{}, 1)
	}
	if err := os.Remove(file(0)); err != nil {
		t.Fatal(err)
	}
	again(Question{Shard: Shard{0, 8}}, 1)
	again(Question{Force: true}, 7)
}

// Results of something else, and holes, are never merged (W3).
func TestMixture(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	w, _ := ran(t, Question{Out: dir, Short: true, Shards: 4})
	at := func(i int) string { return pointFile(dir, w.Plan.Points[i].Hash) }
	text := read(t, at(5))
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, broken := range []string{
		strings.Replace(text, `"model_version": `, `"model_version": 9`, 1),
		strings.Replace(text, `"plan": "`, `"plan": "0`, 1),
		strings.Replace(text, `"hash": "`, `"hash": "0`, 1),
	} {
		put(at(5), broken)
		var m *Mixture
		if _, err := Merge(dir); !errors.As(err, &m) || len(m.Why) != 1 {
			t.Errorf("%v", err)
		}
	}
	put(at(5), text)
	alien := filepath.Join(dir, pointsFolder, "0123456789abcdef.json")
	put(alien, text)
	var m *Mixture
	if _, err := Merge(dir); !errors.As(err, &m) {
		t.Errorf("%v", err)
	}
	if err := os.Remove(alien); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{2, 3, 6} {
		if err := os.Remove(at(i)); err != nil {
			t.Fatal(err)
		}
	}
	put(at(5), text[:100])
	_, err := Merge(dir)
	if want := "4 of 7 points are missing: 2-3,5-6\nrun again the tasks --array=1-3 of 0-3\n"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	s, err := Look(dir)
	if err != nil || s.Done != 3 || s.array() != "1-3" || !strings.Contains(s.text(), "done 3/7, failed 0, missing 4\n") {
		t.Errorf("%+v %v", s, err)
	}
}

// A plan takes the place of no other.
func TestPlans(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	w := begun(t, Question{Out: dir, Short: true, Shards: 4})
	refused := func(want string, q Question) {
		t.Helper()
		q.Out, q.Workers = dir, 1
		if q.File == "" {
			q.File = demo
		}
		if q.Shard == (Shard{}) {
			q.Shard = All
		}
		other, err := Open(q)
		if err == nil {
			err = other.Settle()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refused("name another folder", Question{})
	refused("name another folder", Question{Short: true, Sets: []string{"vars.count=100"}})
	refused("has 4 shards, not 5", Question{Short: true, Shards: 5})
	refused("has 4 shards, not 3", Question{Short: true, Shard: Shard{0, 3}})
	refused("says 4 shards, --shards 5", Question{Short: true, Shard: Shard{0, 4}, Shards: 5})
	refused("the plan has 4 shards, 0 to 3", Question{Short: true, Shard: Shard{7, 0}})
	if one := begun(t, Question{Out: dir, Short: true, Shard: Shard{3, 0}}); one.Shard != (Shard{3, 4}) || !one.unread {
		t.Errorf("%+v", one.Shard)
	}
	text := read(t, filepath.Join(dir, planFile))
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, planFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(text, w.Plan.Points[0].Hash, "0000", 1))
	if _, err := openPlan(dir); err == nil || !strings.Contains(err.Error(), "changed by hand") {
		t.Errorf("%v", err)
	}
	write(text[:100]) // cut off: written again
	begun(t, Question{Out: dir, Short: true, Shards: 4})
	if read(t, filepath.Join(dir, planFile)) != text {
		t.Error("the plan is another")
	}
	var other map[string]any
	if err := json.Unmarshal([]byte(text), &other); err != nil {
		t.Fatal(err)
	}
	other["model_version"] = 99
	raw, _ := json.Marshal(other)
	write(string(raw))
	refused("is of model 99", Question{Short: true})
	filled := t.TempDir()
	if err := os.WriteFile(filepath.Join(filled, "thesis.tex"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dir = filled
	refused("there is something else in this folder, thesis.tex", Question{})
}

func TestShards(t *testing.T) {
	env := map[string]string{}
	get := func(name string) string { return env[name] }
	for _, c := range []struct {
		text string
		env  map[string]string
		want Shard
		err  string
	}{
		{"3/16", nil, Shard{3, 16}, ""}, {"16/16", nil, Shard{}, "the first is 0 and the last 15"}, {"-1/2", nil, Shard{}, "the first is 0"},
		{"3", nil, Shard{}, "wants i/n"}, {"a/b", nil, Shard{}, "wants i/n"}, {"1/0", nil, Shard{}, "of 0 shards"},
		{"auto", nil, Shard{}, "none of SLURM_ARRAY_TASK_ID"},
		{"auto", map[string]string{"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "2"}, Shard{7, 0}, ""},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "0"}, Shard{0, 0}, ""},
		{"auto", map[string]string{"LSB_JOBINDEX": "1"}, Shard{0, 0}, ""},
		{"auto", map[string]string{"LSB_JOBINDEX": "0"}, Shard{}, "no task of an array"},
		{"auto", map[string]string{"SGE_TASK_ID": "4"}, Shard{3, 0}, ""},
		{"auto", map[string]string{"SGE_TASK_ID": "undefined", "PBS_ARRAY_INDEX": "2"}, Shard{2, 0}, ""},
		{"auto", map[string]string{"AWS_BATCH_JOB_ARRAY_INDEX": "5"}, Shard{5, 0}, ""},
		{"auto", map[string]string{"SLURM_ARRAY_TASK_ID": "1", "SGE_TASK_ID": "2"}, Shard{}, "SLURM_ARRAY_TASK_ID=1, SGE_TASK_ID=2"},
		{"auto", map[string]string{"SLURM_ARRAY_TASK_ID": "x"}, Shard{}, "no index"}, {"auto", map[string]string{"SGE_TASK_ID": "0"}, Shard{}, "no index"},
	} {
		env = c.env
		got, err := ParseShard(c.text, get)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s %v: %v, want %s", c.text, c.env, err, c.err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s %v: %v %v", c.text, c.env, got, err)
		}
	}
	for _, n := range []int{1, 3, 16} {
		for p := range 40 {
			owners := 0
			for i := range n {
				if (Shard{i, n}).has(p) {
					owners++
				}
			}
			if owners != 1 {
				t.Errorf("point %d is in %d of %d shards", p, owners, n)
			}
		}
	}
}

// Points of one simulation are simulated once, and each is in the table.
func TestEqualPoints(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "equal.yaml")
	base, _ := filepath.Abs("../../scenarios/studies/base/demo.yaml")
	text := `version: 1
kind: study
name: equal
question: Are they?
base: ` + base + `
set: {run.seed: 5, vars.count: 20}
axes:
  way: {values: {a: {vars.n: 4}, b: {vars.n: 4}, c: {vars.n: 5}}}
repeat: 2
collect: {p50: write.p50}
keep: everything
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w, tally := ran(t, Question{File: file, Out: filepath.Join(dir, "out"), Workers: runtime.NumCPU()})
	if tally.Simulated != 2 || tally.Done != 6 {
		t.Errorf("%+v", tally)
	}
	table, err := w.Merge()
	if err != nil || len(table.Rows) != 3 || table.Rows[0].Cells[0] != table.Rows[1].Cells[0] || table.Rows[0].Latencies[0].Count != 40 {
		t.Errorf("%+v %v", table, err)
	}
	folders, _ := filepath.Glob(filepath.Join(dir, "out/points/*/manifest.json"))
	if len(folders) != 2 {
		t.Errorf("%q are kept", folders)
	}
}

// A point whose scenario does not hold is a failed one: it is in the table
// with its reason, and in no average.
func TestFailedPoints(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "failed.yaml")
	base, _ := filepath.Abs("../../scenarios/studies/base/demo.yaml")
	text := `version: 1
kind: study
name: failed
question: What fails?
base: ` + base + `
set: {vars.count: 20}
axes:
  n: {set: vars.n, values: [4, 8]}
  until: {set: run.until, values: [1ms, 20us]}
collect: {p50: write.p50, reads: read.p50}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w, tally := ran(t, Question{File: file, Out: filepath.Join(dir, "out")})
	if tally.Failed != 4 {
		t.Errorf("%+v", tally)
	}
	table, err := w.Merge()
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Points[0].Failures; len(got) != 1 || !strings.HasPrefix(got[0], `reads: the run has no figure "read.p50"`) {
		t.Errorf("%q", got)
	}
	if got := table.Points[1].Failures[0]; got != "the run is at the limit of simulated time (run.until) with work in flight" {
		t.Errorf("%q", got)
	}
	if table.Rows[0].Cells[0].Known || table.Rows[0].Failed != 1 || table.Holds() {
		t.Errorf("%+v", table.Rows[0])
	}
}
