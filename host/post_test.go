package host

import (
	"bytes"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// queues makes a queue pair of 4 sends and 4 receives in a state.
func (b *bench) queues(t ib.QPType, s ib.QPState, z QPSizes) *QP {
	cq, qp := &CQ{}, &QP{}
	b.setup(func() {
		b.CreateCQ(0, cq, 16, 64, b.fine)
		b.CreateQP(0, qp, &b.pd, cq, cq, ib.QPAttr{Type: t, State: s}, z, b.fine)
	})
	return qp
}

func small() QPSizes { return QPSizes{Send: 4, Recv: 4, MaxSGE: 2, MaxInline: 100} }

func wr(o ib.WROpcode, pieces ...uint32) SendWR {
	var w SendWR
	w.Opcode = o
	for _, n := range pieces {
		w.SGE = append(w.SGE, ib.SGE{Addr: benchVA, Length: n})
	}
	return w
}

func flagged(w SendWR, f ib.SendFlags, m *Process) SendWR {
	w.Flags, w.Memory = f, m
	return w
}

// TestPostOrder: the checks of the moment of posting, each alone and each
// before all behind it. A request that breaks several is refused by the first.
func TestPostOrder(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 8192, Page4K, rw)
	mw := &MW{PD: &b.pd, Type: ib.MWType1}
	full := func(q *QP) { q.sent = q.freed + 4 }
	for _, c := range []struct {
		name  string
		qp    ib.QPType
		state ib.QPState
		first func(q *QP)
		wr    SendWR
		errno ib.Errno
		rule  string
	}{
		{"nothing", ib.RC, ib.RTS, nil, wr(ib.WRRDMAWrite, 64), ib.OK, ""},
		{"state", ib.RC, ib.RTR, nil, wr(ib.WRRDMAWrite, 64), ib.EINVAL, "1.5"},
		{"state before space", ib.RC, ib.Init, full, wr(ib.WRRDMAWrite, 64), ib.EINVAL, "1.5"},
		{"space", ib.RC, ib.RTS, full, wr(ib.WRRDMAWrite, 64), ib.ENOMEM, "QP-9"},
		{"space before opcode", ib.UC, ib.RTS, full, wr(ib.WRRDMARead, 64), ib.ENOMEM, "QP-9"},
		{"opcode", ib.UC, ib.RTS, nil, wr(ib.WRRDMARead, 64), ib.EINVAL, "QP-8"},
		{"no packet of UC carries a key to invalidate", ib.UC, ib.RTS, nil, wr(ib.WRSendWithInv, 64), ib.EINVAL, "QP-8"},
		{"opcode before pieces", ib.UC, ib.RTS, nil, wr(ib.WRRDMARead, 1, 1, 1), ib.EINVAL, "QP-8"},
		{"an opcode that is none", ib.RC, ib.RTS, nil, wr(99, 64), ib.EINVAL, "QP-8"},
		{"pieces", ib.RC, ib.RTS, nil, wr(ib.WRRDMAWrite, 1, 1, 1), ib.EINVAL, "QP-9"},
		{"pieces before inline", ib.RC, ib.RTS, nil, flagged(wr(ib.WRRDMAWrite, 100, 100, 100), ib.Inline, b.proc), ib.EINVAL, "QP-9"},
		{"inline of a READ", ib.RC, ib.RTS, nil, flagged(wr(ib.WRRDMARead, 64), ib.Inline, b.proc), ib.EINVAL, "LOC-9"},
		{"inline too long", ib.RC, ib.RTS, nil, flagged(wr(ib.WRRDMAWrite, 50, 51), ib.Inline, b.proc), ib.EINVAL, "LOC-9"},
		{"inline just fits", ib.RC, ib.RTS, nil, flagged(wr(ib.WRRDMAWrite, 50, 50), ib.Inline, b.proc), ib.OK, ""},
		{"atomic of 9 bytes", ib.RC, ib.RTS, nil, wr(ib.WRAtomicFetchAndAdd, 9), ib.OK, ""}, // judged as it is processed
		{"bind with a piece", ib.RC, ib.RTS, nil, SendWR{WQE: ib.WQE{Opcode: ib.WRBindMW}, SGE: []ib.SGE{{}}, MW: mw}, ib.EINVAL, "BIN-10"},
		{"bind over UD", ib.UD, ib.RTS, nil, SendWR{WQE: ib.WQE{Opcode: ib.WRBindMW}, SGE: []ib.SGE{{}}, MW: mw}, ib.EINVAL, "QP-8"},
		{"in ERR", ib.RC, ib.Err, nil, wr(ib.WRRDMAWrite, 64), ib.OK, ""},
		{"in SQD", ib.RC, ib.SQD, nil, wr(ib.WRRDMAWrite, 64), ib.OK, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := b.queues(c.qp, c.state, small())
			if c.first != nil {
				c.first(q)
			}
			sent := q.sent
			w := []SendWR{c.wr}
			if errno, rule := b.CheckPost(q, &w[0]); errno != c.errno || rule != c.rule {
				t.Errorf("%v (%s), want %v (%s)", errno, rule, c.errno, c.rule)
			}
			done, errno, posted := b.PostSend(b.engine.Now(), q, w)
			if errno != c.errno || (posted == 1) != (errno == ib.OK) || q.sent-sent != uint32(posted) {
				t.Errorf("%v, %d posted, counter moved by %d", errno, posted, q.sent-sent)
			}
			if errno != ib.OK && done != b.engine.Now() {
				t.Errorf("a refusal takes until %v", done)
			}
		})
	}
}

