package hca_test

import (
	"fmt"
	"math/rand/v2"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"

	"pgregory.net/rapid"
)

// A setup is what a pair is made of.
type setup struct {
	hca   [2]hca.Params
	host  [2]host.Params
	wire  wire.Params
	attr  ib.QPAttr
	qps   int
	depth uint32 // of all queues
	spec  tpt.Variant
	seed  uint64
	paged bool // regions are on-demand memory
}

func defaults() (s setup) {
	for i := range s.hca {
		sim.SetDefaults(&s.hca[i])
		s.hca[i].Limit.MR, s.hca[i].Limit.MW, s.hca[i].Limit.MTT, s.hca[i].Limit.QP = 64, 64, 4096, 64
		s.host[i] = host.DefaultParams()
	}
	s.wire = wire.DefaultParams()
	s.attr = ib.QPAttr{
		Type: ib.RC, State: ib.RTS, Access: remote, PathMTU: 1024, SQPSN: 0xFFFFFE, RQPSN: 0xFFFFFE,
		MaxRdAtomic: 4, MaxDestRdAtomic: 4, Timeout: 8, RetryCnt: 7, RNRRetry: 7, MinRNRTimer: 1,
	}
	s.qps, s.depth, s.seed, s.spec = 1, 64, 1, tpt.SpecVariant()
	return s
}

const (
	remote = ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic
	region = 64 << 10 // bytes of each side's region
)

// A side is one host with its adapter, one region and some queue pairs.
type side struct {
	*hca.HCA
	end     int
	host    *host.Host
	proc    *host.Process
	pd      host.PD
	mr      host.MR
	cq      host.CQ
	qps     []*host.QP
	done    []completion
	posted  []uint32 // requests of each queue pair so far
	refused []hca.Refusal
	events  []ib.EQE
}

// completion is one as the software took it.
type completion struct {
	at sim.Time
	ib.CQE
}

// A pair is two sides joined by a link.
type pair struct {
	*sim.Engine
	t     rapid.TB
	link  *wire.Link
	pool  *wire.Pool
	sides [2]*side
	watch [2]*mtp.Coherence
}

// devices hands the doorbells of a bus to the adapter, which is made later.
type devices struct{ *hca.HCA }

func newPair(t rapid.TB, s setup) *pair {
	t.Helper()
	p := &pair{Engine: sim.NewEngine(), t: t, pool: wire.NewPool()}
	p.link = wire.NewLink(p.Engine, "wire", s.wire, p.pool, s.seed)
	p.link.Book(wire.Parts{Queue: hca.PartWire, Wire: hca.PartWire, Flight: hca.PartWire, Buffer: hca.PartWire})
	for i := range p.sides {
		p.sides[i] = p.assemble(i, &s)
	}
	for _, x := range p.sides {
		x.connect(t, &s)
	}
	return p
}

// assemble builds one side with its region.
func (p *pair) assemble(i int, s *setup) *side {
	x := &side{end: i, host: host.New(p.Engine, string('A'+rune(i)), s.host[i], &s.spec)}
	h, d := x.host, &devices{}
	h.Bus = pcie.New(p.Engine, h.Name+".pcie", s.host[i].PCIe, s.hca[i].PCIe, h.Root, d)
	h.Commands = &tpt.CommandRing{Base: room(h.Allocate(32 * tpt.CommandBytes)), Slots: make([]tpt.CommandSlot, 32)}
	x.HCA = hca.New(p.Engine, hca.Config{
		Name: h.Name, Params: s.hca[i], Variant: s.spec,
		Layout: mtp.Layout{MPT: room(h.Allocate(1 << 16)), MTT: room(h.Allocate(1 << 16)), QPC: room(h.Allocate(1 << 20))},
		Events: room(h.Allocate(256 * ib.EQEBytes)), Commands: h.Commands, Memory: h.Pager.Memory, Software: h,
		Bus: h.Bus, Link: p.link, End: wire.End(i), Packets: p.pool, Seed: s.seed,
	})
	d.HCA = x.HCA
	p.watch[i] = mtp.Watch(x.Unit, h.Name)
	x.Visible.Watch(p.watch[i].Visible)
	x.Landed.Watch(func(l *hca.Landing) { p.watch[i].Landed(l.At, l.Key, &l.Entry) })
	x.Refused.Watch(func(r hca.Refusal) { x.refused = append(x.refused, r) })
	h.Completion = func(now sim.Time, _ *host.CQ, c *ib.CQE) { x.done = append(x.done, completion{now, *c}) }
	h.Raised = func(_ sim.Time, e ib.EQE) { x.events = append(x.events, e) }
	h.Setup = x.HCA
	then := func(_ sim.Time, o host.Outcome) {
		if o.Errno != ib.OK {
			p.t.Fatalf("%s: %+v", h.Name, o)
		}
	}
	h.AllocPD(0, &x.pd, then)
	x.proc = h.Process("main")
	if e := x.proc.Map(host.Mapping{VA: x.base(), Length: region, Page: 12, Prot: host.Read | host.Write}); e != ib.OK {
		p.t.Fatalf("%s: map: %v", h.Name, e)
	}
	access := remote | ib.LocalWrite | ib.MWBind
	if s.paged {
		access |= ib.OnDemand
	}
	h.RegMR(0, &x.mr, host.Registration{PD: &x.pd, Process: x.proc, VA: x.base(), Length: region, IOVA: x.base(), Access: access, Page: 12}, then)
	h.CreateCQ(0, &x.cq, s.depth*uint32(2*s.qps), 64, then)
	return x
}

