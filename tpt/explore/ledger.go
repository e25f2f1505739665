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
	high    uint64    // first address that is not granted
	base    uint64    // first address of the region behind
	pages   [2]uint64 // where the region's bytes are in memory
	onlyQP  bool      // the domain is not asked (type 2A)
	windows bool      // regions: windows may be bound (MW_BIND)
}

// A hold is what a window rests on, whether or not it grants anything.
type hold struct {
	bound    bool
	orphaned bool // its region went away under it
	on       slot
	qp       ib.QPN // type 2: the queue pair that bound it
}

// Terms are where the specification leaves a choice that the ledger has to
// know: what an implementation declares of itself.
type terms struct {
	only2A      bool // type 2 windows look at the queue pair alone
	orphans     bool // a region may go away under its windows
	reregBound  bool // a region may be changed under its windows
	reregKeeps  bool // a region keeps its key when it is changed
	reregMoves  bool // a region may be moved to other pages
	bindPastEnd bool // the range of a bind is judged when it is used
	freeMWAgain bool // a free window may be invalidated once more
}

// A ledger holds the grant of every object. It believes what it is told was
// done, and judges by the rules' text whether it could be.
type ledger struct {
	grants [nSlots]grant
	holds  [nSlots]hold // windows
	broken [nSlots]bool // regions that a failed rereg left unusable
	pinned [nSlots]bool // regions whose pages are pinned for reading only
	qps    [4]ib.PDN    // domain of every queue pair, 0 where there is none
	terms
}

// resting returns how many windows rest on a region.
func (l *ledger) resting(s slot) (n int) {
	for _, w := range [...]slot{w1, w2} {
		if l.holds[w].bound && l.holds[w].on == s {
			n++
		}
	}
	return n
}

// withdrawBoundTo ends what rests on a region.
func (l *ledger) withdrawBoundTo(s slot) {
	for _, w := range [...]slot{w1, w2} {
		if h := &l.holds[w]; h.bound && h.on == s {
			h.bound, h.orphaned = false, true
			l.grants[w] = grant{}
		}
	}
}

// record notes a step that was done: c came to r.
func (l *ledger) record(s *step, c *tpt.Command, r *tpt.Result) {
	g := &l.grants
	switch c.Op {
	case tpt.RegMR, tpt.FastRegMR:
		l.pinned[s.on] = c.Access&lw == 0 // ACC-13
		g[s.on] = grant{
			live: true, key: r.Key, pd: c.PD, rights: c.Access, local: true, windows: c.Access&mb != 0,
			low: c.VA, high: c.VA + c.Length, base: c.VA, pages: [2]uint64(c.Pages),
		}
	case tpt.DeregMR: // an access needs valid memory behind it, window or not (MR-1)
		l.withdrawBoundTo(s.on)
		g[s.on], l.broken[s.on], l.pinned[s.on] = grant{}, false, false
	case tpt.DeallocMW: // DER-7
		g[s.on], l.holds[s.on] = grant{}, hold{}
	case tpt.ReregMR:
		l.recordRereg(s.on, c, r)
	case tpt.BindMW:
		l.recordBind(s, c, r)
	case tpt.LocalInv, tpt.RemoteInv:
		g[s.on], l.holds[s.on] = grant{}, hold{}
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
func (l *ledger) recordRereg(on slot, c *tpt.Command, r *tpt.Result) {
	g := &l.grants[on]
	if c.Fail { // RER-7
		l.withdrawBoundTo(on)
		*g, l.broken[on] = grant{}, true
		return
	}
	g.key = r.Key
	switch c.Rereg {
	case ib.ReregAccess:
		g.rights, g.windows = c.Access, c.Access&mb != 0
	case ib.ReregPD:
		g.pd = c.PD
	case ib.ReregTranslation:
		g.pages = [2]uint64(c.Pages)
		l.pinned[on] = g.rights&lw == 0
		for _, w := range [...]slot{w1, w2} {
			if l.holds[w].bound && l.holds[w].on == on {
				l.grants[w].pages = g.pages
			}
		}
	}
}

// recordBind: the window grants its own range and rights, as far as the
// region reaches; what it granted before is gone (BIN-1).
func (l *ledger) recordBind(s *step, c *tpt.Command, r *tpt.Result) {
	l.grants[s.on], l.holds[s.on] = grant{}, hold{}
	if c.Length == 0 {
		return
	}
	on := &l.grants[s.region]
	h := hold{bound: true, on: s.region}
	g := grant{
		live: true, key: r.Key, pd: pd1, rights: c.Access,
		low: max(c.VA, on.low), high: min(c.VA+c.Length, on.high), base: on.base, pages: on.pages,
	}
	if s.on == w2 {
		h.qp, g.qp, g.onlyQP = c.QPN, c.QPN, l.only2A
	}
	l.holds[s.on] = h
	if g.low < g.high {
		l.grants[s.on] = g
	}
}

// find returns the grant that allows a range to be used, or nil. Nobody needs
// a grant for no bytes.
func (l *ledger) find(key ib.Key, q ib.QPN, need ib.AccessFlags, remote bool, va, n uint64) *grant {
	for s := range l.grants {
		g := &l.grants[s]
		switch {
		case !g.live, g.key != key, va < g.low, va >= g.high, n > g.high-va:
		case !remote && !g.local, g.rights&need != need:
		case !g.onlyQP && g.pd != l.qps[q], g.qp != 0 && g.qp != q:
		default:
			return g
		}
	}
	return nil
}

// at returns where a granted byte is.
func (g *grant) at(va uint64) uint64 {
	offset := va - g.base
	return g.pages[offset/page] + offset%page
}
