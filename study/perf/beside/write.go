package beside

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hcasim/report"
)

// Formats are the forms of a comparison.
var Formats = []string{"text", "json", "md"}

// Write writes comparisons in one of Formats.
func Write(w io.Writer, format string, list []*Comparison) error {
	if format == "json" {
		return writeJSON(w, list)
	}
	var b bytes.Buffer
	for i, c := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := c.write(&b, format == "md"); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c *Comparison) write(b *bytes.Buffer, markdown bool) error {
	title := c.log.Title
	if title == "" {
		title = "ib_" + c.experiments[0].Test.Name
	}
	if markdown {
		fmt.Fprintf(b, "### %s · %s:%d beside hcasim\n\n", title, c.log.File, c.log.Line)
	} else {
		fmt.Fprintf(b, "%s · %s:%d beside hcasim\n", title, c.log.File, c.log.Line)
	}
	c.origins(b, markdown)
	if err := c.table(b, markdown); err != nil {
		return err
	}
	if markdown {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s\n", c.verdict())
	if !markdown {
		fmt.Fprintf(b, "%s\n", c.again())
	}
	return nil
}

// origins say what came from the log, and what did not.
func (c *Comparison) origins(b *bytes.Buffer, markdown bool) {
	line := func(what string, list []string) {
		switch {
		case len(list) == 0:
		case markdown:
			fmt.Fprintf(b, "- %s: %s\n", what, strings.Join(list, ", "))
		default:
			fmt.Fprintf(b, "  %-14s %s\n", what, strings.Join(list, ", "))
		}
	}
	line("from the log", c.taken)
	line("assumed", c.assumed)
	line("not modelled", c.left)
	line("not read", c.unread())
	if markdown {
		b.WriteByte('\n')
	}
}

// listed is how many lines that were not understood are shown.
const listed = 4

func (c *Comparison) unread() (list []string) {
	for i, u := range c.log.Unread {
		if i == listed {
			return append(list, fmt.Sprintf("%d more", len(c.log.Unread)-listed+c.log.Skipped))
		}
		list = append(list, fmt.Sprintf("line %d: %s", u.Line, u.Text))
	}
	return list
}

// table has three columns for each figure that the log has of any size.
func (c *Comparison) table(b *bytes.Buffer, markdown bool) error {
	var first *Row
	for i := range c.Rows {
		if c.Rows[i].Failed == "" {
			first = &c.Rows[i]
			break
		}
	}
	if first == nil {
		return nil
	}
	var shown []int
	heads := []string{">#bytes", ">#iterations"}
	for k := range first.Figures {
		if f := &first.Figures[k]; c.has(k) {
			shown = append(shown, k)
			heads = append(heads, fmt.Sprintf(">%s[%s]", f.Name, f.Unit), ">hcasim", ">difference")
		}
	}
	t := report.NewTable(heads...)
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Failed != "" {
			continue
		}
		cells := []string{strconv.FormatUint(r.Bytes, 10), strconv.FormatUint(r.Iterations, 10)}
		for _, k := range shown {
			cells = append(cells, c.cells(&r.Figures[k])...)
		}
		t.Row(cells...)
	}
	return t.Write(b, markdown)
}

// has reports whether the log has a figure of any size.
func (c *Comparison) has(k int) bool {
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Failed == "" && r.Figures[k].Known {
			return true
		}
	}
	return false
}

func (c *Comparison) cells(f *Figure) []string {
	if !f.Known {
		return []string{"", fixed(f.Ours, f.Digits), ""}
	}
	mark := ""
	if c.beyond(f) {
		mark = " ✗"
	}
	return []string{fixed(f.Log, f.Digits), fixed(f.Ours, f.Digits), percent(f.difference()) + mark}
}

func fixed(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

func percent(v float64) string { return fmt.Sprintf("%+.1f %%", v) }

// verdict says how far the two are apart.
func (c *Comparison) verdict() string {
	all, beyond, worst, row := c.count()
	if worst == nil {
		return "no figure to compare"
	}
	most := fmt.Sprintf("most: %s of %d bytes, %s", worst.Name, row.Bytes, percent(worst.difference()))
	limit := strconv.FormatFloat(c.tolerance, 'g', -1, 64) + " %"
	switch {
	case c.tolerance < 0:
		return fmt.Sprintf("compared %d; %s", all, most)
	case beyond > 0:
		return fmt.Sprintf("✗ %d of %d differ by more than %s; %s", beyond, all, limit, most)
	}
	return fmt.Sprintf("✓ all %d within %s; %s", all, limit, most)
}

// again is the command that shows the row that differs most in full.
func (c *Comparison) again() string {
	x, n := c.experiments[0], 0
	if _, _, _, row := c.count(); row != nil {
		for i := range c.Rows {
			if &c.Rows[i] == row {
				x, n = c.experiments[i], i
			}
		}
	}
	text := "hcasim perf " + x.Test.Name
	if !strings.HasPrefix(x.Test.Name, "atomic") {
		text += fmt.Sprintf(" -s %d", c.Rows[n].Bytes)
	}
	text += fmt.Sprintf(" -n %d -c %s -m %d", x.Iterations, x.Connection, x.MTU)
	say := func(is bool, format string, args ...any) {
		if is {
			text += fmt.Sprintf(" "+format, args...)
		}
	}
	bw := !x.Test.Latency()
	say(bw, "-q %d -t %d -Q %d", x.QPs, x.TxDepth, x.CQMod)
	say(x.PostList > 1, "-l %d", x.PostList)
	say(bw && x.RxDepth > 0, "-r %d", x.RxDepth)
	say(!strings.HasPrefix(x.Test.Name, "read") && !strings.HasPrefix(x.Test.Name, "atomic"), "-I %d", x.Inline)
	say(x.Atomic != "", "-A %s", x.Atomic)
	say(x.Both, "-b")
	say(x.WithImm, "--write_with_imm")
	say(x.Gbits, "--report_gbits")
	say(true, "--profile %s", x.Profile)
	for _, set := range x.Sets {
		say(true, "--set %s", quoted(set))
	}
	say(x.Library != "", "--library %s", quoted(x.Library))
	return text
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsAny(word, " \t'\"\\$&|;<>()*?[]{}~#`!") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
