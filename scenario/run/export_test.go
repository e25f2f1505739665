package run

import "hcasim/hca"

// RunSeen runs a plan; see is given the adapter of the first host before time
// begins.
func RunSeen(p Plan, see func(h *hca.HCA)) (*Result, error) {
	r, err := prepare(p)
	if err != nil {
		return nil, err
	}
	see(r.world.sides[0].hca)
	return r.play()
}