// TestPostToBackdoorStates: under the variant that lets software post before
// RTS, nothing is refused (TPRF-07).
func TestPostToBackdoorStates(t *testing.T) {
	b := newBench(t, nil)
	v := tpt.MLX5Variant()
	b.variant = &v
	for _, s := range []ib.QPState{ib.Reset, ib.Init, ib.RTR} {
		q := b.queues(ib.RC, s, small())
		if _, errno, _ := b.PostSend(0, q, []SendWR{wr(ib.WRRDMAWrite, 64)}); errno != ib.OK {
			t.Errorf("%v: %v", s, errno)
		}
	}
}

// TestListStopsAtTheFirst: a list is posted up to the first bad request, with
// one doorbell for what was posted (POST-2).
func TestListStopsAtTheFirst(t *testing.T) {
	b := newBench(t, nil)
	q := b.queues(ib.RC, ib.RTS, small())
	cpu := &b.Params.CPU
	done, errno, posted := b.PostSend(0, q, []SendWR{wr(ib.WRRDMAWrite, 64), wr(ib.WRRDMAWrite, 8, 8), wr(ib.WRRDMAWrite, 1, 1, 1), wr(ib.WRRDMAWrite, 64)})
	if errno != ib.EINVAL || posted != 2 {
		t.Errorf("%v after %d", errno, posted)
	}
	if want := sim.Time(2*cpu.Post + cpu.PostSGE); done != want {
		t.Errorf("it returns at %v, want %v", done, want)
	}
	b.engine.Run(sim.Time(sim.Second))
	if len(b.adapter.rung) != 1 || b.adapter.rung[0].value != 2 || b.adapter.rung[0].qpn != q.N || b.adapter.rung[0].register != ib.DoorbellSend {
		t.Errorf("doorbells %+v", b.adapter.rung)
	}
}

// TestQueueFull: slots are freed by completions, and by nothing else; one
// completion frees those of all requests up to its own.
func TestQueueFull(t *testing.T) {
	b := newBench(t, nil)
	q := b.queues(ib.RC, ib.RTS, small())
	one := []SendWR{wr(ib.WRRDMAWrite, 64)}
	for i := range 5 {
		_, errno, _ := b.PostSend(0, q, one)
		if want := map[bool]ib.Errno{true: ib.ENOMEM}[i == 4]; errno != want || q.Room() != max(0, 3-i) {
			t.Fatalf("request %d: %v, room for %d", i, errno, q.Room())
		}
	}
	b.take(&ib.CQE{QPN: q.N, Retired: 3})
	if q.Room() != 3 {
		t.Errorf("room for %d", q.Room())
	}
	if _, errno, posted := b.PostSend(0, q, []SendWR{one[0], one[0], one[0], one[0]}); errno != ib.ENOMEM || posted != 3 {
		t.Errorf("%v after %d", errno, posted)
	}
	b.take(&ib.CQE{QPN: q.N, Retired: 2}) // of before: nothing goes back
	if q.Room() != 0 {
		t.Errorf("an old completion made room for %d", q.Room())
	}
}

