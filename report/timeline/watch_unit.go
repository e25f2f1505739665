package timeline

import (
	"strings"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/tpt"
)

func qpn(n uint64) ib.QPN { return ib.QPN(n) }

// watchUnit shows the lookups of the translation unit.
func (h *hostWatch) watchUnit() {
	u := h.view.HCA.Unit
	u.LookedUp().Watch(h.lookedUp)
	u.Judgements.Watch(h.judgement)
	u.Translations.Watch(h.translation)
	u.Contexts.Watch(func(c mtp.ContextLookup) {
		e := &event{kind: mark, unit: unitQPC, host: h.i, at: c.At, name: "hit", qp: h.view.QP(c.QPN)}
		if !c.Hit {
			e.name = "miss"
			h.r.count(h.i, c.At, "cache misses", "QPC", 1)
		}
		e.args = []arg{words("queue pair", h.qpName(uint64(c.QPN)))}
		h.emit(e)
	})
}

// A judgement of an access that did not wait comes before it leaves the key
// stage, which knows since when it was there.
func (h *hostWatch) judgement(j mtp.Judgement) {
	a := j.Access
	since, waited := h.parked[a.ID]
	e := h.access(unitMPT, a)
	e.end = j.At
	switch {
	case waited:
		delete(h.parked, a.ID)
		h.r.count(h.i, j.At, "cache misses", "MPT", 1)
		e.name, e.at = "miss", since
	case a.MPTHit:
		e.name = "hit"
	default:
		e.name = "no entry"
	}
	if a.Fault != tpt.OK {
		e.name += ": " + a.Fault.String()
		e.args = append(e.args, words("fault", a.Fault.String()))
	}
	e.args = append(e.args, words("entry", a.Entry.State.String()))
	if waited {
		h.emit(e)
	} else {
		h.judged, h.judgedID = e, a.ID
	}
}

func (h *hostWatch) lookedUp(hop sim.Hop) {
	e := h.judged
	if e == nil || h.judgedID != hop.Value {
		h.parked[hop.Value] = hop.Entered
		return
	}
	h.judged = nil
	e.at = hop.Entered
	h.emit(e)
}

func (h *hostWatch) translation(j mtp.Judgement) {
	a := j.Access
	if a.Move.Length == 0 {
		return
	}
	e := h.access(unitMTT, a)
	e.at, e.end, e.name = a.Judged, j.At, "hit"
	if !a.MTTHit {
		e.name = "miss"
		h.r.count(h.i, j.At, "cache misses", "MTT", 1)
	}
	if a.Fault != tpt.OK {
		e.name += ": " + a.Fault.String()
	}
	for _, p := range a.Pieces[:a.N] {
		e.args = append(e.args, hexa("physical", p.Addr))
	}
	h.emit(e)
}

// access is a span about an access.
func (h *hostWatch) access(u unit, a *mtp.Access) *event {
	var of *journey
	if op, ok := h.view.HCA.WhoseAccess(a); ok {
		of = h.r.of(op)
	}
	e := h.show(u, 0, 0, of, "")
	e.key = uint32(a.Key)
	e.qp = h.view.QP(a.QPN)
	e.args = append(e.args, hexa("key", uint64(a.Key)))
	if name := h.view.ObjectOf(a.Key.Index()); name != "" {
		e.args = append(e.args, words("object", name))
	}
	need := "LOCAL_READ"
	if a.Need != 0 {
		need = strings.ReplaceAll(a.Need.String(), "IBV_ACCESS_", "")
	}
	e.args = append(e.args, words("access", need), hexa("address", a.Move.VA), count("bytes", a.Move.Length))
	return e
}
