package hca_test

import (
	"testing"

	"hcasim/ib"
	"hcasim/wire"
)

// A NAK carries how many messages were completed before the request that it
// speaks of, whatever has been taken up behind that by then (IBA C9-148).
func TestNAKCountsWhatIsBefore(t *testing.T) {
	bad := func(p *pair, op ib.WROpcode, length uint64) {
		w := p.wr(0, op, 0, length, 0)
		w.RKey ^= 0x5500 // another entry, which is not on chip
		p.postWR(0, 0, w)
	}
	for name, test := range map[string]struct {
		refused  func(p *pair)
		lost     bool
		syndrome ib.Syndrome
	}{
		"WRITE":             {func(p *pair) { bad(p, ib.WRRDMAWrite, 64) }, false, ib.NAKRemoteAccess},
		"long WRITE":        {func(p *pair) { bad(p, ib.WRRDMAWrite, 3000) }, false, ib.NAKRemoteAccess},
		"READ":              {func(p *pair) { bad(p, ib.WRRDMARead, 3000) }, false, ib.NAKRemoteAccess},
		"atomic":            {func(p *pair) { bad(p, ib.WRAtomicFetchAndAdd, 8) }, false, ib.NAKRemoteAccess},
		"misaligned atomic": {func(p *pair) { p.post(0, 0, ib.WRAtomicFetchAndAdd, 0, 8, 4) }, false, ib.NAKInvalidRequest},
		"SEND too long": {func(p *pair) {
			p.receive(1, 0, 1, 0, 8)
			p.post(0, 0, ib.WRSend, 0, 64, 0)
		}, false, ib.NAKInvalidRequest},
		"SEND with a dead receive": {func(p *pair) {
			p.sides[1].mr.LKey ^= 0x5500
			p.receive(1, 0, 1, 0, 64)
			p.post(0, 0, ib.WRSend, 0, 64, 0)
		}, false, ib.NAKRemoteOperational},
		"invalidation of nothing": {func(p *pair) {
			p.receive(1, 0, 1, 0, 64)
			w := p.wr(0, ib.WRSendWithInv, 0, 8, 0)
			w.RKey = 0x5500
			p.postWR(0, 0, w)
		}, false, ib.NAKRemoteAccess},
		"SEND without a receive": {func(p *pair) { p.post(0, 0, ib.WRSend, 0, 64, 0) }, false, ib.RNRNAK(1)},
		"gap":                    {func(p *pair) { p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0) }, true, ib.NAKPSNSequence},
	} {
		s := defaults()
		s.attr.RNRRetry = 0
		s.spec.RemoteInvFail = "nak_access"
		p := newPair(t, s)
		var naks []ib.AETH
		p.link.Tap.Watch(func(v *wire.Packet) {
			if v.Src == wire.B && v.BTH.Opcode == ib.RCAck && !v.AETH.Syndrome.IsACK() {
				naks = append(naks, v.AETH)
			}
		})
		p.post(0, 0, ib.WRRDMAWrite, 0, 3000, 4096)
		p.post(0, 0, ib.WRRDMARead, 8192, 3000, 8192)
		p.post(0, 0, ib.WRAtomicFetchAndAdd, 0, 8, 64)
		if test.lost {
			p.link.AddFault(wire.Fault{Kind: wire.Drop, Nth: 6, Count: 1, PPM: wire.Always, Match: wire.Match{ByClass: true, Class: wire.Requests}})
		}
		test.refused(p)
		for range 3 {
			p.post(0, 0, ib.WRRDMAWrite, 0, 64, 4096)
			p.post(0, 0, ib.WRRDMARead, 0, 64, 4096)
		}
		p.post(0, 0, ib.WRAtomicFetchAndAdd, 0, 8, 64)
		p.finish()
		if len(naks) != 1 || naks[0] != (ib.AETH{Syndrome: test.syndrome, MSN: 3}) {
			t.Errorf("%s: answered with %v, want %v that counts 3", name, naks, test.syndrome)
		}
	}
}
