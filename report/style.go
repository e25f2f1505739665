package report

import "fmt"

// A Style says how verdicts stand out.
type Style struct {
	Colour bool // only on a terminal, and without NO_COLOR
}

func (s Style) good(text string) string { return s.paint("32", text) }
func (s Style) bad(text string) string  { return s.paint("31;1", text) }

func (s Style) paint(code, text string) string {
	if !s.Colour {
		return text
	}
	return fmt.Sprintf("\x1b[%sm%s\x1b[0m", code, text)
}

// Mark stands before a verdict.
func (s Style) Mark(ok bool) string {
	if ok {
		return s.good("✓")
	}
	return s.bad("✗")
}
