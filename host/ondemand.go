package host

import (
	"slices"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// On-demand regions are not pinned: their pages come when the adapter asks
// for them, or when the software advises it, and must be taken from the
// adapter before they go.

// regOnDemand is ibv_reg_mr of an on-demand region: nothing is pinned, and the
// table holds no page yet.
func (h *Host) regOnDemand(now sim.Time, mr *MR, r Registration, v *verb) {
	if !h.variant.ODP {
		v.refuse(now, ib.EOPNOTSUPP, "ACC-6")
		return
	}
	if !r.Process.mapped(r.VA, r.Length) {
		v.refuse(now, ib.EFAULT, "ACC-12")
		return
	}
	cpu := &h.Params.CPU
	small, huge := r.Process.pages(r.VA, r.Length)
	cost := cpu.RegBase + sim.Duration(small)*cpu.DemandPage + sim.Duration(huge)*cpu.DemandHuge
	v.work(now, cost, func(now sim.Time) {
		c := tpt.Command{
			Op: tpt.RegMR, PD: r.PD.N, Access: r.Access, VA: r.IOVA, Length: r.Length,
			First: r.VA & (frameBytes - 1), PageShift: Page4K,
		}
		v.ask(now, tableCommand(c), nil, func(now sim.Time, s *tpt.CommandSlot) {
			*mr = MR{
				PD: r.PD, Process: r.Process, VA: r.VA, Length: r.Length, IOVA: r.IOVA, Access: r.Access,
				Index: s.Result.Index, LKey: ib.LKey(s.Result.Key), RKey: s.Result.RKey,
				Pages: (c.First + r.Length + frameBytes - 1) / frameBytes, Shift: Page4K,
				small: small, huge: huge,
			}
			if r.Access&ib.ZeroBased != 0 {
				mr.IOVA = 0
			}
			h.onDemand = append(h.onDemand, mr)
			v.done(now)
		})
	})
}

// shareOnDemand is the registration of the pages of an on-demand region once
// more: nothing is pinned, and both ask for the same pages.
func (h *Host) shareOnDemand(now sim.Time, mr, of *MR, pd *PD, access ib.AccessFlags, v *verb) {
	c := tpt.Command{Op: tpt.RegShared, Index: of.Index, PD: pd.N, Access: access, VA: of.IOVA, Length: of.Length}
	v.ask(now, tableCommand(c), nil, func(now sim.Time, s *tpt.CommandSlot) {
		*mr = *of
		mr.PD, mr.Access, mr.lent = pd, access|ib.OnDemand, nil
		mr.Index, mr.LKey, mr.RKey = s.Result.Index, ib.LKey(s.Result.Key), s.Result.RKey
		h.onDemand = append(h.onDemand, mr)
		v.done(now)
	})
}

// rebase gives an on-demand region another part of memory (ibv_rereg_mr): no
// page of it is there yet. False: nothing is mapped there.
func (r *Rereg) rebase(mr *MR, c *tpt.Command) bool {
	c.First, c.PageShift = r.VA&(frameBytes-1), Page4K
	if !mr.Process.mapped(r.VA, r.Length) {
		return false
	}
	r.small, r.huge = mr.Process.pages(r.VA, r.Length)
	return true
}

// forget ends what the adapter had of an on-demand region.
func (h *Host) forget(mr *MR) {
	for i, pa := range mr.lent {
		if pa != 0 {
			h.revoke(slices.Values([]Run{{pa, frameBytes}}))
			mr.lent[i] = 0
		}
	}
}

// PageRequest answers the adapter's wish for pages of an on-demand region. It
// is the adapter's to call.
func (h *Host) PageRequest(now sim.Time, r ib.PageRequest) {
	h.later.at(now.Add(h.Params.CPU.Interrupt), func(now sim.Time) {
		deny := func(now sim.Time) {
			h.command(now, queueCommand(ib.QPCommand{Op: ib.FailPages, Pages: r}), func(sim.Time, *tpt.CommandSlot) {})
		}
		mr := h.onDemandRegion(r.Index)
		if mr == nil || r.Addr-mr.IOVA > mr.Length || r.Length > mr.Length-(r.Addr-mr.IOVA) {
			deny(now)
			return
		}
		h.bring(now, mr, mr.VA+(r.Addr-mr.IOVA), r.Length, r.Write, func(now sim.Time, errno ib.Errno) {
			if errno != ib.OK {
				deny(now)
			}
		})
	})
}

func (h *Host) onDemandRegion(i ib.Index) *MR {
	for _, mr := range h.onDemand {
		if mr.Index == i {
			return mr
		}
	}
	return nil
}

// bring makes the pages of a range present and tells the adapter where they
// are. EFAULT: nothing is mapped there, or it may not be written. Pages that
// are being taken away are waited for.
func (h *Host) bring(now sim.Time, mr *MR, va, n uint64, write bool, then func(now sim.Time, errno ib.Errno)) {
	first, size := frames(va, n)
	if h.leaves(mr.Process, first, size) {
		h.postponed = append(h.postponed, func(now sim.Time) { h.bring(now, mr, va, n, write, then) })
		return
	}
	prot := Read
	if write {
		prot |= Write
	}
	if mr.gone || !mr.Process.Allows(va, n, prot) {
		then(now, ib.EFAULT)
		return
	}
	fetched, errno := mr.Process.PageIn(va, n)
	if errno != ib.OK {
		then(now, errno)
		return
	}
	cpu := &h.Params.CPU
	cost := sim.Duration(fetched)*cpu.PageFetch + sim.Duration(size/frameBytes)*cpu.RegPage + cpu.firstTouch(mr.Process.firstTouch(va, n))
	h.spend(now, cost, func(now sim.Time) {
		if _, errno := mr.Process.Runs(first, size); errno != ib.OK || mr.gone || h.leaves(mr.Process, first, size) {
			h.bring(now, mr, va, n, write, then) // gone again meanwhile, or going
			return
		}
		h.lend(now, mr, first, size, then)
	})
}

// lend tells the adapter where the pages of a range are, all of them present.
func (h *Host) lend(now sim.Time, mr *MR, first, size uint64, then func(now sim.Time, errno ib.Errno)) {
	pages := make([]uint64, size/frameBytes)
	for i := range pages {
		at := first + uint64(i)*frameBytes
		pages[i], _ = mr.Process.Translate(at)
		if !mr.Process.Allows(at, 1, Write) {
			pages[i] |= tpt.ReadOnly
		}
	}
	h.setPages(now, mr, first, pages, func(now sim.Time, s *tpt.CommandSlot) { then(now, s.Result.Errno) })
}

// setPages tells the adapter of pages that came, or, as NoPage, that went.
func (h *Host) setPages(now sim.Time, mr *MR, first uint64, pages []uint64, then func(now sim.Time, s *tpt.CommandSlot)) {
	at := max(first, mr.VA)
	c := tpt.Command{Op: tpt.SetPages, Index: mr.Index, VA: mr.IOVA + (at - mr.VA), Pages: pages}
	had := h.swapLent(mr, at, pages)
	h.command(now, tableCommand(c), func(now sim.Time, s *tpt.CommandSlot) {
		h.revoke(slices.Values(had))
		then(now, s)
	})
}

// swapLent lets the IOMMU pass the pages that the adapter is told of, and
// returns those that it had in their places: they are taken back once it has
// been told.
func (h *Host) swapLent(mr *MR, at uint64, pages []uint64) (had []Run) {
	if h.Root.IOMMU == nil || mr.gone {
		return nil
	}
	if mr.lent == nil {
		mr.lent = make([]uint64, mr.Pages)
	}
	k := at/frameBytes - mr.VA/frameBytes
	for i, pa := range pages {
		if old := mr.lent[k+uint64(i)]; old != 0 {
			had = append(had, Run{old, frameBytes})
		}
		mr.lent[k+uint64(i)] = 0
		if pa != tpt.NoPage {
			pa &^= tpt.ReadOnly
			mr.lent[k+uint64(i)] = pa
			h.grant(slices.Values([]Run{{pa, frameBytes}}))
		}
	}
	return had
}

// Advise is ibv_advise_mr with prefetch: pages come before they are asked for.
func (h *Host) Advise(now sim.Time, mr *MR, va, n uint64, write bool, then Then) {
	h.advise(now, mr, va, n, write, then, func(now sim.Time, done func(now sim.Time, errno ib.Errno)) {
		h.bring(now, mr, va, n, write, done)
	})
}

// AdvisePresent is ibv_advise_mr with prefetch-no-fault: the adapter is told of
// the pages that are in memory, and none is brought.
func (h *Host) AdvisePresent(now sim.Time, mr *MR, va, n uint64, then Then) {
	h.advise(now, mr, va, n, false, then, func(now sim.Time, done func(now sim.Time, errno ib.Errno)) {
		h.lendPresent(now, mr, va, n, done)
	})
}

func (h *Host) advise(now sim.Time, mr *MR, va, n uint64, write bool, then Then, carry func(now sim.Time, done func(now sim.Time, errno ib.Errno))) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap, func(now sim.Time) {
		switch {
		case !h.variant.ODP:
			v.refuse(now, ib.EOPNOTSUPP, "ACC-6")
			return
		case mr.gone:
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		case mr.Access&ib.OnDemand == 0:
			v.refuse(now, ib.EINVAL, "MR-2")
			return
		case va < mr.VA || va-mr.VA > mr.Length || n > mr.Length-(va-mr.VA):
			v.refuse(now, ib.EFAULT, "MR-8")
			return
		case write && mr.Access&ib.LocalWrite == 0:
			v.refuse(now, ib.EFAULT, "ACC-13")
			return
		case n == 0:
			v.done(now)
			return
		}
		asked := now
		carry(now, func(now sim.Time, errno ib.Errno) {
			if v.out.Errno = errno; errno != ib.OK {
				v.out.Rule = "ACC-12"
			}
			v.out.Device += now.Sub(asked)
			v.done(now)
		})
	})
}

