package suite

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hcasim/scenario"
)

// TestBad holds what is said of wrong files to golden texts, all mistakes of a
// folder at once (U1).
func TestBad(t *testing.T) {
	for workers := 1; workers <= 4; workers += 3 {
		_, err := Load(Options{Folder: "testdata/bad", Workers: workers})
		if err == nil {
			t.Fatal("wrong files are read")
		}
		const golden = "testdata/bad/mistakes.txt"
		var m *scenario.Mistakes
		if !errors.As(err, &m) {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, p := range m.Problems {
			b.WriteString(p.Error() + "\n")
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
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

func good(t *testing.T, o Options) *Suite {
	t.Helper()
	o.Folder, o.Workers = "testdata/good", 2
	s, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGood reads a file that says all that can be said.
func TestGood(t *testing.T) {
	item := good(t, Options{IDs: []string{"v01"}}).Items[0]
	write, read := item.Curves[1], item.Curves[2]
	if item.ID != "V01" || item.Class != Calibrate || item.Tolerance.Share != 0.05 || item.Testbed.Constant != -350_000 {
		t.Errorf("%+v", item)
	}
	if !write.Upper || write.Constant != -0.35 || write.Minus != item.Curves[0] || read.Over != item.Curves[0] {
		t.Errorf("%+v", write)
	}
	p := write.Points
	if p[0].Tolerance.Share != 0.03 || p[1].Tolerance.Share != 0.08 || p[1].At != 4096 || p[0].Disagree == "" || p[1].Text != "6" {
		t.Errorf("%+v %+v", p[0], p[1])
	}
	if item.Curves[0].Points[0].Given || !item.Curves[0].Reference {
		t.Error("a point without a published value is judged")
	}
	for path, want := range map[string]string{"wire.length": "7", "wire.hops": "1", "host.memory.far": "on", "wire.rate": "32Gb/s"} {
		if got, _ := p[1].Run.Settings[0].Value(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := p[1].Run.Hosts[1].Value.MR[0].Value.Length; *got != 8192 {
		t.Errorf("${xb*2} is %v", *got)
	}
	for i, s := range item.Shapes {
		if want := []ShapeKind{LargestChange, Steps, Peak}[i]; s.Kind != want || s.Curve == nil {
			t.Errorf("shape %d is %+v", i, s)
		}
	}
}

// Equal points have one digest, whatever they are of; others have not.
func TestDigests(t *testing.T) {
	item := good(t, Options{}).Items[0]
	base, write := item.Curves[0].Points, item.Curves[1].Points
	if base[0].Run.Digest() == base[1].Run.Digest() || base[0].Run.Digest() == write[0].Run.Digest() {
		t.Error("points that differ are one run")
	}
	again := good(t, Options{}).Items[0]
	if base[0].Run.Digest() != again.Curves[0].Points[0].Run.Digest() {
		t.Error("a point is not the same when it is read again")
	}
}

// Fast leaves points out, but none that another curve needs.
func TestFast(t *testing.T) {
	item := good(t, Options{Fast: true}).Items[0]
	for i, want := range []int{2, 1, 2} {
		if got := len(item.Curves[i].Points); got != want {
			t.Errorf("%s has %d points, want %d", item.Curves[i].Name, got, want)
		}
	}
	if !item.Curves[1].Partial || item.Curves[0].Partial || item.Curves[1].Points[0].X != "4KiB" {
		t.Errorf("%+v", item.Curves[1])
	}
}

// A flag goes over everything, a stage's parameter too; its mistakes are told
// once for all items.
func TestSets(t *testing.T) {
	item := good(t, Options{Sets: []string{"hca.schedule=77"}}).Items[0]
	if got, _ := item.Curves[1].Points[0].Run.Settings[0].Value("hca.schedule"); got != "77" {
		t.Errorf("hca.schedule is %s", got)
	}
	_, err := Load(Options{Folder: "testdata/good", Workers: 1, Sets: []string{"hca.shedule=77"}})
	var m *scenario.Mistakes
	if !errors.As(err, &m) || len(m.Problems) != 1 || !strings.Contains(err.Error(), `did you mean "schedule"?`) {
		t.Error(err)
	}
}

func TestUnknownIDs(t *testing.T) {
	_, err := Load(Options{Folder: "testdata/good", IDs: []string{"v1", "V01", "V77"}})
	if err == nil || !strings.Contains(err.Error(), `V1: there is no such item; did you mean "V01"?`) || !strings.Contains(err.Error(), "V77") {
		t.Error(err)
	}
	if _, err := Load(Options{Folder: "testdata/none"}); err == nil || !strings.Contains(err.Error(), "no such folder") {
		t.Error(err)
	}
}

// TestSuite reads what the program carries.
func TestSuite(t *testing.T) {
	if _, err := Load(Options{Workers: 2}); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	runs, err := Check("testdata/good/v01.yaml", Options{})
	if err != nil || runs != 6 {
		t.Errorf("%d runs, %v", runs, err)
	}
	if _, err := Check("testdata/good/testbeds/bed.yaml", Options{}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"testdata/bad/v03.yaml", "testdata/bad/testbeds/clip.yaml", "testdata/bad/v09.yaml"} {
		if _, err := Check(name, Options{}); err == nil {
			t.Errorf("%s is fine", name)
		}
	}
}
