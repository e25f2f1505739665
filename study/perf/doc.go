// Package perf makes the experiments of perftest: ib_write_bw, ib_read_lat and
// the others, with perftest's options, in perftest's columns.
//
//	Options ──► scenario, a case for each size ──► runs, on workers ──► rows ──► text,
//	                │                                                          json, csv, md
//	                └ for the user to keep and change
//
// It decides nothing: what runs is a scenario like any other, and the figures
// are those of its traffic. What it knows is perftest: defaults, which option
// goes with which test, and how a row is reckoned.
//
// As perftest has it:
//
//   - write_lat and send_lat are half of a ping-pong; read_lat and atomic_lat
//     have one request in flight. There is no warm-up; the two slowest rounds
//     are left out, which is where those go that find nothing on chip.
//   - The others keep -t requests in flight on each of -q queue pairs. The
//     average is from the first post to the last completion, the pipes' filling
//     included; the peak is the best of all runs of requests that follow each
//     other. A completion is asked for every -Q, and after the last.
//   - Messages of up to half a page walk over a page, in steps of cache lines;
//     a larger one has one place, and each queue pair a place of its own.
//   - -b sends both ways, and the row is the sum of both.
//   - A MB has 2^20 bytes. -D measures the time between two margins.
//
// Not as perftest has it: each queue pair has a thread of its own that posts,
// and another polls; with several, requests take the places in turn. A latency
// that is measured is that of each round, n of them, where perftest has n-1
// gaps between posts.
//
// Invariants:
//
//	P1  The same options print the same bytes, whatever the number of workers.
//	P2  The scenario that is shown is the one that runs.
//	P3  An option that means nothing here is an error that says why; none is
//	    passed over in silence but -F, which says nothing to a simulation.
package perf
