package explore

import (
	"fmt"

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
	name   string
	on     slot
	makes  bool
	never  bool // the rules always forbid it
	op     tpt.Op
	region slot // bind: the region bound to
	// command fills in what the name promises; Op, and the object's index and
	// key, are there already.
	command func(w *world, c *tpt.Command)
}

// steps are all operations of the small world. What is done to A can be done
// to B, and what is done through q1 through q2: states that differ by such an
// exchange only are one.
var steps = append(append(regionSteps(), windowSteps()...), queueSteps()...)

func regionSteps() []step {
	list := make([]step, 0, 128) // never moves: add points into it
	add := func(name string, on slot, makes bool, op tpt.Op, command func(*world, *tpt.Command)) *step {
		list = append(list, step{name: name, on: on, makes: makes, op: op, command: command})
		return &list[len(list)-1]
	}
	for _, s := range [...]slot{mrA, mrB} {
		n := slotNames[s]
		add("register "+n+", LW|RW|RR|RA|MW_BIND", s, true, tpt.RegMR, register(pd1, s, lw|rw|rr|ib.RemoteAtomic|mb))
		add("register "+n+", RR|MW_BIND", s, true, tpt.RegMR, register(pd1, s, rr|mb))
		add("register "+n+" in the second domain, LW|RW|MW_BIND", s, true, tpt.RegMR, register(pd2, s, lw|rw|mb))
		add("register "+n+", RW without LW", s, true, tpt.RegMR, register(pd1, s, rw)).never = true
		add("deregister "+n, s, false, tpt.DeregMR, nil)
		add("rereg "+n+" to LW|RR", s, false, tpt.ReregMR, func(_ *world, c *tpt.Command) {
			c.Rereg, c.Access = ib.ReregAccess, lw|rr
		})
		add("rereg "+n+" into the other domain", s, false, tpt.ReregMR, func(w *world, c *tpt.Command) {
			c.Rereg, c.PD = ib.ReregPD, pd1+pd2-w.table.Entry(c.Index).PD
		})
		add("rereg "+n+" onto other pages", s, false, tpt.ReregMR, func(w *world, c *tpt.Command) {
			c.Rereg = ib.ReregTranslation
			place(w, c, s)
		})
		add("rereg "+n+", and the device fails", s, false, tpt.ReregMR, func(_ *world, c *tpt.Command) {
			c.Rereg, c.Access, c.Fail = ib.ReregAccess, lw|rr, true
		})
	}
	add("allocate f", fast, true, tpt.AllocMR, func(_ *world, c *tpt.Command) { c.PD, c.MaxPages = pd1, 2 })
	for q := q1; q <= q3; q++ {
		add(fmt.Sprintf("REG_MR of f on q%d, LW|RW|MW_BIND", q), fast, false, tpt.FastRegMR, func(w *world, c *tpt.Command) {
			c.QPN, c.Key, c.Access = q, c.Key.Next(), lw|rw|mb
			place(w, c, fast)
		}).never = q == q3
		add(fmt.Sprintf("LOCAL_INV of f on q%d", q), fast, false, tpt.LocalInv, through(q)).never = q == q3
		add(fmt.Sprintf("SEND_WITH_INV of f into q%d", q), fast, false, tpt.RemoteInv, through(q)).never = q == q3
	}
	add("deregister f", fast, false, tpt.DeregMR, nil)
	return list
}

