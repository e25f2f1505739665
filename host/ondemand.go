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
	if !r.Process.mapped(r.VA, r.Length) {
		v.refuse(now, ib.EFAULT, "ACC-12")
		return
	}
	v.work(now, h.Params.CPU.RegBase, func(now sim.Time) {
		c := tpt.Command{
			Op: tpt.RegMR, PD: r.PD.N, Access: r.Access, VA: r.IOVA, Length: r.Length,
			First: r.VA & (frameBytes - 1), PageShift: Page4K,
		}
		v.ask(now, tableCommand(c), nil, func(now sim.Time, s *tpt.CommandSlot) {
			*mr = MR{
				PD: r.PD, Process: r.Process, VA: r.VA, Length: r.Length, IOVA: r.IOVA, Access: r.Access,
				Index: s.Result.Index, LKey: ib.LKey(s.Result.Key), RKey: s.Result.RKey,
				Pages: (c.First + r.Length + frameBytes - 1) / frameBytes, Shift: Page4K,
			}
			if r.Access&ib.ZeroBased != 0 {
				mr.IOVA = 0
			}
			h.onDemand = append(h.onDemand, mr)
			v.done(now)
		})
	})
}

// PageRequest answers the adapter's wish for pages of an on-demand region. It
// is the adapter's to call.
func (h *Host) PageRequest(now sim.Time, r ib.PageRequest) {
	h.later.at(now.Add(h.Params.CPU.Interrupt), func(now sim.Time) {
		mr := h.onDemandRegion(r.Index)
		if mr == nil {
			h.failPages(now, r.Index)
			return
		}
		h.bring(now, mr, mr.VA+(r.Addr-mr.IOVA), r.Length, r.Write, func(now sim.Time, errno ib.Errno) {
			if errno != ib.OK {
				h.failPages(now, r.Index)
			}
		})
	})
}

func (h *Host) onDemandRegion(i ib.Index) *MR {
	for _, mr := range h.onDemand {
		if mr.Index == i && !mr.gone {
			return mr
		}
	}
	return nil
}

func (h *Host) failPages(now sim.Time, i ib.Index) {
	h.command(now, queueCommand(ib.QPCommand{Op: ib.FailPages, Index: i}), func(sim.Time, *tpt.CommandSlot) {})
}

// bring makes the pages of a range present and tells the adapter where they
// are. EFAULT: nothing is mapped there, or it may not be written.
func (h *Host) bring(now sim.Time, mr *MR, va, n uint64, write bool, then func(now sim.Time, errno ib.Errno)) {
	prot := Read
	if write {
		prot |= Write
	}
	first := va &^ (frameBytes - 1)
	size := roundUp(va+n-first, frameBytes)
	if !mr.Process.Allows(va, n, prot) {
		then(now, ib.EFAULT)
		return
	}
	fetched, errno := mr.Process.PageIn(va, n)
	if errno != ib.OK {
		then(now, errno)
		return
	}
	cpu := &h.Params.CPU
	h.spend(now, sim.Duration(fetched)*cpu.PageFetch+sim.Duration(size/frameBytes)*cpu.RegPage, func(now sim.Time) {
		if w := h.leavingFrom(mr.Process, first, size); w != nil { // where they are now is not where they stay
			w.behind = append(w.behind, func(now sim.Time) { h.bring(now, mr, va, n, write, then) })
			return
		}
		runs, errno := mr.Process.Runs(first, size)
		if errno != ib.OK { // gone again meanwhile: once more, if it is still mapped at all
			h.bring(now, mr, va, n, write, then)
			return
		}
		h.grant(runs)
		h.setPages(now, mr, va, AppendPages(nil, runs, Page4K), func(now sim.Time, s *tpt.CommandSlot) { then(now, s.Result.Errno) })
	})
}

// setPages tells the adapter of pages that came, or, as NoPage, that went.
func (h *Host) setPages(now sim.Time, mr *MR, va uint64, pages []uint64, then func(now sim.Time, s *tpt.CommandSlot)) {
	at := max(va, mr.VA)
	c := tpt.Command{Op: tpt.SetPages, Index: mr.Index, VA: mr.IOVA + (at - mr.VA), Pages: pages}
	h.command(now, tableCommand(c), then)
}

// Advise is ibv_advise_mr with prefetch: pages come before they are asked for.
func (h *Host) Advise(now sim.Time, mr *MR, va, n uint64, write bool, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap, func(now sim.Time) {
		if mr.gone || mr.Access&ib.OnDemand == 0 || va < mr.VA || n > mr.Length-(va-mr.VA) {
			v.refuse(now, ib.EINVAL, "MR-2")
			return
		}
		h.bring(now, mr, va, n, write, func(now sim.Time, errno ib.Errno) { v.refuse(now, errno, "") })
	})
}

// A leaving is a range whose pages are being taken from the adapter. Those who
// want to bring pages of it wait behind.
type leaving struct {
	process *Process
	va, n   uint64
	behind  []func(now sim.Time)
}

// leavingFrom returns a withdrawal under way that touches a range, or nil.
func (h *Host) leavingFrom(p *Process, va, n uint64) *leaving {
	for _, w := range h.leaving {
		if w.process == p && w.va < va+n && va < w.va+w.n {
			return w
		}
	}
	return nil
}

// Withdraw takes the pages of a range from the adapter, so that they can go:
// what an MMU notifier does. It does not touch the pages themselves.
func (h *Host) Withdraw(now sim.Time, p *Process, va, n uint64, then func(now sim.Time)) {
	w := &leaving{process: p, va: va, n: n}
	h.leaving = append(h.leaving, w)
	left := 1
	done := func(now sim.Time) {
		if left--; left > 0 {
			return
		}
		then(now)
		h.leaving = slices.DeleteFunc(h.leaving, func(o *leaving) bool { return o == w })
		for _, f := range w.behind {
			f(now)
		}
	}
	for _, mr := range h.onDemand {
		first, last := max(va, mr.VA), min(va+n, mr.VA+mr.Length)
		if mr.gone || mr.Process != p || first >= last {
			continue
		}
		pages := make([]uint64, (last+frameBytes-1)/frameBytes-first/frameBytes)
		for i := range pages {
			pages[i] = tpt.NoPage
		}
		left++
		h.setPages(now, mr, first, pages, func(now sim.Time, _ *tpt.CommandSlot) { done(now) })
	}
	done(now)
}
