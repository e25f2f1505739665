package explore

import (
	"hcasim/ib"
	"hcasim/tpt"
)

const (
	lw = ib.LocalWrite
	rw = ib.RemoteWrite
	rr = ib.RemoteRead
	mb = ib.MWBind
)

// A step is one operation that may come next. It is not offered where what it
// needs is not there, or what it makes is.
type step struct {
	name  string
	on    slot
	makes bool
	// command fills in what the name promises; Op, and the object's index and
	// key, are there already.
	op      tpt.Op
	command func(w *world, c *tpt.Command)
	region  slot // bind: the region bound to
}

// steps are all operations of the small world.
var steps = []step{
	{name: "register A, LW|RW|RR|MW_BIND", on: mrA, makes: true, op: tpt.RegMR, command: register(pd1, mrA, lw|rw|rr|mb)},
	{name: "register A, RR|MW_BIND", on: mrA, makes: true, op: tpt.RegMR, command: register(pd1, mrA, rr|mb)},
	{name: "register B in the second domain, LW|RW|MW_BIND", on: mrB, makes: true, op: tpt.RegMR, command: register(pd2, mrB, lw|rw|mb)},
	{name: "deregister A", on: mrA, op: tpt.DeregMR},
	{name: "deregister B", on: mrB, op: tpt.DeregMR},
	{name: "rereg A to LW|RR", on: mrA, op: tpt.ReregMR, command: func(_ *world, c *tpt.Command) {
		c.Rereg, c.Access = ib.ReregAccess, lw|rr
	}},
	{name: "rereg A into the second domain", on: mrA, op: tpt.ReregMR, command: func(_ *world, c *tpt.Command) {
		c.Rereg, c.PD = ib.ReregPD, pd2
	}},
	{name: "rereg A onto another page", on: mrA, op: tpt.ReregMR, command: func(w *world, c *tpt.Command) {
		c.Rereg = ib.ReregTranslation
		place(w, c, mrA)
	}},
	{name: "rereg A, and the device fails", on: mrA, op: tpt.ReregMR, command: func(_ *world, c *tpt.Command) {
		c.Rereg, c.Access, c.Fail = ib.ReregAccess, lw|rr, true
	}},
	{name: "allocate the fast-register region", on: fast, makes: true, op: tpt.AllocMR, command: func(_ *world, c *tpt.Command) {
		c.PD, c.MaxPages = pd1, 1
	}},
	{name: "REG_MR on q1", on: fast, op: tpt.FastRegMR, command: func(w *world, c *tpt.Command) {
		c.QPN, c.Key, c.Access = q1, c.Key.Next(), lw|rw|mb
		place(w, c, fast)
	}},
	{name: "LOCAL_INV of the fast-register region on q2", on: fast, op: tpt.LocalInv, command: through(q2)},
	{name: "LOCAL_INV of the fast-register region on q3", on: fast, op: tpt.LocalInv, command: through(q3)},
	{name: "deregister the fast-register region", on: fast, op: tpt.DeregMR},
	{name: "allocate w1", on: w1, makes: true, op: tpt.AllocMW, command: window(ib.MWType1)},
	{name: "bind w1 to the first half of A, RW, on q1", on: w1, op: tpt.BindMW, region: mrA, command: bind(q1, mrA, 0, rw)},
	{name: "bind w1 to the second half of A, RR, on q2", on: w1, op: tpt.BindMW, region: mrA, command: bind(q2, mrA, size/2, rr)},
	{name: "bind w1 to B, RW, on q3", on: w1, op: tpt.BindMW, region: mrB, command: bind(q3, mrB, 0, rw)},
	{name: "unbind w1 on q2", on: w1, op: tpt.BindMW, region: nSlots, command: func(_ *world, c *tpt.Command) {
		c.QPN, c.MWType, c.NoRegion = q2, ib.MWType1, true
	}},
	{name: "deallocate w1", on: w1, op: tpt.DeallocMW},
	{name: "allocate w2", on: w2, makes: true, op: tpt.AllocMW, command: window(ib.MWType2)},
	{name: "BIND_MW of w2 to the first half of A, RW, on q1", on: w2, op: tpt.BindMW, region: mrA, command: bind(q1, mrA, 0, rw)},
	{name: "BIND_MW of w2 to the second half of A, RR, on q2", on: w2, op: tpt.BindMW, region: mrA, command: bind(q2, mrA, size/2, rr)},
	{name: "BIND_MW of w2 beyond A, RR, on q1", on: w2, op: tpt.BindMW, region: mrA, command: bind(q1, mrA, size-8, rr)},
	{name: "BIND_MW of w2 to the fast-register region, RW, on q1", on: w2, op: tpt.BindMW, region: fast, command: bind(q1, fast, 0, rw)},
	{name: "LOCAL_INV of w2 on q1", on: w2, op: tpt.LocalInv, command: through(q1)},
	{name: "LOCAL_INV of w2 on q2", on: w2, op: tpt.LocalInv, command: through(q2)},
	{name: "SEND_WITH_INV of w2 into q1", on: w2, op: tpt.RemoteInv, command: through(q1)},
	{name: "SEND_WITH_INV of w2 into q3", on: w2, op: tpt.RemoteInv, command: through(q3)},
	{name: "LOCAL_INV of a dead key of w2 on q1", on: w2, op: tpt.LocalInv, command: func(w *world, c *tpt.Command) {
		c.QPN, c.Key = q1, w.stale
	}},
	{name: "deallocate w2", on: w2, op: tpt.DeallocMW},
	{name: "destroy q1", on: nSlots, op: tpt.DestroyQP, command: through(q1)},
	{name: "create q1 in the second domain", on: nSlots, op: tpt.CreateQP, command: func(_ *world, c *tpt.Command) {
		c.QPN, c.PD = q1, pd2
	}},
}

