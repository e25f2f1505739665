// Package suite reads the files that hold the model to published
// measurements: items, of kind validation, and the testbeds that they were
// measured on.
//
//	v18.yaml ──► Item ─► Curve ─► Point ──► scenario.Run
//	testbeds/ ──► Testbed ┘        └ published value, tolerance
//
// It runs nothing and judges nothing: package study does. A curve has a
// scenario with variables in it; each of its points is that scenario with $x
// bound, read as any file is, so that mistakes are shown where they stand.
//
// Parameters lie over each other in this order: profile, facts of the
// testbed, the scenario's own, the curve's set:, flags.
//
// Invariants:
//
//	U1  Whatever is wrong in any file that is asked for is reported before
//	    anything runs, all of it at once, a mistake of a scenario once and not
//	    once for each point.
//	U2  Only facts of a set-up may be changed beside the profile, except in
//	    items of class X, which are arithmetic: a suite cannot be met by
//	    turning a stage.
//	U3  What is read depends on the files alone, not on the number of workers.
package suite

//go:generate go test -run ^TestSchemas$ -update .
