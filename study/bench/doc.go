// Package bench measures the simulator's own speed: a fixed set of rows, each a
// load of the engine or a scenario of scenarios/bench, and what an op and an
// event of it cost.
//
//	sim/workload ──► engine rows ──┐
//	                               ├─► samples ──► medians ──► table, Go's benchmark lines, JSON
//	scenarios/bench ──► runs ──────┘
//
// Time is what the processor spent on this process, user and system together,
// the collector's share included: on a shared machine the wall clock says more
// about the neighbours. A sample of a scenario is the difference between a long
// run and a short one, divided by the ops that the long one has more: building
// the world, declaring objects and warming caches cancel out, of time and of
// allocations alike. Memory is the most that was resident during the row.
//
// It is no part of the model, and no test: figures of a clock are compared with
// figures of the same run, as ratios, or by benchstat.
//
// Invariants:
//
//	Z1  The rows and their lengths are fixed: what does not depend on a clock,
//	    such as events per op, is the same on all machines.
//	Z2  A run that does not end as its scenario expects has no figures: it is
//	    an error.
//	Z3  What is compared runs by turns, sample by sample.
package bench
