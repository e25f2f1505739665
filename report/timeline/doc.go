// Package timeline writes what every part of both adapters did, and when: as
// Chrome trace-event JSON for ui.perfetto.dev, and as VCD for wave viewers.
//
//	run.View ─► watchers ─► spans, marks, counts, states ─► chooser ─┬─ chrome
//	                  one file per part of the way                   └─ VCD
//
// Chrome: a host is a process; a unit of it is a track, or as many as it works
// on things at once ("gather DMA", "gather DMA 2"). A request is a span on the
// track of its queue pair, cut into steps that fill it; a flow leads from it
// through the spans of both hosts that worked for it, and back.
//
// VCD: a host is a module; each unit counts what is inside it, each queue pair,
// region and window has its state as a string. The adapter's clock is drawn
// only when a window of time is asked for: it is most of a file otherwise.
//
// Begin reading with recorder.go and event.go; each watch_*.go knows one part of
// the model, chrome.go and vcd.go the two formats.
//
// Invariants:
//
//	T1  The same run is the same bytes. Spans of a track never overlap, but for
//	    the steps inside a request's.
//	T2  Times are exact in VCD, and with Picoseconds, which shows 1 ps as 1 ns.
//	    Else beginnings and ends are cut to nanoseconds, which is all that
//	    Perfetto keeps, so that what nests goes on nesting; start_ps and
//	    length_ps of a span are exact.
//	T3  The steps of a request fill it: the first begins and the last ends with
//	    it.
//	T4  A flow begins once, ends once, later than it began, and each of its
//	    points lies at the beginning of a span that has a length.
//	T5  What is chosen of a request is chosen of all of it, on both hosts.
//	T6  Memory is bounded by what is in flight, however long the run: VCD, whose
//	    head needs all names, waits in a file of its own.
package timeline
