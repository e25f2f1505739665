package hca

import "hcasim/sim"

// The things that the adapter may have to wait for, as numbers of sim.Stall.
// Every queue pair counts for itself, and every pipeline.
const (
	StallWQE            uint8 = iota // the fetch of a work request: send queues
	StallWQERoom                     // room for it on chip: send queues
	StallFence                       // READs and atomics, at a fence: send queues
	StallReads                       // an outstanding READ or atomic: send queues
	StallEarlier                     // earlier requests, at a strict invalidate: send queues
	StallLocal                       // a bind, invalidate or registration: send queues
	StallSendBuffers                 // a send buffer: send queues
	StallRNR                         // the RNR timer: send queues
	StallAnswerBuffers               // a buffer for a packet of a READ response: queue pairs
	StallRWQE                        // the fetch of a receive request: queue pairs
	StallReceiveBuffers              // a buffer for a request packet: the pipeline of requests
	StallReceive                     // the engine for what is received: pipelines
	StallTxRequests                  // room in the pipeline to the wire: queue pairs
	StallTxAnswers
	StallRxRequests // room in the pipeline from the wire: its port
	StallRxAnswers
	StallAtomics // the bucket of an atomic: atomics
	Stalls
)

// stallOf is what a send queue stalls for. A context is the translation unit's
// to tell.
var stallOf = [...]uint8{
	waitNothing: Stalls, waitContext: Stalls, waitWQE: StallWQE, waitRoom: StallWQERoom, waitFence: StallFence,
	waitReads: StallReads, waitEarlier: StallEarlier, waitLocal: StallLocal, waitBuffer: StallSendBuffers, waitRNR: StallRNR,
}

// await has a send queue wait for something, or for nothing any more.
func (h *HCA) await(now sim.Time, q *qp, r waitReason) {
	if q.wait != r && h.Stalls.On() {
		h.stall(now, stallOf[q.wait], true)
		h.stall(now, stallOf[r], false)
	}
	q.wait = r
}

// stall tells watchers that somebody begins or ends to wait.
func (h *HCA) stall(now sim.Time, what uint8, ends bool) {
	if what != Stalls && h.Stalls.On() {
		h.Stalls.Emit(sim.Stall{At: now, For: what, Ends: ends})
	}
}

// A Work is a packet or a miss that keeps a packet engine.
type Work struct {
	Receive bool // of what is received; where the sides share an engine, too
	For     sim.Interval
}

// worked tells watchers what keeps an engine.
func (h *HCA) worked(receive bool, gap sim.Interval) {
	if h.Worked.On() {
		h.Worked.Emit(Work{receive, gap})
	}
}