// lendPresent tells the adapter of the pages of a range that are in memory.
func (h *Host) lendPresent(now sim.Time, mr *MR, va, n uint64, then func(now sim.Time, errno ib.Errno)) {
	at, size := frames(va, n)
	if h.leaves(mr.Process, at, size) {
		h.postponed = append(h.postponed, func(now sim.Time) { h.lendPresent(now, mr, va, n, then) })
		return
	}
	left := 1
	done := func(now sim.Time, _ ib.Errno) {
		if left--; left == 0 {
			then(now, ib.OK)
		}
	}
	for end := at + size; at != end; at += frameBytes {
		first := at
		for at != end && mr.Process.allowed(at, 1, present|readable) {
			at += frameBytes
		}
		if at != first {
			left++
			h.lend(now, mr, first, at-first, done)
		}
		if at == end {
			break
		}
	}
	done(now, ib.OK)
}

// A leaving is memory that is being taken from the adapter.
type leaving struct {
	process     *Process
	first, last uint64
}

func (h *Host) leaves(p *Process, first, size uint64) bool {
	for _, l := range h.leaving {
		if l.process == p && first < l.last && l.first < first+size {
			return true
		}
	}
	return false
}

// Withdraw takes the pages of a range from the adapter, as an MMU notifier
// does, and then lets act take them away; until it has, none comes back.
func (h *Host) Withdraw(now sim.Time, p *Process, va, n uint64, act func(now sim.Time)) {
	l := &leaving{p, p.pageStart(va), p.pageEnd(va + n - 1)}
	h.leaving = append(h.leaving, l)
	left := 1
	done := func(now sim.Time) {
		if left--; left == 0 {
			act(now)
			h.stay(now, l)
		}
	}
	for _, mr := range h.onDemand {
		first, last := max(l.first, mr.VA), min(l.last, mr.VA+mr.Length)
		if mr.Process != p || first >= last {
			continue
		}
		pages := make([]uint64, (last-1)/frameBytes-first/frameBytes+1)
		for i := range pages {
			pages[i] = tpt.NoPage
		}
		left++
		h.setPages(now, mr, first, pages, func(now sim.Time, _ *tpt.CommandSlot) { done(now) })
	}
	done(now)
}

// stay ends a withdrawal, and lets those go on who wait for pages of it.
func (h *Host) stay(now sim.Time, l *leaving) {
	h.leaving = slices.DeleteFunc(h.leaving, func(o *leaving) bool { return o == l })
	waiting := h.postponed
	h.postponed = nil
	for _, f := range waiting {
		f(now)
	}
}

// pageStart and pageEnd are the ends of the process's page around va.
func (p *Process) pageStart(va uint64) uint64 { return va &^ (p.pageSize(va) - 1) }
func (p *Process) pageEnd(va uint64) uint64   { return p.pageStart(va) + p.pageSize(va) }

func (p *Process) pageSize(va uint64) uint64 { return 1 << max(p.Lookup(va).Shift, Page4K) }
