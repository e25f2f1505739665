package sweep

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/report/page"
	"hcasim/report/terminal"
)

// pictured is a study of nine rows with one plot.
const pictured = `version: 1
kind: study
name: pictured
question: When do many regions no longer fit?
about: To be drawn.
base: base.yaml
set: {hca.cache.mpt.ways: 4}
axes:
  entries: {set: hca.cache.mpt.entries, values: [8, 16, 32]}
  regions: {set: vars.n, values: [4, 64, 128], label: regions of a page}
repeat: 1
collect:
  p50: {of: write.p50, label: median latency of a WRITE}
  misses: {of: measured.server.mpt.misses / measured.ops, label: misses per WRITE}
plots:
  - {title: Misses when regions are more than entries, x: regions, y: misses, by: entries, log: [x]}
expect:
  - {holds: misses < 2}
  - {holds: misses > 0.5, where: regions >= entries * 4}
  - {holds: misses > 0.2}
`

// tabled is its table, with parts of its text changed: FROM => TO on each
// line, | for a new one.
func tabled(t *testing.T, changes string, sets ...string) *Table {
	t.Helper()
	src, dir := pictured, t.TempDir()
	for change := range strings.SplitSeq(changes, "\n") {
		from, to, _ := strings.Cut(change, " => ")
		if !strings.Contains(src, from) {
			t.Fatalf("the study has no %q", from)
		}
		src = strings.Replace(src, from, strings.ReplaceAll(to, "|", "\n"), 1)
	}
	base := read(t, filepath.Join(filepath.Dir(demo), "base", "demo.yaml"))
	for name, data := range map[string]string{"pictured.yaml": src, "base.yaml": base} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	q := Question{File: filepath.Join(dir, "pictured.yaml"), Out: filepath.Join(dir, "out"), Workers: 2, Sets: sets}
	ran(t, q)
	table, err := Merge(q.Out)
	if err != nil {
		t.Fatal(err)
	}
	// The folder differs from test to test, and a page tells it.
	table.Plan.Study.File = "pictured.yaml"
	return table
}

// TestPlots: a curve for each value of by, over x, of the values of the rows.
func TestPlots(t *testing.T) {
	table := tabled(t, "")
	list := table.Plots()
	if len(list) != 1 {
		t.Fatalf("%d plots", len(list))
	}
	p := list[0]
	if p.ID != "misses-when-regions-are-more-than-entries" || !p.X.Log || !p.X.Twos || p.X.Label != "regions of a page" || p.Y.Label != "misses per WRITE" {
		t.Errorf("the plot is %q over %+v, %+v", p.ID, p.X, p.Y)
	}
	var names []string
	for _, s := range p.Series {
		names = append(names, s.Name)
		if !slices.Equal(s.X, []float64{4, 64, 128}) || s.Low != nil {
			t.Errorf("%s stands at %v", s.Name, s.X)
		}
	}
	if want := "entries 8, entries 16, entries 32"; strings.Join(names, ", ") != want {
		t.Errorf("curves are %q, want %s", names, want)
	}
	for i := range table.Rows {
		r := &table.Rows[i]
		at := slices.Index(p.Series[i/3].X, r.Values[1].Number)
		if got := p.Series[i/3].Y[at]; got != r.Cells[1].Value {
			t.Errorf("row %d is drawn as %g, its value is %g", i, got, r.Cells[1].Value)
		}
	}
}

// TestPlotsKinds: metrics of two units are two pictures, words are bars, what
// seeds differ in is a whisker, and axes that nobody speaks of make curves.
func TestPlotsKinds(t *testing.T) {
	table := tabled(t, strings.Join([]string{
		"x: regions, y: misses, by: entries, log: [x] => x: way, y: [p50, misses]",
		"  regions: {set =>   way: {values: {near: {wire.length: 1}, far: {wire.length: 3000}}}|  regions: {set",
		"values: [4, 64, 128] => values: [4, 128]",
		"repeat: 1 => repeat: 3",
	}, "\n"))
	list := table.Plots()
	if len(list) != 2 || list[0].Y.Unit != "us" || list[1].Y.Unit != "" || list[0].ID == list[1].ID {
		t.Fatalf("%d plots: %+v", len(list), list)
	}
	for _, p := range list {
		if strings.Join(p.X.Ticks, " ") != "near far" || len(p.Series) != 6 || p.Series[1].Name != "entries 8, regions 128" {
			t.Errorf("over %v there are %d curves, %+v", p.X.Ticks, len(p.Series), p.Series[1])
		}
		for _, s := range p.Series {
			if s.Kind != page.Bars {
				t.Errorf("%s is drawn as %s", s.Name, s.Kind)
			}
		}
	}
	s := list[1].Series[1] // misses of 128 regions differ from seed to seed
	if s.Low == nil || s.Low[0] > s.Y[0] || s.High[0] < s.Y[0] {
		t.Errorf("seeds reach from %v to %v around %v", s.Low, s.High, s.Y)
	}
	if got, want := list[0].Series[0].Y[0]*1e3, table.Rows[0].Cells[0].Value; math.Abs(got-want) > 1e-6 {
		t.Errorf("a latency is drawn as %g ns, it is %g", got, want)
	}
}

