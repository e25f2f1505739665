package terminal

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"

	"hcasim/report/page"
)

// Write draws a plot.
func Write(w io.Writer, p page.Plot, s Style) error {
	var lines []string
	switch {
	case p.Sideways || barsOnly(p.Series):
		lines = rows(p, s)
	default:
		lines = curves(p, s)
	}
	if p.Title != "" {
		lines = append([]string{cut(p.Title, s.Width)}, lines...)
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(s.plain(l), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func barsOnly(series []page.Series) bool {
	for _, s := range series {
		if s.Kind != page.Bars {
			return false
		}
	}
	return len(series) > 0
}

// plain writes a line with ASCII, where there are no colours (T2), and no
// longer than the width.
func (s Style) plain(line string) string {
	if s.Colour {
		return line
	}
	line = asASCII.Replace(line)
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, line)
	return line[:min(len(line), s.Width)]
}

var asASCII = strings.NewReplacer("┤", "|", "┼", "+", "└", "+", "─", "-", "┬", "+", "│", "|",
	"µ", "u", "μ", "u", "×", "x", "·", "-", "–", "-", "≥", ">=", "≤", "<=", "±", "+-", "…", "...", "→", "->", "\u00a0", " ")

// The signs of series: letters without colour, and with it markers.
var (
	letters = []string{"*", "o", "+", "x", "#", "@", "%", "&", "=", "~"}
	markers = []string{"●", "■", "◆", "▲", "○", "□", "◇", "△"}
	hues    = []asciigraph.AnsiColor{asciigraph.Blue, asciigraph.Red, asciigraph.Green, asciigraph.Magenta, asciigraph.Yellow, asciigraph.Cyan}
)

func sign(list []string, i int) string { return list[i%len(list)] }

// painted is a text in the hue of a series.
func (s Style) painted(i int, text string) string {
	if !s.Colour {
		return text
	}
	return hues[i%len(hues)].String() + text + asciigraph.Default.String()
}

// legend names the series, as many to a line as there is room for.
func (s Style) legend(names, signs []string) (lines []string) {
	line, width := "", 0
	for i, name := range names {
		name = cut(name, s.Width-4)
		w := 2 + utf8.RuneCountInString(name)
		if width > 0 && width+3+w > s.Width-2 {
			lines, line, width = append(lines, line), "", 0
		}
		if width > 0 {
			line, width = line+"   ", width+3
		} else {
			line = "  "
		}
		line, width = line+s.painted(i, signs[i])+" "+name, width+w
	}
	return append(lines, line)
}

// cut is a text of no more than so many letters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:max(most-1, 0)]) + "~"
	}
	return text
}
