package sweep

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hcasim/scenario"
)

var update = flag.Bool("update", false, "write the generated files and the golden texts anew")

func load(t *testing.T, name string, o Options) *Study {
	t.Helper()
	o.Workers = 2
	s, err := Load(filepath.Join("testdata/good", name+".yaml"), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBad holds what is said of wrong files to golden texts, all mistakes of a
// file at once (S2), whatever the number of workers.
func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		golden := strings.TrimSuffix(name, ".yaml") + ".txt"
		for _, workers := range []int{1, 4} {
			_, err := Check(name, Options{Workers: workers})
			var m *scenario.Mistakes
			if !errors.As(err, &m) {
				t.Fatalf("%s: %v", name, err)
			}
			var b strings.Builder
			for _, p := range m.Problems {
				fmt.Fprintln(&b, p.Error())
			}
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s, %d workers: %s", name, workers, diff)
			}
		}
	}
}

// said are the rows of a study in words.
func said(s *Study) (rows []string) {
	for i := range s.Rows() {
		rows = append(rows, s.Said(s.Row(i)))
	}
	return rows
}

// TestEverything reads a file that says all that can be said.
func TestEverything(t *testing.T) {
	s := load(t, "everything", Options{})
	if s.Count() != 2*s.Rows() || s.Rows() != 5*3+3*3 || len(s.Expect) != 8 || s.Shards != 4 || s.Keep != "ops" {
		t.Errorf("%d points, %d rows, %d expectations: %q", s.Count(), s.Rows(), len(s.Expect), said(s))
	}
	if got := s.Said(s.Row(0)); got != "entries = 8, n = 4, rate = 100Gb/s, way = plain" {
		t.Errorf("the first row is %s", got)
	}
	n, rate, way := s.axis("n"), s.axis("rate"), s.axis("way")
	if !n.Log || n.Words || rate.Unit != "bit/s" || rate.Values[0].Text != "25Gb/s" || !way.Words || s.axis("entries").Label != "MPT" {
		t.Errorf("%+v %+v %+v", n, rate, way)
	}
	if m := s.metric("misses"); m.Unit != "x" || s.metric("p99").Unit != "ns" || s.metric("p99").Label != "tail" || !s.Watched() {
		t.Errorf("%+v", m)
	}
	far := s.Point(2)
	if far.Row != 1 || far.Repeat != 0 || far.Seed == s.Point(3).Seed {
		t.Errorf("%+v", far)
	}
	run, err := s.Run(2)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"wire.hops": "4", "wire.length": "100", "hca.cache.mpt.entries": "8", "hca.cache.mpt.ways": "2"} {
		if got, _ := run.Settings[1].Value(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if run.Scenario.Run.Seed != far.Seed || run.Digest() != s.Digests[2] {
		t.Error("the run is that of another point")
	}
}

// The short form lies over the long one.
func TestShort(t *testing.T) {
	s := load(t, "everything", Options{Short: true})
	want := []string{"entries = 8, n = 4, rate = 100Gb/s, way = plain", "entries = 8, n = 4, rate = 25Gb/s, way = plain",
		"entries = 8, n = 64, rate = 100Gb/s, way = plain", "entries = 8, n = 64, rate = 25Gb/s, way = plain",
		"entries = 32, n = 64, rate = 100Gb/s, way = plain", "entries = 32, n = 64, rate = 25Gb/s, way = plain"}
	if diff := cmp.Diff(want, said(s)); diff != "" || s.Count() != 6 {
		t.Error(diff)
	}
	if len(s.Expect) != 5 { // three are of way = far
		t.Errorf("%d expectations", len(s.Expect))
	}
	run, err := s.Run(0)
	if err != nil || run.Vars[1].Value != "20" {
		t.Errorf("%v %+v", err, run)
	}
}

func TestList(t *testing.T) {
	s := load(t, "list", Options{})
	want := []string{"entries = 64, n = 4, way = b", "entries = 8, n = 1, way = a", "entries = 64, n = 10, way = a"}
	if diff := cmp.Diff(want, said(s)); diff != "" {
		t.Error(diff)
	}
	if v := s.axis("entries").Values; len(v) != 2 || v[0].Number != 8 {
		t.Errorf("%+v", v)
	}
}

// A hypercube has one draw in each part of each axis, and is the same again.
func TestHypercube(t *testing.T) {
	s, again := load(t, "lhs", Options{}), load(t, "lhs", Options{})
	if diff := cmp.Diff(said(s), said(again)); diff != "" {
		t.Error(diff)
	}
	parts := map[int]int{}
	for i := range s.Rows() {
		row := s.Row(i)
		parts[int((row[2].Number-1)/(9./12))]++
		switch row[0].Number {
		case 8, 16, 32, 64, 128:
		default:
			t.Errorf("entries = %s is on no step", row[0].Text)
		}
		if row[2].Number < 1 || row[2].Number > 10 {
			t.Errorf("delay = %s", row[2].Text)
		}
	}
	if len(parts) != 12 {
		t.Errorf("draws of delay are in parts %v", parts)
	}
	o := Options{Sets: []string{"vars.count=10"}}
	if other := load(t, "lhs", o); other.Digests[0] == s.Digests[0] {
		t.Error("a flag does not reach the points")
	}
}

func TestCases(t *testing.T) {
	s := load(t, "cases", Options{})
	for i, want := range []string{"cases/small", "cases/large"} {
		run, err := s.Run(i)
		if err != nil || run.Name != want {
			t.Errorf("%v %v", run, err)
		}
	}
}

// A point depends on its index, and not on who reads it (S1).
func TestWorkers(t *testing.T) {
	one, err := Load("testdata/good/everything.yaml", Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one.Digests, load(t, "everything", Options{}).Digests); diff != "" {
		t.Error(diff)
	}
}

func TestInputs(t *testing.T) {
	long := load(t, "everything", Options{Heads: true})
	if long.Digests != nil || long.Inputs() != load(t, "everything", Options{}).Inputs() {
		t.Error("the same files are other inputs")
	}
	if long.Inputs() == load(t, "everything", Options{Short: true}).Inputs() {
		t.Error("the short form is the long one")
	}
}

func TestQuantities(t *testing.T) {
	for text, want := range map[string]quantity{
		"64": {64, ""}, "0x10": {16, ""}, "1.5": {1.5, ""}, "4KiB": {4096, "B"}, "1.5us": {1500, "ns"}, "100Gb/s": {1e11, "bit/s"}, "250MHz": {2.5e8, "Hz"},
	} {
		got, fine := quantityOf(text)
		if !fine || got != want {
			t.Errorf("%s is %+v", text, got)
		}
		if again, _ := quantityOf(got.text()); again != want {
			t.Errorf("%s is written %s", text, got.text())
		}
	}
	for _, text := range []string{"", "inf", "NaN", "4 apples", "1_000", "lru", "true"} {
		if q, fine := quantityOf(text); fine && text != "1_000" {
			t.Errorf("%q is %+v", text, q)
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		s    span
		want string
	}{
		{span{quantity{1, ""}, quantity{10, ""}, 0, 2, true}, "[1 2 4 8]"},
		{span{quantity{1, ""}, quantity{4, ""}, 0, 1.5, false}, "[1 1.5 2.25 3.375]"},
		{span{quantity{0, ""}, quantity{0.5, ""}, 0.1, 0, false}, "[0 0.1 0.2 0.3 0.4 0.5]"},
		{span{quantity{1024, "B"}, quantity{65536, "B"}, 0, 4, true}, "[1KiB 4KiB 16KiB 64KiB]"},
		{span{quantity{64, "B"}, quantity{100, "B"}, 0, 1.1, true}, "[64B 70B 77B 85B 94B]"},
		{span{quantity{1000, "ns"}, quantity{3000, "ns"}, 500, 0, false}, "[1us 1.5us 2us 2.5us 3us]"},
	} {
		list, fine := c.s.values()
		var texts []string
		for _, q := range list {
			texts = append(texts, q.text())
		}
		if got := fmt.Sprint(texts); got != c.want || !fine {
			t.Errorf("%+v: %s", c.s, got)
		}
	}
}
