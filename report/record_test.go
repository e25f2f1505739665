package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// world is a bit of everything: verbs, work requests of several kinds, an
// unsignaled one, a refusal, what is flushed behind it, a receive.
const world = `version: 1
kind: scenario
name: bits
profile: connectx5-like
use: b0
ops:
  - {on: B, post_recv: {sge: []}}
  - {on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_read: {}, expect: {wc: SUCCESS}}
  - {on: A, wr_send: {sge: []}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {signaled: false}}
  - {on: B, alloc_mw: {as: w, type: 2}}
  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: 4KiB, access: [REMOTE_WRITE]}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {sge: [{mr: mA, length: 4KiB}], remote: {mw: w}}, expect: {wc: SUCCESS}}
  - on: A
    post_send: [{opcode: RDMA_WRITE, remote: {mr: mB, key: {byte: +1}}}, {opcode: RDMA_WRITE}, {opcode: RDMA_WRITE}]
    expect: {wc: [REM_ACCESS_ERR, WR_FLUSH_ERR*2]}
`

// record runs a text.
func record(t testing.TB, text string, sets ...string) *Record {
	t.Helper()
	runs, err := scenario.Read("bits.yaml", []byte(text), scenario.Options{Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := Simulate(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rec.Result.Failures {
		t.Errorf("%s: want %s, got %s", f.What, f.Expected, f.Got)
	}
	return rec
}

// TestPartsAddUp is R2: of every op that was polled the parts are its latency.
func TestPartsAddUp(t *testing.T) {
	rec := record(t, world)
	timed := 0
	for i := range rec.Result.Ops {
		o := &rec.Result.Ops[i]
		if o.Spent() == 0 {
			continue
		}
		timed++
		if o.Spent() != o.Latency() {
			t.Errorf("op %s %s %s: the parts are %v, the latency is %v", o.ID, o.Request, o.Outcome(), o.Spent(), o.Latency())
		}
	}
	if timed < 8 {
		t.Errorf("only %d ops have parts", timed)
	}
}

// TestTableAddsUp reads the table of parts as a user would, with a pencil.
func TestTableAddsUp(t *testing.T) {
	for _, text := range []string{world, strings.Replace(world, "wr_rdma_read: {}", "loop: {times: 50, ops: [{on: A, wr_rdma_read: {}}]}", 1)} {
		text = strings.Replace(text, "{on: A, loop", "{loop", 1)
		text = strings.Replace(text, "]}, expect: {wc: SUCCESS}}\n  - {on: A, wr_send", "]}}\n  - {on: A, wr_send", 1)
		rec := record(t, text)
		lanes, _ := rec.lanes()
		if len(lanes) == 0 {
			t.Fatal("no column")
		}
		g := partTable(lanes)
		for c := 1; c < len(g.columns); c++ {
			sum := uint64(0)
			for _, row := range g.rows[:len(g.rows)-1] {
				sum += picoseconds(t, row[c])
			}
			if total := picoseconds(t, g.rows[len(g.rows)-1][c]); sum != total {
				t.Errorf("%s: the rows add up to %d ps, the total says %d", g.columns[c].name, sum, total)
			}
		}
	}
}

// picoseconds reads a cell in nanoseconds.
func picoseconds(t *testing.T, cell string) uint64 {
	t.Helper()
	if cell == "" {
		return 0
	}
	n, err := strconv.ParseUint(strings.NewReplacer(",", "", ".", "").Replace(cell), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestText is R1, and that verdicts stand where a reader looks for them.
func TestText(t *testing.T) {
	one, two := record(t, world), record(t, world)
	var a, b bytes.Buffer
	for _, x := range []struct {
		rec *Record
		w   *bytes.Buffer
	}{{one, &a}, {two, &b}} {
		if err := writeText(x.w, x.rec, Style{}); err != nil {
			t.Fatal(err)
		}
	}
	if a.String() != b.String() {
		t.Error("two runs print differently")
	}
	for _, want := range []string{"IBV_WC_REM_ACCESS_ERR", "as expected", "refused at B", "cause bad-key", "(rule KEY-2)", "  ~", "✓ "} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, a.String())
		}
	}
	for line := range strings.Lines(a.String()) {
		if strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
			t.Errorf("blanks at the end of %q", line)
		}
	}
}

// TestColour paints on a terminal only.
func TestColour(t *testing.T) {
	rec := record(t, world)
	var plain, painted bytes.Buffer
	if err := writeText(&plain, rec, Style{}); err != nil {
		t.Fatal(err)
	}
	if err := writeText(&painted, rec, Style{Colour: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(painted.String(), "\x1b[32m✓") {
		t.Error("colour is not where it should be")
	}
}

// TestCSV: the header says what the rows have.
func TestCSV(t *testing.T) {
	rec := record(t, world)
	var b bytes.Buffer
	if err := rec.opsCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(rec.Result.Ops)+1 {
		t.Errorf("%d rows for %d ops", len(rows), len(rec.Result.Ops))
	}
	at := func(row []string, name string) string {
		for i, n := range rows[0] {
			if n == name {
				return row[i]
			}
		}
		t.Fatalf("no column %s", name)
		return ""
	}
	for i, row := range rows[1:] {
		o := &rec.Result.Ops[i]
		if at(row, "op") != o.ID || at(row, "status") != o.Outcome() || at(row, "row") != strconv.Itoa(i+1) ||
			o.Spent() > 0 && at(row, "wire_ps") != strconv.FormatUint(uint64(o.Parts[9]), 10) {
			t.Errorf("row %d is %q", i, row)
		}
		for k, name := range rows[0] {
			if _, err := strconv.ParseUint(row[k], 10, 64); row[k] != "" && err != nil && (strings.HasSuffix(name, "_ps") || name == "bytes" || name == "step" || name == "row") {
				t.Errorf("row %d: %s is %q", i, name, row[k])
			}
			if len(row) != len(rows[0]) || o.Spent() == 0 && name == "wire_ps" && row[k] != "" {
				t.Errorf("row %d: %s is %q of an op without parts", i, name, row[k])
			}
		}
	}
	for _, row := range rows[1:] {
		if refused := at(row, "status") == "IBV_WC_REM_ACCESS_ERR"; refused != (at(row, "fault_cause") == "bad-key") {
			t.Errorf("an op says %q", row)
		}
	}
}

// TestJSONIsWhole: a program finds all that a reader sees.
func TestJSONIsWhole(t *testing.T) {
	rec := record(t, world)
	var b bytes.Buffer
	if err := writeJSON(&b, []*Record{rec}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Format string
		Runs   []struct {
			Name   string
			OK     bool
			Ops    []struct{ Status string }
			Faults []struct{ Cause, NAK string }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	r := doc.Runs[0]
	if doc.Format != "hcasim.runs" || r.Name != "bits" || !r.OK || len(r.Ops) != len(rec.Result.Ops) || len(r.Faults) == 0 || r.Faults[0].NAK != "0x62" {
		t.Errorf("the document is %+v", doc)
	}
}

// TestPanicIsAResult: a broken model ends its run, not the program.
func TestPanicIsAResult(t *testing.T) {
	rec := record(t, world)
	res := panicked(rec.Run, "mtp: at 3ns: no slot", []byte("goroutine 1\nhcasim/mtp.(*Unit).take(...)\n\t/x.go:1\n"))
	rec.Result = res
	if res.End != run.Broken || rec.OK() || !rec.Stopped() {
		t.Error("it passes for a good result")
	}
	var b bytes.Buffer
	if err := writeText(&b, rec, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mtp: at 3ns: no slot", "hcasim/mtp.(*Unit).take", "the model is broken"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, b.String())
		}
	}
}

// TestNearestRank holds quantiles to their definition.
func TestNearestRank(t *testing.T) {
	k := &kind{}
	for i := range 1000 {
		k.ops = append(k.ops, &run.Op{End: sim.Time(i + 1)})
	}
	for share, want := range map[int]sim.Duration{0: 1, 1: 1, 500: 500, 990: 990, 999: 999, 1000: 1000} {
		if got := k.at(share).Latency(); got != want {
			t.Errorf("at %d of a thousand: %d, want %d", share, got, want)
		}
	}
}
