// Package study asks questions that take more than one run: it drives the
// search of tpt/explore, and writes what it finds as a scenario.
//
//	tpt/explore.Search ──► Exploration ──► text, json
//	                            │
//	                            └ a counterexample ──► scenario, to be run
//
// It simulates nothing by itself, and it decides no rule: the search has its
// ledger, a scenario its run.
//
// Invariants:
//
//	Y1  The same question is answered by the same bytes; what the wall clock
//	    says is for stderr.
//	Y2  A counterexample's scenario expects what the rules demand: against a
//	    model that keeps them it holds, against the one that was searched it
//	    does not.
package study
