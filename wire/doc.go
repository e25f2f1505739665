// Package wire is the link between two ports: packets, the pool they come from,
// rate, delay, flow control, faults on purpose, and a tap.
//
//	Port A                     direction A->B                       Port B
//	Send -> [answers ]\ arbiter  serialiser   propagation  /[answers ]-> sink
//	        [requests]/ -------> (rate) ---------------->  \[requests]-> sink
//	          ^ gate: credits or pause, news of the buffers <---'
//
// A second direction runs the other way. A packet waits in the queue of its
// class, is chosen by the arbiter, keeps the wire for its bytes at the rate,
// arrives a propagation delay after its last bit left, and lies in the receive
// buffer of its class until the sink there takes it.
//
// The package knows headers by what it must: the opcode for size and class, and
// what a fault matches. It decides nothing about a packet but its fate on the
// wire: not whether it is in sequence, allowed or wanted. It keeps no record:
// captures and statistics watch Tap and Received.
//
// Begin with link.go, then direction.go.
//
// Invariants:
//
//	W1  A packet has one owner: the sender until Send returns true, the link,
//	    the receiver once its sink returned true. Lost ones the link puts back.
//	W2  Without faults a class's packets arrive as sent, in order, each no
//	    earlier than last bit + propagation, and none twice.
//	W3  An answer never waits for a request: not in a queue, not for credits,
//	    not behind a stalled sink. It may wait for the packet on the wire.
//	W4  With credits no receive buffer ever lacks room for what arrives; credits
//	    out, in buffers and on their way home always sum to the buffer.
//	W5  A refused sender is woken, once, when there is room; a refused packet is
//	    offered again after Resume, before any later packet of its class.
//	W6  At the end of a run queues, wire and buffers are empty: Waits is empty.
//	W7  Watching changes nothing, and nothing is computed for watchers not there.
package wire
