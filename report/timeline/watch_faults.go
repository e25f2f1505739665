package timeline

import (
	"hcasim/hca"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
)

// watchFaults flags refusals, asynchronous events, and accesses by what is out
// of date.
func (h *hostWatch) watchFaults() {
	a := h.view.HCA
	a.Refused.Watch(h.refused)
	a.Raised.Watch(func(e ib.EQE) {
		h.flag(h.r.view.Now(), nil, "event "+e.Event.String(), words("queue pair", h.qpName(uint64(e.QPN))))
	})
	a.Moved.Watch(func(m hca.Move) {
		h.qpState(m.At, m.QPN, m.To)
		h.flag(m.At, nil, h.qpName(uint64(m.QPN))+" → "+stateName(m.To))
	})
	h.coherence = mtp.Watch(a.Unit, h.view.Name)
	a.Visible.Watch(h.coherence.Visible)
	a.Landed.Watch(func(l *hca.Landing) {
		h.coherence.Landed(l.At, l.Key, &l.Entry)
		h.incoherent(l.At)
	})
	a.Unit.Judgements.Watch(func(j mtp.Judgement) { h.incoherent(j.At) })
	a.Unit.Translations.Watch(func(j mtp.Judgement) { h.incoherent(j.At) })
	h.r.view.Ended.Watch(h.settled)
}

// settled looks for new names when an op has ended.
func (h *hostWatch) settled(*run.Op) {
	if len(h.unnamed) > 0 {
		h.nameObjects(false)
	}
}

// flag shows an instant on the track of faults and events.
func (h *hostWatch) flag(at sim.Time, of *journey, name string, args ...arg) {
	e := h.show(unitFaults, at, at, of, name, args...)
	e.kind = mark
	h.emit(e)
}

// incoherent flags what the watch over dead keys has found.
func (h *hostWatch) incoherent(at sim.Time) {
	for all := h.coherence.Broken(); h.broken < len(all); h.broken++ {
		h.flag(at, nil, "coherence", words("found", all[h.broken]))
	}
}

// refused flags a refusal, and has its request tell of it.
func (h *hostWatch) refused(f hca.Refusal) {
	j := h.r.of(f.Op)
	name, args := "refused", []arg{words("at", h.view.Name)}
	if f.Fault != tpt.OK {
		name += ": " + f.Fault.String()
		args = append(args, words("fault", f.Fault.String()), hexa("key", uint64(f.Access.Key)),
			hexa("address", f.Access.Judge.VA), words("entry", f.Entry.State.String()))
	}
	if f.Rule != "" {
		name += " (" + f.Rule + ")"
		args = append(args, words("rule", f.Rule))
	}
	if f.Remote {
		args = append(args, words("answer", f.NAK.String()))
	} else {
		args = append(args, words("status", f.Status.String()))
	}
	if j != nil {
		if j.fault == nil {
			j.fault = args
		}
		if t, ok := j.executed(h.i, 0, true); ok && f.Remote {
			h.emit(h.show(unitRespond, t.at, f.At, j, t.opcode.String()+" → "+name, args...))
		}
	}
	h.flag(f.At, j, name, args...)
}
