package study

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/scenario/figure"
	"hcasim/scenario/run"
	"hcasim/scenario/suite"
	"hcasim/sim"
)

// TestJudge: a point is held to its tolerance, its bound and its digits.
func TestJudge(t *testing.T) {
	share := func(v float64) suite.Tolerance { return suite.Tolerance{Share: v} }
	exact := suite.Tolerance{Exact: true}
	for _, c := range []struct {
		published string
		simulated float64
		tolerance suite.Tolerance
		upper     bool
		want      Verdict
		off       float64
	}{
		{"100", 105, share(0.05), false, OK, 0.05},
		{"100", 95, share(0.05), false, OK, -0.05},
		{"100", 105.1, share(0.05), false, Miss, 0.051},
		{"-100", -105, share(0.05), false, OK, -0.05},
		{"100", 99.9, share(0.05), true, Miss, -0.001},
		{"100", 100, share(0.05), true, OK, 0},
		{"100", 106, share(0.05), true, Miss, 0.06},
		{"1.04", 1.0449, exact, false, OK, 0.0049 / 1.04},
		{"1.04", 1.046, exact, false, Miss, 0.006 / 1.04},
		{"1.040", 1.0406, exact, false, Miss, 0.0006 / 1.04},
		{"8", 8.4, exact, false, OK, 0.05},
		{"1.2e3", 1249, exact, false, OK, 49.0 / 1200},
		{"1.2e3", 1251, exact, false, Miss, 51.0 / 1200},
		{"0", 0.02, share(0.05), false, OK, 0.02},
		{"0", 0.2, share(0.05), false, Miss, 0.2},
		{"", 3, share(0), false, Shown, 0},
	} {
		p := PointResult{Point: &suite.Point{Given: c.published != "", Text: c.published, Tolerance: c.tolerance}, Simulated: c.simulated}
		if p.Given {
			if err := json.Unmarshal([]byte(c.published), &p.Published); err != nil {
				t.Fatal(err)
			}
		}
		p.judge(c.upper)
		if p.Verdict != c.want || math.Abs(p.Deviation-c.off) > 1e-6 {
			t.Errorf("%s, simulated %v, tolerance %+v, upper %v: %s, off by %v", c.published, c.simulated, c.tolerance, c.upper, p.Verdict, p.Deviation)
		}
	}
	failed := PointResult{Point: &suite.Point{}, Failed: "broken"}
	if failed.judge(false); failed.Verdict != Miss {
		t.Errorf("a run that fails is %s", failed.Verdict)
	}
	failed.Disagree = "They contradict each other."
	if failed.judge(false); failed.Verdict != Disagree {
		t.Errorf("a point that is not judged is %s", failed.Verdict)
	}
}

// curve makes a curve of values at 0, 1, 2 …, or at the x given.
func curve(values ...float64) CurveResult {
	c := CurveResult{Curve: &suite.Curve{}}
	for i, v := range values {
		c.Points = append(c.Points, PointResult{Point: &suite.Point{X: string(rune('a' + i)), At: float64(i)}, Simulated: v})
	}
	return c
}

func TestShapes(t *testing.T) {
	texts := func(words string) []string { return strings.Fields(words) }
	for _, c := range []struct {
		kind   suite.ShapeKind
		texts  string
		values []float64
		curve  CurveResult
		want   Verdict
	}{
		{suite.LargestChange, "b c", []float64{1, 2}, curve(10, 11, 20, 21), OK},
		{suite.LargestChange, "a b", []float64{0, 1}, curve(10, 11, 20, 21), Miss},
		{suite.LargestChange, "a d", []float64{0, 3}, curve(20, 11, 10, 10), OK},
		{suite.LargestChange, "a b", []float64{0, 1}, curve(7), Miss},
		{suite.Peak, "b c", []float64{1, 2}, curve(1, 2, 3, 2), OK},
		{suite.Peak, "a b", []float64{0, 1}, curve(1, 2, 3, 2), Miss},
		{suite.Knee, "c c", []float64{2, 2}, curve(0, 1, 5, 10), OK},
		{suite.Knee, "b b", []float64{1, 1}, curve(10, 7.9, 5, 0), OK},
		{suite.Knee, "b b", []float64{1, 1}, curve(10, 8, 5, 0), Miss}, // 20 % are not passed
		{suite.Knee, "a b", []float64{0, 1}, curve(3, 3, 3), Miss},
		{suite.Steps, "a c", nil, curve(100, 90, 91, 120, 121), OK},
		{suite.Steps, "c a", nil, curve(100, 90, 91, 120, 121), OK},
		{suite.Steps, "a", nil, curve(100, 90, 91, 120, 121), Miss},
		{suite.Steps, "", nil, curve(100, 104, 100), OK},
	} {
		s := &suite.Shape{Kind: c.kind, Curve: c.curve.Curve, Texts: texts(c.texts), Values: c.values}
		if got := judgeShape(s, []CurveResult{c.curve}); got.Verdict != c.want || got.Got == "" {
			t.Errorf("%s %q: %s, %s", c.kind, c.texts, got.Verdict, got.Got)
		}
	}
	c := curve(1, 2)
	c.Partial = true
	if got := judgeShape(&suite.Shape{Kind: suite.Peak, Curve: c.Curve}, []CurveResult{c}); got.Verdict != Shown {
		t.Errorf("half a curve is %s", got.Verdict)
	}
	c = curve(1, 2)
	c.Points[1].Failed = "broken"
	if got := judgeShape(&suite.Shape{Kind: suite.Peak, Curve: c.Curve}, []CurveResult{c}); got.Verdict != Miss {
		t.Errorf("a curve with a hole is %s", got.Verdict)
	}
}

