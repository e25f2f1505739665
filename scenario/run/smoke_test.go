package run

import (
	"fmt"
	"testing"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

func TestSmoke(t *testing.T) {
	e := sim.NewEngine()
	pool := wire.NewPool()
	link := wire.NewLink(e, "wire", wire.DefaultParams(), pool, 1)
	v := tpt.SpecVariant()
	type side struct {
		h    *host.Host
		a    *hca.HCA
		pd   host.PD
		mr   host.MR
		qp   host.QP
		cq   host.CQ
		proc *host.Process
	}
	var s [2]side
	for i := range s {
		x := &s[i]
		name := string('A' + rune(i))
		x.h = host.New(e, name, host.DefaultParams(), &v)
		var hp hca.Params
		sim.SetDefaults(&hp)
		x.h.Commands = &tpt.CommandRing{Base: x.h.Allocate(64 * 32), Slots: make([]tpt.CommandSlot, 32)}
		x.h.Bus = pcie.New(e, name+".pcie", x.h.Params.PCIe, hp.PCIe, x.h.Root, device{x.a})
		d := &device{}
		x.h.Bus = pcie.New(e, name+".pcie", x.h.Params.PCIe, hp.PCIe, x.h.Root, d)
		x.a = hca.New(e, hca.Config{Name: name, Params: hp, Variant: v,
			Layout: mtp.Layout{MPT: x.h.Allocate(1 << 26), MTT: x.h.Allocate(1 << 29), QPC: x.h.Allocate(1 << 26)},
			Events: x.h.Allocate(1 << 14), Commands: x.h.Commands, Memory: x.h.Pager.Memory, Software: x.h, Bus: x.h.Bus, Link: link, End: wire.End(i), Packets: pool, Seed: 1})
		d.HCA = x.a
		x.h.Completion = func(now sim.Time, cq *host.CQ, c ib.CQE) { fmt.Println(now, name, c.Status, c.Opcode, c.Op) }
		x.a.Retired.Watch(func(r hca.Retirement) {
			fmt.Println("retired", r.At, r.Trail.Total())
			for p := sim.Part(0); p < hca.NumParts; p++ {
				fmt.Print(hca.PartName(p), "=", r.Trail.Spent[p], " ")
			}
			fmt.Println()
		})
		x.a.Refused.Watch(func(r hca.Refusal) { fmt.Println("refused", r.At, r.Fault, r.Rule, r.NAK, r.Status) })
		x.h.Setup = x.a
		then := func(_ sim.Time, o host.Outcome) {
			if o.Errno != ib.OK {
				t.Fatal(o)
			}
		}
		x.h.AllocPD(0, &x.pd, then)
		x.proc = x.h.Process("main")
		if e := x.proc.Map(host.Mapping{VA: 0x100000 * uint64(i+1), Length: 8192, Page: 12, Prot: host.Read | host.Write, Fill: byte(0xA5 + i)}); e != 0 {
			t.Fatal(e)
		}
		x.h.RegMR(0, &x.mr, host.Registration{PD: &x.pd, Process: x.proc, VA: 0x100000 * uint64(i+1), Length: 8192, IOVA: 0x100000 * uint64(i+1), Access: ib.LocalWrite | ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic}, then)
		x.h.CreateCQ(0, &x.cq, 64, 64, then)
	}
	for i := range s {
		x := &s[i]
		x.h.CreateQP(0, &x.qp, &x.pd, &x.cq, &x.cq, ib.QPAttr{Type: ib.RC, State: ib.RTS, Access: 0xe, Dest: 0x10, PathMTU: 1024, SQPSN: 100, RQPSN: 100, MaxRdAtomic: 4, MaxDestRdAtomic: 4, Timeout: 14, RetryCnt: 3}, host.QPSizes{MaxInline: -1}, func(_ sim.Time, o host.Outcome) {
			if o.Errno != ib.OK {
				t.Fatal(o)
			}
		})
		fmt.Println(x.qp.N, x.mr.LKey)
	}
	for i := range s {
		s[i].h.Setup = nil
	}
	post := func(op ib.WROpcode, n uint32, rkey ib.RKey) {
		w := host.SendWR{SGE: []ib.SGE{{Addr: 0x100000, Length: n, LKey: s[0].mr.LKey}}}
		w.Opcode, w.Flags, w.RemoteAddr, w.RKey, w.Op = op, ib.Signaled, 0x200000, rkey, 7
		fmt.Println(s[0].h.PostSend(e.Now(), &s[0].qp, []host.SendWR{w}))
		fmt.Println(e.Run(1e12), e.Now(), e.Live())
	}
	post(ib.WRRDMAWrite, 64, s[1].mr.RKey)
	post(ib.WRRDMAWrite, 64, s[1].mr.RKey)
	post(ib.WRRDMAWrite, 8192, s[1].mr.RKey)
	buf := make([]byte, 8192)
	s[1].proc.Load(0x200000, buf)
	for i, b := range buf {
		if b != 0xA5 {
			t.Fatal(i, b)
		}
	}
	post(ib.WRRDMARead, 8192, s[1].mr.RKey)
	post(ib.WRAtomicFetchAndAdd, 8, s[1].mr.RKey)
	post(ib.WRRDMAWrite, 64, s[1].mr.RKey+1)
	fmt.Println(pool.Live(), s[0].a.Unit.Idle(), s[1].a.Unit.Idle())
}

type device struct{ *hca.HCA }
