package report

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"hcasim/report/page"
	"hcasim/report/terminal"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// loaded is a run with two loads of different lengths, and figures of the kinds
// that pictures are made of.
func loaded(t testing.TB) *Record {
	rec := record(t, `version: 1
kind: scenario
name: load
use: b0
wire: {length: 3}
ops:
  - {on: A, traffic: {opcode: RDMA_WRITE, size: 64B, depth: 4, count: 300}}
  - {on: A, traffic: {opcode: RDMA_READ, size: 2KiB, depth: 1, count: 200}}
`, "hca.cache.mpt.entries=64")
	var stats []run.Stat
	for _, s := range rec.Result.Measured {
		if !strings.HasSuffix(s.Name, hitRate) && !strings.HasSuffix(s.Name, utilisation) && !strings.Contains(s.Name, stallPart) {
			stats = append(stats, s)
		}
	}
	rec.Result.Measured = append(stats,
		run.Stat{Name: "A.mpt.hit_rate", Value: "0.975000", Doc: "Share of the protection entries looked up that were found there."},
		run.Stat{Name: "B.mpt.hit_rate", Value: "0.400000", Doc: "The same."},
		run.Stat{Name: "A.wire.utilisation", Value: "0.620000", Doc: "Share of the time in which this was taken: the wire."},
		run.Stat{Name: "B.pcie.up.utilisation", Value: "0.000000"},
		run.Stat{Name: "A.stall.pcie_tags.count", Value: "12", Doc: "Waits for a tag."}, run.Stat{Name: "A.stall.pcie_tags.time", Value: "3600000", Unit: "ps"},
		run.Stat{Name: "B.stall.mpt_fill.count", Value: "9", Doc: "Waits for an entry."}, run.Stat{Name: "B.stall.mpt_fill.time", Value: "5400000", Unit: "ps"},
		run.Stat{Name: "B.stall.fence.count", Value: "0"}, run.Stat{Name: "B.stall.fence.time", Value: "0", Unit: "ps"})
	return rec
}

// section is one of a page, by its anchor.
func section(t *testing.T, p page.Page, id string) page.Section {
	t.Helper()
	for _, s := range p.Sections {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("there is no section %s", id)
	return page.Section{}
}

// words is a table as text.
func words(tables ...page.Table) string {
	var b strings.Builder
	for _, t := range tables {
		for _, r := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintln(&b, strings.Join(r, " | "))
		}
	}
	return b.String()
}

// TestSheetAnswers: what came of it is said first, and in words.
func TestSheetAnswers(t *testing.T) {
	rec := record(t, world)
	got := rec.sheet("hcasim test")
	var said []string
	for _, a := range got.Answers {
		said = append(said, string(a.Status)+": "+a.Text)
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"ok: 6 of 6 expectations", "Refused: op 9", "IBV_WC_REM_ACCESS_ERR, as expected", "Slowest work request: op "} {
		if !strings.Contains(all, want) {
			t.Errorf("the answer lacks %q:\n%s", want, all)
		}
	}
	rec.Result.Failures = []run.Failure{{Op: "2", What: "wc", Expected: "SUCCESS", Got: "FLUSH", Note: "as it is."}}
	if a := rec.sheet("").Answers; a[0].Status != page.Miss || a[1].Status != page.Miss || !strings.Contains(a[1].Text, "Op 2 (line 0) expects wc: SUCCESS, and got FLUSH. as it is.") {
		t.Errorf("a failure is told as %+v", a[:2])
	}
}

// TestSheetParts: the parts of each row add up to its latency, for single ops
// and for the mean of many.
func TestSheetParts(t *testing.T) {
	rec := record(t, world)
	ops := map[string]*run.Op{}
	for i := range rec.Result.Ops {
		ops["op "+rec.Result.Ops[i].ID] = &rec.Result.Ops[i]
	}
	rows := 0
	for _, p := range rec.timePlots() {
		by := map[string]float64{"ns": 1e3, "us": 1e6}[p.Y.Unit]
		for row, name := range p.X.Ticks {
			rows++
			id := strings.Join(strings.Fields(name)[:2], " ")
			if got, want := sumOf(p, row), float64(ops[id].Spent())/by; math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: parts of %g %s, and took %g", name, got, p.Y.Unit, want)
			}
		}
	}
	if rows < 8 {
		t.Errorf("only %d ops are drawn", rows)
	}

	many := record(t, strings.Replace(world, "wr_rdma_read: {}", "loop: {times: 50, ops: [{on: A, wr_rdma_read: {}}]}", 1))
	var sum sim.Duration
	for _, k := range many.kinds() {
		if k.request == "IBV_WR_RDMA_READ" {
			for _, o := range k.all {
				sum += o.Spent()
			}
		}
	}
	p := many.timePlots()[0]
	for row, name := range p.X.Ticks {
		if name != "RDMA_READ, mean of 50" {
			continue
		}
		if got, want := sumOf(p, row), float64(sum)/50e3; math.Abs(got-want) > 0.02 { // each part is cut to a picosecond
			t.Errorf("the mean is %g ns, want %g", got, want)
		}
		return
	}
	t.Errorf("no mean of READs in %q", p.X.Ticks)
}

// sumOf is what the parts of a row add up to.
func sumOf(p page.Plot, row int) (sum float64) {
	for _, s := range p.Series {
		for k := range s.X {
			if int(s.X[k]) == row {
				sum += s.Y[k]
			}
		}
	}
	return sum
}

