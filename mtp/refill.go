package mtp

import "hcasim/sim"

// copy begins to bring what the second level holds into the first.
func (f *fetcher) copy(now sim.Time, key fillKey, w waiter) bool {
	u := f.unit
	p := u.kinds[key.kind]
	line := p.findFar(key.of)
	if line == none {
		return false
	}
	id, fl := f.fills.add(key, w, none)
	fl.near = true
	switch key.kind {
	case fillMPT:
		fl.entry = u.mpt.copies[line]
	case fillMTT:
		fl.line = u.mtt.copies[line]
	case fillQPC:
	}
	f.fills.begin(id, fl)
	f.tell(key.kind, true)
	f.hold(now, p.holds[1])
	u.engine.At(f.through(now, p.refill), f.work, id)
	return true
}

// through returns when the second level, which does one thing after another, has
// done one that takes so long.
func (f *fetcher) through(now sim.Time, n sim.Cycles) sim.Time {
	f.port = f.unit.clock.After(max(now, f.port), n)
	return f.port
}

// hold tells the packet engine of a miss that keeps it.
func (f *fetcher) hold(now sim.Time, i sim.Interval) {
	if hold := f.unit.Hold; i > 0 && hold != nil {
		hold(now, i)
	}
}
