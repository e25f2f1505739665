// Package terminal draws a plot with letters.
//
//	page.Plot ─┬─► curves   lines and steps, by asciigraph
//	           └─► rows     bars: one line each, parts one behind the other
//
// Scales and ticks are the page's: an axis that is logarithmic there is so
// here. What is drawn is a glance; the values are in the report.
//
// Begin reading with Write, in plot.go.
//
// Invariants:
//
//	T1  The same plot in the same style is the same bytes.
//	T2  Without colour everything drawn is ASCII, and each series has a letter
//	    of its own; with colour it has a marker.
//	T3  No line is longer than the style's width.
package terminal