func TestHolds(t *testing.T) {
	classes := func(x, c, v [3]int) *Validation { // ok, miss, disagree
		out := &Validation{Whole: true}
		for i, n := range [][3]int{x, c, v} {
			out.Classes = append(out.Classes, ClassSum{suite.Classes[i], n[0] + n[1] + n[2], n[0], n[1], n[2]})
		}
		return out
	}
	for _, c := range []struct {
		v    *Validation
		want bool
	}{
		{classes([3]int{3}, [3]int{9, 1}, [3]int{3, 1}), true},
		{classes([3]int{2, 1}, [3]int{9, 1}, [3]int{3, 1}), false},
		{classes([3]int{3}, [3]int{8, 1}, [3]int{3, 1}), false},
		{classes([3]int{3}, [3]int{9, 1}, [3]int{2, 1}), false},
		{classes([3]int{3}, [3]int{9, 1}, [3]int{3, 1, 5}), true}, // what contradicts itself does not count
		{classes([3]int{}, [3]int{}, [3]int{0, 0, 2}), true},
		{&Validation{Items: []ItemResult{{Verdict: OK}, {Verdict: Disagree}}}, false},
		{&Validation{Items: []ItemResult{{Verdict: OK}}}, true},
	} {
		if got := c.v.Holds(); got != c.want {
			t.Errorf("%+v: %v", c.v, got)
		}
	}
}

func TestSettle(t *testing.T) {
	points := func(list ...Verdict) []CurveResult {
		c := CurveResult{}
		for i, v := range list {
			p := PointResult{Point: &suite.Point{}, Verdict: v, Deviation: float64(i) / 10}
			c.Points = append(c.Points, p)
		}
		return []CurveResult{c}
	}
	for _, c := range []struct {
		r      ItemResult
		want   Verdict
		points int
		worst  float64
	}{
		{ItemResult{Curves: points(OK, OK)}, OK, 2, 0.1},
		{ItemResult{Curves: points(OK, Miss, Disagree)}, Miss, 2, 0.1},
		{ItemResult{Curves: points(Disagree, Shown)}, Disagree, 0, 0},
		{ItemResult{Curves: points(OK), Shapes: []ShapeResult{{Verdict: Miss}}}, Miss, 1, 0},
		{ItemResult{Curves: points(Shown), Shapes: []ShapeResult{{Verdict: OK}}}, OK, 0, 0},
	} {
		if c.r.settle(); c.r.Verdict != c.want || c.r.Points != c.points || c.r.Worst != c.worst {
			t.Errorf("%s, %d points, worst %v; want %s", c.r.Verdict, c.r.Points, c.r.Worst, c.want)
		}
	}
}

func TestFigures(t *testing.T) {
	var h run.Histogram
	h.Add(2 * sim.Microsecond)
	res := &run.Result{
		Ops:      []run.Op{{Request: "ibv_reg_mr", Verb: true, Done: true, End: sim.Time(3 * sim.Microsecond)}},
		Traffic:  []run.Traffic{{Opcode: "IBV_WR_RDMA_WRITE", Count: 10, Bytes: 1000, Elapsed: sim.Microsecond, Latency: h}},
		Stats:    []run.Stat{{Name: "time", Value: "7"}, {Name: "client.mpt.hits", Value: "5"}},
		Measured: []run.Stat{{Name: "time", Value: "6"}},
	}
	f := figure.Of(res)
	at := func(group string) figure.Figures { return f[group].(figure.Figures) }
	for what, ok := range map[string]bool{
		"latency of traffic": at("write")["min"] == 2000.0, "rate": at("write")["rate"] == 1e7, "bandwidth": at("write")["bandwidth"] == 8e9,
		"latency of a verb": at("reg_mr")["mean"] == 3000.0, "count": at("reg_mr")["count"] == 1.0, "stat": f["time"] == 7.0,
		"group": at("client")["mpt"].(figure.Figures)["hits"] == 5.0, "measured": at("measured")["time"] == 6.0,
	} {
		if !ok {
			t.Errorf("%s: %v", what, f)
		}
	}
}