// place puts a region's worth of bytes on a new page.
func place(w *world, c *tpt.Command, s slot) {
	c.VA, c.Length, c.PageShift, c.Pages = starts[s], size, 12, []uint64{w.newPage()}
}

func register(pd ib.PDN, s slot, access ib.AccessFlags) func(*world, *tpt.Command) {
	return func(w *world, c *tpt.Command) {
		c.PD, c.Access = pd, access
		place(w, c, s)
	}
}

func window(t ib.MWType) func(*world, *tpt.Command) {
	return func(_ *world, c *tpt.Command) { c.PD, c.MWType = pd1, t }
}

func through(q ib.QPN) func(*world, *tpt.Command) {
	return func(_ *world, c *tpt.Command) { c.QPN = q }
}

// bind binds half a region from an offset on. Type and key byte follow from
// the window.
func bind(q ib.QPN, region slot, offset uint64, access ib.AccessFlags) func(*world, *tpt.Command) {
	return func(w *world, c *tpt.Command) {
		c.QPN, c.Access, c.Region = q, access, w.key[region]
		c.VA, c.Length = starts[region]+offset, size/2
	}
}

// offer returns the command that a step stands for now, or false where it
// makes no sense.
func (s *step) offer(w *world, c *tpt.Command) bool {
	*c = tpt.Command{Op: s.op}
	if s.on < nSlots {
		if (w.object[s.on] != 0) == s.makes {
			return false
		}
		c.Index, c.Key, c.Window = w.object[s.on], w.key[s.on], w.object[s.on]
	}
	if s.op == tpt.BindMW {
		if s.region < nSlots && w.object[s.region] == 0 {
			return false
		}
		if c.MWType = ib.MWType1; s.on == w2 {
			c.MWType, c.NewByte = ib.MWType2, w.key[w2].Byte()+1
		}
	}
	if s.command != nil {
		s.command(w, c)
	}
	alive := w.ledger.qps[c.QPN] != 0
	switch {
	case c.Op == tpt.CreateQP:
		return !alive
	case c.QPN != 0 && !alive, c.Op == tpt.LocalInv && c.Key == 0:
		return false
	case c.Op.IsWork():
		c.PD = w.ledger.qps[c.QPN]
	}
	return true
}
