package host

import (
	"slices"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// AllocPD is ibv_alloc_pd.
func (h *Host) AllocPD(now sim.Time, pd *PD, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		v.ask(now, tableCommand(tpt.Command{Op: tpt.AllocPD}), nil, func(now sim.Time, s *tpt.CommandSlot) {
			*pd = PD{N: s.Result.PD}
			v.done(now)
		})
	})
}

// DeallocPD is ibv_dealloc_pd.
func (h *Host) DeallocPD(now sim.Time, pd *PD, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if pd.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, tableCommand(tpt.Command{Op: tpt.DeallocPD, PD: pd.N}), nil, func(now sim.Time, s *tpt.CommandSlot) {
			pd.gone = true
			v.done(now)
		})
	})
}

// A Registration is what ibv_reg_mr_iova2 is asked for.
type Registration struct {
	PD      *PD
	Process *Process
	VA      uint64
	Length  uint64
	IOVA    uint64 // address in requests; ZERO_BASED makes it 0
	Access  ib.AccessFlags
	Page    uint8  // log2 of the largest page wanted for the translation; 0: as large as memory allows
	Key     ib.Key // asked for; 0: the adapter chooses
}

// RegMR is ibv_reg_mr: the driver checks, pins page by page, builds the
// table, and tells the adapter.
func (h *Host) RegMR(now sim.Time, mr *MR, r Registration, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap, func(now sim.Time) {
		if errno, rule := tpt.CheckRegister(r.Access, r.IOVA, r.Length, r.VA&(frameBytes-1)); errno != ib.OK {
			v.refuse(now, errno, rule)
			return
		}
		if r.Access&ib.OnDemand != 0 {
			h.regOnDemand(now, mr, r, v)
			return
		}
		pin, errno := r.Process.Pin(r.VA, r.Length, r.Access&ib.LocalWrite != 0)
		if errno != ib.OK {
			v.refuse(now, errno, pinRule(errno))
			return
		}
		shift := Shift(pin.Runs(), h.mostPage(r.Page))
		pages := Count(pin.Runs(), shift)
		v.work(now, h.registration(&pin, shift), func(now sim.Time) {
			c := tpt.Command{
				Op: tpt.RegMR, PD: r.PD.N, Key: r.Key, Access: r.Access, VA: r.IOVA, Length: r.Length,
				First: pin.First() & (1<<shift - 1), PageShift: shift, Writable: pin.Writable,
				Runs: PageRuns(pin.Runs(), shift),
			}
			h.grant(pin.Runs())
			undo := func() { h.release(r.Process, pin) }
			v.ask(now, tableCommand(c), undo, func(now sim.Time, s *tpt.CommandSlot) {
				iova := r.IOVA
				if r.Access&ib.ZeroBased != 0 {
					iova = 0
				}
				*mr = MR{
					PD: r.PD, Process: r.Process, VA: r.VA, Length: r.Length, IOVA: iova, Access: r.Access,
					Index: s.Result.Index, LKey: ib.LKey(s.Result.Key), RKey: s.Result.RKey,
					Pages: pages, Shift: shift, pin: pin, pinned: true,
				}
				v.done(now)
			})
		})
	})
}

// pinRule names the rule behind an errno of pinning.
func pinRule(e ib.Errno) string {
	if e == ib.ENOMEM {
		return "ACC-14"
	}
	return "ACC-12"
}

// mostPage is the largest page to translate by: as wanted, and as the adapter
// can.
func (h *Host) mostPage(page uint8) uint8 {
	if page == 0 {
		return h.LargestPage
	}
	return min(page, h.LargestPage)
}

// registration returns the driver's time for pinning and table building.
func (h *Host) registration(pin *Pinning, shift uint8) sim.Duration {
	cpu := &h.Params.CPU
	return cpu.RegBase + perPage(pin, shift, cpu.RegPage, cpu.RegHuge) + h.bringing(pin)
}

// bringing returns the time that pages took to be there: those that were out,
// and those that nobody had touched.
func (h *Host) bringing(pin *Pinning) sim.Duration {
	cpu := &h.Params.CPU
	return sim.Duration(pin.Fetched)*cpu.PageFetch + cpu.firstTouch(pin.FirstSmall, pin.FirstHuge)
}