// TestResetEmptiesTheQueue: a completion of before a reset frees nothing after
// it.
func TestResetEmptiesTheQueue(t *testing.T) {
	b := newBench(t, nil)
	q := b.queues(ib.RC, ib.RTS, small())
	b.PostSend(0, q, []SendWR{wr(ib.WRRDMAWrite, 64), wr(ib.WRRDMAWrite, 64), wr(ib.WRRDMAWrite, 64)})
	b.call(func(now sim.Time, then Then) { b.ModifyQP(now, q, ib.MaskState, ib.QPAttr{State: ib.Reset}, then) })
	b.take(&ib.CQE{QPN: q.N, Retired: 3})
	b.take(&ib.CQE{QPN: q.N, Recv: true})
	q.State = ib.RTS
	if q.Room() != 4 {
		t.Errorf("room for %d of 4", q.Room())
	}
	for i := range 4 {
		if _, errno, _ := b.PostRecv(b.engine.Now(), q, []RecvWR{{}}); errno != ib.OK {
			t.Errorf("receive %d: %v", i, errno)
		}
	}
}

// TestReceives: a receive queue is full with as many as it has slots; lists
// stop at the first bad one; RESET takes none.
func TestReceives(t *testing.T) {
	b := newBench(t, nil)
	q := b.queues(ib.RC, ib.Init, small())
	three := []RecvWR{{}, {SGE: make([]ib.SGE, 2)}, {SGE: make([]ib.SGE, 3)}}
	done, errno, posted := b.PostRecv(0, q, three)
	if errno != ib.EINVAL || posted != 2 || done != sim.Time(2*b.Params.CPU.Post) {
		t.Errorf("%v after %d at %v", errno, posted, done)
	}
	if done, errno, posted = b.PostRecv(done, q, []RecvWR{{}, {}, {}}); errno != ib.ENOMEM || posted != 2 {
		t.Errorf("%v after %d", errno, posted)
	}
	b.take(&ib.CQE{QPN: q.N, Recv: true})
	if _, errno, _ := b.PostRecv(done, q, []RecvWR{{}}); errno != ib.OK {
		t.Errorf("after a completion: %v", errno)
	}
	b.engine.Run(sim.Time(sim.Second))
	if n := len(b.adapter.rung); n != 3 || b.adapter.rung[2].value != 5 || b.adapter.rung[2].register != ib.DoorbellRecv {
		t.Errorf("doorbells %+v", b.adapter.rung)
	}
	if _, errno, _ := b.PostRecv(0, b.queues(ib.RC, ib.Reset, small()), []RecvWR{{}}); errno != ib.EINVAL {
		t.Errorf("in RESET: %v", errno)
	}
}

// TestSlots: the basic blocks of 64 bytes that requests take.
func TestSlots(t *testing.T) {
	inline := func(n uint64) ib.WQE { return ib.WQE{Opcode: ib.WRRDMAWrite, Flags: ib.Inline, Length: n} }
	for _, c := range []struct {
		wqe  ib.WQE
		want uint8
	}{
		{ib.WQE{Opcode: ib.WRSend}, 1},
		{ib.WQE{Opcode: ib.WRSend, NumSGE: 3}, 1},
		{ib.WQE{Opcode: ib.WRSend, NumSGE: 4}, 2},
		{ib.WQE{Opcode: ib.WRRDMAWrite, NumSGE: 2}, 1},
		{ib.WQE{Opcode: ib.WRRDMAWrite, NumSGE: 3}, 2},
		{ib.WQE{Opcode: ib.WRRDMARead, NumSGE: 1}, 1},
		{ib.WQE{Opcode: ib.WRAtomicCmpAndSwp, NumSGE: 1}, 1},
		{ib.WQE{Opcode: ib.WRAtomicFetchAndAdd, NumSGE: 2}, 2},
		{inline(0), 1}, {inline(28), 1}, {inline(29), 2}, {inline(88), 2}, {inline(89), 3},
		{inline(148), 3}, {inline(149), 4}, {inline(208), 4}, {inline(209), 5},
		{ib.WQE{Opcode: ib.WRBindMW}, 3}, {ib.WQE{Opcode: ib.WRRegMR}, 3}, {ib.WQE{Opcode: ib.WRLocalInv}, 3},
	} {
		if got := slots(&c.wqe, ib.RC); got != c.want {
			t.Errorf("%v of %d pieces, %d bytes: %d slots, want %d", c.wqe.Opcode, c.wqe.NumSGE, c.wqe.Length, got, c.want)
		}
	}
}

