package host

import (
	"testing"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

const rw = Read | Write

// TestRegistrationCosts: a registration is a trap, fixed work, and the pages
// one by one, however many fit; then the adapter is asked.
func TestRegistrationCosts(t *testing.T) {
	for _, c := range []struct {
		name   string
		page   uint8
		va, n  uint64
		frames uint64 // charged at the small price
		huge   uint64 // at the price of 2 MiB
	}{
		{"one page", Page4K, benchVA, 4096, 1, 0},
		{"one byte", Page4K, benchVA + 100, 1, 1, 0},
		{"across an edge", Page4K, benchVA + 4095, 2, 2, 0},
		{"a megabyte", Page4K, benchVA, 1 << 20, 256, 0},
		{"a huge page", Page2M, benchVA, 2 << 20, 0, 1},
		{"across huge pages", Page2M, benchVA + 4096, 4 << 20, 0, 3},
		{"part of a huge page", Page2M, benchVA, 1 << 20, 0, 1},
		{"a gibibyte page", Page1G, benchVA, 1 << 30, 0, 512},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			b.buffer(benchVA, 1<<30, c.page, rw)
			cpu, device := &b.Params.CPU, b.device()
			var mr MR
			out, took := b.region(&mr, c.va, c.n, ib.LocalWrite)
			pages := sim.Duration(c.frames)*cpu.RegPage + sim.Duration(c.huge)*cpu.RegHuge
			if want := cpu.Trap + cpu.RegBase + pages; out.Errno != ib.OK || out.CPU != want || took != want+device {
				t.Errorf("reg_mr: %v, CPU %v of %v; want %v of %v", out.Errno, out.CPU, took, want, want+device)
			}
			out, took = b.call(func(now sim.Time, then Then) { b.DeregMR(now, &mr, then) })
			pages = sim.Duration(c.frames)*cpu.DeregPage + sim.Duration(c.huge)*cpu.DeregHuge
			if want := cpu.Trap + cpu.DeregBase + pages; out.Errno != ib.OK || out.CPU != want || took != want+device {
				t.Errorf("dereg_mr: %v, CPU %v of %v; want %v of %v", out.Errno, out.CPU, took, want, want+device)
			}
			if n := b.proc.Pinned(); n != 0 {
				t.Errorf("%d bytes stay pinned", n)
			}
		})
	}
}

