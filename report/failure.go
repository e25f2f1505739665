package report

import (
	"fmt"
	"io"

	"hcasim/scenario/run"
)

// failures shows the expectations that do not hold. more is the command that
// shows more; "" when this is it.
func (rec *Record) failures(w io.Writer, s Style, more string) {
	for i := range rec.Result.Failures {
		writeFailure(w, s, &rec.Result.Failures[i])
	}
	if more != "" && len(rec.Result.Failures) > 0 {
		fmt.Fprintln(w, "        "+more)
	}
}

func writeFailure(w io.Writer, s Style, f *run.Failure) {
	fmt.Fprintf(w, "%s  %s:%d:%d\n", s.bad("FAIL"), f.Pos.File, f.Pos.Line, f.Pos.Column)
	fmt.Fprintf(w, "        expected  %s: %s\n", f.What, f.Expected)
	fmt.Fprintf(w, "        got       %s: %s\n", f.What, f.Got)
	if f.Note != "" {
		fmt.Fprintf(w, "        %s\n", f.Note)
	}
}
