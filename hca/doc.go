// Package hca is the host channel adapter: everything that happens between a
// doorbell and a completion.
//
//	doorbell ─► schedule ─► WQE fetch ─► send ─► gather (mtp, DMA) ─► transmit ─► wire
//	                                       └► local: bind, invalidate, register ─► table unit
//	wire ─► receive ─► requests: respond ─► place (mtp, DMA) ─► answers ─► transmit
//	                └► answers:  reply ─► scatter (mtp, DMA) ─► retire ─► complete ─► CQE
//
// What is sent and what is received each have a packet engine, or take turns at
// one. It works on one packet after another, for as long as the packet's kind
// says: that is where message rates come from.
//
// It does not know hosts, processes or verbs: it sees rings in host memory,
// doorbells and commands. It decides no rule of protection (tpt) and no rule
// of the transport (hca/rc).
//
// Begin with hca.go and qp.go, then follow the drawing: schedule.go, send.go, emit.go,
// receive.go, respond.go, complete.go.
//
// Invariants:
//
//	H1  A work request is retired once, in posting order of its queue.
//	H2  A packet leaves when every byte of it has been gathered, in PSN order.
//	H3  Answers of a queue pair leave in PSN order, each of them when all that it
//	    acknowledges has been executed; a NAK is the last of them.
//	H4  After a fault of the responder nothing of that queue pair is executed.
//	H5  A completion is written behind the data that it speaks of, in posted order.
//	H6  Whoever holds a buffer waits for nothing that needs one of the same
//	    class: requests wait for answers, answers for nobody.
package hca
