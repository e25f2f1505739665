package hca

import (
	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
)

// none ends a list of handles.
const none = ^uint32(0)

// A waitReason says what a send queue waits for.
type waitReason uint8

const (
	waitNothing waitReason = iota
	waitContext            // its context is being fetched
	waitWQE                // its next request is being fetched
	waitRoom               // its next request finds no room on chip
	waitFence              // the next request waits for READs and atomics
	waitReads              // as many READs are outstanding as may be
	waitEarlier            // a local invalidate waits for all earlier requests
	waitLocal              // a bind, invalidate or registration is under way
	waitBuffer             // no send buffer is free
	waitRNR                // the RNR timer runs
)

var waitNames = [...]string{
	waitNothing: "nothing", waitContext: "its context", waitWQE: "a WQE fetch", waitRoom: "room on chip", waitFence: "a fence",
	waitReads: "outstanding READs", waitEarlier: "earlier requests", waitLocal: "the table unit",
	waitBuffer: "a send buffer", waitRNR: "the RNR timer",
}

// A span is an interval that a part of the latency can be charged with.
type span struct{ from, until sim.Time }

// A list is a queue of pooled records linked by their next fields.
type list struct{ head, tail uint32 }

// A qp is the context of one queue pair: what the adapter remembers of it.
type qp struct {
	qpn   ib.QPN
	state ib.QPState
	attr  ib.QPAttr
	mtu   uint32

	sendStream, recvStream, replyStream mtp.StreamID

	// Send queue. Counters run freely.
	posted    uint32 // as the doorbell said
	fetched   uint32 // requests on chip
	places    uint32 // that requests take on chip, under wqe_room
	along     []bool // by slot: it came with its doorbell, under wqe_again
	next      uint32 // to begin
	fetching  bool
	scheduled bool
	stopped   bool    // a request has failed: nothing new is begun
	credit    bool    // a send buffer was granted and not used yet
	local     bool    // the request begun last changes the tables
	present   bool    // its context came for its next turn
	refused   [2]bool // by wire class: it waits for room in a transmit pipeline
	wait      waitReason
	rings     sim.Ring[rungAt]
	askedQPC  span // the last wait for the context
	askedWQE  span // the last fetch of requests
	wrs       list // begun, not retired, oldest first
	cursor    uint32
	jobs      list             // request packets in gathering, in PSN order
	round     uint32           // of sending: a resend begins a new one
	reads     uint32           // READs and atomics outstanding
	sinks     sim.Ring[uint32] // arrivals of answers, from the first that waits for its request on
	sender    rc.Requester
	timeout   sim.Duration // of acknowledgements; 0: for ever
	timer     uint32       // acknowledge timer; timer+1 is the RNR timer

	// Receive queue: its own, or a shared one.
	rq   *recvQueue
	open receive // taken by the message under way

	// Responder.
	responder   rc.Responder
	serial      uint32 // requests accepted
	deadFrom    uint32 // of which these were sent away for want of a page
	deadTo      uint32
	denied      ib.PageRequest   // for which the last request was sent away, and which the driver has denied; none if empty
	message     uint32           // UC: messages begun
	deadMessage uint32           // UC: of which nothing more is executed
	immediate   uint32           // UC: serial of a WRITE that takes a receive if it is granted; 0: none
	lent        sim.Ring[lent]   // RC: requests of a shared queue whose messages are whole and not completed
	receiving   uint32           // UC, UD: receives that messages have taken and that have not ended
	dropping    bool             // UC: the rest of the message under way is dropped
	waiting     sim.Ring[uint32] // request packets not yet judged
	responding  bool             // respond is running
	held        bool             // a remote invalidate is under way: nothing is judged
	unanswered  uint32           // requests accepted whose answer does not stand in replies yet
	atomics     uint32           // atomics accepted that have not written yet
	life        uint32           // lives begun by a reset: what belongs to an earlier one is ignored
	faulted     bool             // H4
	replies     list             // answers not yet sent, in PSN order
	emitting    uint32           // READ answer whose responses are being made
	starving    bool             // it waits for a response buffer
	lacking     bool             // it waits for the fetch of a receive request
	saved       []savedAtomic    // results of atomics, for duplicates
	savedNext   int
}

