package report

import "io"

// RunFormats are the forms that a Page takes.
var RunFormats = []string{"text", "json", "perftest", "md"}

// A Page shows runs one after another in one form.
type Page struct {
	w      io.Writer
	format string
	style  Style
	shown  []*Record
}

// NewPage begins one; format is one of RunFormats.
func NewPage(w io.Writer, format string, s Style) *Page {
	return &Page{w: w, format: format, style: s}
}

// Add shows a run.
func (p *Page) Add(rec *Record) error {
	p.shown = append(p.shown, rec)
	if p.format == "json" {
		return nil // they are one document
	}
	if len(p.shown) > 1 {
		if _, err := io.WriteString(p.w, "\n"); err != nil {
			return err
		}
	}
	switch p.format {
	case "perftest":
		return writePerftest(p.w, rec)
	case "md":
		return writeMarkdown(p.w, rec)
	}
	return writeText(p.w, rec, p.style)
}

// Close ends it.
func (p *Page) Close() error {
	if p.format == "json" {
		return writeJSON(p.w, p.shown)
	}
	return nil
}
