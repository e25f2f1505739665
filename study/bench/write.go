package bench

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"hcasim/report"
	"hcasim/sim/workload"
)

// Formats are the forms of a Report: text is what go prints, and tables after
// it, which benchstat passes over; go is for benchstat alone, md for README.md.
var Formats = []string{"text", "go", "json", "md"}

// Write writes the report in one of Formats.
func (r *Report) Write(w io.Writer, format string) error {
	var b bytes.Buffer
	switch format {
	case "json":
		return r.json(w)
	case "go":
		r.lines(&b)
	case "md":
		fmt.Fprintf(&b, "%s%s.\n\n", r.Machine, r.how())
		r.tables(&b, true)
	default:
		fmt.Fprintf(&b, "bench · %s%s\n\n", r.Machine, r.how())
		r.lines(&b)
		b.WriteString("\n")
		r.tables(&b, false)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// how is what is to be said beside the machine.
func (r *Report) how() (s string) {
	if r.Quick {
		s = " · quick"
	}
	switch {
	case len(r.Rows) == 0:
	case r.Count == 1:
		s += " · 1 sample"
	default:
		s += fmt.Sprintf(" · medians of %d", r.Count)
	}
	return s
}

// lines writes every sample as go test -bench does.
func (r *Report) lines(b *bytes.Buffer) {
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\npkg: hcasim/study/bench\n", r.Machine.OS, r.Machine.Arch)
	if r.Machine.CPU != "" {
		fmt.Fprintf(b, "cpu: %s\n", r.Machine.CPU)
	}
	for _, row := range r.Rows {
		for _, s := range row.Samples {
			fmt.Fprintf(b, "%s\t%d\t%s ns/op\t%s events/op\t%s B/op\t%s allocs/op\t%d peak-B\n", goName(row.Name), s.Ops,
				short(s.NsPerOp), short(s.EventsPerOp), short(s.BytesPerOp), short(s.AllocsPerOp), row.PeakRSS)
		}
	}
	if w := r.Watching; w != nil {
		fmt.Fprintf(b, "%s\t%d\t%s ns/check\t%s checks/op\t%s off-%%\t%s on-%%\n", goName(watchName), w.Ops,
			short(w.NsPerCheck), short(w.ChecksPerOp), short(100*w.OffShare), short(100*w.OnShare))
	}
	for _, g := range r.Growths {
		for _, p := range g.Points {
			fmt.Fprintf(b, "%s/n=%d\t1\t%s ns/op\t%d peak-B\n", goName("scale-"+g.Name), p.N, short(p.NsPerUnit), p.PeakRSS)
		}
	}
}

// goName is a row's name as that of a benchmark: write-64-d1 is
// BenchmarkWrite64D1.
func goName(name string) string {
	var b strings.Builder
	b.WriteString("Benchmark")
	for word := range strings.SplitSeq(name, "-") {
		r := []rune(word)
		r[0] = unicode.ToUpper(r[0])
		b.WriteString(string(r))
	}
	return b.String()
}

// short writes a number with four significant digits.
func short(v float64) string {
	if v >= 1000 || v <= -1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// tables writes the tables for people.
func (r *Report) tables(b *bytes.Buffer, markdown bool) {
	if len(r.Rows) > 0 {
		r.table(b, markdown)
	}
	if r.Watching != nil {
		fmt.Fprintf(b, "%s%s\n", bullet(markdown), r.Watching)
	}
	for i, g := range r.Growths {
		if i > 0 {
			b.WriteString("\n")
		}
		g.table(b, markdown)
	}
}

func (r *Report) table(b *bytes.Buffer, markdown bool) {
	t := report.NewTable("row", "op", ">op/s", ">events/op", ">ns/event", ">allocs/op", ">B/op", ">peak", ">of heap", ">of ring", ">spread")
	for _, row := range r.Rows {
		t.Row(row.cells()...)
	}
	must(t.Write(b, markdown))
	b.WriteString("\n")
	for _, line := range r.notes() {
		fmt.Fprintf(b, "%s%s\n", bullet(markdown), line)
	}
}

// bullet begins a line of several.
func bullet(markdown bool) string { return strings.Repeat("- ", b2i(markdown)) }

// must panics if a table cannot be written to memory.
func must(err error) {
	if err != nil {
		panic("bench: a table cannot be written to memory: " + err.Error())
	}
}

// cells is the row of a table.
func (r *Row) cells() []string {
	ratio := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	fixed := func(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	return []string{
		r.Name, r.Op, grouped(uint64(r.OpsPerSecond + 0.5)), fixed(r.EventsPerOp, 2), fixed(r.NsPerEvent, 1),
		fixed(r.AllocsPerOp, 2), fixed(r.BytesPerOp, 0), fixed(float64(r.PeakRSS)/(1<<20), 0) + " MiB",
		ratio(r.HeapRatio), ratio(r.RingRatio), fixed(100*r.Spread, 0) + " %",
	}
}

// notes says what the heads of the table mean, and the counts of single rows.
func (r *Report) notes() (lines []string) {
	lines = append(lines, "op/s, ns — "+workload.CPUClock+"; of heap, of ring: over that of a plain 4-ary heap, of a ring without order")
	if !r.OwnPeaks {
		lines = append(lines, "peak — of the process so far: this system does not let it begin anew")
	}
	for _, row := range r.Rows {
		if len(row.Figures) == 0 {
			continue
		}
		var counts []string
		for _, f := range row.Figures {
			counts = append(counts, fmt.Sprintf("%s %s", strconv.FormatFloat(f.PerOp, 'f', 3, 64), f.Name))
		}
		lines = append(lines, fmt.Sprintf("%s — %s an op", row.Name, strings.Join(counts, ", ")))
	}
	return lines
}

// String says what watching costs.
func (w *Watching) String() string {
	return fmt.Sprintf("%s — off, %.2f %% of %s (at most %.0f checks of %.2f ns an op, paired median of %d); those of every run, %.0f %%",
		watchName, 100*w.OffShare, watchFile, w.ChecksPerOp, w.NsPerCheck, w.Pairs, 100*w.OnShare)
}

func (g *Growth) table(b *bytes.Buffer, markdown bool) {
	fmt.Fprintf(b, "%s — %s. Cost grows as n^%.2f\n%s", g.Name, g.About, g.Exponent, strings.Repeat("\n", b2i(markdown)))
	t := report.NewTable(">n", ">ns each", ">peak")
	for _, p := range g.Points {
		t.Row(grouped(p.N), strconv.FormatFloat(p.NsPerUnit, 'f', 2, 64), fmt.Sprintf("%d MiB", p.PeakRSS>>20))
	}
	must(t.Write(b, markdown))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// grouped writes a number with a comma after every three digits.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
