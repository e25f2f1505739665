package run

import (
	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// packet sends a packet made by hand. It is sent when the step begins, and what
// it causes is judged when nothing moves any more.
func (r *runner) packet(now sim.Time, st *step, a *lang.Packet) {
	if ref, gone := r.absent(a); gone {
		r.missing(now, st, ref)
		return
	}
	h, o := r.newOp(now, st, 0, "packet "+a.Opcode.Value.String())
	n := r.object(a.QP)
	o.QP, o.Verb, o.Done = element(a.QP.Name, a.QP.Index), true, true
	st.open--
	c := hca.Crafted{Op: h, BadICRC: a.BadICRC, Payload: r.payload(a)}
	o.Bytes = uint64(len(c.Payload))
	r.headers(n, a, &c)
	r.ended.Emit(&o.Op)
	st.side.hca.Inject(now, n.qp.N, &c)
}

// payload returns the bytes of a packet made by hand.
func (r *runner) payload(a *lang.Packet) []byte {
	d := lang.Data{}
	length := uint64(0)
	if a.Data != nil {
		d = *a.Data
		length = ownLength(a.Data, 0)
	}
	if a.Payload != nil {
		length = uint64(*a.Payload)
	}
	return r.bytes(&d, length)
}

// headers fills in a packet made by hand: what is left out is as the queue pair
// would have it.
func (r *runner) headers(n *named, a *lang.Packet, c *hca.Crafted) {
	o, attr := a.Opcode.Value, &n.qp.Attr
	answer := o.IsResponse()
	c.BTH = ib.BTH{
		Opcode: o, DestQP: ib.QPN(or(a.DestQP, uint32(attr.Dest))), PKey: or(a.PKey, ib.DefaultPKey), Solicited: a.Solicited,
		AckReq: or(a.AckReq, !answer && o.Ends()),
	}
	switch {
	case a.PSN != nil:
		c.BTH.PSN = r.psn(a.PSN, n)
	case answer:
		expected, _ := n.side.hca.Expected(n.qp.N)
		c.BTH.PSN = expected.Add(1<<24 - 1) // of the request taken last
	default:
		c.BTH.PSN, _ = n.side.hca.NextPSN(n.qp.N)
		c.Spends = true
	}
	if a.Remote != nil {
		va, key := r.remote(a.Remote)
		length := uint32(len(c.Payload))
		if a.DMALength != nil {
			length = uint32(*a.DMALength)
		}
		c.RETH = ib.RETH{VA: va, RKey: key, Length: length}
		c.Atomic = ib.AtomicETH{VA: va, RKey: key, Swap: or(a.Swap, or(a.Add, 1)), Compare: or(a.Compare, 0)}
	}
	c.Imm.Data = or(a.Imm, 0)
	if a.Invalidate != nil {
		c.IETH.RKey = ib.RKey(r.value(a.Invalidate, nil, false))
	}
	if o.HasDETH() {
		c.DETH = ib.DETH{QKey: attr.QKey, SrcQP: n.qp.N}
	}
	_, msn := n.side.hca.Expected(n.qp.N)
	c.AETH = ib.AETH{Syndrome: ib.ACKNoCredit, MSN: or(a.MSN, msn)}
	if a.Syndrome != nil {
		c.AETH.Syndrome = a.Syndrome.Value
	}
}
