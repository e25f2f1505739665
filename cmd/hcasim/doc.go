// Command hcasim simulates two InfiniBand host channel adapters and the hosts
// around them, cycle by cycle, from a scenario written in YAML.
//
// It computes nothing: scenario reads and runs, report shows and keeps. What is
// here is commands, flags, and which status the program ends with:
//
//	0   done, and as expected
//	1   ran, but an expectation or a threshold does not hold
//	2   the command line, a file or a value is wrong; nothing was simulated
//	3   the model stopped itself: an invariant, a deadlock, the limit of time
//	4   results, or what is printed, could not be written
//	75  interrupted
//	PIPE, 141 in a shell: who read what is printed has gone
//
// Figures and verdicts go to stdout, the same bytes for the same input;
// progress and whatever the wall clock says go to stderr.
package main
