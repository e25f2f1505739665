package sweep

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hcasim/report"
	"hcasim/report/terminal"
	"hcasim/scenario"
	"hcasim/scenario/figure"
)

// Formats are the forms of a Table.
var Formats = []string{"text", "json", "csv", "md"}

// Write writes the table in one of Formats; folder, which may be "", is where
// it lies.
func (t *Table) Write(w io.Writer, format, folder string, style report.Style) error {
	switch format {
	case "json":
		return report.Indented(w, t.doc())
	case "csv":
		return t.csv(w)
	}
	var b bytes.Buffer
	if err := (&leaf{b: &b, markdown: format == "md", style: style}).table(t); err != nil {
		return err
	}
	if folder != "" {
		fmt.Fprintln(&b, folder)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteDrawn writes it as text, with its plots.
func (t *Table) WriteDrawn(w io.Writer, folder string, style report.Style, drawn terminal.Style) error {
	var b bytes.Buffer
	if err := (&leaf{b: &b, style: style}).table(t); err != nil {
		return err
	}
	b.WriteByte('\n')
	if err := t.draw(&b, drawn); err != nil {
		return err
	}
	if folder != "" {
		fmt.Fprintln(&b, "\n"+folder)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A leaf is text or Markdown on its way.
type leaf struct {
	b        *bytes.Buffer
	markdown bool
	style    report.Style
}

// mostRows is how many rows are shown one by one.
const mostRows = 60

// table writes the answer first, then the rows.
func (p *leaf) table(t *Table) error {
	s := t.Study
	title := fmt.Sprintf("%s · %s", s.Name, counted(len(t.Points), "point"))
	if s.Repeat > 1 {
		title += fmt.Sprintf(" · %d seeds each", s.Repeat)
	}
	if s.Short {
		title += " · short form"
	}
	if len(s.Sets) > 0 {
		title += " · " + strings.Join(s.Sets, " · ")
	}
	if p.markdown {
		title = "### " + title
	}
	fmt.Fprintf(p.b, "%s\n", title)
	if s.Question != "" {
		p.gap()
		fmt.Fprintf(p.b, "%s\n", s.Question)
	}
	fmt.Fprintln(p.b)
	p.answer(t)
	p.failures(t)
	if err := p.rows(t); err != nil {
		return err
	}
	return nil
}

func (p *leaf) gap() {
	if p.markdown {
		fmt.Fprintln(p.b)
	}
}

// answer writes a line for each verdict.
func (p *leaf) answer(t *Table) {
	for i := range t.Answer {
		v := &t.Answer[i]
		mark := p.style.Mark(v.OK)
		if p.markdown {
			mark = "- " + report.Style{}.Mark(v.OK)
		}
		fmt.Fprintf(p.b, "%s %s\n", mark, v.Text)
	}
	if len(t.Answer) > 0 {
		fmt.Fprintln(p.b)
	}
}

// mostFailures is how many failed points are told.
const mostFailures = 5

func (p *leaf) failures(t *Table) {
	n := 0
	for i := range t.Points {
		if len(t.Points[i].Failures) == 0 {
			continue
		}
		if n++; n > mostFailures {
			continue
		}
		mark := p.style.Mark(false)
		if p.markdown {
			mark = "- " + report.Style{}.Mark(false)
		}
		fmt.Fprintf(p.b, "%s point %d failed: %s: %s\n", mark, i, t.Study.Said(t.Study.Row(t.Points[i].Row)), t.Points[i].Failures[0])
	}
	if n > mostFailures {
		fmt.Fprintf(p.b, "… and %d more\n", n-mostFailures)
	}
	if n > 0 {
		fmt.Fprintln(p.b)
	}
}

// rows writes the table itself.
func (p *leaf) rows(t *Table) error {
	var heads []string
	for _, a := range t.Study.Axes {
		head := a.Name
		if !a.Words {
			head = ">" + head
		}
		heads = append(heads, head)
	}
	for _, m := range t.Study.Metrics {
		heads = append(heads, ">"+figure.Head(m.Name, m.Unit))
	}
	grid := report.NewTable(append(heads, ">failed")...)
	for i := range t.Rows {
		if i == mostRows {
			break
		}
		grid.Row(t.cells(&t.Rows[i])...)
	}
	if err := grid.Write(p.b, p.markdown); err != nil {
		return err
	}
	if len(t.Rows) > mostRows {
		p.gap()
		fmt.Fprintf(p.b, "… and %d more rows: --format csv shows all\n", len(t.Rows)-mostRows)
	}
	return nil
}

func (t *Table) cells(r *Row) (cells []string) {
	for _, v := range r.Values {
		cells = append(cells, v.Text)
	}
	for _, c := range r.Cells {
		if c.Known {
			cells = append(cells, figure.Number(c.Value))
		} else {
			cells = append(cells, "-")
		}
	}
	if r.Failed > 0 {
		return append(cells, strconv.Itoa(r.Failed))
	}
	return append(cells, "")
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// columns are the columns of points.csv.
func (t *Table) columns() (heads []string) {
	heads = append(heads, "index")
	for _, a := range t.Study.Axes {
		if a.Words {
			heads = append(heads, a.Name)
			continue
		}
		heads = append(heads, figure.Column(a.Name, a.Unit))
	}
	heads = append(heads, "seed")
	for _, m := range t.Study.Metrics {
		heads = append(heads, figure.Column(strings.ReplaceAll(m.Name, ".", "_"), m.Unit))
	}
	return append(heads, "status")
}

// csv writes one row a point.
func (t *Table) csv(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(t.columns()); err != nil {
		return err
	}
	for i := range t.Points {
		p := &t.Points[i]
		row := []string{strconv.Itoa(i)}
		for k, v := range t.Study.Row(p.Row) {
			if t.Study.Axes[k].Words {
				row = append(row, v.Text)
			} else {
				row = append(row, plain(v.Number))
			}
		}
		row = append(row, strconv.FormatUint(p.Seed, 10))
		for k, v := range p.Values {
			if p.Known[k] {
				row = append(row, plain(v))
			} else {
				row = append(row, "")
			}
		}
		status := "ok"
		if len(p.Failures) > 0 {
			status = "failed"
		}
		if err := c.Write(append(row, status)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// plain writes a number in full, without an exponent where that is readable.
func plain(v float64) string {
	if a := math.Abs(v); a < 1e15 && (a >= 1e-6 || a == 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// zippedRows is how many points make points.csv large enough to be zipped.
const zippedRows = 100_000

// A Manifest says what merged a sweep, and when. It is the only file of a
// sweep that the wall clock goes into.
type Manifest struct {
	Format       string  `json:"format"`
	Version      int     `json:"version"`
	Tool         string  `json:"tool_version"`
	ModelVersion int     `json:"model_version"`
	Name         string  `json:"name"`
	Hash         string  `json:"hash"`
	Points       int     `json:"points"`
	Simulated    int     `json:"simulated"` // by this process: others were there
	Workers      int     `json:"workers"`
	Began        string  `json:"began"`
	Seconds      float64 `json:"seconds"`

	Files report.Digests `json:"files"`
}

// Stamp is what the wall clock and the program say of a merge.
func (t *Table) Stamp(tool string, workers, simulated int, began time.Time) Manifest {
	return Manifest{
		Format: "hcasim.manifest", Version: 1, Tool: tool, ModelVersion: scenario.ModelVersion, Name: t.Plan.Name, Hash: t.Plan.Hash,
		Points: len(t.Points), Simulated: simulated, Workers: workers,
		Began: began.UTC().Format("2006-01-02T15:04:05.000Z"), Seconds: time.Since(began).Seconds(),
	}
}

// Keep writes what was merged into the folder of the sweep; the manifest, which
// has the digests of the others, last.
func (t *Table) Keep(dir string, m Manifest) error {
	rows, other, zipped := csvFile, csvFile+".gz", len(t.Points) > zippedRows
	if zipped {
		rows, other = other, rows
	}
	m.Files = report.Digests{}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{rows, func(w io.Writer) error { return report.Zipped(w, zipped, t.csv) }},
		{summaryFile, func(w io.Writer) error { return report.Indented(w, t.doc()) }},
		{manifestFile, func(w io.Writer) error { return report.Indented(w, m) }},
	} {
		err := report.File(filepath.Join(dir, f.name)).Write(func(w io.Writer) error {
			w, done := m.Files.Take(f.name, w)
			err := f.write(w)
			done()
			return err
		})
		if err != nil {
			return &Unwritten{err}
		}
	}
	_ = os.Remove(filepath.Join(dir, other)) // of an earlier merge
	return nil
}
