// Package page writes a report as one HTML file, and a plot as SVG.
//
//	Page ─► Section ─┬─► Plot ──┬─► SVG     paper, Markdown, readers without scripts
//	                 ├─► Table  ├─► canvas  uPlot, once it is scrolled into view
//	                 └─► notes  └─► table   every value, folded away
//
// It knows of no run and no validation: its input is titles, words and
// numbers, and it judges nothing. Texts are plain; markup in them is shown as
// it stands.
//
// The picture of a plot is drawn twice, by this package and by uPlot, from the
// same scales. The SVG is what the file shows at first, on paper, and where
// scripts do not run.
//
// Begin reading with the types of page.go, which are all that other rooms see;
// write.go makes the file, draw*.go the pictures.
//
// Invariants:
//
//	W1  The same page is the same bytes: numbers have a fixed form, and neither
//	    clock nor order of a map has a say.
//	W2  The file asks for nothing. Its own content security policy forbids it.
//	W3  No text can become markup, script or style.
//	W4  Whatever a plot shows stands in its table too.
//	W5  Colour is never the only sign: series differ in marker or dash,
//	    statuses in mark and word.
//
// uPlot (MIT, © Leon Sorokin) is in assets with its licence, which each page
// that uses it repeats.
package page
