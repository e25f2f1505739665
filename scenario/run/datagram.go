package run

import (
	"fmt"

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

// direct addresses the requests of a load's queue pair to its peer, by a
// handle that was made long before. What is connected needs none.
func (l *load) direct(q *loadQP) error {
	if q.qp.qp.Attr.Type != ib.UD {
		return nil
	}
	peer := l.r.world.peerOf(q.qp)
	if peer == nil {
		return &Mistake{l.t.Pos, "traffic over UD needs to know where to: peer: says it"}
	}
	ah := &host.AH{PD: q.qp.qp.PD, Dest: peer.qp.N}
	for i := range q.wrs {
		q.wrs[i].AH, q.wrs[i].QKey = ah, peer.qp.Attr.QKey
	}
	return nil
}

// grh is what a datagram's receive holds before the data (IBA 11.4.1.2).
const grh = 40

// fits reports whether all that a load sends over UD fits into the regions
// that the receives are of.
func (l *load) fits(q *named, into lang.Pattern) error {
	if q.qp.Attr.Type != ib.UD {
		return nil
	}
	all, ok := l.r.newList(into.Of, 1)
	if !ok {
		return nil // the walk over them says so
	}
	for i := range all.n {
		n := all.at(i)
		for _, size := range sizesOf(&l.t.Size) {
			if n.mr != nil && uint64(size)+grh > n.mr.Length {
				return &Mistake{into.Pos, fmt.Sprintf("datagrams of %v arrive behind %d bytes of route, and %s has %v", size, grh, n.ref.String(), sim.Bytes(n.mr.Length))}
			}
		}
	}
	return nil
}
