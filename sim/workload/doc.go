// Package workload has what the engine's speed is measured with: four ways of
// keeping a queue of events busy, and two yardsticks that do the same work.
//
//	HOLD n   n events pending, each schedules its successor      Walk, 1 stage
//	PIPE n   n tokens walk chains of 16 stages on a 1 GHz clock  Walk, 16 stages
//	TICK n   n members of a clock domain do next to nothing in every cycle
//	CHAIN    16 members joined by bounded links, one message a cycle
//
// The benchmarks of sim and hcasim bench both use it, so that a figure of one is
// a figure of the other. It measures no time: who calls Events does,
// by CPUTime.
//
// Invariants:
//
//	N1  The engine is called as the model calls it: its methods, not an
//	    interface that stands for it. So are the yardsticks.
//	N2  A walk over a Heap does what it does over the engine: equal checksums.
//	    Over a Ring, which is not in order of time, it only costs the least.
//	N3  Once a walk is warm it allocates nothing.
package workload