func (c *CPUParams) firstTouch(small, huge uint64) sim.Duration {
	return sim.Duration(small)*c.Fault + sim.Duration(huge)*c.FaultHuge
}

// perPage charges small pages one by one and huge ones by the page. Huge pages
// that are translated by small ones cost as those; small pages that happen to
// lie side by side are pinned one by one all the same.
func perPage(pin *Pinning, shift uint8, small, huge sim.Duration) sim.Duration {
	if shift < Page2M {
		return sim.Duration(pin.Frames()) * small
	}
	return sim.Duration(pin.Small)*small + sim.Duration(pin.Huge)*huge
}

// release undoes a pinning.
func (h *Host) release(p *Process, pin Pinning) {
	h.revoke(pin.Runs())
	p.Unpin(pin)
}

// DeregMR is ibv_dereg_mr. Posted requests are not looked at (DER-3).
func (h *Host) DeregMR(now sim.Time, mr *MR, then Then) {
	v := h.begin(now, then)
	cpu := &h.Params.CPU
	v.work(now, cpu.Trap, func(now sim.Time) {
		if mr.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, tableCommand(tpt.Command{Op: tpt.DeregMR, Index: mr.Index}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			mr.gone = true
			d := cpu.DeregBase
			if mr.Access&ib.OnDemand != 0 {
				d += sim.Duration(mr.small)*(cpu.DeregPage-min(cpu.DeregPage, cpu.UnpinPage)) +
					sim.Duration(mr.huge)*(cpu.DeregHuge-min(cpu.DeregHuge, cpu.UnpinHuge))
				h.forget(mr)
				h.onDemand = slices.DeleteFunc(h.onDemand, func(o *MR) bool { return o == mr })
			}
			if mr.pinned {
				d += perPage(&mr.pin, mr.Shift, cpu.DeregPage, cpu.DeregHuge)
				h.release(mr.Process, mr.pin)
				mr.pinned = false
			}
			v.work(now, d, v.done)
		})
	})
}

// A FastRegion is what ib_alloc_mr asks for.
type FastRegion struct {
	PD    *PD
	Pages uint32 // the longest page list that it takes
	Key   ib.Key // asked for; 0: the adapter chooses
}

// AllocMR is ib_alloc_mr: a fast-register region.
func (h *Host) AllocMR(now sim.Time, mr *MR, r FastRegion, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.RegBase, func(now sim.Time) {
		v.ask(now, tableCommand(tpt.Command{Op: tpt.AllocMR, PD: r.PD.N, MaxPages: r.Pages, Key: r.Key}), nil, func(now sim.Time, s *tpt.CommandSlot) {
			*mr = MR{PD: r.PD, Index: s.Result.Index, LKey: ib.LKey(s.Result.Key), RKey: ib.RKey(s.Result.Key), FastReg: true}
			v.done(now)
		})
	})
}

// RegShared makes a second region of the pages of one that exists, with
// rights of its own.
func (h *Host) RegShared(now sim.Time, mr, of *MR, pd *PD, access ib.AccessFlags, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.RegBase, func(now sim.Time) {
		if of.Access&ib.OnDemand != 0 {
			h.shareOnDemand(now, mr, of, pd, access, v)
			return
		}
		pin, errno := of.Process.Pin(of.VA, of.Length, access&ib.LocalWrite != 0)
		if errno != ib.OK {
			v.refuse(now, errno, pinRule(errno))
			return
		}
		h.grant(pin.Runs())
		c := tpt.Command{Op: tpt.RegShared, Index: of.Index, PD: pd.N, Access: access, VA: of.IOVA, Length: of.Length}
		v.ask(now, tableCommand(c), func() { h.release(of.Process, pin) }, func(now sim.Time, s *tpt.CommandSlot) {
			*mr = *of
			mr.PD, mr.Access, mr.pin, mr.pinned = pd, access, pin, true
			mr.Index, mr.LKey, mr.RKey = s.Result.Index, ib.LKey(s.Result.Key), s.Result.RKey
			v.done(now)
		})
	})
}

// A Rereg is what ibv_rereg_mr is asked for. Fields whose flag is not set
// must be zero, save Access, whose value without its flag is an error (RER-3).
type Rereg struct {
	Flags  ib.ReregFlags
	PD     *PD
	VA     uint64
	Length uint64
	Access ib.AccessFlags
	Page   uint8 // log2 of the largest page wanted for a new translation; 0: as large as memory allows
	Fail   bool  // the device fails on purpose (RER-7)

	small, huge uint64 // on demand: the pages behind the new translation
}

