// Package log reads what perftest printed: the tables of ib_write_lat,
// ib_write_bw and the others, and the JSON of --out_json.
//
//	text ──► lines ──► title, settings, head, rows ──┐
//	                                                 ├──► Logs
//	JSON ──► members ──► test_info, results ─────────┘
//
// It knows how perftest writes, and nothing of what could be simulated: figures
// keep their units, settings their words. A file may hold several runs one
// after the other, with whatever a shell printed between them.
//
// Invariants:
//
//	L1  Nothing is guessed. What is not understood is in Unread, with its line;
//	    a column that is not known has no figures.
//	L2  A row has a value for each column of its head, or is a mistake.
//	L3  All mistakes of a file are returned, each with line and column.
//	L4  What is read is bounded: MostBytes, MostRows, and MostUnread that are
//	    kept of what is not understood.
package log