// base is where the region of a side begins.
func (x *side) base() uint64 { return uint64(x.end+1) << 20 }

// connect makes the queue pairs; those of the same place on both sides are
// connected.
func (x *side) connect(t rapid.TB, s *setup) {
	x.host.Setup = x.HCA
	for i := range s.qps {
		q, attr := &host.QP{}, s.attr
		attr.Dest = ib.QPN(0x10 + i)
		x.host.CreateQP(0, q, &x.pd, &x.cq, &x.cq, attr, host.QPSizes{Send: s.depth, Recv: s.depth, MaxInline: -1}, func(_ sim.Time, o host.Outcome) {
			if o.Errno != ib.OK {
				t.Fatalf("%s: %+v", x.Name, o)
			}
		})
		if q.N != attr.Dest {
			t.Fatalf("queue pair %#x, want %#x", uint32(q.N), uint32(attr.Dest))
		}
		x.qps = append(x.qps, q)
		x.posted = append(x.posted, 0)
	}
	x.host.Setup = nil
}

// post posts one request of queue pair n, from local to remote by offsets in
// the two regions. Its number is how many were posted before it.
func (p *pair) post(from, n int, op ib.WROpcode, local, length, remote uint64) uint32 {
	p.t.Helper()
	return p.postWR(from, n, p.wr(from, op, local, length, remote))
}

func (p *pair) wr(from int, op ib.WROpcode, local, length, remote uint64) host.SendWR {
	x, y := p.sides[from], p.sides[1-from]
	w := host.SendWR{SGE: []ib.SGE{{Addr: x.base() + local, Length: uint32(length), LKey: x.mr.LKey}}}
	w.Opcode, w.Flags, w.RemoteAddr, w.RKey, w.Swap, w.Imm = op, ib.Signaled, y.base()+remote, y.mr.RKey, 1, 7
	return w
}

func (p *pair) postWR(from, n int, w host.SendWR) uint32 {
	p.t.Helper()
	x := p.sides[from]
	w.Op = x.posted[n]
	x.posted[n]++
	if _, errno, _ := x.host.PostSend(p.Now(), x.qps[n], []host.SendWR{w}); errno != ib.OK {
		p.t.Fatalf("post %v: %v", w.Opcode, errno)
	}
	return w.Op
}

// receive posts count receive requests of length bytes each, one behind the
// other from an offset on.
func (p *pair) receive(at, n, count int, local, length uint64) {
	p.t.Helper()
	x := p.sides[at]
	for i := range count {
		sge := []ib.SGE{{Addr: x.base() + local + uint64(i)*length, Length: uint32(length), LKey: x.mr.LKey}}
		if _, errno, _ := x.host.PostRecv(p.Now(), x.qps[n], []host.RecvWR{{ID: uint64(i), Op: uint32(i), SGE: sge}}); errno != ib.OK {
			p.t.Fatalf("receive: %v", errno)
		}
	}
}

// statuses returns how the send requests of queue pair n ended, in the order
// of their completions; it complains about any out of order (H1).
func (p *pair) statuses(from, n int) (all []ib.WCStatus) {
	p.t.Helper()
	next := uint32(0)
	for _, c := range p.sides[from].done {
		if c.Recv || c.QPN != p.sides[from].qps[n].N {
			continue
		}
		if c.Op != next {
			p.t.Errorf("queue pair %d: completion of request %d in place %d", n, c.Op, next)
		}
		next++
		all = append(all, c.Status)
	}
	return all
}

// received returns how the receive requests of queue pair n ended.
func (p *pair) received(at, n int) (all []ib.WCStatus) {
	for _, c := range p.sides[at].done {
		if c.Recv && c.QPN == p.sides[at].qps[n].N {
			all = append(all, c.Status)
		}
	}
	return all
}

// bytes reads or fills a part of a region.
func (x *side) bytes(at, n uint64) []byte {
	b := make([]byte, n)
	x.proc.Load(x.base()+at, b)
	return b
}

// scramble fills the whole region with noise.
func (x *side) scramble(seed uint64) []byte {
	b := make([]byte, region)
	r := rand.New(rand.NewPCG(seed, uint64(x.end)))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	x.proc.Store(x.base(), b)
	return b
}

// finish runs to the end and holds both sides to ending empty (laws 9 and 11)
// and coherent.
func (p *pair) finish() {
	p.t.Helper()
	if !p.Run(p.Now().Add(5 * sim.Second)) {
		p.t.Errorf("still running after 5 s")
	}
	var left []string
	for i, x := range p.sides {
		left = append(left, x.Waiting()...)
		left = append(left, x.host.Bus.Waiting()...)
		left = append(left, p.watch[i].Broken()...)
	}
	left = append(left, p.link.Waits()...)
	if n := p.pool.Live(); n > 0 {
		left = append(left, fmt.Sprintf("%d packets with an owner", n))
	}
	for _, l := range left {
		p.t.Errorf("at the end: %s", l)
	}
}

// all reports whether every status is s, and that there are n of them.
func (p *pair) all(what string, got []ib.WCStatus, n int, s ib.WCStatus) {
	p.t.Helper()
	for i, g := range got {
		if g != s {
			p.t.Errorf("%s %d ended with %v, want %v", what, i, g, s)
			return
		}
	}
	if len(got) != n {
		p.t.Errorf("%d of %d %ss have ended", len(got), n, what)
	}
}

// room is the address of what host.Allocate takes; there must be room.
func room(addr uint64, ok bool) uint64 {
	if !ok {
		panic("no room")
	}
	return addr
}
