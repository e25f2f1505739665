// Package plot writes a plot as a file for a paper: SVG, PNG or PDF.
//
//	            ┌─► page.SVG
//	page.Plot ──┼─► page.Draw ──► image     gonum.org/v1/plot/vg ──► PNG
//	            └─► page.Draw ──► document  codeberg.org/go-pdf  ──► PDF
//
// It chooses no colour, marker or tick: the picture is the page's, stroke for
// stroke, on white paper. What it adds are canvases.
//
// Begin reading with plot.go.
//
// Invariants:
//
//	G1  The same plot is the same bytes, in each format.
//	G2  A PDF holds its fonts and a PNG its resolution: both look the same
//	    everywhere.
//
// The fonts are Liberation Sans (SIL Open Font License).
package plot
