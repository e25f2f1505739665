package explore

import (
	"hcasim/ib"
	"hcasim/tpt"
)

// A grant says that the bearers of a key may do something to some bytes.
type grant struct {
	live    bool
	key     ib.Key
	pd      ib.PDN // whom it is given to: the queue pairs of a domain
	qp      ib.QPN // and if not 0, of them only this one
	rights  ib.AccessFlags
	local   bool // the owner may read, and write with LOCAL_WRITE
	low     uint64
	high    uint64 // first address that is not granted
	place   uint64 // where the byte at low is in memory
	onlyQP  bool   // the domain is not asked (type 2A)
	windows bool   // regions: windows may be bound (MW_BIND)
}

// A ledger holds the grant of every object. It believes what it is told was
// done, and judges by the rules' text whether it could be.
type ledger struct {
	grants [nSlots]grant
	on     [nSlots]slot // windows: the region that the grant rests on
	qps    [4]ib.PDN    // domain of every queue pair, 0 where there is none
	flavor tpt.Kind
}

func (l *ledger) copyFrom(m *ledger) { *l = *m }

// withdrawBoundTo ends what rests on a region.
func (l *ledger) withdrawBoundTo(s slot) {
	for _, w := range []slot{w1, w2} {
		if l.grants[w].live && l.on[w] == s {
			l.grants[w] = grant{}
		}
	}
}

// record notes a step that was done: c came to r.
func (l *ledger) record(s *step, c *tpt.Command, r *tpt.Result) {
	g := &l.grants
	switch c.Op {
	case tpt.RegMR, tpt.FastRegMR:
		g[s.on] = grant{
			live: true, key: r.Key, pd: c.PD, rights: c.Access, local: true, windows: c.Access&mb != 0,
			low: c.VA, high: c.VA + c.Length, place: c.Pages[0],
		}
	case tpt.DeregMR: // an access needs valid memory behind it, window or not (MR-1)
		l.withdrawBoundTo(s.on)
		g[s.on] = grant{}
	case tpt.DeallocMW: // DER-7
		g[s.on] = grant{}
	case tpt.ReregMR:
		l.recordRereg(c, r)
	case tpt.BindMW:
		l.recordBind(s, c, r)
	case tpt.LocalInv, tpt.RemoteInv:
		l.recordInvalidate(s, c)
	case tpt.DestroyQP:
		l.qps[c.QPN] = 0
	case tpt.CreateQP:
		l.qps[c.QPN] = c.PD
	default: // what is allocated grants nothing (KEY-12, MR-4)
	}
}

// recordRereg: the old attributes are gone, and with them the old key unless
// it was kept (RER-2); windows that may stay bound keep what they have, on the
// memory that the region has now.
func (l *ledger) recordRereg(c *tpt.Command, r *tpt.Result) {
	a := &l.grants[mrA]
	if c.Fail { // RER-7
		l.withdrawBoundTo(mrA)
		*a = grant{}
		return
	}
	if !a.live {
		return
	}
	a.key = r.Key
	switch c.Rereg {
	case ib.ReregAccess:
		a.rights, a.windows = c.Access, c.Access&mb != 0
	case ib.ReregPD:
		a.pd = c.PD
	case ib.ReregTranslation:
		a.place = c.Pages[0]
		for _, w := range []slot{w1, w2} {
			if g := &l.grants[w]; g.live && l.on[w] == mrA {
				g.place = a.place + g.low - a.low
			}
		}
	}
}

// recordBind: a window is bound to memory whose owner allows windows, by a
// queue pair of the one domain of all three, within the region; a type 2
// window only when it is free (C10-72 to C10-75, BIN-3).
func (l *ledger) recordBind(s *step, c *tpt.Command, r *tpt.Result) {
	g := &l.grants[s.on]
	if s.on == w2 && g.live {
		return // no such thing can be done: the old grant stays
	}
	*g = grant{}
	if c.Length == 0 {
		return
	}
	on := l.grants[s.region]
	low, high := max(c.VA, on.low), min(c.VA+c.Length, on.high)
	switch {
	case !on.live, !on.windows, on.pd != pd1, l.qps[c.QPN] != pd1, on.key != c.Region,
		c.Access&rw != 0 && on.rights&lw == 0, low >= high:
		return
	}
	*g = grant{
		live: true, key: r.Key, pd: pd1, rights: c.Access, low: low, high: high, place: on.place + low - on.low,
	}
	if s.on == w2 {
		g.qp = c.QPN
		g.onlyQP = l.flavor == tpt.Window2A
	}
	l.on[s.on] = s.region
}

// recordInvalidate: a type 2 window by its queue pair, a fast-register region
// by any of its domain that no window rests on, each by the key it has
// (INV-2 to INV-4). Whatever else is done withdraws nothing.
func (l *ledger) recordInvalidate(s *step, c *tpt.Command) {
	g := &l.grants[s.on]
	switch {
	case !g.live, c.Key != g.key, l.qps[c.QPN] != g.pd && !g.onlyQP, g.qp != 0 && g.qp != c.QPN:
		return
	}
	if s.on == fast {
		l.withdrawBoundTo(fast)
	}
	*g = grant{}
}

// find returns the grant that allows one byte to be used, or nil.
func (l *ledger) find(key ib.Key, q ib.QPN, need ib.AccessFlags, remote bool, va uint64) *grant {
	for s := range l.grants {
		g := &l.grants[s]
		switch {
		case !g.live, g.key != key, va < g.low, va >= g.high:
		case !remote && !g.local, g.rights&need != need:
		case !g.onlyQP && g.pd != l.qps[q], g.qp != 0 && g.qp != q:
		default:
			return g
		}
	}
	return nil
}
