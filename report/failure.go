package report

import (
	"bytes"
	"fmt"

	"hcasim/scenario/run"
)

// failures shows the expectations that do not hold.
func (rec *Record) failures(w *bytes.Buffer, s Style) {
	for i := range rec.Result.Failures {
		writeFailure(w, s, &rec.Result.Failures[i])
	}
	for i := range rec.Figures.Failures {
		writeFailure(w, s, &rec.Figures.Failures[i])
	}
}

func writeFailure(w *bytes.Buffer, s Style, f *run.Failure) {
	fmt.Fprintf(w, "%s  %s:%d:%d\n", s.bad("FAIL"), f.Pos.File, f.Pos.Line, f.Pos.Column)
	fmt.Fprintf(w, "        expected  %s: %s\n", f.What, f.Expected)
	fmt.Fprintf(w, "        got       %s: %s\n", f.What, f.Got)
	if f.Note != "" {
		fmt.Fprintf(w, "        %s\n", f.Note)
	}
}