// TestVerbCosts: each verb is a trap, its own work, and one command.
func TestVerbCosts(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 1<<20, Page4K, rw)
	cpu, device := &b.Params.CPU, b.device()
	var pd PD
	var mw MW
	var fr, mr, shared MR
	var cq CQ
	var srq SRQ
	var qp QP
	b.setup(func() {
		b.RegMR(0, &mr, Registration{PD: &b.pd, Process: b.proc, VA: benchVA, Length: 8192, IOVA: benchVA, Access: ib.LocalWrite}, b.fine)
	})
	cpu.ReregPage, cpu.QueryQP = 777*sim.Nanosecond, 60*sim.Microsecond
	rereg := cpu.RegBase + cpu.DeregBase + 2*cpu.ReregPage + 2*cpu.DeregPage
	longer := cpu.RegBase + cpu.DeregBase + 4*cpu.RegPage + 2*cpu.DeregPage
	for _, c := range []struct {
		name string
		work sim.Duration
		verb func(now sim.Time, then Then)
	}{
		{"alloc_pd", cpu.QueueVerb, func(now sim.Time, then Then) { b.AllocPD(now, &pd, then) }},
		{"dealloc_pd", cpu.QueueVerb, func(now sim.Time, then Then) { b.DeallocPD(now, &pd, then) }},
		{"alloc_mw", cpu.AllocMW, func(now sim.Time, then Then) { b.AllocMW(now, &mw, &b.pd, ib.MWType2, then) }},
		{"dealloc_mw", cpu.AllocMW, func(now sim.Time, then Then) { b.DeallocMW(now, &mw, then) }},
		{"alloc_mr", cpu.RegBase, func(now sim.Time, then Then) { b.AllocMR(now, &fr, FastRegion{PD: &b.pd, Pages: 16}, then) }},
		{"reg_shared_mr", cpu.RegBase, func(now sim.Time, then Then) { b.RegShared(now, &shared, &mr, &b.pd, ib.RemoteRead, then) }},
		{"rereg_mr of rights", rereg, func(now sim.Time, then Then) {
			b.ReregMR(now, &mr, Rereg{Flags: ib.ReregAccess, Access: ib.RemoteRead}, then)
		}},
		{"rereg_mr of memory", longer, func(now sim.Time, then Then) {
			b.ReregMR(now, &mr, Rereg{Flags: ib.ReregTranslation, VA: benchVA, Length: 16384}, then)
		}},
		{"create_cq", cpu.QueueVerb, func(now sim.Time, then Then) { b.CreateCQ(now, &cq, 16, 64, then) }},
		{"create_srq", cpu.QueueVerb, func(now sim.Time, then Then) { b.CreateSRQ(now, &srq, &b.pd, 16, 1, 0, then) }},
		{"create_qp", cpu.QueueVerb, func(now sim.Time, then Then) {
			b.CreateQP(now, &qp, &b.pd, &cq, &cq, ib.QPAttr{Type: ib.RC}, QPSizes{MaxInline: -1}, then)
		}},
		{"modify_qp", cpu.QueueVerb, func(now sim.Time, then Then) { b.ModifyQP(now, &qp, ib.MaskState, ib.QPAttr{State: ib.Init}, then) }},
		{"destroy_qp", cpu.QueueVerb, func(now sim.Time, then Then) { b.DestroyQP(now, &qp, then) }},
		{"destroy_srq", cpu.QueueVerb, func(now sim.Time, then Then) { b.DestroySRQ(now, &srq, then) }},
		{"destroy_cq", cpu.QueueVerb, func(now sim.Time, then Then) { b.DestroyCQ(now, &cq, then) }},
	} {
		out, took := b.call(c.verb)
		if want := cpu.Trap + c.work; out.Errno != ib.OK || out.CPU != want || took != want+device {
			t.Errorf("%s: %v, CPU %v of %v; want %v of %v", c.name, out.Errno, out.CPU, took, want, want+device)
		}
	}
	if out, took := b.call(b.Query); took != cpu.Trap || out.Device != 0 {
		t.Errorf("a query: %v", took)
	}
	if _, took := b.call(b.QueryQP); took != cpu.Trap+cpu.QueryQP {
		t.Errorf("query_qp: %v", took)
	}
}

// TestPagesInSwapAreFetched: registration brings pages back, at their price.
func TestPagesInSwapAreFetched(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 1<<20, Page4K, rw)
	cpu, device := &b.Params.CPU, b.device()
	if n, errno := b.proc.PageOut(benchVA, 3*4096); n != 3 || errno != ib.OK {
		t.Fatal(n, errno)
	}
	var mr MR
	out, took := b.region(&mr, benchVA, 4*4096, ib.LocalWrite)
	if want := cpu.Trap + cpu.RegBase + 4*cpu.RegPage + 3*cpu.PageFetch + device; out.Errno != ib.OK || took != want {
		t.Errorf("%v, want %v", took, want)
	}
}

// TestSetupCostsNothing: what exists before time 0 takes no time and rings no
// doorbell.
func TestSetupCostsNothing(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 1<<20, Page4K, rw)
	var mr MR
	var mw MW
	var out Outcome
	b.setup(func() {
		b.RegMR(0, &mr, Registration{PD: &b.pd, Process: b.proc, VA: benchVA, Length: 1 << 20, IOVA: benchVA}, func(_ sim.Time, o Outcome) { out = o })
		b.AllocMW(0, &mw, &b.pd, ib.MWType2, b.fine)
	})
	if out.CPU+out.Device != 0 || b.engine.Live() != 0 || len(b.adapter.rung) != 0 || mr.LKey == 0 || mw.RKey == 0 {
		t.Errorf("%+v, %d events, %d doorbells", out, b.engine.Live(), len(b.adapter.rung))
	}
}

