// Package study asks questions that take more than one run: it drives the
// search of tpt/explore, and writes what it finds as a scenario; it runs the
// points of the validation suite, and says how far the model is off.
//
//	tpt/explore.Search ──► Exploration ──► text, json
//	                            │
//	                            └ a counterexample ──► scenario, to be run
//
//	scenario/suite ──► points ──► runs, on workers ──► figures ──► metric
//	                                                                 │
//	     Validation ──► text, md, json, ◄── verdicts ◄── deviation ◄─┘
//	                    html, docs/validation.md
//
// It simulates nothing by itself, and it decides no rule: the search has its
// ledger, a scenario its run.
//
// Begin reading with validate.go for validations, their types in validation.go,
// and with explore.go for searches.
//
// Invariants:
//
//	Y1  The same question is answered by the same bytes; what the wall clock
//	    says is for stderr.
//	Y2  A counterexample's scenario expects what the rules demand: against a
//	    model that keeps them it holds, against the one that was searched it
//	    does not.
//	Y3  A validation does not depend on the number of workers or on their
//	    order: each simulation keeps its figures for itself, and equal ones
//	    are made once.
//	Y4  What does not finish as it should is a miss with its reason, never a
//	    point that is left out.
//	Y5  docs/validation.md and README.md say what the model does: what they were
//	    made of is held to by their stamp, what they say by CI.
package study

//go:generate go test -timeout 30m -run ^TestDocument$ -hold whole -update .