// TestDatagramSlots: a datagram's address fills the first block, inline data
// begin in the second.
func TestDatagramSlots(t *testing.T) {
	for n, want := range map[uint64]uint8{0: 1, 1: 2, 60: 2, 61: 3, 120: 3, 188: 5} {
		w := ib.WQE{Opcode: ib.WRSend, Flags: ib.Inline, Length: n}
		if got := slots(&w, ib.UD); got != want {
			t.Errorf("%d bytes inline: %d blocks, want %d", n, got, want)
		}
	}
	if w := (ib.WQE{Opcode: ib.WRSend, NumSGE: 1}); slots(&w, ib.UD) != 2 {
		t.Errorf("one piece: %d blocks, want 2", slots(&w, ib.UD))
	}
}

// TestSlotHoldsTheLargestRequest: no request is longer than its slot in the
// ring, whatever the sizes of the queue.
func TestSlotHoldsTheLargestRequest(t *testing.T) {
	b := newBench(t, nil)
	for _, z := range []QPSizes{{Send: 1, Recv: 1, MaxSGE: 1}, {Send: 1, Recv: 1, MaxSGE: 32}, {Send: 1, Recv: 1, MaxSGE: 1, MaxInline: 1024}} {
		ring := b.sendRing(z)
		for _, w := range []ib.WQE{
			{Opcode: ib.WRAtomicCmpAndSwp, NumSGE: uint8(z.MaxSGE)}, {Opcode: ib.WRRDMAWrite, Flags: ib.Inline, Length: uint64(z.MaxInline)},
			{Opcode: ib.WRBindMW},
		} {
			if n := uint32(slots(&w, ib.RC)) * 64; n > ring.Stride {
				t.Errorf("%+v: %v takes %d bytes of a slot of %d", z, w.Opcode, n, ring.Stride)
			}
		}
	}
}

// TestBlueFlame: a single small request goes with its doorbell; a larger one,
// or a list, does not.
func TestBlueFlame(t *testing.T) {
	b := newBench(t, func(p *Params, _ *tpt.Limits) { p.CPU.BlueFlame, p.CPU.BlueFlameAt = On, 128 })
	for _, c := range []struct {
		wrs  []SendWR
		with bool
	}{
		{[]SendWR{wr(ib.WRRDMAWrite, 64)}, true},
		{[]SendWR{wr(ib.WRRDMAWrite, 8, 8)}, true},
		{[]SendWR{wr(ib.WRLocalInv)}, false}, // three basic blocks
		{[]SendWR{wr(ib.WRRDMAWrite, 64), wr(ib.WRRDMAWrite, 64)}, false},
	} {
		q := b.queues(ib.RC, ib.RTS, small())
		b.adapter.rung = nil
		b.PostSend(b.engine.Now(), q, c.wrs)
		b.engine.Run(sim.Time(sim.Second))
		want := uint64(ib.DoorbellSend)
		if c.with {
			want = ib.BlueFlame
		}
		if len(b.adapter.rung) != 1 || b.adapter.rung[0].register != want || b.adapter.rung[0].value != uint32(len(c.wrs)) {
			t.Errorf("%d of %v: %+v", len(c.wrs), c.wrs[0].Opcode, b.adapter.rung)
		}
	}
}