// TestSheet: the question is the title, the answer comes first, and the picture
// of it, the rows and what was asked follow.
func TestSheet(t *testing.T) {
	table := tabled(t, "repeat: 1 => repeat: 2", "hca.clock=200MHz")
	p := table.sheet("hcasim test")
	if p.Title != table.Study.Question || len(p.Answers) != 3 || p.Answers[0].Status != page.OK || p.Answers[2].Status != page.Miss || p.Answers[0].Text != table.Answer[0].Text {
		t.Errorf("%q is answered by %+v", p.Title, p.Answers)
	}
	var ids []string
	for _, s := range p.Sections {
		ids = append(ids, s.ID)
	}
	if got, want := strings.Join(ids, " "), "answer latency rows configuration"; got != want {
		t.Fatalf("sections are %s, want %s", got, want)
	}
	if first := p.Sections[0].Plots[0]; !first.Large {
		t.Error("the picture of the answer is as small as the others")
	}
	rows := p.Sections[2].Tables[0]
	if len(rows.Rows) != 9 || rows.Folded || rows.Head[0] != "entries" || !strings.HasSuffix(rows.Head[2], "[ns]") || rows.Rows[2][1] != "128" {
		t.Errorf("rows are %v", rows)
	}
	spread := p.Sections[1]
	if len(spread.Plots) != 1 || len(spread.Plots[0].Series) != 6 || len(spread.Plots[0].X.Ticks) != len(shares) || len(spread.Tables[0].Rows) != 9 {
		t.Errorf("latencies are %+v", spread)
	}
	config := p.Sections[3]
	if note := config.Notes[0]; !strings.Contains(note, "pictured.yaml --report --set hca.clock=200MHz") {
		t.Errorf("it is to be done again by %s", note)
	}
	for _, want := range []string{"hca.cache.mpt.entries", "measured.server.mpt.misses / measured.ops", "base.yaml", "200MHz  (--set)"} {
		found := false
		for _, c := range config.Tables {
			for _, r := range c.Rows {
				found = found || strings.Contains(strings.Join(r, " "), want)
			}
		}
		if !found {
			t.Errorf("the configuration lacks %s", want)
		}
	}
}

// TestHTML: any merge writes the same page (W1), which is written whole.
func TestHTML(t *testing.T) {
	table := tabled(t, "")
	dir := t.TempDir()
	if err := table.KeepHTML(dir, "hcasim test"); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := tabled(t, "").html(&again, "hcasim test"); err != nil {
		t.Fatal(err)
	}
	got := read(t, filepath.Join(dir, sheetFile))
	if got != again.String() || !strings.Contains(got, "<h1>When do many regions") {
		t.Error("the page of the same sweep is another")
	}
	if err := table.KeepHTML(filepath.Join(dir, "none"), ""); err == nil {
		t.Error("a page was written into no folder")
	}
	if file := os.Getenv("SHEET"); file != "" { // to look at it
		var b bytes.Buffer
		if err := tabled(t, "repeat: 1 => repeat: 3").html(&b, "hcasim test"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFailedRows: what failed is told, and its place is a gap.
func TestFailedRows(t *testing.T) {
	table := tabled(t, "")
	for i := range 7 {
		table.Points[i].Failures = []string{"faults: 3"}
	}
	table.Rows[0].Failed, table.Rows[0].Cells = 1, []Cell{{}, {}}
	p := table.sheet("")
	last := p.Answers[len(p.Answers)-1]
	if len(p.Answers) != 3+mostFailures+1 || last.Text != "… and 2 more." || last.Status != page.Miss {
		t.Errorf("told: %+v", p.Answers)
	}
	if y := p.Sections[0].Plots[0].Series[0].Y[0]; !math.IsNaN(y) {
		t.Errorf("a failed row is drawn at %g", y)
	}
}

// TestDraw: the pictures in letters.
func TestDraw(t *testing.T) {
	var b strings.Builder
	if err := tabled(t, "").draw(&b, terminal.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Misses when regions are more than entries\nmisses per WRITE\n", "* entries 8   o entries 16   + entries 32"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, b.String())
		}
	}
}
