package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A tapSheet is the Test Anything Protocol, version 13, which all its readers
// take: a line for each run, what is wrong as YAML below it, the plan at the end.
type tapSheet struct {
	w     io.Writer
	flags []string
	sum   tally
}

func (s *tapSheet) add(t *Tested) error {
	var b bytes.Buffer
	s.begin(&b)
	for _, o := range t.outcomes(s.flags) {
		s.sum.add(&o)
		s.line(&b, &o)
	}
	_, err := s.w.Write(b.Bytes())
	return err
}

func (s *tapSheet) begin(b *bytes.Buffer) {
	if s.sum.tests == 0 {
		b.WriteString("TAP version 13\n")
	}
}

func (s *tapSheet) close(*Suite) error {
	var b bytes.Buffer
	s.begin(&b)
	fmt.Fprintf(&b, "1..%d\n", s.sum.tests)
	_, err := s.w.Write(b.Bytes())
	return err
}

func (s *tapSheet) line(b *bytes.Buffer, o *outcome) {
	verdict := "ok"
	if len(o.complaints) > 0 {
		verdict = "not ok"
	}
	fmt.Fprintf(b, "%s %d - %s", verdict, s.sum.tests, tapText(o.name))
	if o.skipped != "" {
		b.WriteString(" # SKIP " + tapText(o.skipped))
	}
	b.WriteByte('\n')
	if len(o.complaints) > 0 {
		diagnosis(b, o)
	}
}

// tapText keeps a name from ending its line, or from being a directive.
func tapText(s string) string {
	return strings.NewReplacer("\\", "\\\\", "#", "\\#", "\n", " ", "\r", " ").Replace(s)
}

// diagnosis writes what is wrong as YAML: texts are quoted as in JSON.
func diagnosis(b *bytes.Buffer, o *outcome) {
	first := &o.complaints[0]
	severity := "fail"
	if o.broken() {
		severity = "error"
	}
	fmt.Fprintf(b, "  ---\n  message: %s\n  severity: %s\n  failures:\n", strconv.Quote(first.title), severity)
	for i := range o.complaints {
		c := &o.complaints[i]
		fmt.Fprintf(b, "    - kind: %s\n      file: %s\n", c.kind, strconv.Quote(c.at.File))
		if c.at.Line > 0 {
			fmt.Fprintf(b, "      line: %d\n", c.at.Line)
		}
		if c.at.Line > 0 && c.at.Column > 0 {
			fmt.Fprintf(b, "      column: %d\n", c.at.Column)
		}
		fmt.Fprintf(b, "      message: %s\n", strconv.Quote(c.title))
		if c.text != "" {
			fmt.Fprintf(b, "      text: %s\n", strconv.Quote(c.text))
		}
	}
	if len(o.more) > 0 {
		b.WriteString("  see:\n")
		for _, line := range o.more {
			fmt.Fprintf(b, "    - %s\n", strconv.Quote(line))
		}
	}
	b.WriteString("  ...\n")
}
