package run

import (
	"fmt"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// A supply keeps receives posted at the peer of a load's queue pair.
type supply struct {
	qp   *named
	free sim.Time // when its thread is free
	wrs  [1]host.RecvWR
	sges [1]ib.SGE
	walk *walk
}

// receives reports whether an opcode takes a receive at the peer.
func receives(o ib.WROpcode) bool {
	switch o {
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv, ib.WRRDMAWriteWithImm:
		return true
	default:
		return false
	}
}

// supplies posts the receives that the load's requests take, before the first
// of them: the depth of the load twice, if the step does not say otherwise.
func (l *load) supplies() error {
	wanted := false
	for i := range l.offer.mix {
		wanted = wanted || receives(l.offer.mix[i].Opcode)
	}
	if !wanted {
		return nil
	}
	for _, ref := range l.t.Target.Of {
		for _, n := range l.r.elements(ref) {
			if n.mr == nil {
				return &Mistake{l.t.Target.Pos, "SENDs arrive in regions, and " + n.ref.String() + " is none"}
			}
		}
	}
	for _, q := range l.qps {
		n := l.r.world.peerOf(q.qp)
		if n == nil {
			return &Mistake{l.t.Pos, "traffic of SENDs needs a queue pair at the other end: peer: connects it"}
		}
		if err := l.fits(n, l.t.Target); err != nil {
			return err
		}
		q.supply = newSupply(n, l.offer.target)
		if err := l.stock(q); err != nil {
			return err
		}
		if l.ponging { // both sides answer each other
			back := &loadQP{qp: n, index: q.index, supply: newSupply(q.qp, l.offer.source)}
			q.back = back
			if err := l.fits(q.qp, l.t.Source); err != nil {
				return err
			}
			if err := l.stock(back); err != nil {
				return err
			}
		}
	}
	return nil
}

func newSupply(n *named, w *walk) *supply { return &supply{qp: n, walk: w} }

// stock posts the first receives: as many as there is room for, since those of
// an earlier load may still be there.
func (l *load) stock(q *loadQP) error {
	now := l.r.world.engine.Now()
	depth := or(l.t.RecvDepth, 2*or(l.t.Depth, 16))
	for i := range depth {
		h := l.newOp()
		o := l.r.ops.At(h)
		o.Recv, o.slot, o.back = true, uint32(q.index), q.supply.qp.side == l.st.side
		switch errno := l.supply(now, q.supply, h); {
		case errno == ib.ENOMEM && i > 0:
			l.r.ops.Put(h)
			return nil
		case errno != ib.OK:
			return &Mistake{l.t.Pos, fmt.Sprintf("traffic: ibv_post_recv returns %v with %d posted", errno, depth)}
		}
	}
	return nil
}

// supply posts one receive, of a whole region: requests of any size fit, also
// those of the next load. A shared queue takes it if there is one, whichever
// queue pair it will serve.
func (l *load) supply(now sim.Time, s *supply, h uint32) ib.Errno {
	_, object := s.walk.next(0)
	m := object.mr
	s.sges[0] = ib.SGE{Addr: m.IOVA, Length: uint32(min(m.Length, 1<<31)), LKey: m.LKey}
	s.wrs[0] = host.RecvWR{Op: h, SGE: s.sges[:]}
	var errno ib.Errno
	if at := max(now, s.free); s.qp.qp.SRQ() != nil {
		s.free, errno, _ = s.qp.side.host.PostSRQRecv(at, s.qp.qp.SRQ(), s.wrs[:])
	} else {
		s.free, errno, _ = s.qp.side.host.PostRecv(at, s.qp.qp, s.wrs[:])
	}
	return errno
}

// received takes the completion of a receive and posts it again.
func (l *load) received(now sim.Time, o *op, c *ib.CQE) {
	q := l.qps[o.slot]
	s := q.supply
	if o.back {
		s = q.back.supply
	}
	if c.Status != ib.Success || l.st.verbs == 0 {
		return
	}
	l.supply(now, s, c.Op)
	if l.ponging {
		l.arrived(s.free, q, o.back)
	}
}
