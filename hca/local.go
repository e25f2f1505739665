package hca

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// local reports whether a request is executed by this adapter alone.
func local(o ib.WROpcode) bool {
	return o == ib.WRBindMW || o == ib.WRLocalInv || o == ib.WRRegMR
}

// change hands a bind, invalidate or registration to the table unit. The
// queue waits for it: it is in force before any later request starts (ORD-1,
// ORD-3). Another change need not wait: the table unit takes them in order.
func (h *HCA) change(now sim.Time, q *qp, id uint32, e *ib.WQE) {
	w := h.wrs.At(id)
	w.refs++
	w.qpn = q.qpn
	if h.Params.LocalDepth == 1 {
		h.await(now, q, waitLocal)
	}
	if h.fetchesList(e) {
		h.lists.read(now, q, id)
		return
	}
	h.submit(now, q, id)
}

// submit gives the table unit the change that a request asks for.
func (h *HCA) submit(now sim.Time, q *qp, id uint32) {
	w := h.wrs.At(id)
	e := &q.attr.SQ.WQEs[w.slot]
	c := tpt.Command{PD: q.attr.PD, QPN: q.qpn}
	b := &e.Bind
	switch e.Opcode {
	case ib.WRBindMW:
		c.Op, c.MWType = tpt.BindMW, b.Type
		c.Window, c.Region, c.NoRegion = b.Window, ib.Key(b.Region), b.NoRegion
		c.VA, c.Length, c.Access = b.Addr, b.Length, b.Access
		c.NewByte = ib.Key(b.NewKey).Byte()
	case ib.WRLocalInv:
		c.Op, c.Key = tpt.LocalInv, ib.Key(e.RKey)
	case ib.WRRegMR:
		c.Op, c.Key, c.Region = tpt.FastRegMR, ib.Key(b.NewKey), ib.Key(b.Region)
		c.VA, c.Length, c.Access = b.Addr, b.Length, b.Access
		c.PageShift, c.Pages = b.PageShift, q.attr.SQ.PageLists[w.slot].Pages
		c.First = b.Addr & (1<<b.PageShift - 1)
	default:
		panic("hca: " + e.Opcode.String() + " is not local")
	}
	h.Unit.Change(now, localChange{h}, id, &c)
}

// localChange waits for the table unit on behalf of a send queue.
type localChange struct{ hca *HCA }

// Wanted reports whether no request in front of this one was refused.
func (l localChange) Wanted(id uint32) bool { return !l.hca.wrs.At(id).cut }

// Changed ends the request and lets the queue go on.
func (l localChange) Changed(now sim.Time, id uint32, r *tpt.Result) {
	h := l.hca
	w := h.wrs.At(id)
	gone := w.orphan
	q := h.qp(w.qpn)
	if !gone {
		w.trail.Step(PartNIC, now)
		w.done = true
		w.status, w.sealed = r.Status, r.Touched[0]
		if r.Status != ib.Success && !w.cut {
			q.stopped = true
			for next := w.next; next != none; next = h.wrs.At(next).next {
				h.wrs.At(next).cut = true
			}
			h.Refused.Emit(Refusal{At: now, QPN: q.qpn, Op: q.attr.SQ.WQEs[w.slot].Op, Status: r.Status, Fault: r.Fault, Rule: r.Rule})
		}
	}
	h.unref(id)
	if gone {
		return
	}
	h.retire(now, q, nil)
	h.kick(now, q, waitLocal)
}
