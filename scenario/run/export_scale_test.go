package run

import "runtime"

// RunHeld runs a plan and calls look while the whole world of it is still
// there, but for the result.
func RunHeld(p Plan, look func()) (*Result, error) {
	r, err := prepare(p)
	if err != nil {
		return nil, err
	}
	res, err := r.play()
	if err != nil {
		return nil, err
	}
	sums := *res
	sums.Ops, sums.Keys = nil, nil
	r.result.Ops, r.result.Keys = nil, nil
	look()
	runtime.KeepAlive(r)
	return &sums, nil
}
