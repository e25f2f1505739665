package hca

import "hcasim/ib"

// PostedReceives returns how many receive requests of a queue pair have not
// been completed.
func (h *HCA) PostedReceives(n ib.QPN) uint32 {
	q := h.qp(n)
	if q == nil {
		return 0
	}
	if q.rq.srqn != 0 {
		return q.rq.left()
	}
	return q.rq.posted - q.rq.done
}

// Expected returns the packet number that the responder of a queue pair expects
// next, and how many messages it has done.
func (h *HCA) Expected(n ib.QPN) (psn ib.PSN, msn uint32) {
	if q := h.qp(n); q != nil {
		return q.responder.Expected, q.responder.MSN
	}
	return 0, 0
}
