package hca

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A StageKind is a point on the way of a request that a watcher can wait for.
type StageKind uint8

// The stages that are reported, in the order of the way.
const (
	StageDoorbell StageKind = iota // the doorbell that covers it has been decoded
	StageWQE                       // the request is on chip and begins
	StageLookup                    // the first access to its local memory is asked
	StageCheck                     // and has been judged
	StagePages                     // and translated
	StageDMA                       // the bytes of a packet are there
	StageReceive                   // a packet of it has been taken from the wire
)

// A Stage is a request that has reached one.
type Stage struct {
	At    sim.Time
	Op    uint32
	Stage StageKind
}

func (h *HCA) reach(now sim.Time, op uint32, s StageKind) {
	if h.Reached.On() {
		h.reached(now, op, s)
	}
}

// reached is apart so that reach costs no call when nobody watches.
//
//go:noinline
func (h *HCA) reached(now sim.Time, op uint32, s StageKind) { h.Reached.Emit(Stage{now, op, s}) }

// NextPSN returns the number of the next packet that a queue pair sends.
func (h *HCA) NextPSN(n ib.QPN) (psn ib.PSN, ok bool) {
	q := h.qp(n)
	if q == nil {
		return 0, false
	}
	return q.sender.Next, true
}