// TestCommandRing: more commands than the ring holds wait their turn; all are
// carried out, in the order in which they were sent.
func TestCommandRing(t *testing.T) {
	b := newBench(t, nil)
	const n = 20
	var order []int
	var last sim.Time
	pds := make([]PD, n)
	for i := range n {
		b.AllocPD(0, &pds[i], func(now sim.Time, o Outcome) {
			b.fine(now, o)
			order = append(order, i)
			last = now
		})
	}
	b.engine.Run(sim.Time(sim.Second))
	for i := range n {
		if i >= len(order) || order[i] != i {
			t.Fatalf("they returned in the order %v", order)
		}
		for j := range i {
			if pds[i].N == pds[j].N {
				t.Errorf("%d and %d are both domain %d", i, j, pds[i].N)
			}
		}
	}
	if least := sim.Time(n * answerTime); last < least {
		t.Errorf("%d commands in %v, less than %v", n, last, least)
	}
	if len(b.driver.asked) != 0 || len(b.driver.waiting) != 0 {
		t.Errorf("%d asked, %d waiting", len(b.driver.asked), len(b.driver.waiting))
	}
}

// TestRefusedRegistrationsLeaveNothing: whoever refuses, no page stays pinned,
// no entry is taken, and the region is not there.
func TestRefusedRegistrationsLeaveNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		limit  func(p *Params, l *tpt.Limits)
		va, n  uint64
		access ib.AccessFlags
		errno  ib.Errno
		rule   string
	}{
		{"length 0", nil, benchVA, 0, 0, ib.EINVAL, "ACC-11"},
		{"around the end", nil, benchVA, ^uint64(0) - benchVA + 1, 0, ib.EINVAL, "ACC-11"},
		{"remote write alone", nil, benchVA, 4096, ib.RemoteWrite, ib.EINVAL, "ACC-1"},
		{"no memory", nil, benchVA + 1<<30, 4096, 0, ib.EFAULT, "ACC-12"},
		{"memory for a part", nil, benchVA + 15*4096, 8192, 0, ib.EFAULT, "ACC-12"},
		{"not writable", nil, benchVA + 1<<20, 4096, ib.LocalWrite, ib.EFAULT, "ACC-12"},
		{"zero-based within a page", nil, benchVA + 8, 4096, ib.ZeroBased, ib.EINVAL, "ACC-10"},
		{"no more regions", func(_ *Params, l *tpt.Limits) { l.MR = 1 }, benchVA, 4096, 0, ib.ENOMEM, "ACC-14"},
		{"no more pages", func(_ *Params, l *tpt.Limits) { l.MTT = 1 }, benchVA, 2 * 4096, 0, ib.ENOMEM, "ACC-14"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.limit)
			b.buffer(benchVA, 16*4096, Page4K, rw)
			b.buffer(benchVA+1<<20, 4096, Page4K, Read)
			var first, mr MR
			b.region(&first, benchVA, 4096, 0)
			pinned, usage := b.proc.Pinned(), b.adapter.table.Usage()
			out, _ := b.region(&mr, c.va, c.n, c.access)
			if out.Errno != c.errno || out.Rule != c.rule {
				t.Errorf("%v (%s), want %v (%s)", out.Errno, out.Rule, c.errno, c.rule)
			}
			if got := b.proc.Pinned(); got != pinned {
				t.Errorf("%d bytes pinned, before %d", got, pinned)
			}
			if got := b.adapter.table.Usage(); got != usage {
				t.Errorf("table %+v, before %+v", got, usage)
			}
			if mr.Index != 0 || mr.Process != nil {
				t.Errorf("a region %+v", mr)
			}
		})
	}
}

