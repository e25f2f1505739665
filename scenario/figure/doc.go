// Package figure gives the figures of a run names that expressions may use:
// the validation suite, studies and comparisons speak of them in these words.
//
//	run.Result ──► Of ──► Figures ──┬─► Metric.Of      a number
//	                   axes, x ──►──┘   Condition.Of   true or false
//
// It simulates nothing and judges nothing.
//
// # Names
//
//	KIND.p50 p90 p99 p999 p9999          latencies of a kind of request, in ns
//	KIND.min max mean                    the same
//	KIND.count rate bytes_per_s          how many; the last traffic's per second
//	KIND.bandwidth offered               its bits a second; requests that came, if a rate offers them
//	NAME                                 as in stats.csv, in its unit there
//	measured.NAME                        the same of the measured part alone
//
// KIND is write, read, send and so on, as thresholds have them.
//
// # Invariants
//
//	F1  A name means the same in every file: what a metric of the suite is
//	    called, a study calls so too.
//	F2  A figure that a run does not have is an error with the nearest name,
//	    never a zero.
package figure