// TestInlineIsCopiedAtPost: what the program writes into its buffer after the
// call is not sent.
func TestInlineIsCopiedAtPost(t *testing.T) {
	b := newBench(t, func(p *Params, _ *tpt.Limits) { p.CPU.InlineCopy, p.CPU.BlueFlame = 100, On })
	b.buffer(benchVA, 4096, Page4K, rw)
	b.proc.Store(benchVA, []byte("abcdefgh"))
	q := b.queues(ib.RC, ib.RTS, small())
	w := SendWR{SGE: []ib.SGE{{Addr: benchVA + 4, Length: 4}, {Addr: benchVA, Length: 4}}, Memory: b.proc}
	w.Opcode, w.Flags = ib.WRSend, ib.Inline
	done, errno, _ := b.PostSend(0, q, []SendWR{w})
	if cpu := &b.Params.CPU; errno != ib.OK || done != sim.Time(cpu.Post+cpu.PostSGE+8*100*sim.Picosecond) {
		t.Errorf("%v at %v", errno, done)
	}
	b.proc.Store(benchVA, []byte("XXXXXXXX"))
	if got := q.Attr.SQ.InlineData(0); !bytes.Equal(got, []byte("efghabcd")) {
		t.Errorf("%q in the request", got)
	}
	if q.Attr.SQ.WQEs[0].Length != 8 {
		t.Errorf("of %d bytes", q.Attr.SQ.WQEs[0].Length)
	}
	b.Params.CPU.BlueFlame = Off
	if fetched, _, _ := b.PostSend(done, q, []SendWR{w}); fetched != done.Add(b.Params.CPU.Post+b.Params.CPU.PostSGE) {
		t.Errorf("a request that is fetched takes until %v", fetched)
	}
}

// TestPolling: a poll takes its time for each completion, one behind the
// other; a queue that is polled by hand keeps them until it is.
func TestPolling(t *testing.T) {
	b := newBench(t, nil)
	q := b.queues(ib.RC, ib.RTS, small())
	var at []sim.Time
	b.Completion = func(now sim.Time, _ *CQ, _ *ib.CQE) { at = append(at, now) }
	for range 3 {
		q.SendCQ.Ring.Push(&ib.CQE{QPN: q.N})
		b.Completed(0, q.SendCQ.N)
	}
	b.engine.Run(sim.Time(sim.Second))
	poll := b.Params.CPU.Poll
	if len(at) != 3 || at[0] != sim.Time(poll) || at[1] != sim.Time(2*poll) || at[2] != sim.Time(3*poll) {
		t.Errorf("completions at %v", at)
	}
	q.SendCQ.Manual, at = true, nil
	for range 3 {
		q.SendCQ.Ring.Push(&ib.CQE{QPN: q.N})
		b.Completed(b.engine.Now(), q.SendCQ.N)
	}
	if b.engine.Live() != 0 || len(at) != 0 {
		t.Errorf("%d events, %d completions before the poll", b.engine.Live(), len(at))
	}
	if n := b.Poll(b.engine.Now(), q.SendCQ, 2); n != 2 || len(at) != 2 {
		t.Errorf("%d polled, %d seen", n, len(at))
	}
	if n := b.Poll(b.engine.Now(), q.SendCQ, 2); n != 1 || len(at) != 3 {
		t.Errorf("%d polled, %d seen", n, len(at))
	}
}

// TestModifyIsBooked: the software knows the attributes that it has set.
func TestModifyIsBooked(t *testing.T) {
	b := newBench(t, nil)
	q := b.queues(ib.RC, ib.Init, small())
	attr := ib.QPAttr{Access: ib.RemoteRead, Dest: 99, PathMTU: 2048, SQPSN: 5, RQPSN: 6, Timeout: 7, RetryCnt: 1, RNRRetry: 2, MinRNRTimer: 3, MaxRdAtomic: 4, MaxDestRdAtomic: 8}
	b.call(func(now sim.Time, then Then) {
		b.ModifyQP(now, q, ib.MaskAccess|ib.MaskPath|ib.MaskPSN|ib.MaskRetry|ib.MaskReads, attr, then)
	})
	want := q.Attr
	want.Access, want.Dest, want.PathMTU, want.SQPSN, want.RQPSN = attr.Access, attr.Dest, attr.PathMTU, attr.SQPSN, attr.RQPSN
	want.Timeout, want.RetryCnt, want.RNRRetry, want.MinRNRTimer = attr.Timeout, attr.RetryCnt, attr.RNRRetry, attr.MinRNRTimer
	want.MaxRdAtomic, want.MaxDestRdAtomic = attr.MaxRdAtomic, attr.MaxDestRdAtomic
	if q.Attr != want || q.State != ib.Init {
		t.Errorf("%+v in %v", q.Attr, q.State)
	}
	b.call(func(now sim.Time, then Then) { b.ModifyQP(now, q, ib.MaskState, ib.QPAttr{State: ib.RTR}, then) })
	if q.Attr != want || q.State != ib.RTR {
		t.Errorf("after a state alone: %+v in %v", q.Attr, q.State)
	}
}
