// Package sim is the discrete-event engine: time, clocks, events, and the few
// carriers in which time passes. It stands for no part of an adapter. It does not
// know what an event means, what a pipe carries, or that there is a network.
//
//	Engine ── fires ──> Handler            (time, scheduled first)
//	   │
//	   ├── Pipe   a stage: latency, interval and depth in cycles of a Clock
//	   ├── Line   a serialiser: bytes at a rate, exact to the picosecond
//	   ├── Credits  equal things that run out; who waits is served in turn
//	   ├── Timers   deadlines that mostly move before they come
//	   └── Domain   parts that tick, joined by registered Links
//
// Begin with engine.go, then pipe.go and credits.go.
//
// # Invariants
//
//	S1  Time is a whole number of picoseconds, and never goes back.
//	S2  Events fire in the order (time, scheduled first), and nothing else decides
//	    it. An event for the current instant fires after those already scheduled
//	    for it.
//	S3  An edge is computed from its number. No rounded period is ever added up.
//	S4  In the steady state nothing on the way of an event or of a value
//	    allocates.
//	S5  A stopped timer does not fire, is not live, and does not move the clock at
//	    the end of a run.
//	S6  Values leave a Pipe or a Line in the order they were sent, each once, and
//	    not before they arrived. Sent minus accepted is what is inside, and that is
//	    never more than the depth.
//	S7  A sender that was refused is woken once when there is room, by an event of
//	    its own: never from within the sink that made the room.
//	S8  Values leave a Pipe at least Interval cycles apart, after a stall too.
//	S9  A stream on a Line has exactly the rate: its n-th byte leaves at the start
//	    plus n times the time of a byte, whatever the number of values.
//	S10 Credits are taken at once or not at all, and nobody gets ahead of one who
//	    waits. Free plus taken is the total.
//	S11 What the members of a Domain do to each other through Links and Wake does
//	    not depend on the order in which they tick.
//	S12 The sum of a Trail's parts is the time from its start to its mark.
//	S13 An engine has no globals, and a Rand no floating point: equal inputs give
//	    equal runs on every machine, and any number of runs may go on side by side.
//
// # The queue
//
// Pending events are in a radix ladder: a time's slot is the highest digit of
// base 64 in which it differs from the present, and that digit's value. There are
// 11 levels of 64 slots for the 64 bits of a time, so there is no overflow list
// and nothing to tune. The next few events wait in a front of 16 places whose
// order is one word, and many events of one instant run where they lie.
package sim
