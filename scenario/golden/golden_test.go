package golden

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// result has two figures of its own: time, in ps, and faults.
func result(time, faults uint64) *run.Result {
	return &run.Result{Stats: []run.Stat{{Name: "time", Value: fmt.Sprint(time), Unit: "ps"}, {Name: "faults", Value: fmt.Sprint(faults)}, {Name: "events", Value: "9"}}}
}

func scenarioOf(name string, list ...lang.Record) *lang.Scenario {
	return &lang.Scenario{Name: name, Record: list}
}

// written writes a file, reads it again, and holds it to G2.
func written(t *testing.T, f *File) *File {
	t.Helper()
	var b, again bytes.Buffer
	path := filepath.Join(t.TempDir(), "x.yaml")
	f.Path = Path(path)
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Path(path), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	g, reading := Read(path)
	if reading == nil || len(reading.Problems()) > 0 {
		t.Fatalf("it cannot be read: %v\n%s", reading.Problems(), b.String())
	}
	if err := g.Write(&again); err != nil {
		t.Fatal(err)
	}
	if again.String() != b.String() {
		t.Errorf("G2: read and written again it is\n%s\nnot\n%s", again.String(), b.String())
	}
	return g
}

// TestHold: equal figures are held, all others are failures, each once.
func TestHold(t *testing.T) {
	all := lang.Record{Figure: "*"}
	for _, x := range []struct {
		name     string
		recorded *run.Result
		record   []lang.Record
		res      *run.Result
		want     []string // figures that fail
		held     int
	}{
		{"equal", result(1_000_000, 0), []lang.Record{all}, result(1_000_000, 0), nil, 2},
		{"by a picosecond", result(1_000_000, 0), []lang.Record{all}, result(1_000_001, 0), []string{"time"}, 1},
		{"from nothing", result(1, 0), []lang.Record{all}, result(1, 1), []string{"faults"}, 1},
		{"just within", result(1_000_000, 0), []lang.Record{all, {Figure: "time", Within: 20_000}}, result(1_020_000, 0), nil, 2},
		{"just beyond", result(1_000_000, 0), []lang.Record{all, {Figure: "time", Within: 20_000}}, result(1_020_001, 0), []string{"time"}, 1},
		{"below", result(1_000_000, 0), []lang.Record{{Figure: "time", Within: 20_000}, {Figure: "faults"}}, result(979_999, 0), []string{"time"}, 1},
		{"the last counts", result(1_000_000, 0), []lang.Record{{Figure: "time", Within: 20_000}, all}, result(1_020_000, 0), []string{"time"}, 1},
		{"not asked for", result(1, 0), []lang.Record{{Figure: "time"}}, result(1, 0), []string{"faults"}, 1},
		{"not there", result(1, 0), []lang.Record{all, {Figure: "read.p50"}}, result(1, 0), []string{"read.p50"}, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := &File{Found: true}
			f.Update([]*lang.Scenario{scenarioOf("r", all)}, []*run.Result{x.recorded}, 3)
			f = written(t, f)
			v := f.Hold(scenarioOf("r", x.record...), x.res, 3, "again")
			var got []string
			for _, w := range v.Failures {
				got = append(got, w.What)
			}
			if !slices.Equal(got, x.want) || v.Held != x.held || v.Asked != x.held+len(x.want) {
				t.Errorf("%d of %d held, %v fail; want %d, and %v", v.Held, v.Asked, got, x.held, x.want)
			}
		})
	}
}

// TestModel: that the model is another is said, and stays recorded until a
// figure changes.
func TestModel(t *testing.T) {
	runs := []*lang.Scenario{scenarioOf("r", lang.Record{Figure: "time"})}
	f := &File{Found: true}
	f.Update(runs, []*run.Result{result(5, 0)}, 2)
	if v := f.Hold(runs[0], result(6, 0), 3, "again"); !strings.HasPrefix(v.Failures[0].Note, "recorded with version 2 of the model, this is version 3; ") {
		t.Errorf("the note is %q", v.Failures[0].Note)
	}
	if c := f.Update(runs, []*run.Result{result(5, 0)}, 3); c != nil || f.Runs[0].Model != 2 {
		t.Errorf("nothing changes, and %v, version %d", c, f.Runs[0].Model)
	}
	if c := f.Update(runs, []*run.Result{result(6, 0)}, 3); len(c) != 1 || f.Runs[0].Model != 3 || c[0].By != "+20.0 %" {
		t.Errorf("one figure changes, and %v, version %d", c, f.Runs[0].Model)
	}
}

// TestUpdate: what did not run stays, what is gone goes, names of all sorts
// come back.
func TestUpdate(t *testing.T) {
	record := lang.Record{Figure: "*"}
	names := []string{"plain", "f/a case: with #, \"quotes\" and \\", "null", "3", "ü"}
	f := &File{Found: true}
	var runs []*lang.Scenario
	var results []*run.Result
	for i, n := range names {
		runs = append(runs, scenarioOf(n, record))
		results = append(results, result(uint64(i), 7))
	}
	f.Update(runs, results, 3)
	f = written(t, f)
	for i := range names {
		if f.Runs[i].Name != names[i] {
			t.Errorf("%q became %q", names[i], f.Runs[i].Name)
		}
	}
	results[0], results[1] = nil, result(99, 7)
	c := f.Update(runs[:4], results[:4], 3)
	if got := fmt.Sprint(c); got != `[{ü faults 7  } {ü time 4ps  } {f/a case: with #, "quotes" and \ time 1ps 99ps +9800.0 %}]` {
		t.Errorf("the changes are %s", got)
	}
	if len(f.Runs) != 4 || f.Runs[0].Entries[1].Value != 0 {
		t.Errorf("left are %+v", f.Runs)
	}
	if list := f.Stale(runs[1:4], "again"); len(list) != 1 || list[0].Expected != "plain" {
		t.Errorf("stale are %v", list)
	}
}

// TestText: a value and its unit come back as they were, to the last digit.
func TestText(t *testing.T) {
	for _, unit := range []string{"", "ps", "B", "op/s", "b/s"} {
		for _, v := range []uint64{0, 1, 999, 1000, 1_234_567, 1 << 40, 1<<63 - 1} {
			f := run.Figure{Name: "x", Value: v, Unit: unit}
			if got, fine := parse("x", Text(f)); !fine || got != f {
				t.Errorf("%v is written %q and read %v, %v", f, Text(f), got, fine)
			}
		}
	}
	for _, bad := range []string{"", "x", "3 apples", "-1", "1.5", "1.5 B", "0.1ps"} {
		if f, fine := parse("x", bad); fine {
			t.Errorf("%q is %v", bad, f)
		}
	}
}

// TestOrder: numbers count by their value.
func TestOrder(t *testing.T) {
	want := []string{"A.mpt.misses", "op.2", "op.2.1", "op.10", "op.10.2", "op.10.10", "write.p50", "write.p99", "write.p999"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, byName)
	if !slices.Equal(got, want) {
		t.Errorf("the order is %v", got)
	}
}
