package sweep

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hcasim/report"
	"hcasim/report/page"
	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// html writes the table as one page: the question, the answer, its picture, the
// others, all rows, and what was asked of whom. By is the program that made it.
func (t *Table) html(w io.Writer, by string) error { return page.Write(w, t.sheet(by)) }

// KeepHTML writes the page into the folder of the sweep.
func (t *Table) KeepHTML(dir, by string) error {
	err := report.File(filepath.Join(dir, sheetFile)).Write(func(w io.Writer) error { return t.html(w, by) })
	if err != nil {
		return &Unwritten{err}
	}
	return nil
}

// HasHTML reports whether a folder has a page already.
func HasHTML(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, sheetFile))
	return err == nil
}

func (t *Table) sheet(by string) page.Page {
	p := page.Page{
		Title: t.Study.Question, Lead: t.lead(), Answers: t.answers(),
		Made: fmt.Sprintf("%s, model version %d, sweep %s", by, t.Plan.ModelVersion, t.Plan.Hash),
	}
	if p.Title == "" {
		p.Title = t.Study.Name
	}
	plots := t.Plots()
	for i := range plots {
		plots[i].Large = i == 0
	}
	if len(plots) > 0 {
		p.Sections = append(p.Sections, page.Section{ID: "answer", Title: "The answer", Plots: plots[:1]})
	}
	if len(plots) > 1 {
		p.Sections = append(p.Sections, page.Section{ID: "plots", Title: "Other views", Plots: plots[1:]})
	}
	if t.Study.Repeat > 1 {
		if s := t.latencySection(); len(s.Plots) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	p.Sections = append(p.Sections, t.rowSection(), t.configSection())
	return p
}

// lead says what was run, and why.
func (t *Table) lead() string {
	text := fmt.Sprintf("%s: %s", t.Study.Name, counted(len(t.Rows), "row"))
	if t.Study.Repeat > 1 {
		text += fmt.Sprintf(" of %d seeds each", t.Study.Repeat)
	}
	if t.Study.Short {
		text += ", in the short form"
	}
	text += "."
	if about := strings.Join(strings.Fields(t.Study.About), " "); about != "" {
		text = about + " " + text
	}
	return text
}

// answers are the verdicts, and the points that failed.
func (t *Table) answers() (list []page.Answer) {
	for i := range t.Answer {
		status := page.OK
		if !t.Answer[i].OK {
			status = page.Miss
		}
		list = append(list, page.Answer{Status: status, Text: t.Answer[i].Text})
	}
	for i := range t.Points {
		p := &t.Points[i]
		if len(p.Failures) == 0 {
			continue
		}
		list = append(list, page.Answer{Status: page.Miss, Text: fmt.Sprintf("Point %d failed: %s: %s", i, t.Study.Said(t.Study.Row(p.Row)), p.Failures[0])})
		if n := t.failed(); n > mostFailures && len(list) == len(t.Answer)+mostFailures {
			return append(list, page.Answer{Status: page.Miss, Text: fmt.Sprintf("… and %d more.", n-mostFailures)})
		}
	}
	return list
}

// foldedRows is how many rows make a table too long to stand open.
const foldedRows = 40

// rowSection has all rows in one table.
func (t *Table) rowSection() page.Section {
	table := page.Table{Title: "All rows", Folded: len(t.Rows) > foldedRows}
	for _, a := range t.Study.Axes {
		table.Head = append(table.Head, figure.Head(a.Name, a.Unit))
		table.Align += map[bool]string{true: "l", false: "r"}[a.Words]
	}
	for _, m := range t.Study.Metrics {
		table.Head, table.Align = append(table.Head, figure.Head(m.Name, m.Unit)), table.Align+"r"
	}
	if t.failed() > 0 {
		table.Head, table.Align = append(table.Head, "failed"), table.Align+"r"
	}
	for i := range t.Rows {
		cells := t.cells(&t.Rows[i])
		for k, c := range t.Rows[i].Cells {
			if c.Min < c.Max {
				cells[len(t.Study.Axes)+k] += fmt.Sprintf(" (%s to %s)", figure.Number(c.Min), figure.Number(c.Max))
			}
		}
		table.Rows = append(table.Rows, cells[:len(table.Head)])
	}
	s := page.Section{ID: "rows", Title: "Rows", Tables: []page.Table{table}, Lead: "points.csv beside this page has every point."}
	if t.Study.Repeat > 1 {
		s.Lead = "The mean of all seeds, and from which to which single ones reach; points.csv beside this page has every point."
	}
	return s
}

// latencySection has the latencies of all seeds together.
func (t *Table) latencySection() page.Section {
	s := page.Section{ID: "latency", Title: "Latencies of all seeds together", Lead: "In us.", Plots: t.latencyPlots()}
	table := page.Table{Title: "Latencies of all rows", Folded: true, Head: t.Study.AxisNames(), Align: strings.Repeat("r", len(t.Study.Axes)) + "l"}
	table.Head = append(table.Head, "request", "count", "min", "mean")
	for _, share := range shares {
		table.Head = append(table.Head, fmt.Sprintf("%g %%", float64(share)/10))
	}
	table.Head = append(table.Head, "max")
	table.Align += strings.Repeat("r", 4+len(shares))
	for i := range t.Rows {
		for _, l := range t.Rows[i].Latencies {
			var cells []string
			for _, v := range t.Rows[i].Values {
				cells = append(cells, v.Text)
			}
			cells = append(cells, l.Kind, strconv.FormatUint(l.Count, 10), quantile(l.Min), quantile(l.Mean))
			for _, q := range l.Quantiles {
				cells = append(cells, quantile(q))
			}
			table.Rows = append(table.Rows, append(cells, quantile(l.Max)))
		}
	}
	s.Tables = []page.Table{table}
	return s
}

// configSection says what was varied and collected, and how to do it again.
func (t *Table) configSection() page.Section {
	s := page.Section{ID: "configuration", Title: "Configuration"}
	axes := page.Table{Title: "Axes", Head: []string{"axis", "what", "sets", "values"}, Align: "llll"}
	for _, a := range t.Study.Axes {
		axes.Rows = append(axes.Rows, []string{a.Name, figure.Head(a.Label, a.Unit), strings.Join(a.Paths(), ", "), values(a)})
	}
	metrics := page.Table{Title: "Collected", Head: []string{"metric", "what", "of", "unit"}, Align: "llll"}
	for _, m := range t.Study.Metrics {
		metrics.Rows = append(metrics.Rows, []string{m.Name, m.Label, m.Text, m.Unit})
	}
	base, settings := t.Study.Base()
	set := page.Table{Title: "Of all points", Head: []string{"what", "is"}, Align: "ll"}
	set.Rows = append(set.Rows, []string{"scenario", base}, []string{"seeds", fmt.Sprintf("%d, from %d on", t.Study.Repeat, t.Study.Seed)})
	for _, one := range settings {
		set.Rows = append(set.Rows, []string{one.Path, strings.TrimSpace(one.Value)})
	}
	for _, flag := range t.Study.Sets {
		path, value, _ := strings.Cut(flag, "=")
		set.Rows = append(set.Rows, []string{path, value + "  (--set)"})
	}
	s.Tables = []page.Table{axes, metrics, set}
	s.Notes = []string{"Again: " + t.again()}
	return s
}

// values are those of an axis in a few words.
func values(a *sweep.Axis) string {
	const most = 24
	var words []string
	for i, v := range a.Values {
		if i == most {
			words = append(words, fmt.Sprintf("… to %s, %d in all", a.Values[len(a.Values)-1].Text, len(a.Values)))
			break
		}
		words = append(words, v.Text)
	}
	return strings.Join(words, ", ")
}

// again is the command that made the sweep.
func (t *Table) again() string {
	words := []string{"hcasim", "sweep", "run", t.Plan.Study.File, "--report"}
	if t.Study.Short {
		words = append(words, "--short")
	}
	for _, set := range t.Study.Sets {
		words = append(words, "--set", quoted(set))
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:=/+@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