// A receive is a receive request in the hands of a message.
type receive struct {
	taken bool
	slot  int
	id    uint64
	op    uint32
	total uint64 // bytes that fit
}

// A lent is a request of a shared receive queue, and the message that has it.
type lent struct {
	serial uint32 // of its last packet
	recv   receive
}

// A savedAtomic answers a duplicate.
type savedAtomic struct {
	psn   ib.PSN
	value uint64
	valid bool
}

// A rung is a doorbell on its way to the schedule.
type rung struct {
	qpn      ib.QPN
	register uint64
	value    uint32
}

// A rungAt remembers when the doorbell came that covers requests.
type rungAt struct {
	upTo uint32
	at   sim.Time
}

// responds reports whether requests of the peer are processed (1.5).
func (q *qp) responds() bool {
	return q.state >= ib.RTR && q.state <= ib.SQE
}

// sends reports whether requests that were begun may go on.
func (q *qp) sends() bool { return q.state == ib.RTS || q.state == ib.SQD }

// qp returns a queue pair by number, or nil.
func (h *HCA) qp(n ib.QPN) *qp {
	if s := h.qps.Find(ib.Index(n)); s != nil {
		return s.q
	}
	return nil
}

// QPState returns the state of a queue pair; ok is false if there is none.
func (h *HCA) QPState(n ib.QPN) (s ib.QPState, ok bool) {
	if q := h.qp(n); q != nil {
		return q.state, true
	}
	return 0, false
}

// ring takes the oldest doorbell, which has been decoded.
func (h *HCA) ring(now sim.Time, _ uint32) bool {
	r := h.rungs.Pop()
	if r.register == ib.DoorbellSRQ {
		if s := h.srq(ib.SRQN(r.qpn)); s != nil {
			s.posted = r.value
		}
		return true
	}
	q := h.qp(r.qpn)
	if q == nil {
		return true
	}
	switch r.register {
	case ib.DoorbellSend, ib.BlueFlame:
		h.ringSend(now, q, r)
	case ib.DoorbellRecv:
		if q.rq.srqn != 0 {
			return true
		}
		q.rq.posted = r.value
		if q.state == ib.Err {
			h.flushReceives(now, q)
		}
	}
	return true
}

// ringSend notes new send requests. Behind a BlueFlame doorbell stand the new
// requests themselves, of use if no other has to be fetched before them and
// there is room.
func (h *HCA) ringSend(now sim.Time, q *qp, r rung) {
	if int32(r.value-q.posted) <= 0 {
		return // of two doorbells that crossed, the later one covers both
	}
	if r.register == ib.BlueFlame && q.fetched == q.posted && !q.fetching && q.together(r.value) && h.takeOn(q, r.value-q.posted, true) {
		q.askedWQE = span{}
	}
	if h.Reached.On() {
		for n := q.posted; n != r.value; n++ {
			h.reach(now, q.attr.SQ.WQEs[q.attr.SQ.Slot(n)].Op, StageDoorbell)
		}
	}
	q.posted = r.value
	q.rings.Push(rungAt{r.value, now})
	if q.state == ib.Err || q.state == ib.SQE {
		h.flushSends(now, q)
		return
	}
	if q.wait == waitNothing {
		h.sched.add(now, q)
	}
}

// together reports whether the requests that the adapter has not heard of yet
// were posted at once: then one BlueFlame doorbell carries them all.
func (q *qp) together(producer uint32) bool {
	if producer-q.posted == 1 {
		return true
	}
	ring := q.attr.SQ
	return ring.WQEs[ring.Slot(q.posted)].Stamp == ring.WQEs[ring.Slot(producer-1)].Stamp
}

// kick lets a send queue go on that waited for reason.
func (h *HCA) kick(now sim.Time, q *qp, reason waitReason) {
	if q.wait == reason {
		h.await(now, q, waitNothing)
		h.sched.add(now, q)
	}
}
