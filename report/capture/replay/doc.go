// Package replay makes a scenario of a capture of RoCEv2 or native InfiniBand:
// the same queue pairs, requests, sizes, times and keys, the registrations that
// they imply, and the completions that the answers show as expectations.
//
//	file ─► frames ─► packets ─► pairs of hosts ─► connections ─► ops ─► plan ─► text
//	          │          │              │               │          │
//	          └ cut      └ foreign,     └ one is        └ who      └ lives of keys,
//	            short      ICRC wrong     chosen          answers    contents of memory,
//	                                                      whom       receives
//
// It knows packets, and what a responder must have had so that it answered as
// it did. It runs nothing: whether the scenario gives the same packets is found
// out by whoever runs it.
//
// What a capture does not show is reported, and where the scenario needs
// something in its place, that is chosen so that the packets stay the same: the
// requester's own memory and keys, domains, the rest of a page that was
// accessed, when receives were posted, when a key died between two frames.
//
// Invariants:
//
//	Y1  A packet is used only if its lengths, its IP header and its ICRC are
//	    right. Every frame of the file is either used or counted as foreign.
//	Y2  A number that the packets show is never changed: queue pairs, packet
//	    numbers, keys, addresses, sizes, payloads. What cannot be kept is noted.
//	Y3  No input panics, and none takes more memory than its limits allow.
//	Y4  The same file gives the same bytes.
package replay
