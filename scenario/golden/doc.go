// Package golden keeps the figures that scenarios record, and holds later runs to
// them.
//
//	scenario: record: ──┐
//	Result.Figures ─────┼─► Hold   ──► failures, each with the line of the golden file
//	x.golden.yaml ──────┘   Update ──► x.golden.yaml anew, and what changes
//
// The figures of x.yaml lie beside it in x.golden.yaml, one a line, with their
// units:
//
//	version: 1
//	kind: golden
//	runs:
//	  - run: cold-and-warm          # NAME, or NAME/CASE
//	    model: 3                    # version of the model that it was recorded with
//	    figures:
//	      B.mpt.misses: 3
//	      write.p50: 2.216us
//
// It knows no expectation: what must come of a run stands in the scenario, and
// nothing here reads or writes that. How far a figure may go stands there too,
// as within:.
//
// Invariants:
//
//	G1  What is recorded, asked for and found is held; what is only one or two of
//	    these is a failure: nothing is passed over.
//	G2  Writing what was read gives the same bytes. The order is that of the cases
//	    in the scenario and of the names of figures, numbers in them by value.
//	G3  Values are whole numbers of base units, and compared as such.
package golden