// TestSheetLatency: the histogram has everything, the curve ends at the ends.
func TestSheetLatency(t *testing.T) {
	rec := loaded(t)
	s := section(t, rec.sheet(""), "latency")
	if len(s.Plots) != 2 {
		t.Fatalf("%d plots", len(s.Plots))
	}
	for i := range rec.Result.Traffic {
		h := &rec.Result.Traffic[i].Latency
		curve, bins := s.Plots[0].Series[i], s.Plots[1].Series[i]
		last := len(curve.Y) - 1
		if got, want := curve.Y[0], float64(h.Min())/1e6; got != want {
			t.Errorf("the curve of %s begins at %g us, the least is %g", curve.Name, got, want)
		}
		if got, want := curve.Y[last], float64(h.Max())/1e6; got != want {
			t.Errorf("the curve of %s ends at %g us, the most is %g", curve.Name, got, want)
		}
		for k, tick := range s.Plots[0].X.Ticks {
			if tick == "50 %" && curve.Y[k] != float64(h.Quantile(500))/1e6 {
				t.Errorf("half of %s take %g us, not %v", curve.Name, curve.Y[k], h.Quantile(500))
			}
			if tick == "99.9 %" {
				t.Errorf("one in 1000 of %d", h.Count())
			}
		}
		total := 0.0
		for _, share := range bins.Y {
			total += share
		}
		if math.Abs(total-100) > 1e-6 || bins.Y[mostBins] != 0 {
			t.Errorf("the histogram of %s has %g %% of all", bins.Name, total)
		}
	}
	if got := section(t, rec.sheet(""), "latency").Tables[0].Rows; len(got) != 2 || got[0][1] != "300" {
		t.Errorf("the table is %v", got)
	}
}

// TestSheetFigures: hit rates, use and waits are drawn by their endings, whoever
// they are of.
func TestSheetFigures(t *testing.T) {
	p := loaded(t).sheet("")
	hits := section(t, p, "hits")
	if got := hits.Plots[0]; len(got.X.Ticks) != 2 || got.X.Ticks[1] != "B.mpt" || got.Series[0].Y[1] != 40 {
		t.Errorf("hit rates are %v of %v", got.Series[0].Y, got.X.Ticks)
	}
	if text := words(hits.Tables...); !strings.Contains(text, "B.mpt | ") {
		t.Errorf("lookups are\n%s", text)
	}
	if got := section(t, p, "use").Plots[0]; len(got.X.Ticks) != 1 || got.X.Ticks[0] != "A.wire" || got.Series[0].Y[0] != 62 {
		t.Errorf("use is %v of %v", got.Series[0].Y, got.X.Ticks)
	}
	stalls := section(t, p, "stalls")
	if got := stalls.Plots[0]; strings.Join(got.X.Ticks, " ") != "B.mpt_fill A.pcie_tags" || got.Series[0].Y[0] != 5.4 {
		t.Errorf("waits are %v of %v", got.Series[0].Y, got.X.Ticks)
	}
	if text, want := words(stalls.Tables...), "B.mpt_fill | 9 | 5.400 | 0.600 | Waits for an entry.\n"; !strings.Contains(text, want) {
		t.Errorf("waits are\n%s", text)
	}
}

// TestSheetConfiguration: what the file and a flag set is seen, the rest folded.
func TestSheetConfiguration(t *testing.T) {
	s := section(t, loaded(t).sheet(""), "configuration")
	first := s.Tables[0]
	if text := words(first); first.Folded || !strings.Contains(text, "hca.cache.mpt.entries | 64 | --set | ") || !strings.Contains(text, "wire.length | 3 | bits.yaml:5 | ") {
		t.Errorf("set are\n%s", text)
	}
	if last := s.Tables[len(s.Tables)-1]; !last.Folded || len(last.Rows) < 50 {
		t.Errorf("%d others, folded: %v", len(last.Rows), last.Folded)
	}
}

// TestHTML: the page of a run is the same bytes twice (R1), has its name and
// its pictures, and says nothing of the clock.
func TestHTML(t *testing.T) {
	rec := loaded(t)
	var a, b bytes.Buffer
	if err := writeHTML(&a, rec, "hcasim test"); err != nil {
		t.Fatal(err)
	}
	again := loaded(t)
	if err := writeHTML(&b, again, "hcasim test"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the same run has two pages")
	}
	for _, want := range []string{"<h1>load</h1>", `id="percentiles"`, `id="stall-time"`, "hcasim test, model version"} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if file := os.Getenv("SHEET"); file != "" { // to look at it
		if err := os.WriteFile(file, a.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDrawn: the pictures stand in the text when they are asked for.
func TestDrawn(t *testing.T) {
	rec := loaded(t)
	var b bytes.Buffer
	if err := writeText(&b, rec, Style{}); err != nil {
		t.Fatal(err)
	}
	plain := b.String()
	rec.Drawn = &terminal.Style{Width: 80}
	b.Reset()
	if err := writeText(&b, rec, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What a share of the requests did not exceed", "* RDMA_WRITE, step 1   o RDMA_READ, step 2", "  B.mpt_fill  ###"} {
		if strings.Contains(plain, want) || !strings.Contains(b.String(), want) {
			t.Errorf("%q is drawn when it is asked for: %v, else: %v", want, strings.Contains(b.String(), want), strings.Contains(plain, want))
		}
	}
}
