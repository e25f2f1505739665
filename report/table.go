package report

import (
	"bytes"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// A column is the head of a column; numbers stand to the right.
type column struct {
	name  string
	right bool
}

// left and right make columns.
func left(name string) column  { return column{name, false} }
func right(name string) column { return column{name, true} }

// A grid is a table on its way to the page.
type grid struct {
	columns []column
	rows    [][]string
}

func (g *grid) row(cells ...string) { g.rows = append(g.rows, cells) }

// plain writes the table without lines, as perftest does.
func (g *grid) plain(w io.Writer) error {
	return render(g, w, tablewriter.WithRendition(tw.Rendition{
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone},
	}))
}

// markdown writes it for a page of a forge.
func (g *grid) markdown(w io.Writer) error {
	return render(g, w, tablewriter.WithRenderer(renderer.NewMarkdown()))
}

// A Table is a grid for rooms that print tables of their own.
type Table struct{ grid grid }

// NewTable begins one. A head that begins with > stands to the right, and so
// do the cells below it.
func NewTable(heads ...string) *Table {
	t := &Table{}
	for _, h := range heads {
		name, right := strings.CutPrefix(h, ">")
		t.grid.columns = append(t.grid.columns, column{name, right})
	}
	return t
}

// Row adds a row, of a cell for each head. A column without any is not shown.
func (t *Table) Row(cells ...string) { t.grid.row(cells...) }

// Write writes the table, without lines or in Markdown.
func (t *Table) Write(w io.Writer, markdown bool) error {
	switch {
	case len(t.grid.rows) == 0:
		return nil
	case markdown:
		return t.grid.markdown(w)
	}
	return t.grid.plain(w)
}

// full reports whether a column has anything in it.
func (g *grid) full(column int) bool {
	for _, r := range g.rows {
		if r[column] != "" {
			return true
		}
	}
	return false
}

// render leaves out the columns that are empty. It is not a method: whoever uses
// a Table would compile the generic types of tablewriter with it.
func render(g *grid, w io.Writer, form tablewriter.Option) error {
	var shown []int
	var names []string
	var align tw.Alignment
	for i, c := range g.columns {
		if !g.full(i) {
			continue
		}
		shown = append(shown, i)
		names = append(names, c.name)
		if c.right {
			align = append(align, tw.AlignRight)
		} else {
			align = append(align, tw.AlignLeft)
		}
	}
	var b bytes.Buffer
	t := tablewriter.NewTable(&b, form, tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone))
	t.Header(names)
	for _, r := range g.rows {
		cells := make([]string, len(shown))
		for k, i := range shown {
			cells[k] = r[i]
		}
		if err := t.Append(cells); err != nil {
			return err
		}
	}
	if err := t.Render(); err != nil {
		return err
	}
	return trimmed(w, b.Bytes())
}

// trimmed writes text without blanks at the ends of lines.
func trimmed(w io.Writer, text []byte) error {
	for line := range bytes.Lines(text) {
		line = append(bytes.TrimRight(line, " \n"), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
