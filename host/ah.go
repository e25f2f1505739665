package host

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// An AH is an address handle as the software holds it: where datagrams go.
type AH struct {
	PD   *PD
	Dest ib.QPN // the queue pair that requests with it go to

	gone bool
}

// CreateAH is ibv_create_ah. The handle counts as an object of its domain
// (PD-3).
func (h *Host) CreateAH(now sim.Time, ah *AH, pd *PD, dest ib.QPN, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		v.ask(now, tableCommand(tpt.Command{Op: tpt.CreateAH, PD: pd.N}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			*ah = AH{PD: pd, Dest: dest}
			v.done(now)
		})
	})
}

// DestroyAH is ibv_destroy_ah.
func (h *Host) DestroyAH(now sim.Time, ah *AH, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueueVerb, func(now sim.Time) {
		if ah.gone {
			v.refuse(now, ib.ENOENT, "DER-5")
			return
		}
		v.ask(now, tableCommand(tpt.Command{Op: tpt.DestroyAH, PD: ah.PD.N}), nil, func(now sim.Time, _ *tpt.CommandSlot) {
			ah.gone = true
			v.done(now)
		})
	})
}

// address fills in where a datagram goes.
func (w *SendWR) address() {
	if w.AH != nil {
		w.DestQP, w.AHPD = w.AH.Dest, w.AH.PD.N
	}
}
