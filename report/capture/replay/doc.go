// Package replay makes a scenario of what two hosts said in a capture: the same
// queue pairs, requests, sizes, times and keys, the registrations that they
// imply, and the completions that the answers show as expectations.
//
//	talk ─► connections, ops ─► lives of keys ─► domains, regions, memory ─┐
//	                        ├─► contents of memory, payloads ──────────────┼─► plan ─► text
//	                        └─► receives, posts, faults ───────────────────┘
//
// It knows what a responder must have had so that it answered as it did. How a
// file becomes a talk is not its business (report/capture/talk), and it runs
// nothing: whether the scenario gives the same packets is found out by whoever
// runs it. Begin reading at newPlan, in plan.go, which calls the rest in the
// order of the drawing; write.go writes the plan down.
//
// What a capture does not show is reported, and where the scenario needs
// something in its place, that is chosen so that the packets stay the same: the
// requester's own memory and keys, domains, the rest of a page that was
// accessed, when receives were posted, when a key died between two frames.
//
// Invariants:
//
//	Y1  What the talk says is written as it is (K2); what cannot be kept is
//	    noted.
//	Y2  The same file gives the same bytes.
//	Y3  No more contents are written out than the limit of data allows; zeros
//	    stand for the rest, and that is noted.
package replay