// pins reports whether new pages are pinned before the adapter is asked: not
// for what is refused whatever they are (RER-3, RER-12).
func (r *Rereg) pins(mr *MR) bool {
	return r.Flags&ib.ReregTranslation != 0 && r.Length != 0 && mr.Process != nil && !mr.FastReg && mr.Access&ib.OnDemand == 0 &&
		(r.Access == 0 || r.Flags&ib.ReregAccess != 0)
}

// ReregMR is ibv_rereg_mr.
func (h *Host) ReregMR(now sim.Time, mr *MR, r Rereg, then Then) {
	v := h.begin(now, then)
	cpu := &h.Params.CPU
	v.work(now, cpu.Trap, func(now sim.Time) {
		if mr.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		c := tpt.Command{Op: tpt.ReregMR, Index: mr.Index, Rereg: r.Flags, Access: r.Access, Length: r.Length, VA: r.VA, Fail: r.Fail}
		if r.PD != nil {
			c.PD = r.PD.N
		}
		cost := cpu.RegBase + cpu.DeregBase
		pin, pinned, errno := Pinning{}, false, ib.OK
		if r.pins(mr) {
			access := mr.Access
			if r.Flags&ib.ReregAccess != 0 {
				access = r.Access
			}
			if pin, errno = mr.Process.Pin(r.VA, r.Length, access&ib.LocalWrite != 0); errno != ib.OK {
				v.out.Rereg = ib.ReregErrCmd
				v.refuse(now, errno, pinRule(errno))
				return
			}
			pinned = true
			h.grant(pin.Runs())
			shift := Shift(pin.Runs(), h.mostPage(r.Page))
			c.First, c.PageShift, c.Writable = pin.First()&(1<<shift-1), shift, pin.Writable
			c.Runs = PageRuns(pin.Runs(), shift)
			cost += perPage(&pin, shift, cpu.RegPage, cpu.RegHuge) + h.bringing(&pin)
		} else {
			cost += perPage(&mr.pin, mr.Shift, cpu.ReregPage, cpu.ReregHuge)
		}
		if mr.Access&ib.OnDemand != 0 && r.Flags&ib.ReregTranslation != 0 && r.Length != 0 && !r.rebase(mr, &c) {
			v.out.Rereg = ib.ReregErrCmd
			v.refuse(now, ib.EFAULT, "ACC-12")
			return
		}
		// It is a deregistration and a registration, whatever changes (RER-2),
		// though pages that stay are pinned already: rereg of the rights alone
		// is measured to grow with the pages too.
		cost += perPage(&mr.pin, mr.Shift, cpu.DeregPage, cpu.DeregHuge)
		v.work(now, cost, func(now sim.Time) {
			undo := func() {
				if pinned {
					h.release(mr.Process, pin)
				}
			}
			v.ask(now, tableCommand(c), undo, func(now sim.Time, s *tpt.CommandSlot) {
				h.reregistered(mr, r, &c, pin)
				mr.LKey, mr.RKey = ib.LKey(s.Result.Key), s.Result.RKey
				v.done(now)
			})
		})
	})
}

// reregistered books what a rereg changed.
func (h *Host) reregistered(mr *MR, r Rereg, c *tpt.Command, pin Pinning) {
	if r.Flags&ib.ReregPD != 0 {
		mr.PD = r.PD
	}
	if r.Flags&ib.ReregAccess != 0 {
		mr.Access = r.Access | mr.Access&ib.OnDemand // that stays what it is
	}
	if r.Flags&ib.ReregTranslation != 0 {
		h.release(mr.Process, mr.pin)
		mr.pin, mr.VA, mr.IOVA, mr.Length = pin, r.VA, r.VA, r.Length
		mr.Shift, mr.Pages = c.PageShift, Count(pin.Runs(), c.PageShift)
		if mr.Access&ib.OnDemand != 0 {
			h.forget(mr)
			mr.lent, mr.Pages = nil, (c.First+r.Length+frameBytes-1)/frameBytes
			mr.small, mr.huge = r.small, r.huge
		}
	}
}
