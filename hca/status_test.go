package hca_test

import (
	"slices"
	"testing"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// Without a receive the request is refused and repeated (REM-17): rnr_retry
// times, and then it fails and the responder lives on (REM-18); 7 is for ever,
// and a receive that is posted late still serves it.
func TestReceiverNotReady(t *testing.T) {
	for _, test := range []struct {
		retry uint8
		post  bool
		times int // the SEND is on the wire
		want  []ib.WCStatus
	}{
		{0, false, 1, []ib.WCStatus{ib.RNRRetryExcErr, ib.WRFlushErr}},
		{2, false, 3, []ib.WCStatus{ib.RNRRetryExcErr, ib.WRFlushErr}},
		{2, true, 3, []ib.WCStatus{ib.Success, ib.Success}},
		{7, true, 10, []ib.WCStatus{ib.Success, ib.Success}},
	} {
		s := defaults()
		s.attr.RNRRetry = test.retry
		p := newPair(t, s)
		sends := p.sent(wire.A, wire.Requests)
		p.post(0, 0, ib.WRSend, 0, 64, 0)
		p.post(0, 0, ib.WRRDMAWrite, 64, 64, 64)
		timer := sim.Duration(ib.RNRTimer(s.attr.MinRNRTimer)) * sim.Nanosecond
		if test.post { // late enough for all but the last repetition
			at := sim.Time(0)
			for ; sends[0xFFFFFE] < test.times-1; at = at.Add(timer / 50) {
				if p.Run(at) {
					t.Fatalf("rnr_retry %d: over after %d times", test.retry, sends[0xFFFFFE])
				}
			}
			p.Run(at.Add(timer / 2))
			p.receive(1, 0, 1, 4096, 64)
		}
		p.finish()
		if got := p.statuses(0, 0); !slices.Equal(got, test.want) || sends[0xFFFFFE] != test.times {
			t.Errorf("rnr_retry %d: %v after %d times, want %v after %d", test.retry, got, sends[0xFFFFFE], test.want, test.times)
		}
		state, _ := p.sides[1].QPState(p.sides[1].qps[0].N)
		if state != ib.RTS || p.Now() < sim.Time(timer)*sim.Time(test.times-1) {
			t.Errorf("rnr_retry %d: the responder is in %v at %v", test.retry, state, p.Now())
		}
	}
}

// Nobody answers: the request is repeated retry_cnt times, each after a timeout,
// and fails (5.4); what stands behind it is flushed (REM-20).
func TestRetriesExhausted(t *testing.T) {
	for _, retries := range []uint8{0, 1, 7} {
		s := defaults()
		s.attr.RetryCnt = retries
		p := newPair(t, s)
		p.link.AddFault(wire.Fault{Kind: wire.Drop, PPM: wire.Always, Match: wire.Match{ByFrom: true, From: wire.A}})
		sends := p.sent(wire.A, wire.Requests)
		p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0)
		p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0)
		p.finish()
		if got := p.statuses(0, 0); !slices.Equal(got, []ib.WCStatus{ib.RetryExcErr, ib.WRFlushErr}) {
			t.Errorf("retry_cnt %d: %v", retries, got)
		}
		if n := sends[0xFFFFFE]; n != int(retries)+1 {
			t.Errorf("retry_cnt %d: sent %d times", retries, n)
		}
		timeout := sim.Duration(ib.ACKTimeout(s.attr.Timeout)) * sim.Nanosecond * sim.Duration(retries+1)
		if at := p.sides[0].done[0].at; at < sim.Time(timeout) || at > sim.Time(timeout+20*sim.Microsecond) {
			t.Errorf("retry_cnt %d: failed at %v, want %v and a little", retries, at, timeout)
		}
	}
}