// TestRefusedReregs: a refused rereg leaves region, keys and pins as they
// were, with the result that its rule says.
func TestRefusedReregs(t *testing.T) {
	for _, c := range []struct {
		name  string
		rereg Rereg
		rest  ib.ReregResult
		errno ib.Errno
		rule  string
	}{
		{"no flags", Rereg{}, ib.ReregErrCmd, ib.EINVAL, "RER-4"},
		{"an unknown flag", Rereg{Flags: 8}, ib.ReregErrInput, ib.EINVAL, "RER-3"},
		{"length 0", Rereg{Flags: ib.ReregTranslation, VA: benchVA}, ib.ReregErrInput, ib.EINVAL, "RER-3"},
		{"rights without their flag", Rereg{Flags: ib.ReregPD, Access: ib.LocalWrite}, ib.ReregErrInput, ib.EINVAL, "RER-3"},
		{"rights without their flag, and no memory", Rereg{Flags: ib.ReregTranslation, VA: 1 << 40, Length: 64, Access: ib.LocalWrite}, ib.ReregErrInput, ib.EINVAL, "RER-3"},
		{"bad rights", Rereg{Flags: ib.ReregAccess, Access: ib.RemoteWrite}, ib.ReregErrCmd, ib.EINVAL, "RER-5"},
		{"no memory", Rereg{Flags: ib.ReregTranslation, VA: 1 << 40, Length: 64}, ib.ReregErrCmd, ib.EFAULT, "ACC-12"},
		{"new memory and bad rights", Rereg{Flags: ib.ReregTranslation | ib.ReregAccess, VA: benchVA, Length: 64, Access: ib.RemoteWrite}, ib.ReregErrCmd, ib.EINVAL, "RER-5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			b.buffer(benchVA, 16*4096, Page4K, rw)
			var mr MR
			b.region(&mr, benchVA, 4096, ib.LocalWrite)
			before, pinned := mr, b.proc.Pinned()
			r := c.rereg
			if r.Flags&ib.ReregPD != 0 {
				r.PD = &b.pd
			}
			out, _ := b.call(func(now sim.Time, then Then) { b.ReregMR(now, &mr, r, then) })
			if out.Rereg != c.rest || out.Errno != c.errno || out.Rule != c.rule {
				t.Errorf("%v %v (%s), want %v %v (%s)", out.Rereg, out.Errno, out.Rule, c.rest, c.errno, c.rule)
			}
			if b.proc.Pinned() != pinned || mr.RKey != before.RKey || mr.VA != before.VA || mr.Length != before.Length {
				t.Errorf("%d bytes pinned, before %d; region %+v", b.proc.Pinned(), pinned, mr)
			}
		})
	}
}

// TestRereg: what is flagged changes, what is not stays, and the old pages
// are let go.
func TestRereg(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 16*4096, Page4K, rw)
	var mr MR
	b.region(&mr, benchVA, 8*4096, ib.LocalWrite)
	key := mr.RKey
	out, _ := b.call(func(now sim.Time, then Then) {
		b.ReregMR(now, &mr, Rereg{Flags: ib.ReregTranslation, VA: benchVA + 12*4096, Length: 4096}, then)
	})
	if out.Errno != ib.OK || b.proc.Pinned() != 4096 || mr.VA != benchVA+12*4096 || mr.Length != 4096 || mr.RKey == key || mr.Access != ib.LocalWrite {
		t.Errorf("%v, %d pinned, %+v", out.Errno, b.proc.Pinned(), mr)
	}
	if n, _ := b.proc.PageOut(benchVA, 8*4096); n != 8 {
		t.Errorf("%d of the 8 old pages can go", n)
	}
}

// TestReregOfFastRegister: a fast-register region has no memory of its own;
// it is refused by its rule, whatever is asked (RER-12).
func TestReregOfFastRegister(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 4096, Page4K, rw)
	var fr MR
	b.call(func(now sim.Time, then Then) { b.AllocMR(now, &fr, FastRegion{PD: &b.pd, Pages: 4}, then) })
	out, _ := b.call(func(now sim.Time, then Then) {
		b.ReregMR(now, &fr, Rereg{Flags: ib.ReregTranslation, VA: benchVA, Length: 64}, then)
	})
	if out.Rereg != ib.ReregErrCmd || out.Errno != ib.EINVAL || out.Rule != "RER-12" {
		t.Errorf("%v %v (%s)", out.Rereg, out.Errno, out.Rule)
	}
}

