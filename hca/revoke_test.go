package hca_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
)

// A key dies under load. Once the software sees that it is dead, by a
// completion or by the return of a verb, no byte behind it changes any more
// (CACHE-2, DER-2, INV-6), and the watchers of both sides are content. With
// writes in relaxed order as well.
func TestNoByteAfterRevocation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.attr.PathMTU = 256
		b := &s.hca[1]
		entries := uint32(draw("cache entries", 1, 4))
		one := mtp.CacheParams{Entries: entries, Ways: 1, Replace: "lru"}
		b.Cache.MPT, b.Cache.MTT = one, one
		b.MTP.ChangeCycles = sim.Cycles(draw("change cycles", 1, 2000))
		how := uint32(b.MTP.ChangeCycles)
		b.Cache.Renew, b.LocalDepth, b.FetchList = how%2 == 1, 1+how%3, how%5 < 2
		b.PCIe.ReadOverhead = sim.Duration(draw("fill", 0, 3000)) * sim.Nanosecond
		s.host[1].PCIe.WriteLatency = sim.Duration(draw("commit", 0, 3000)) * sim.Nanosecond
		p := newPair(t, s)
		r := newRevocation(p, rapid.Bool().Draw(t, "relaxed"), draw("how", 0, 3))
		for i := range draw("requests", 1, 12) {
			r.request(uint64(i), draw("kind", 0, 2), uint64(draw("length", 1, 2000)))
		}
		p.Run(sim.Time(0).Add(sim.Duration(draw("when", 0, 12_000)) * sim.Nanosecond))
		r.revoke()
		p.finish()
		if r.then == nil && r.how != 0 {
			t.Fatalf("the verb did not return")
		}
		if r.then == nil {
			return // a fault of the responder flushed the invalidate: it promises nothing
		}
		if now := p.sides[1].bytes(0, region); !bytes.Equal(now, r.then) {
			for i := range now {
				if now[i] != r.then[i] {
					t.Fatalf("byte %#x changed after the key was dead", i)
				}
			}
		}
	})
}

// A revocation is a key of the second side that the first side uses, and its
// end.
type revocation struct {
	*pair
	how  int // 0 invalidate, 1 dereg, 2 dealloc, 3 rereg
	key  ib.RKey
	mr   host.MR
	mw   host.MW
	then []byte // the region as it was when the key was seen dead
}

func newRevocation(p *pair, relaxed bool, how int) *revocation {
	r := &revocation{pair: p, how: how}
	x := p.sides[1]
	ok := func(_ sim.Time, o host.Outcome) {
		if o.Errno != ib.OK {
			p.t.Fatalf("%+v", o)
		}
	}
	access := remote | ib.LocalWrite | ib.MWBind
	if relaxed {
		access |= ib.RelaxedOrdering
	}
	x.host.Setup = x.HCA
	x.host.RegMR(0, &r.mr, host.Registration{PD: &x.pd, Process: x.proc, VA: x.base(), Length: region, IOVA: x.base(), Access: access, Page: 12}, ok)
	x.host.AllocMW(0, &r.mw, &x.pd, ib.MWType2, ok)
	x.host.Setup = nil
	r.key = r.mr.RKey
	if how == 0 || how == 2 {
		r.key = r.mw.RKey&^0xFF | 0x42
		p.postWR(1, 0, host.Bind(&r.mw, &r.mr, x.base(), region, remote, r.key))
		p.Run(sim.Time(0).Add(sim.Microsecond))
	}
	p.sides[0].scramble(9)
	return r
}

// request has the first side use the key.
func (r *revocation) request(i uint64, kind int, n uint64) {
	op := [3]ib.WROpcode{ib.WRRDMAWrite, ib.WRRDMARead, ib.WRAtomicFetchAndAdd}[kind]
	if kind == 2 {
		n = 8
	}
	w := r.wr(0, op, 4096*i, n, 4096*i)
	if kind != 1 {
		w.SGE[0].Addr += 2048 // bytes of its own
	}
	w.RKey = r.key
	r.postWR(0, 0, w)
}

// revoke has the second side kill the key, and keeps the region as it is when
// that is seen.
func (r *revocation) revoke() {
	x := r.sides[1]
	seen := func() { r.then = x.bytes(0, region) }
	done := func(_ sim.Time, o host.Outcome) { seen() }
	switch r.how {
	case 0:
		x.host.Completion = func(_ sim.Time, _ *host.CQ, c *ib.CQE) {
			if c.Opcode == ib.WCLocalInv && c.Status == ib.Success {
				seen()
			}
		}
		w := host.SendWR{}
		w.Opcode, w.Flags, w.RKey = ib.WRLocalInv, ib.Signaled, r.key
		r.postWR(1, 0, w)
	case 1:
		x.host.DeregMR(r.Now(), &r.mr, done)
	case 2:
		x.host.DeallocMW(r.Now(), &r.mw, done)
	case 3:
		x.host.ReregMR(r.Now(), &r.mr, host.Rereg{Flags: ib.ReregAccess, Access: ib.LocalWrite}, done)
	}
}
