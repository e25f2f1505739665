package compare

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"hcasim/report"
)

// Formats are the forms of a Difference: md is for a pull request.
var Formats = []string{"text", "json", "md"}

// fewChanges is how many changes of a configuration are shown unless all are
// asked for.
const fewChanges = 20

// Write writes the difference in one of Formats; with all also what is equal.
func (d *Difference) Write(w io.Writer, format string, all bool) error {
	if format == "json" {
		return d.json(w, all)
	}
	var b bytes.Buffer
	var err error
	if format == "md" {
		err = d.markdown(&b, all)
	} else {
		err = d.text(&b, all)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// text writes it for a terminal.
func (d *Difference) text(b *bytes.Buffer, all bool) error {
	for _, line := range d.changes(all) {
		fmt.Fprintln(b, line)
	}
	b.WriteByte('\n')
	t := d.table(d.shown(all))
	if err := t.Write(b, false); err != nil {
		return err
	}
	for _, line := range d.notes() {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b, d.verdict())
	return nil
}

// changes says what was configured otherwise, a line each.
func (d *Difference) changes(all bool) (lines []string) {
	width := 0
	for _, c := range d.Configuration {
		width = max(width, min(len(c.Path), 48))
	}
	for _, c := range d.Words {
		lines = append(lines, fmt.Sprintf("%s: %s → %s", c.Path, orNone(c.Base), orNone(c.New)))
	}
	for i, c := range d.Configuration {
		if i == fewChanges && !all {
			lines = append(lines, fmt.Sprintf("config     … and %d more: --all", len(d.Configuration)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("config     %-*s  %s → %s", width, c.Path, orNone(c.Base), orNone(c.New)))
	}
	switch {
	case d.NoConfig != "":
		lines = append(lines, fmt.Sprintf("config     not known: %s has no config.yaml", d.NoConfig))
	case !d.Sweep && len(lines) == 0: // of one run, or of all
		lines = append(lines, "config     =")
	case d.Sweep && len(lines) == 0:
		lines = append(lines, "study      =")
	}
	return lines
}

func orNone(value string) string {
	if value == "" {
		return "(none)"
	}
	return value
}

// shown are the lines that a reader should see.
func (d *Difference) shown(all bool) (list []*Line) {
	for i := range d.Lines {
		if l := &d.Lines[i]; all || l.Verdict != Equal {
			list = append(list, l)
		}
	}
	return list
}

// table has a line for each metric.
func (d *Difference) table(list []*Line) *report.Table {
	base, other := short(d.Base, d.New)
	row := "row"
	if d.Folders {
		row = "result"
	}
	t := report.NewTable(row, "metric", ">"+base, ">"+other, ">change", ">p", "verdict")
	for _, l := range list {
		before, after, p := text(l.Base, l.Unit), text(l.New, l.Unit), ""
		switch l.Verdict {
		case Gone:
			after = "-"
		case New:
			before = "-"
		default:
		}
		if l.Seeds > 1 {
			p = fmt.Sprintf("%.3f n=%d", l.P, l.Seeds)
		}
		t.Row(l.Row, l.Metric, before, after, l.change(), p, l.verdict())
	}
	return t
}

// short are two names without what they begin with alike, and no longer than
// two words.
func short(a, b string) (string, string) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for len(x) > 1 && len(y) > 1 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	x, y = x[max(0, len(x)-2):], y[max(0, len(y)-2):]
	if a, b = strings.Join(x, "/"), strings.Join(y, "/"); a == b {
		return "base", "new"
	}
	return a, b
}

// notes say what stands in no table.
func (d *Difference) notes() (lines []string) {
	for _, x := range []struct {
		what string
		list []string
	}{{"missing now", d.Gone}, {"not in the base", d.Came}, {"does not hold any more", d.Broken}, {"a tolerance of no metric", d.Unused}} {
		for _, s := range x.list {
			lines = append(lines, x.what+"  "+s)
		}
	}
	return lines
}

// verdict is the last line.
func (d *Difference) verdict() string {
	var words []string
	say := func(n int, one, many string) {
		switch n {
		case 0:
		case 1:
			words = append(words, "1 "+one)
		default:
			words = append(words, fmt.Sprintf("%d %s", n, many))
		}
	}
	say(d.count(Worse), "metric worse", "metrics worse")
	say(len(d.Broken), "expectation broken", "expectations broken")
	if d.Folders {
		say(len(d.Gone), "result missing", "results missing")
	} else {
		say(len(d.Gone), "row missing", "rows missing")
	}
	say(d.count(Better), "better", "better")
	say(d.count(Changed), "changed", "changed")
	say(d.count(Within), "within tolerance", "within tolerance")
	say(d.count(Gone)+d.count(New), "on one side only", "on one side only")
	say(d.count(Equal), "equal", "equal")
	if words == nil {
		words = []string{"nothing to compare"}
	}
	if d.Folders {
		words = append(words, fmt.Sprintf("in %d results, all figures equal in %d of them", d.Results, d.Same))
	}
	mark := "✓ "
	if d.Regressed() {
		mark = "✗ "
	}
	return mark + strings.Join(words, ", ")
}

// markdown writes it for a pull request: the verdict, what is worse or better,
// and the rest to be opened.
func (d *Difference) markdown(b *bytes.Buffer, all bool) error {
	base, other := short(d.Base, d.New)
	fmt.Fprintf(b, "### %s → %s\n\n**%s**\n\n", base, other, d.verdict())
	for _, line := range d.notes() {
		fmt.Fprintf(b, "- %s\n", line)
	}
	if len(d.notes()) > 0 {
		b.WriteByte('\n')
	}
	var first, rest []*Line
	for _, l := range d.shown(all) {
		if l.Verdict == Worse || l.Verdict == Better {
			first = append(first, l)
		} else {
			rest = append(rest, l)
		}
	}
	if err := d.rows(b, first, all); err != nil {
		return err
	}
	if n := len(d.Words) + len(d.Configuration); n > 0 || d.NoConfig != "" {
		fmt.Fprintf(b, "\n<details><summary>Configuration: %d changes</summary>\n\n```\n%s\n```\n\n</details>\n", n, strings.Join(d.changes(all || n <= mostRows), "\n"))
	}
	if len(rest) == 0 {
		return nil
	}
	fmt.Fprintf(b, "\n<details><summary>Other metrics: %d</summary>\n\n", len(rest))
	if err := d.rows(b, rest, all); err != nil {
		return err
	}
	b.WriteString("\n</details>\n")
	return nil
}

// mostRows is how many rows a table of a comment has unless all are asked for:
// forges take some 65,000 characters.
const mostRows = 150

// rows writes a table as Markdown.
func (d *Difference) rows(b *bytes.Buffer, list []*Line, all bool) error {
	more := len(list) - mostRows
	if all || more <= 0 {
		return d.table(list).Write(b, true)
	}
	if err := d.table(list[:mostRows]).Write(b, true); err != nil {
		return err
	}
	fmt.Fprintf(b, "\n… and %d more: --all\n", more)
	return nil
}
