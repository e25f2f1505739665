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
