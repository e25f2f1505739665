package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// createAH makes an address handle of a queue pair at the other end.
func (r *runner) createAH(now sim.Time, st *step, o *op, a *lang.CreateAH, then host.Then, made *func()) {
	x := st.side
	ah := &host.AH{}
	o.Object = a.As.Text
	peer := r.object(a.Peer)
	*made = func() { x.add(a.As.Text, lang.Whole, &named{ah: ah, peer: peer}) }
	x.host.CreateAH(now, ah, r.object(a.PD).pd, peer.qp.N, then)
}

// ownQKey is the bit of a Q_Key that stands for the sender's own (IBA 10.2.5).
const ownQKey = 1 << 31

// address says where a datagram goes, and with which Q_Key: that of the
// receiver, unless the request has one.
func (r *runner) address(s *host.SendWR, w *lang.WR) {
	n := r.object(w.AH)
	if n == nil {
		return
	}
	s.AH = n.ah
	s.QKey = n.peer.qp.Attr.QKey
	if w.QKey != nil {
		s.QKey = *w.QKey
	}
	if qp := r.object(w.QP); s.QKey&ownQKey != 0 && qp != nil {
		s.QKey = qp.qp.Attr.QKey
	}
}

// keepQKey sets the Q_Key that a modify names.
func keepQKey(attr *ib.QPAttr, given *uint32, old uint32) ib.QPAttrMask {
	if given == nil {
		attr.QKey = old
		return 0
	}
	return ib.MaskQKey
}
