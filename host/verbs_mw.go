package host

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// AllocMW is ibv_alloc_mw.
func (h *Host) AllocMW(now sim.Time, mw *MW, pd *PD, t ib.MWType, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.AllocMW, func(now sim.Time) {
		v.ask(now, tableCommand(tpt.Command{Op: tpt.AllocMW, PD: pd.N, MWType: t}), nil, func(now sim.Time, s *tpt.CommandSlot) {
			*mw = MW{PD: pd, Type: t, Index: s.Result.Index, RKey: ib.RKey(s.Result.Key)}
			v.done(now)
		})
	})
}

// DeallocMW is ibv_dealloc_mw; a bound window is unbound by it (DER-7).
func (h *Host) DeallocMW(now sim.Time, mw *MW, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.AllocMW, func(now sim.Time) {
		if mw.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, tableCommand(tpt.Command{Op: tpt.DeallocMW, Index: mw.Index}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			mw.gone = true
			v.done(now)
		})
	})
}

// bindObjects is what the poster of a bind knows of its window and region.
func bindObjects(mw *MW, mr *MR) tpt.BindObjects {
	o := tpt.BindObjects{Window: mw.Type, WindowPD: mw.PD.N}
	if mr != nil {
		o.RegionPD, o.RegionAccess = mr.PD.N, mr.Access
	}
	return o
}

// Bind makes the work request that binds a window. For a type 1 window the
// driver chooses the key, so the request asks for none (KEY-5).
func Bind(mw *MW, mr *MR, addr, length uint64, access ib.AccessFlags, key ib.RKey) SendWR {
	w := SendWR{MW: mw, MR: mr}
	w.Opcode = ib.WRBindMW
	w.WQE.Bind = ib.Bind{
		Window: mw.Index, Type: mw.Type, NewKey: key, Addr: addr, Length: length, Access: access, NoRegion: mr == nil,
	}
	if mr != nil {
		w.WQE.Bind.Region = mr.LKey
	}
	return w
}
