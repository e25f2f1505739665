// Package beside shows what perftest measured beside what hcasim simulates of
// the same experiment.
//
//	log ──► Plan: options of perf, what was taken, assumed, left out
//	          │
//	          └──► an experiment of study/perf for each size ──► Comparison ──► text, json, md
//
// Invariants:
//
//	B1  What the log says goes before what is assumed, and what the user sets
//	    before both; each is said.
//	B2  A part of the log that a simulation has no counterpart for is named, not
//	    passed over.
//	B3  A figure that the log does not have is not compared.
package beside
