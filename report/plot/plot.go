package plot

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hcasim/report/page"
)

// Formats are those that Write knows, by the ends of file names.
var Formats = []string{"svg", "png", "pdf"}

// Known reports whether Write knows a format.
func Known(format string) bool { return slices.Contains(Formats, format) }

// Write writes the plot in one of the Formats.
func Write(w io.Writer, format string, p page.Plot, size page.Size) error {
	switch format {
	case "svg":
		return page.SVG(w, p, size)
	case "png":
		return writePNG(w, p, size)
	case "pdf":
		return writePDF(w, p, size)
	}
	return fmt.Errorf("a plot has no format %q: %s", format, strings.Join(Formats, ", "))
}

// The measures of paper, in points: a pixel of the page, and its text.
const (
	point     = 0.75
	wordSize  = 9
	titleSize = 10.5
)

// parts are red, green and blue of an ink of the light page.
func parts(ink page.Ink) (r, g, b int) {
	rgb, err := strconv.ParseUint(ink.Hex()[1:], 16, 32)
	if err != nil {
		panic("plot: no ink " + ink.Hex())
	}
	return int(rgb >> 16), int(rgb >> 8 & 255), int(rgb & 255)
}

// before is how much of a text stands before its place.
func before[T ~float64](a page.Anchor, width T) T {
	switch a {
	case page.Middle:
		return width / 2
	case page.End:
		return width
	case page.Start:
	}
	return 0
}
