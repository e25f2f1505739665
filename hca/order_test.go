package hca_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// sent counts the packets of each PSN that a side puts on the wire.
func (p *pair) sent(from wire.End, class wire.Class) map[ib.PSN]int {
	n := map[ib.PSN]int{}
	p.link.Tap.Watch(func(v *wire.Packet) {
		if v.Src == from && v.Class == class {
			n[v.BTH.PSN]++
		}
	})
	return n
}

// Answers leave in PSN order, though an atomic takes longer than the WRITE
// behind it (H3): without a loss nothing is sent twice.
func TestAnswersInOrder(t *testing.T) {
	s := defaults()
	s.hca[1].AtomicBuckets = 2
	p := newPair(t, s)
	requests := p.sent(wire.A, wire.Requests)
	var answers []ib.PSN
	p.link.Tap.Watch(func(v *wire.Packet) {
		if v.Src == wire.B {
			answers = append(answers, v.BTH.PSN)
		}
	})
	want := 0
	for i := range uint64(8) {
		p.post(0, 0, ib.WRAtomicFetchAndAdd, 8*i, 8, 8*i)
		p.post(0, 0, ib.WRRDMAWrite, 4096, 100, 4096)
		p.post(0, 0, ib.WRRDMARead, 8192, 3000, 8192)
		want += 3
	}
	p.finish()
	p.all("request", p.statuses(0, 0), want, ib.Success)
	for psn, n := range requests {
		if n != 1 {
			t.Errorf("packet %#x was sent %d times though nothing was lost", uint32(psn), n)
		}
	}
	if !slices.IsSortedFunc(answers, func(a, b ib.PSN) int { return int(a.Sub(b)) }) {
		t.Errorf("answers left in the order %x", answers)
	}
}

// What follows an atomic is executed behind it: a READ finds its result, a
// WRITE stays (ORD-5).
func TestBehindAnAtomic(t *testing.T) {
	p := newPair(t, defaults())
	for i := range uint64(4) {
		p.post(0, 0, ib.WRAtomicFetchAndAdd, 0, 8, 64)
		p.post(0, 0, ib.WRRDMARead, 128+8*i, 8, 64)
	}
	word := make([]byte, 8)
	binary.LittleEndian.PutUint64(word, 1000)
	p.sides[0].proc.Store(p.sides[0].base()+256, word)
	p.post(0, 0, ib.WRAtomicFetchAndAdd, 32, 8, 64)
	p.post(0, 0, ib.WRRDMAWrite, 256, 8, 64)
	p.post(0, 0, ib.WRAtomicFetchAndAdd, 40, 8, 64)
	p.finish()
	at := func(side int, offset uint64) uint64 {
		return binary.LittleEndian.Uint64(p.sides[side].bytes(offset, 8))
	}
	for i := range uint64(4) {
		if got := at(0, 128+8*i); got != i+1 {
			t.Errorf("READ behind atomic %d found %d", i+1, got)
		}
	}
	if got := [3]uint64{at(0, 32), at(0, 40), at(1, 64)}; got != [3]uint64{4, 1000, 1001} {
		t.Errorf("found before the WRITE, behind it, and in the end: %d, want 4, 1000, 1001", got)
	}
}

// An answer acknowledges what lies before it, so it does not leave before that
// has been executed: neither the acknowledgement of a duplicate, nor an RNR NAK,
// nor the NAK of a gap may pass a request whose key is still being judged.
func TestNoAnswerPassesAJudgement(t *testing.T) {
	const bad = 0x5500
	for name, test := range map[string]struct {
		fault wire.Fault
		post  func(p *pair)
		want  []ib.WCStatus
	}{
		"duplicate": {
			wire.Fault{Kind: wire.Duplicate, Nth: 1, Count: 1, PPM: wire.Always},
			func(*pair) {},
			[]ib.WCStatus{ib.RemAccessErr},
		},
		"receiver not ready": {
			wire.Fault{},
			func(p *pair) { p.post(0, 0, ib.WRSend, 0, 8, 0) },
			[]ib.WCStatus{ib.RemAccessErr, ib.WRFlushErr},
		},
		"gap": {
			wire.Fault{Kind: wire.Drop, Nth: 2, Count: 1, PPM: wire.Always},
			func(p *pair) { p.post(0, 0, ib.WRRDMAWrite, 0, 8, 0); p.post(0, 0, ib.WRRDMAWrite, 0, 8, 0) },
			[]ib.WCStatus{ib.RemAccessErr, ib.WRFlushErr, ib.WRFlushErr},
		},
		"malformed": {
			wire.Fault{},
			func(p *pair) {
				w := p.wr(0, ib.WRAtomicFetchAndAdd, 0, 8, 4) // misaligned
				p.postWR(0, 0, w)
			},
			[]ib.WCStatus{ib.RemAccessErr, ib.WRFlushErr},
		},
	} {
		p := newPair(t, defaults())
		test.fault.Match = wire.Match{ByClass: true, Class: wire.Requests}
		if test.fault.PPM > 0 {
			p.link.AddFault(test.fault)
		}
		w := p.wr(0, ib.WRRDMAWrite, 0, 64, 0)
		w.RKey ^= bad // another entry, which is not on chip
		p.postWR(0, 0, w)
		test.post(p)
		p.finish()
		if got := p.statuses(0, 0); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if len(p.sides[1].refused) != 1 || p.sides[1].refused[0].NAK != ib.NAKRemoteAccess {
			t.Errorf("%s: refused %+v", name, p.sides[1].refused)
		}
	}
}

// READs that wait for others to end do not keep these from being sent again.
func TestLostRead(t *testing.T) {
	s := defaults()
	s.attr.MaxRdAtomic, s.attr.RetryCnt = 1, 1
	for _, opcode := range []ib.Opcode{ib.RCReadRequest, ib.RCReadRespOnly} {
		p := newPair(t, s)
		p.link.AddFault(wire.Fault{Kind: wire.Drop, Count: 1, PPM: wire.Always, Match: wire.Match{ByOpcode: true, Opcode: opcode}})
		for i := range uint64(3) {
			p.post(0, 0, ib.WRRDMARead, 64*i, 64, 64*i)
		}
		p.finish()
		p.all("READ", p.statuses(0, 0), 3, ib.Success)
	}
}

// One lost packet of a long answer costs one retry, however many packets show
// the loss: with a single retry the READ still ends well.
func TestOneLossOneRetry(t *testing.T) {
	s := defaults()
	s.attr.RetryCnt, s.attr.PathMTU, s.attr.Timeout = 1, 256, 14
	p := newPair(t, s)
	p.sides[1].scramble(3)
	p.link.AddFault(wire.Fault{Kind: wire.Drop, Count: 1, PPM: wire.Always, Match: wire.Match{ByOpcode: true, Opcode: ib.RCReadRespFirst}})
	p.post(0, 0, ib.WRRDMARead, 0, 16<<10, 0)
	requests := p.sent(wire.A, wire.Requests)
	p.finish()
	p.all("READ", p.statuses(0, 0), 1, ib.Success)
	if !slices.Equal(p.sides[0].bytes(0, 16<<10), p.sides[1].bytes(0, 16<<10)) {
		t.Error("the bytes differ")
	}
	if n := requests[0xFFFFFE]; n != 2 {
		t.Errorf("the request was sent %d times, want 2", n)
	}
	if took := p.sides[0].done[0].at; took > sim.Time(50*sim.Microsecond) {
		t.Errorf("took %v: a timer was waited for", took)
	}
}
