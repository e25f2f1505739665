package hca_test

import (
	"testing"

	"hcasim/ib"
	"hcasim/wire"
)

// inject puts a packet made by hand on the wire, from the first side.
func (p *pair) inject(h ib.Headers, payload uint32) {
	id := p.pool.Get()
	k := p.pool.At(id)
	k.Headers = h
	k.BTH.DestQP, k.BTH.PKey = 0x10, 0xFFFF
	p.pool.Payload(id, payload)
	k.Trail.Begin(p.Now())
	if !p.link.Port(wire.A).Send(p.Now(), id) {
		p.t.Fatalf("the wire is full")
	}
}

// Requests made by hand that no adapter sends are refused with the code of
// their rule, change nothing, and end the responder (3.2, REM-2).
func TestCraftedRequests(t *testing.T) {
	const psn = 0xFFFFFE
	reth := func(p *pair, n uint32) ib.RETH {
		return ib.RETH{VA: p.sides[1].base(), RKey: p.sides[1].mr.RKey, Length: n}
	}
	for name, test := range map[string]struct {
		make    func(p *pair) ib.Headers
		payload uint32
		nak     ib.Syndrome
		rule    string
	}{
		"reserved opcode":  {func(*pair) ib.Headers { return ib.Headers{BTH: ib.BTH{Opcode: 0x15}} }, 0, ib.NAKInvalidRequest, "3.2-4"},
		"middle first":     {func(*pair) ib.Headers { return ib.Headers{BTH: ib.BTH{Opcode: ib.RCWriteMiddle}} }, 1024, ib.NAKInvalidRequest, "3.2-3"},
		"short first":      {func(p *pair) ib.Headers { return ib.Headers{BTH: ib.BTH{Opcode: ib.RCWriteFirst}, RETH: reth(p, 2048)} }, 100, ib.NAKInvalidRequest, "3.2-6"},
		"longer than said": {func(p *pair) ib.Headers { return ib.Headers{BTH: ib.BTH{Opcode: ib.RCWriteOnly}, RETH: reth(p, 8)} }, 16, ib.NAKInvalidRequest, "3.2-6"},
		"huge read": {func(p *pair) ib.Headers {
			return ib.Headers{BTH: ib.BTH{Opcode: ib.RCReadRequest}, RETH: reth(p, 1<<31+1)}
		}, 0, ib.NAKInvalidRequest, "3.2-6"},
		"misaligned": {func(p *pair) ib.Headers {
			return ib.Headers{BTH: ib.BTH{Opcode: ib.RCFetchAdd}, Atomic: ib.AtomicETH{VA: p.sides[1].base() + 4, RKey: 0x99}}
		}, 0, ib.NAKInvalidRequest, "3.2-7"},
		"past the end": {func(p *pair) ib.Headers {
			return ib.Headers{BTH: ib.BTH{Opcode: ib.RCWriteFirst}, RETH: reth(p, region+1)}
		}, 1024, ib.NAKRemoteAccess, "REM-11"},
	} {
		p := newPair(t, defaults())
		before := p.sides[1].scramble(4)
		var naks []ib.Syndrome
		p.link.Tap.Watch(func(v *wire.Packet) {
			if v.Src == wire.B {
				naks = append(naks, v.AETH.Syndrome)
			}
		})
		h := test.make(p)
		h.BTH.PSN = psn
		p.inject(h, test.payload)
		p.finish()
		if len(naks) != 1 || naks[0] != test.nak {
			t.Errorf("%s: answered with %v, want %v", name, naks, test.nak)
		}
		r := p.sides[1].refused
		if len(r) != 1 || r[0].Rule != test.rule {
			t.Errorf("%s: refused %+v, want by %s", name, r, test.rule)
		}
		if state, _ := p.sides[1].QPState(0x10); state != ib.Err {
			t.Errorf("%s: the responder is in %v", name, state)
		}
		if string(p.sides[1].bytes(0, region)) != string(before) {
			t.Errorf("%s: memory has changed", name)
		}
		if len(p.sides[1].events) != 1 {
			t.Errorf("%s: events %v", name, p.sides[1].events)
		}
	}
}

// Packets that belong to nobody are dropped without an answer: of another
// service, to no queue pair, to one that does not receive (3.2 step 1).
func TestDroppedRequests(t *testing.T) {
	for name, h := range map[string]ib.Headers{
		"UC opcode":  {BTH: ib.BTH{Opcode: ib.UCSendOnly, PSN: 0xFFFFFE}},
		"stray ACK":  {BTH: ib.BTH{Opcode: ib.RCAck, PSN: 77}, AETH: ib.AETH{Syndrome: ib.NAKRemoteAccess}},
		"stray data": {BTH: ib.BTH{Opcode: ib.RCReadRespOnly, PSN: 0xFFFFFE}},
	} {
		p := newPair(t, defaults())
		answers := 0
		p.link.Tap.Watch(func(v *wire.Packet) {
			if v.Src == wire.B {
				answers++
			}
		})
		p.inject(h, 0)
		p.finish()
		if state, _ := p.sides[1].QPState(0x10); answers != 0 || state != ib.RTS || len(p.sides[1].done) != 0 {
			t.Errorf("%s: %d answers, state %v", name, answers, state)
		}
		p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0) // the connection is unharmed
		p.finish()
		p.all("WRITE", p.statuses(0, 0), 1, ib.Success)
	}
}
