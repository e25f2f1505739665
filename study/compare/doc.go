// Package compare says how one result differs from another: what was configured
// otherwise, and what came of it.
//
//	folder ──► Side ─┐
//	                 ├─► Difference ──► text, md, json
//	folder ──► Side ─┘     configuration first, then metrics, each with a verdict
//
// A side is a result folder, a folder with one result in it, the summary.json of
// either, or the folder of a sweep. Both may be folders of several results, as
// hcasim test --keep makes them: these are compared name by name, into one
// Difference whose rows are the results. Of a run the metrics are the latencies of
// its requests, the rates of its traffic, and its figures; of a sweep those that
// it collected, row by row, matched by the values of the axes.
//
// A verdict needs a direction. Of latencies, misses and stalls more is worse, of
// rates and hit rates less; most other figures have none, and a change of them
// is a change.
//
// It simulates nothing. Runs are deterministic: two figures that differ do so
// for a reason, and are compared exactly, beyond the tolerance. Where a row of
// both sides has several seeds, a difference counts if the rank test of Mann and
// Whitney finds it (p < 0.05); with fewer than four a side, which that test
// cannot tell apart, if all of one side lie beyond all of the other.
//
// Invariants:
//
//	C1  What is missing on one side is named; it is never equal.
//	C2  Two sides of another format are an error, never a guess.
//	C3  Swapping the sides swaps better and worse, where nothing is tolerated.
package compare
