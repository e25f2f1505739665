package report

import (
	"bytes"

	"hcasim/report/page"
	"hcasim/report/terminal"
)

// draw draws the pictures of the run with letters, for who asked for them.
func (rec *Record) draw(w *bytes.Buffer) error {
	if rec.Drawn == nil {
		return nil
	}
	plots := rec.timePlots()
	for _, s := range []page.Section{rec.latencySection(), rec.hitSection(), rec.useSection(), rec.stallSection()} {
		plots = append(plots, s.Plots...)
	}
	for i, p := range plots {
		if i > 0 {
			w.WriteByte('\n')
		}
		if err := terminal.Write(w, p, *rec.Drawn); err != nil {
			return err
		}
	}
	return nil
}
