// Package ib is the vocabulary of the InfiniBand Architecture and its verbs:
// the names, numbers, headers and rings that software, adapters and the wire
// agree on, so that none of them needs to know another.
//
//	software --- WQE SGE CQE EQE, rings --- adapter --- Headers --- wire
//	     \______ QPAttr, flags, states, statuses, errno ______/
//
// It knows values and how they are spelt and encoded. It knows no time (spans
// are nanoseconds in plain integers), no rule of protection, no state of any
// object, and no vendor.
//
// Begin with queue.go, what host and hca share, and packet.go.
//
// Invariants:
//
//	I1  Values are those of libibverbs' verbs.h or of the wire; a named
//	    constant is never renumbered.
//	I2  Every value with a constant has a name; ParseX reads back what String
//	    and Short write, and nothing that XNames does not list (flags: joined
//	    by |).
//	I3  A packet's opcode alone says which headers follow the BTH and how long
//	    they are. Decode after Append gives back the same headers and payload.
//	I4  ICRC does not change with a bit that a switch or router may change, and
//	    changes with every other.
//	I5  PSNs lie within 24 bits and compare modulo 2^24; a key's byte wraps
//	    without touching its index.
//	I6  Nothing here allocates on the way of a packet or request; names do.
package ib
