package terminal

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// A Style says what is drawn on.
type Style struct {
	Width  int  // columns
	Colour bool // colours, and lines of box-drawing letters
}

// The widths of what is no terminal, and of what is too narrow or wide.
const (
	pipedWidth = 80
	leastWidth = 40
	mostWidth  = 140
)

// Of is the style of a file. What is no terminal, and who asks for no colour,
// gets plain letters.
func Of(f *os.File, colour bool) Style {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return Style{Width: pipedWidth}
	}
	width, _, err := term.GetSize(fd)
	if err != nil || width <= 0 {
		width, err = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if err != nil || width <= 0 {
		width = pipedWidth
	}
	return Style{Width: min(max(width, leastWidth), mostWidth), Colour: colour && unicodeLocale(os.Getenv)}
}

// unicodeLocale reports whether the terminal shows more than ASCII.
func unicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}
