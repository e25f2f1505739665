// Package talk understands a capture of RoCEv2 or native InfiniBand: which two
// hosts speak, over which queue pairs, what each asks of the other, and what
// came of it.
//
//	file ─► frames ─► packets ─► pairs of hosts ─► connections ─► ops, losses
//	          │          │              │               │             │
//	          └ cut      └ foreign,     └ one is        └ who         └ answered? refused?
//	            short      ICRC wrong     chosen          answers       sent again?
//	                                                      whom
//
// It knows packets and what follows from them, and nothing of memory, keys'
// lives or scenarios: that is report/capture/replay, which makes one of a Talk.
// Read, in talk.go, is the whole way; each arrow above is a file: frames.go,
// decode.go, flows.go, assemble.go and answers.go (which make what op.go
// describes), losses.go.
//
// Invariants:
//
//	K1  A packet is used only if its lengths, its IP header and its ICRC are
//	    right. Every frame of the file is either used or counted as foreign.
//	K2  A number that the packets show is never changed: queue pairs, packet
//	    numbers, keys, addresses, sizes, payloads. What is left out, because a
//	    part of it is missing, is noted with its frame.
//	K3  No input panics, and none takes more memory than its limits allow.
package talk