func windowSteps() []step {
	list := make([]step, 0, 128)
	add := func(name string, on slot, op tpt.Op, command func(*world, *tpt.Command)) *step {
		list = append(list, step{name: name, on: on, op: op, region: nSlots, command: command})
		return &list[len(list)-1]
	}
	for _, s := range [...]slot{w1, w2} {
		kind, bindName := ib.MWType1, "bind "
		if s == w2 {
			kind, bindName = ib.MWType2, "BIND_MW of "
		}
		n := slotNames[s]
		add("allocate "+n, s, tpt.AllocMW, func(_ *world, c *tpt.Command) { c.PD, c.MWType = pd1, kind }).makes = true
		add("deallocate "+n, s, tpt.DeallocMW, nil)
		for q := q1; q <= q3; q++ {
			on := fmt.Sprintf(", on q%d", q)
			for _, r := range [...]slot{mrA, mrB} {
				of := slotNames[r]
				for _, b := range [...]*step{
					add(bindName+n+" to the first page of "+of+", RW"+on, s, tpt.BindMW, bind(q, r, 0, rw)),
					add(bindName+n+" to the second page of "+of+", RR"+on, s, tpt.BindMW, bind(q, r, page, rr)),
				} {
					b.region, b.never = r, q == q3
				}
			}
			b := add(bindName+n+" to the first page of f, RW"+on, s, tpt.BindMW, bind(q, fast, 0, rw))
			b.region, b.never = fast, q == q3
		}
		for q := q1; q <= q2; q++ {
			on := fmt.Sprintf(", RR, on q%d", q)
			for _, r := range [...]slot{mrA, mrB} {
				of := slotNames[r]
				b := add(bindName+n+" beyond "+of+on, s, tpt.BindMW, bind(q, r, size-8, rr))
				b.region, b.never = r, true
				b = add(bindName+n+" to the first page of "+of+" by a dead key"+on, s, tpt.BindMW, func(w *world, c *tpt.Command) {
					bind(q, r, 0, rr)(w, c)
					c.Region = w.stale[r]
				})
				b.region, b.never = r, true
			}
		}
	}
	for q := q1; q <= q2; q++ {
		add(fmt.Sprintf("unbind w1 on q%d", q), w1, tpt.BindMW, func(_ *world, c *tpt.Command) { c.QPN, c.NoRegion = q, true })
		add(fmt.Sprintf("LOCAL_INV of w1 on q%d", q), w1, tpt.LocalInv, through(q)).never = true
		add(fmt.Sprintf("LOCAL_INV of a dead key of w2 on q%d", q), w2, tpt.LocalInv, func(w *world, c *tpt.Command) {
			c.QPN, c.Key = q, w.stale[w2]
		}).never = true
	}
	for q := q1; q <= q3; q++ {
		add(fmt.Sprintf("LOCAL_INV of w2 on q%d", q), w2, tpt.LocalInv, through(q)).never = q == q3
		add(fmt.Sprintf("SEND_WITH_INV of w2 into q%d", q), w2, tpt.RemoteInv, through(q)).never = q == q3
	}
	return list
}

func queueSteps() (list []step) {
	for q := q1; q <= q2; q++ {
		list = append(list, step{name: fmt.Sprintf("destroy q%d", q), on: nSlots, op: tpt.DestroyQP, command: through(q)})
		for pd, where := range [...]string{pd1: "first", pd2: "second"} {
			if where != "" {
				list = append(list, step{name: fmt.Sprintf("create q%d in the %s domain", q, where), on: nSlots, op: tpt.CreateQP, command: func(_ *world, c *tpt.Command) {
					c.QPN, c.PD = q, ib.PDN(pd)
				}})
			}
		}
	}
	return list
}

// place puts a region's worth of bytes on new pages.
func place(w *world, c *tpt.Command, s slot) {
	c.VA, c.Length, c.PageShift, c.Pages = starts[s], size, 12, w.newPages()
}

func register(pd ib.PDN, s slot, access ib.AccessFlags) func(*world, *tpt.Command) {
	return func(w *world, c *tpt.Command) {
		c.PD, c.Access = pd, access
		place(w, c, s)
	}
}

func through(q ib.QPN) func(*world, *tpt.Command) {
	return func(_ *world, c *tpt.Command) { c.QPN = q }
}

// bind binds a page's worth of a region from an offset on. Type and key byte
// follow from the window.
func bind(q ib.QPN, region slot, offset uint64, access ib.AccessFlags) func(*world, *tpt.Command) {
	return func(w *world, c *tpt.Command) {
		c.QPN, c.Access, c.Region = q, access, w.key[region]
		c.VA, c.Length = starts[region]+offset, page
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
	case c.QPN != 0 && !alive, c.Op == tpt.LocalInv && c.Key == 0, c.Op == tpt.BindMW && c.Length != 0 && c.Region == 0:
		return false
	case c.Op.IsWork():
		c.PD = w.ledger.qps[c.QPN]
	}
	return true
}