const smallScenario = `
scenario:
  profile: connectx3-like
  hosts:
    client: {pd: [p], mr: {m: {length: 64KiB, access: [LOCAL_WRITE]}}, qp: {q: {peer: server.q}}}
    server: {pd: [p], mr: {m: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {peer: client.q, access: [REMOTE_WRITE]}}}
  ops: [{on: client, traffic: {qp: q, opcode: RDMA_WRITE, size: $x, depth: 1, count: 3}}]
`

// write makes a suite of files and returns its folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const item = "version: 1\nkind: validation\nabout: A test.\ntolerance: 5%\n"

func small(t *testing.T) string {
	return write(t, map[string]string{
		"v01.yaml": item + "id: V01\nclass: C" + smallScenario + `curves:
  - {name: a, source: s, unit: us, metric: write.p50 / 1000, points: {64: ~, 1KiB: ~, 4KiB: ~}}
  - {name: b, source: s, unit: "", metric: write.p50 / 1000, over: a, points: {64: 1, 1KiB: 1, 4KiB: 1}}
  - {name: c, source: s, unit: us, metric: write.p50 / 1000, minus: a, points: {64: 0}}
  - {name: d, source: s, unit: us, metric: write.p50 / 1000, points: {64: 100}, disagree: {64: As large as a share needs.}}
  - {name: e, source: s, unit: us, metric: write.p50 / 1000, minus: a, share_of: d, points: {64: 4}}
  - {name: hits, source: s, unit: "", metric: client.mpt.lookups, points: {4KiB: 12}}
`,
		"v02.yaml": item + "id: V02\nclass: V" + smallScenario + `curves:
  - {name: a, source: s, unit: us, metric: wriet.p50, points: {64: 1}}
  - {name: b, source: s, unit: us, metric: write.p50, set: {run.until: 1us}, points: {64: 1}}
  - {name: c, source: s, unit: us, metric: write.p50, points: {64: 1}, disagree: {64: The table says two.}}
`,
	})
}

// TestValidate runs a suite: curves against each other, failures as points.
func TestValidate(t *testing.T) {
	v, err := Validate(suite.Options{Folder: small(t), Workers: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Items[0].Verdict != OK || v.Items[0].Points != 6 {
		t.Errorf("%+v", v.Items[0])
	}
	if p := v.Items[0].Curves[4].Points[0]; p.Deviation != -0.04 { // 0 for 4, of 100
		t.Errorf("a share of another curve is %v", p.Deviation)
	}
	bad := v.Items[1].Curves
	if p := bad[0].Points[0]; p.Verdict != Miss || !strings.Contains(p.Failed, `did you mean "write.p50"?`) {
		t.Errorf("an unknown figure: %+v", p)
	}
	if p := bad[1].Points[0]; p.Verdict != Miss || !strings.Contains(p.Failed, "limit of simulated time") {
		t.Errorf("a run that does not end: %+v", p)
	}
	if p := bad[2].Points[0]; p.Verdict != Disagree || p.reason() != "The table says two." || p.Simulated == 0 {
		t.Errorf("a contradiction: %+v", p)
	}
	if v.Items[1].Verdict != Miss || v.Holds() {
		t.Error("the suite holds")
	}
	// 64, 1KiB and 4KiB, each once for all curves, and the one with a limit.
	if v.Runs != 4 {
		t.Errorf("%d runs", v.Runs)
	}
}

// TestWorkers: the same bytes for any number of workers (Y3).
func TestWorkers(t *testing.T) {
	folder := small(t)
	shown := func(workers int) string {
		v, err := Validate(suite.Options{Folder: folder, Workers: workers}, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for _, format := range ValidateFormats {
			for _, explain := range []bool{false, true} {
				if err := v.Write(&b, format, explain); err != nil {
					t.Fatal(err)
				}
			}
		}
		return b.String()
	}
	one := shown(1)
	for _, workers := range []int{2, 7} {
		if got := shown(workers); got != one {
			t.Errorf("%d workers write\n%s\nand one\n%s", workers, got, one)
		}
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1.23456: "1.235", 123456.7: "123457", 0.00123456: "0.001235", 3213: "3213", -0.98765: "-0.9877", 36.5: "36.50", 8: "8.000",
	} {
		if got := digits(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0 %", 0.05: "5.0 %", 0.00012: "0.012 %", 0.000001: "< 0.001 %", 1.431: "143 %", -0.123: "-12.3 %", 0.0042: "0.42 %"} {
		if got := percent(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

// TestDocumentOf: the document tells what misses, why there is no value, and
// what is not judged.
func TestDocumentOf(t *testing.T) {
	v, err := Validate(suite.Options{Folder: small(t), Workers: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := v.document("Stamp.", FittedTable{{Parameter: "constant", Testbed: "bed", Value: "5ns", Items: []string{"V01"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nStamp.\n", sumsBegin + "\n\n" + v.sums() + sumsEnd,
		"\n- **V02** A test: 2 of 2 points, worst 0 %, tolerance 5 %; 2 without a value\n",
		"\n- **V02** c at 64: The table says two.\n",
		"\n| V01 | C | A test | 6 | ",
		"\n| constant  | bed     |   5ns | V01       |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
