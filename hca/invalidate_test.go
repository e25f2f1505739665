package hca_test

import (
	"slices"
	"testing"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A SEND with invalidate whose packets, or whose answer, are lost or repeated
// kills the key once and ends well (R1, INV-9); what comes behind it finds the
// key dead, also when it stood right behind it on the wire (ORD-5).
func TestRemoteInvalidateUnderLoss(t *testing.T) {
	for _, f := range []wire.Fault{
		{},
		{Kind: wire.Drop, Match: wire.Match{ByClass: true, Class: wire.Requests}},
		{Kind: wire.Drop, Match: wire.Match{ByClass: true, Class: wire.Answers}},
		{Kind: wire.Duplicate, Match: wire.Match{ByClass: true, Class: wire.Requests}},
		{Kind: wire.Reorder, Delay: 10 * sim.Microsecond, Match: wire.Match{ByClass: true, Class: wire.Requests}},
	} {
		for _, length := range []uint64{0, 100, 3000} {
			for nth := uint64(1); nth <= 4; nth++ {
				if f.Class == wire.Answers && nth > 1 {
					break // a NAK that is lost is not said again: the requester runs out of retries
				}
				p := newPair(t, defaults())
				r := newRevocation(p, false, 0)
				f.Nth, f.Count, f.PPM = nth, 1, wire.Always
				if f.ByClass || f.ByOpcode || f.ByFrom {
					f.ByFrom, f.From = true, wire.End(f.Class) // answers come from the second side
					p.link.AddFault(f)
				}
				p.receive(1, 0, 1, 8192, 4096)
				w := p.wr(0, ib.WRSendWithInv, 0, length, 0)
				w.RKey = r.key
				p.postWR(0, 0, w)
				after := p.wr(0, ib.WRRDMAWrite, 0, 64, 0)
				after.RKey = r.key
				p.postWR(0, 0, after)
				p.finish()
				if got := p.statuses(0, 0); !slices.Equal(got, []ib.WCStatus{ib.Success, ib.RemAccessErr}) {
					t.Errorf("%+v, %d bytes: %v", f, length, got)
				}
				var recv []ib.CQE
				for _, c := range p.sides[1].done {
					if c.Recv {
						recv = append(recv, c.CQE)
					}
				}
				if len(recv) != 1 || recv[0].Status != ib.Success || recv[0].Flags != ib.WithInv || recv[0].InvalidatedKey != r.key || uint64(recv[0].ByteLen) != length {
					t.Errorf("%+v, %d bytes: received %+v", f, length, recv)
				}
			}
		}
	}
}

// A bind is in force before what stands behind it (ORD-1): the key may be used
// by the peer as soon as it hears of it, though the SEND that tells it was
// repeated, and though the table unit is slow.
func TestBindBeforeSend(t *testing.T) {
	for _, retry := range []bool{false, true} {
		s := defaults()
		s.hca[1].MTP.ChangeCycles = 30_000 // longer than the RNR timer
		p := newPair(t, s)
		x := p.sides[1]
		var mw host.MW
		x.host.Setup = x.HCA
		x.host.AllocMW(0, &mw, &x.pd, ib.MWType2, func(sim.Time, host.Outcome) {})
		x.host.Setup = nil
		key := mw.RKey&^0xFF | 0x42
		if retry { // a SEND before it that has to wait for a receive
			p.post(1, 0, ib.WRSend, 0, 8, 0)
		} else {
			p.receive(0, 0, 1, 4096, 64)
		}
		p.postWR(1, 0, host.Bind(&mw, &x.mr, x.base(), 4096, remote, key))
		p.post(1, 0, ib.WRSend, 0, 8, 0)
		told := 1
		if retry {
			told = 2
			p.Run(sim.Time(0).Add(5 * sim.Microsecond))
			p.receive(0, 0, 2, 4096, 64)
		}
		heard := 0
		p.sides[0].host.Completion = func(_ sim.Time, _ *host.CQ, c *ib.CQE) {
			if !c.Recv {
				p.sides[0].done = append(p.sides[0].done, completion{p.Now(), *c})
				return
			}
			if heard++; heard == told {
				w := p.wr(0, ib.WRRDMAWrite, 0, 64, 0)
				w.RKey = key
				p.postWR(0, 0, w)
			}
		}
		p.finish()
		p.all("WRITE by the new key", p.statuses(0, 0), 1, ib.Success)
	}
}
