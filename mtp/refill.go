package mtp

import (
	"hcasim/ib"
	"hcasim/sim"
)

// copy begins to bring what the second level holds into the first.
func (f *fetcher) copy(now sim.Time, key fillKey, waiter uint32) bool {
	u := f.unit
	fl := fill{key: key, busy: true, near: true, head: waiter, tail: waiter}
	var after sim.Cycles
	switch key.kind {
	case fillMPT:
		e := u.mpt.Far(ib.Index(key.of))
		if e == nil {
			return false
		}
		fl.entry, after = *e, u.mpt.refill
	case fillMTT:
		l := u.mtt.Far(mttLine(key.of))
		if l == nil {
			return false
		}
		fl.line, after = *l, u.mtt.refill
	case fillQPC:
		if u.qpc.Far(ib.QPN(key.of)) == nil {
			return false
		}
		after = u.qpc.refill
	}
	f.hold(now, key.kind, 1)
	u.engine.At(f.through(now, after), f.work, f.begin(fl))
	return true
}

// through returns when the second level, which does one thing after another, has
// done one that takes so long.
func (f *fetcher) through(now sim.Time, n sim.Cycles) sim.Time {
	f.port = f.unit.clock.After(max(now, f.port), n)
	return f.port
}

// hold tells the packet engine of a miss.
func (f *fetcher) hold(now sim.Time, k fillKind, near int) {
	u := f.unit
	i := [...]sim.Interval{fillMPT: u.mpt.holds[near], fillMTT: u.mtt.holds[near], fillQPC: u.qpc.holds[near]}[k]
	if i > 0 && u.Hold != nil {
		u.Hold(now, i)
	}
}