// TestGoneHandles: an object that was given back is ENOENT (DER-5), also when
// two calls race for it.
func TestGoneHandles(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 4096, Page4K, rw)
	var mr MR
	var mw MW
	var pd PD
	var cq CQ
	var qp QP
	var srq SRQ
	b.region(&mr, benchVA, 64, 0)
	b.setup(func() {
		b.AllocMW(0, &mw, &b.pd, ib.MWType2, b.fine)
		b.AllocPD(0, &pd, b.fine)
		b.CreateCQ(0, &cq, 16, 64, b.fine)
		b.CreateSRQ(0, &srq, &b.pd, 16, 1, 0, b.fine)
		b.CreateQP(0, &qp, &b.pd, &cq, &cq, ib.QPAttr{Type: ib.RC}, QPSizes{MaxInline: -1}, b.fine)
	})
	for name, verb := range map[string]func(now sim.Time, then Then){
		"dereg_mr":    func(now sim.Time, then Then) { b.DeregMR(now, &mr, then) },
		"dealloc_mw":  func(now sim.Time, then Then) { b.DeallocMW(now, &mw, then) },
		"dealloc_pd":  func(now sim.Time, then Then) { b.DeallocPD(now, &pd, then) },
		"destroy_cq":  func(now sim.Time, then Then) { b.DestroyCQ(now, &cq, then) },
		"destroy_srq": func(now sim.Time, then Then) { b.DestroySRQ(now, &srq, then) },
		"destroy_qp":  func(now sim.Time, then Then) { b.DestroyQP(now, &qp, then) },
	} {
		if out, _ := b.call(verb); out.Errno != ib.OK {
			t.Errorf("%s: %v", name, out.Errno)
		}
		if out, _ := b.call(verb); out.Errno != ib.ENOENT || out.Rule != "DER-5" {
			t.Errorf("%s twice: %v (%s)", name, out.Errno, out.Rule)
		}
	}
	if out, _ := b.call(func(now sim.Time, then Then) { b.ReregMR(now, &mr, Rereg{Flags: ib.ReregPD, PD: &b.pd}, then) }); out.Errno != ib.ENOENT {
		t.Errorf("rereg of a region that is gone: %v", out.Errno)
	}
	if _, errno, _ := b.PostSend(b.engine.Now(), &qp, []SendWR{{}}); errno != ib.EINVAL {
		t.Errorf("post_send on a queue pair that is gone: %v", errno)
	}
	if _, errno, _ := b.PostRecv(b.engine.Now(), &qp, []RecvWR{{}}); errno != ib.EINVAL {
		t.Errorf("post_recv on a queue pair that is gone: %v", errno)
	}
	var again MR
	b.region(&again, benchVA, 64, 0)
	var outs []ib.Errno
	for range 2 {
		b.DeregMR(b.engine.Now(), &again, func(_ sim.Time, o Outcome) { outs = append(outs, o.Errno) })
	}
	b.engine.Run(sim.Time(sim.Second))
	if len(outs) != 2 || outs[0]+outs[1] != ib.ENOENT {
		t.Errorf("two at once: %v", outs)
	}
	if b.proc.Pinned() != 0 {
		t.Errorf("%d bytes stay pinned", b.proc.Pinned())
	}
}

// TestDomainInUse: a domain that something is in stays, and so does that
// (PD-3).
func TestDomainInUse(t *testing.T) {
	b := newBench(t, nil)
	b.buffer(benchVA, 4096, Page4K, rw)
	var mr MR
	b.region(&mr, benchVA, 64, 0)
	drop := func(now sim.Time, then Then) { b.DeallocPD(now, &b.pd, then) }
	if out, _ := b.call(drop); out.Errno != ib.EBUSY || out.Rule != "PD-3" {
		t.Errorf("%v (%s)", out.Errno, out.Rule)
	}
	b.call(func(now sim.Time, then Then) { b.DeregMR(now, &mr, then) })
	if out, _ := b.call(drop); out.Errno != ib.OK {
		t.Errorf("when it is empty: %v", out.Errno)
	}
}
