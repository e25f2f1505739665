package explore

import (
	"hcasim/ib"
	"hcasim/tpt"
)

// A verdict on a step, before it is made.
type verdict uint8

const (
	forbidden verdict = iota
	allowed
	either // the rules leave it open
)

func when(yes bool) verdict {
	if yes {
		return allowed
	}
	return forbidden
}

// judge says by the rules' text whether a step may be made. The object it is
// about exists, or if it is made, does not; its key is the one given.
func (l *ledger) judge(s *step, c *tpt.Command, key ib.Key) verdict {
	switch c.Op {
	case tpt.RegMR: // remote write needs local write (ACC-1)
		return when(c.Access&rw == 0 || c.Access&lw != 0)
	case tpt.DeregMR: // not before its windows (DER-1)
		return when(l.orphans || l.resting(s.on) == 0)
	case tpt.ReregMR: // nor changed, and not after it broke (RER-6, RER-7)
		switch {
		case c.Rereg == ib.ReregTranslation && !l.reregMoves,
			c.Rereg == ib.ReregAccess && c.Access&lw != 0 && l.pinned[s.on]: // ACC-18
			return forbidden
		}
		return when(!l.broken[s.on] && (l.reregBound || l.resting(s.on) == 0))
	case tpt.FastRegMR: // only when free, by its domain (MR-5)
		return when(!l.grants[s.on].live && l.qps[c.QPN] == pd1)
	case tpt.BindMW:
		return l.judgeBind(s, c)
	case tpt.LocalInv, tpt.RemoteInv:
		return l.judgeInvalidate(s, c, key)
	case tpt.DestroyQP: // a 2A window holds on to its queue pair (QPD-3)
		switch h := l.holds[w2]; {
		case h.qp != c.QPN || !l.only2A:
			return allowed
		case h.orphaned:
			return either
		}
		return forbidden
	default:
		return allowed
	}
}

// judgeBind: a window is bound to valid memory whose owner allows windows, by
// a queue pair of the one domain of all three, within the region; a type 2
// window only when it is free (C10-72 to C10-75, BIN-3).
func (l *ledger) judgeBind(s *step, c *tpt.Command) verdict {
	h := &l.holds[s.on]
	switch {
	case l.qps[c.QPN] != pd1, s.on == w2 && (h.bound || h.orphaned):
		return forbidden
	case c.Length == 0:
		return when(s.on == w1)
	}
	on := &l.grants[s.region]
	switch {
	case !on.live, on.key != c.Region, on.pd != pd1, !on.windows, c.Access&rw != 0 && on.rights&lw == 0:
		return forbidden
	case c.VA < on.low, c.VA+c.Length > on.high:
		return when(l.bindPastEnd)
	}
	return allowed
}

// judgeInvalidate: a type 2 window by its queue pair, a fast-register region
// by any of its domain that no window rests on, each by the key it has
// (INV-2 to INV-4). A free region may be invalidated again, a free window not
// (INV-7, INV-8).
func (l *ledger) judgeInvalidate(s *step, c *tpt.Command, key ib.Key) verdict {
	if c.Key != key {
		return forbidden
	}
	if s.on == fast {
		return when(l.qps[c.QPN] == pd1 && l.resting(fast) == 0)
	}
	h := &l.holds[s.on]
	switch {
	case s.on == w1:
		return forbidden
	case !h.bound && !h.orphaned:
		return when(l.freeMWAgain)
	case h.qp != c.QPN:
		return forbidden
	case h.orphaned && !l.only2A && l.qps[c.QPN] != pd1:
		return either
	}
	return when(l.only2A || l.qps[c.QPN] == pd1)
}
