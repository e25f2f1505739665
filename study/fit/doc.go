// Package fit runs the scenario that was made of a capture, holds its packets
// to those of the capture, and moves its steps until the packets leave when
// they did.
//
//	replay.Import ─► text ─► run ─► packets ─┬─► the same as captured?
//	                  ▲                      │
//	                  └── shifts of steps ◄──┘ each by how late it was
//
// A step begins when its request is posted, and a packet leaves when the
// adapter has fetched, looked up and sent: how long that takes is the model's
// affair, and changes with its caches. So it is measured, not reckoned.
//
// Invariants:
//
//	F1  Only the times of steps are changed, nothing of what they do.
//	F2  Of several rounds the best is kept: that with the fewest packets that
//	    only one of the two has, then the longest beginning that is as captured,
//	    then the least delay.
//	F3  What adapters mark each in their own way makes no other packet: P_Key, the
//	    path migration bit, congestion, the wish for an ACK, credits, MSN.
//	F4  A run that the model stops leaves the times as they were captured.
package fit
