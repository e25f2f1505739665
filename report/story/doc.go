// Package story tells what became of one request: why it was refused, check by
// check, or where its time went, segment by segment, and what to change.
//
//	scenario ──► Look: run it, find the op ─► Tell: run it again, watch that op ─► Story
//	                                                                     ├─► text, Markdown
//	                                                                     └─► JSON
//
// A run is deterministic, so that the second time shows what happened the first.
// The words for causes and what to change are of causes.
//
// Begin reading with Story and Tell, in story.go; look.go finds the op, watch.go
// watches it, and every other file tells one part.
//
// Invariants:
//
//	T1  A story has nothing that the run did not show; it judges nothing anew.
//	T2  The last check that is told is the one that refused.
//	T3  The segments of the path join without a gap, and add up to the latency.
//	T4  Memory is bounded by the op, the tables and the cap of each list, not by
//	    the length of the run.
package story
