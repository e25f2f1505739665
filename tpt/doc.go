// Package tpt holds the translation and protection tables of one adapter, and
// every rule about them, as pure code: what a key means, which access it
// allows, where its bytes are, which change of an object is legal. The
// adapter, its driver and the peer all come here for an answer.
//
// It does not know time, DMA, caches' contents, queues or packets; nor does it
// know vendors: where implementations differ a Variant holds a switch, and a
// rule asks for the switch. Not modelled: the reserved L_Key of privileged
// consumers (KEY-16), device-memory and dmabuf regions (ACC-15), regions over
// a whole address space (ACC-16).
//
//	        key (24-bit index, 8-bit key byte), PD, QP, need, range
//	                             |
//	 Command                     v
//	    |                 +-------------+  index   +------------+
//	    v                 |   Access    | -------> | Entry (MPT)| <--+
//	+-------+             +-------------+          +------------+    | copies of entries
//	| Apply | changes            |                       |           | may stand on chip:
//	+-------+------> Table       v                       v           | Cache
//	    |           |     Check(entry, access) -> Fault, by Rule     |
//	    v           |                            |                   |
//	 Result         |                            v ok                |
//	 (Touched, MTT: |     Walk(entry, translation, range) -> pieces  |
//	  stale copies) +--- MTT: runs of page addresses <---------------+
//
// One Table is the truth of one adapter and stands for its tables in host
// memory. Untimed, Check judges the table's own entries; timed, the same Check
// judges a copy. Next is the lifecycle that Apply walks.
//
// Begin with entry.go and check.go, then table.go: the rest is one file a kind of change.
//
// Invariants, cited as T1 and so on:
//
//	T1  Check reads its two arguments and nothing else. No variant is asked:
//	    what a switch decides about an entry was decided when it was written.
//	T2  An access that breaks several rules reports the first in the order of
//	    Fault's constants.
//	T3  A bound window's entry answers alone: its translation is its region's,
//	    and its range lies inside its region's range.
//	T4  Start+Length of an entry does not pass 2^64, and bounds are compared by
//	    subtraction: no sum of a request's numbers is ever formed.
//	T5  A change is made whole or not at all; only a device failure injected
//	    into a rereg breaks something (RER-7).
//	T6  An entry that is Free or Unusable grants no byte, and of a window
//	    knows no region.
//	T7  Index 0 names nothing; an index comes back only under another key byte.
//	T8  Each translation entry in use belongs to one run; a run is held by one
//	    region, or by several that share it, and comes free with the last.
//	T9  The windows bound to a region are counted and listed; a type 2A window
//	    is counted at its queue pair. Both counts reach zero before the object
//	    can go, or else the windows are orphaned with it (dereg_bound: orphan).
//	T10 Work requests allocate nothing. The tables hold no pointers and no maps.
//
// Rule ids (KEY-2, BND-1 and the like) name the rules that an implementation
// of InfiniBand or RoCE memory management has to keep; the ids are the same
// everywhere in this project.
package tpt