// The requests before a failed one end well, those behind it are flushed in
// posting order on both queues, and what is posted later is flushed too
// (REM-20, QP-3, LOC-16).
func TestFlushOrder(t *testing.T) {
	for name, spoil := range map[string]func(p *pair, w *host.SendWR) (want ib.WCStatus, other ib.QPState){
		"remote key": func(_ *pair, w *host.SendWR) (ib.WCStatus, ib.QPState) { w.RKey ^= 1; return ib.RemAccessErr, ib.Err },
		"local key": func(_ *pair, w *host.SendWR) (ib.WCStatus, ib.QPState) {
			w.SGE[0].LKey ^= 1
			return ib.LocProtErr, ib.RTS
		},
		"local length": func(_ *pair, w *host.SendWR) (ib.WCStatus, ib.QPState) {
			w.Opcode, w.SGE[0].Length = ib.WRAtomicFetchAndAdd, 9 // LOC-6
			return ib.LocLenErr, ib.RTS
		},
		"sink": func(_ *pair, w *host.SendWR) (ib.WCStatus, ib.QPState) { // LOC-2
			w.Opcode, w.SGE[0].LKey = ib.WRRDMARead, w.SGE[0].LKey^1
			return ib.LocProtErr, ib.RTS
		},
	} {
		p := newPair(t, defaults())
		before := p.sides[1].scramble(5)
		p.receive(0, 0, 3, 32<<10, 64)
		w := p.wr(0, ib.WRRDMAWrite, 0, 64, 1024)
		want, other := spoil(p, &w)
		for i := range uint64(3) {
			p.post(0, 0, ib.WRRDMAWrite, 64*i, 64, 64*i)
		}
		p.post(0, 0, ib.WRRDMARead, 8192, 64, 0)
		p.postWR(0, 0, w)
		for i := range uint64(5) {
			p.post(0, 0, ib.WRRDMAWrite, 0, 64, 2048+64*i)
		}
		p.finish()
		p.post(0, 0, ib.WRRDMAWrite, 0, 64, 2048)
		p.finish()
		expect := []ib.WCStatus{ib.Success, ib.Success, ib.Success, ib.Success, want}
		for range 6 {
			expect = append(expect, ib.WRFlushErr)
		}
		if got := p.statuses(0, 0); !slices.Equal(got, expect) {
			t.Errorf("%s: %v, want %v", name, got, expect)
		}
		if got := p.received(0, 0); !slices.Equal(got, []ib.WCStatus{ib.WRFlushErr, ib.WRFlushErr, ib.WRFlushErr}) {
			t.Errorf("%s: receives ended with %v", name, got)
		}
		mine, _ := p.sides[0].QPState(0x10)
		if its, _ := p.sides[1].QPState(0x10); mine != ib.Err || its != other {
			t.Errorf("%s: requester in %v, responder in %v, want %v and %v", name, mine, its, ib.Err, other)
		}
		if other == ib.Err && !slices.Equal(p.sides[1].bytes(1024, 4096), before[1024:1024+4096]) {
			t.Errorf("%s: bytes behind the fault have changed", name)
		}
	}
}

// Atomics are executed once whatever is lost: two queue pairs add to one word,
// the sum is exact, and each found a value that nobody else found (R1).
func TestAtomicsOnce(t *testing.T) {
	for _, class := range []wire.Class{wire.Requests, wire.Answers} {
		for _, kind := range []wire.FaultKind{wire.Drop, wire.Duplicate, wire.Reorder} {
			s := defaults()
			s.qps, s.seed = 2, 11
			p := newPair(t, s)
			p.link.AddFault(wire.Fault{Kind: kind, PPM: 150_000, Delay: 30 * sim.Microsecond, Match: wire.Match{ByClass: true, Class: class}})
			const n = 50
			for i := range uint64(n) {
				p.post(0, 0, ib.WRAtomicFetchAndAdd, 8*i, 8, counter)
				p.post(0, 1, ib.WRAtomicFetchAndAdd, 1024+8*i, 8, counter)
			}
			p.finish()
			p.all("atomic", p.statuses(0, 0), n, ib.Success)
			p.all("atomic", p.statuses(0, 1), n, ib.Success)
			found := map[uint64]bool{}
			for i := range uint64(n) {
				for _, at := range []uint64{8 * i, 1024 + 8*i} {
					found[word(p.sides[0].bytes(at, 8))] = true
				}
			}
			if sum := word(p.sides[1].bytes(counter, 8)); sum != 2*n || len(found) != 2*n {
				t.Errorf("%v of %v: the sum is %d and %d values were found, want %d", kind, class, sum, len(found), 2*n)
			}
		}
	}
}

func word(b []byte) (v uint64) {
	for i := range b {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

// A queue pair that is reset while everything is under way leaves nothing
// behind (QP-7).
func TestResetUnderWay(t *testing.T) {
	for at := sim.Duration(0); at < 12*sim.Microsecond; at += 333 * sim.Nanosecond {
		for side := range 2 {
			s := defaults()
			s.attr.RetryCnt = 1
			p := newPair(t, s)
			m := newModel(p)
			for i := range 12 {
				m.step(i%2, 0, i%5, 1100)
			}
			p.Run(sim.Time(0).Add(at))
			x := p.sides[side]
			x.host.ModifyQP(p.Now(), x.qps[0], ib.MaskState, ib.QPAttr{State: ib.Reset}, func(sim.Time, host.Outcome) {})
			p.finish()
			if state, _ := x.QPState(0x10); state != ib.Reset {
				t.Errorf("reset at %v: in %v", at, state)
			}
			if t.Failed() {
				t.Fatalf("reset of side %d at %v", side, at)
			}
		}
	}
}
