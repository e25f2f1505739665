package hca_test

import (
	"slices"
	"testing"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"

	"pgregory.net/rapid"
)

// A NAK acknowledges what stands before the packet that it names, but not a
// READ whose data were lost: that is asked for again.
func TestNAKBehindALostRead(t *testing.T) {
	s := defaults()
	s.attr.RetryCnt, s.attr.Timeout = 1, 14
	p := newPair(t, s)
	p.sides[1].scramble(8)
	p.link.AddFault(wire.Fault{Kind: wire.Drop, Count: 1, PPM: wire.Always, Match: wire.Match{ByOpcode: true, Opcode: ib.RCReadRespOnly}})
	p.link.AddFault(wire.Fault{Kind: wire.Drop, Count: 1, PPM: wire.Always, Match: wire.Match{ByOpcode: true, Opcode: ib.RCWriteOnly}})
	p.post(0, 0, ib.WRRDMARead, 0, 64, 0)
	p.post(0, 0, ib.WRRDMAWrite, 64, 64, 64)
	p.post(0, 0, ib.WRRDMAWrite, 64, 64, 128)
	p.finish()
	p.all("request", p.statuses(0, 0), 3, ib.Success)
	if string(p.sides[0].bytes(0, 64)) != string(p.sides[1].bytes(0, 64)) {
		t.Error("the READ brought other bytes")
	}
	if at := p.sides[0].done[0].at; at > sim.Time(30*sim.Microsecond) {
		t.Errorf("the READ ended at %v: a timer was waited for", at)
	}
}

// late returns a setup in which answers come that much later and the timeout is
// 8.192 us: requests are sent again while their answers are on the way.
func late(t rapid.TB, by sim.Duration, change func(s *setup)) *pair {
	s := defaults()
	s.attr.Timeout = 1
	change(&s)
	p := newPair(t, s)
	p.link.AddFault(wire.Fault{Kind: wire.Delay, Count: 2, PPM: wire.Always, Delay: by, Match: wire.Match{ByFrom: true, From: wire.B}})
	return p
}

// A READ whose data have all come, but are not yet in memory, is not asked for
// again when a resend of what stands before it comes to it.
func TestResendComesToAnAnsweredRead(t *testing.T) {
	again := 0
	for by := 4 * sim.Microsecond; by < 12*sim.Microsecond; by += 250 * sim.Nanosecond {
		p := late(t, by, func(s *setup) {
			s.hca[0].Schedule = 2000                          // two requests are far apart
			s.hca[0].PCIe.ReadOverhead = 20 * sim.Microsecond // the sink's entry is long on its way
			s.host[0].CPU.BlueFlame = host.On
		})
		w := p.wr(0, ib.WRRDMAWrite, 0, 8, 0)
		w.Flags |= ib.Inline
		w.Memory = p.sides[0].proc
		requests := p.sent(wire.A, wire.Requests)
		p.postWR(0, 0, w)
		p.post(0, 0, ib.WRRDMARead, 0, 8, 0)
		p.finish()
		p.all("request", p.statuses(0, 0), 2, ib.Success)
		again += requests[0xFFFFFE] - 1
		if len(p.sides[1].refused) > 0 {
			t.Fatalf("answers %v late: %+v", by, p.sides[1].refused)
		}
	}
	if again == 0 {
		t.Error("nothing was sent again: the test misses its mark")
	}
}

// A WRITE is sent again, its source dies, and then its acknowledgement comes:
// it has ended well, and the queue goes on.
func TestSourceDiesBehindAResend(t *testing.T) {
	failed := 0
	for by := 4 * sim.Microsecond; by < 14*sim.Microsecond; by += 250 * sim.Nanosecond {
		p := late(t, by, func(s *setup) { s.hca[0].MTP.MPTLatency = 1500 })
		x := p.sides[0]
		var mr host.MR
		x.host.Setup = x.HCA
		x.host.RegMR(0, &mr, host.Registration{PD: &x.pd, Process: x.proc, VA: x.base(), Length: 4096, IOVA: x.base(), Access: ib.LocalWrite}, func(sim.Time, host.Outcome) {})
		x.host.Setup = nil
		w := p.wr(0, ib.WRRDMAWrite, 0, 64, 0)
		w.SGE[0].LKey = mr.LKey
		p.postWR(0, 0, w)
		p.Run(sim.Time(0).Add(5 * sim.Microsecond))
		x.host.DeregMR(p.Now(), &mr, func(sim.Time, host.Outcome) {})
		p.finish()
		got := p.statuses(0, 0)
		if len(got) == 1 && got[0] == ib.LocProtErr {
			failed++ // the source was dead before the acknowledgement came
			continue
		}
		p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0)
		p.finish()
		p.all("WRITE", p.statuses(0, 0), 2, ib.Success)
	}
	if failed == 0 {
		t.Error("the source never died in time: the test misses its mark")
	}
}

// Behind a request whose memory was refused nothing is sent, also when what is in
// front of it is sent again (LOC-1).
func TestNothingIsSentBehindAFault(t *testing.T) {
	p := newPair(t, defaults())
	requests := p.sent(wire.A, wire.Requests)
	p.post(0, 0, ib.WRSend, 0, 8, 0) // nobody receives it yet
	w := p.wr(0, ib.WRRDMAWrite, 0, 64, 0)
	w.SGE[0].LKey ^= 0x5500
	p.postWR(0, 0, w)
	p.post(0, 0, ib.WRAtomicFetchAndAdd, 0, 8, 64)
	p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0)
	p.Run(p.Now().Add(100 * sim.Microsecond))
	p.receive(1, 0, 1, 4096, 8)
	p.finish()
	if got, want := p.statuses(0, 0), []ib.WCStatus{ib.Success, ib.LocProtErr, ib.WRFlushErr, ib.WRFlushErr}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(requests) != 1 || requests[0xFFFFFE] < 2 {
		t.Errorf("sent, by packet number: %v; want the SEND alone, more than once", requests)
	}
}
